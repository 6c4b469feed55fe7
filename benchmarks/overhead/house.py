"""What the way of a record costs: crossings into the core, one row scored, the margins of a wide table.

Where ``BOXWOOD_OLD_PYTHON`` names an interpreter that has another version of boxwood, both are measured in
turns, each in processes of its own, and ratios are new to old. Crossings are calls of native functions,
methods and constructors and readings of native attributes; options, which a call takes along, do not count.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[1]))  # ratio.py

from ratio import best_times, shown

import boxwood as bw
from boxwood.margins import fit_margins

ROUNDS = 4
"""Processes of each version, in turns."""
CALLS = 100
"""Calls of a task that takes microseconds, timed together."""

Measured = dict[str, float]


def main() -> str:
    """Return the tables of crossings and of times."""
    versions = {"new": sys.executable}
    if old := os.environ.get("BOXWOOD_OLD_PYTHON"):
        versions = {"old": old, "new": sys.executable}
    measured: dict[str, Measured] = {name: {} for name in versions}
    for _ in range(ROUNDS):
        for name, python in versions.items():
            for task, value in _measure_in(python).items():
                measured[name][task] = min(value, measured[name].get(task, float("inf")))
    tasks = measured["new"]
    crossings = [task for task in tasks if task.startswith("crossings")]
    times = [task for task in tasks if task not in crossings]
    return "\n\n".join([_table(measured, crossings, lambda n: f"{n:.0f}"), _table(measured, times, shown)])


def _table(measured: dict[str, Measured], tasks: list[str], shown_as: Callable[[float], str]) -> str:
    head = ["measured", *measured, *(["new / old"] if "old" in measured else [])]
    lines = [head, ["---", *["---:"] * (len(head) - 1)]]
    for task in tasks:
        values = [of_version[task] for of_version in measured.values()]
        ratio = [f"{values[1] / values[0]:.2f}"] if len(values) == 2 else []
        lines.append([task, *map(shown_as, values), *ratio])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _measure_in(python: str) -> Measured:
    """Measure the version of boxwood that another interpreter has."""
    done = subprocess.run([python, __file__, "--measure"], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


# ---- in the measured process --------------------------------------------------------------------------


def measure() -> Measured:
    """Return all figures of the version that this process has."""
    return {**_count_crossings(), **_time_rows(), **_time_margins()}


def _rows(n_rows: int, n_columns: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    return 2.0 * rng.normal(size=(n_rows, 1)) + rng.normal(size=(n_rows, n_columns))


def _count_crossings() -> Measured:
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    import pytest

    from crossings import count_crossings

    found = {}
    with pytest.MonkeyPatch.context() as patch:
        crossings = count_crossings(patch, attributes=True)
        for d in (5, 50):
            X = _rows(300, d)
            forest, tree = bw.DensityForest(10, random_state=0), bw.DensityTree(random_state=0)
            tasks = {
                "DensityForest.fit": partial(forest.fit, X),
                "DensityTree.fit": partial(tree.fit, X),
                "score_samples": partial(forest.score_samples, X),
                "sample": partial(forest.sample, 9, random_state=0),
            }
            for name, task in tasks.items():
                crossings.calls.clear()
                task()
                n = sum("Options" not in called for called, _ in crossings.calls)
                found[f"crossings of {name}, {d} columns"] = float(n)
    return found


def _time_rows() -> Measured:
    X = _rows(2000, 10)
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(10)])
    by_array = bw.DensityForest(100, random_state=0).fit(X)
    by_frame = bw.DensityForest(100, random_state=0).fit(frame)
    row, row_of_frame = X[:1].copy(), frame.iloc[:1].copy()
    tasks = {
        "a row of 10 columns scored by 100 trees, from numpy": lambda: by_array.score_samples(row),
        "the same from pandas": lambda: by_frame.score_samples(row_of_frame),
    }
    times = best_times({name: _repeated(task) for name, task in tasks.items()}, repeats=15)
    return {name: seconds / CALLS for name, seconds in times.items()}


def _repeated(task: Callable[[], object]) -> Callable[[], None]:
    def all_calls() -> None:
        for _ in range(CALLS):
            task()

    return all_calls


def _time_margins() -> Measured:
    columns = bw.read_columns(_rows(300, 500))
    tasks: dict[str, Callable[[], object]] = {
        f"{kind} margins of 300 × 500 fitted, {threads} thread{'s' * (threads > 1)}": partial(
            fit_margins, columns, kind, n_jobs=threads
        )
        for kind in ("smooth", "linear")
        for threads in (1, 2)
    }
    margins = fit_margins(columns)
    tasks["the same encoded, 2 threads"] = partial(margins.encode, columns, n_jobs=2)
    return best_times(tasks, repeats=7)


if __name__ == "__main__":
    print(json.dumps(measure()) if "--measure" in sys.argv else main())
