"""Return whether a change of the code changed a result, by hashes of what small models answer and keep.

``fingerprint.py OUT.json`` runs all cases through the public API and writes for each of them a hash of its
scores, predictions and samples, and one of the arrays of its model file. A case that fails has its error in
their place. ``fingerprint.py --compare A.json B.json`` lists the cases that differ or have failed, and exits
with 1 if there are any.

Hashes are of bytes: compare files of one machine and of the same versions of all dependencies. Names of
tensors and the header of a model file do not count, so that they may change.
"""

from __future__ import annotations

import os

if __name__ == "__main__":  # before numpy starts its threads
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    os.environ["MPLBACKEND"] = "Agg"

import argparse
import json
import sys
import time
import warnings
from collections.abc import Mapping
from pathlib import Path

from fingerprint_cases import Call, Fit, all_cases
from fingerprint_tables import Table, make_tables


def fingerprint(case: Fit | Call, tables: dict[str, Table]) -> dict[str, str | None]:
    """Run a case; where it fails, the error stands in the place of the hashes."""
    try:
        return case.run(tables)
    except Exception as error:
        failure = f"error: {type(error).__name__}: {error}"
        return {"scores": failure, "arrays": failure}


def has_failed(found: Mapping[str, str | None]) -> bool:
    """Return whether a case could not be run."""
    return any(part is not None and part.startswith("error") for part in found.values())


def write(target: Path, penguins: Path) -> bool:
    """Run all cases and write their hashes; tell whether all ran."""
    start = time.perf_counter()
    warnings.simplefilter("ignore")
    tables = make_tables(penguins)
    cases = {str(case): case for case in all_cases()}
    found = {name: fingerprint(case, tables) for name, case in cases.items()}
    target.write_text(json.dumps(found, indent=1) + "\n")
    failed = [name for name, parts in found.items() if has_failed(parts)]
    for name in failed:
        print(f"{name}: {found[name]}")
    print(f"{len(found)} cases, {len(failed)} failed, {time.perf_counter() - start:.0f} s")
    return not failed


def compare(one: Path, other: Path) -> bool:
    """List the cases that differ, fail or are in one file only; tell whether there are none."""
    first, second = (json.loads(path.read_text()) for path in (one, other))
    different = 0
    for name in sorted({*first, *second}):
        if name not in first or name not in second:
            said = f"only in {one if name in first else other}"
        elif has_failed(first[name]) or has_failed(second[name]):
            said = f"failed: {first[name]}, {second[name]}"
        else:
            said = " and ".join(part for part in first[name] if first[name][part] != second[name].get(part))
        if said:
            different += 1
            print(f"{name}: {said}")
    print(f"{different} of {len({*first, *second})} cases differ")
    return not different


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", nargs="?", type=Path, help="file to write")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"), help="files to compare")
    parser.add_argument("--penguins", type=Path, default=Path("examples/penguins.csv"))
    options = parser.parse_args()
    if (options.out is None) == (options.compare is None):
        parser.error("give a file to write, or --compare and two files")
    fine = write(options.out, options.penguins) if options.out else compare(*options.compare)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
