"""How good are the densities? Mean test log-likelihood and time of trees, forests and boosted densities.

Beside Gaussians, mixtures, kernels, mlpack's ``det`` and, where torch and zuko are installed, neural flows;
on five tables (magic, protein, housing, cover, shuttle) and on others, real and drawn from a known density.
All in one process, on one thread, with defaults; times are CPU seconds of the process, since a machine is
seldom quiet. `DensityTree` and ``det`` give rows outside of the training box no density: their mean is over
the other rows. Bars for `BoostedDensity`: ahead of 50 Gaussians and MAF on all five tables and of NSF on
four, in a third of NSF's time; its quick preset ahead of 50 Gaussians in their time; scoring no slower than
NSF.

``--tables magic,arm`` and ``--models NSF,DensityForest`` choose; ``--seeds 1`` takes one seed where three are
usual; ``--json FILE`` keeps the figures.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from quality.models import MODELS
from quality.outcome import Outcomes, many_rows, validate
from quality.real import MissingTableError
from quality.report import scoring, three_grids, verdict
from quality.seeds import add_seeds
from quality.table import Table
from quality.tables import FIVE, OTHERS, make_table
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

SCORED = "magic"
"""The table of 10 columns on whose models scoring many rows is timed."""
RIVALS = {
    "DensityForest": ("GMM-50",),
    "BoostedDensity-quick": ("GMM-50",),
    "BoostedDensity": ("GMM-50", "MAF", "NSF"),
}


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare densities on many tables.")
    parser.add_argument("--tables", help=f"of {', '.join([*FIVE, *OTHERS])}; without it all")
    parser.add_argument("--models", help=f"of {', '.join(MODELS)}; without it all that are installed")
    parser.add_argument("--json", type=Path, help="a file for the figures, written after each model")
    add_seeds(parser)
    options = parser.parse_args(arguments)
    options.tables = chosen(options.tables, [*FIVE, *OTHERS], "table")
    options.models = can_run(chosen(options.models, list(MODELS), "model"))
    return options


def chosen(text: str | None, known: Sequence[str], what: str) -> list[str]:
    names = text.split(",") if text else list(known)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"no {what} {', '.join(unknown)} here; there are {', '.join(known)}")
    return names


def can_run(models: Sequence[str]) -> list[str]:
    """Keep the models that are installed; say which are left out."""
    absent = [model for model in models if not MODELS[model].is_installed]
    if absent:
        print(f"not installed, left out: {', '.join(absent)}", file=sys.stderr)
    return [model for model in models if MODELS[model].is_installed]


def read_tables(names: Sequence[str]) -> dict[str, Table]:
    """Make the tables; say which are left out because the package that bundles them is not installed."""
    tables = {}
    for name in names:
        try:
            tables[name] = make_table(name)
        except MissingTableError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return tables


def validate_all(
    tables: dict[str, Table], models: Sequence[str], seeds: range, keep: Path | None
) -> Outcomes:
    outcomes: Outcomes = {name: {} for name in tables}
    for name, table in tables.items():
        many = many_rows(table) if name == SCORED else None
        for model in models:
            outcomes[name][model] = validate(MODELS[model], table, many, seeds)
            print(f"{name}, {model}: {outcomes[name][model]}", file=sys.stderr, flush=True)
            if keep is not None:
                keep.write_text(as_json(outcomes), encoding="utf-8")
    return outcomes


def as_json(outcomes: Outcomes) -> str:
    plain = {name: {model: asdict(o) for model, o in row.items()} for name, row in outcomes.items()}
    return json.dumps(plain, indent=1)


def report(title: str, outcomes: Outcomes, tables: dict[str, Table], models: Sequence[str]) -> list[str]:
    """Return the parts of one group of tables."""
    verdicts = [verdict(outcomes, ours, peers) for ours, peers in RIVALS.items()]
    return [three_grids(title, outcomes, tables, models), "\n".join(filter(None, verdicts))]


def main(arguments: Sequence[str] = ()) -> str:
    options = parse(arguments)
    tables = read_tables(options.tables)
    warnings.simplefilter("ignore", ConvergenceWarning)
    with threadpool_limits(1):
        outcomes = validate_all(tables, options.models, range(options.seeds), options.json)
    parts = []
    for title, group in (("five tables", FIVE), ("other tables", tuple(OTHERS))):
        own = {name: table for name, table in tables.items() if name in group}
        if own:
            parts += report(title, {name: outcomes[name] for name in own}, own, options.models)
    if SCORED in outcomes:
        parts.append(scoring(SCORED, outcomes[SCORED]))
    return "\n\n".join(filter(None, parts))


if __name__ == "__main__":
    print(main(sys.argv[1:]))
