"""Outcomes in Markdown: tables down, models across; then who is ahead of whom, and at what cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from ratio import shown

from .models import MODELS
from .outcome import N_MANY, Outcome, Outcomes
from .seeds import mean_and_range
from .table import Table

__all__ = ["scoring", "three_grids", "verdict"]


def three_grids(title: str, outcomes: Outcomes, tables: Mapping[str, Table], models: Sequence[str]) -> str:
    """Quality, then the seconds of fit and of score."""
    return "\n\n".join(
        [
            nats_grid(title, outcomes, tables, models),
            grid(
                "fit: CPU seconds (wall)", tables, models, lambda name, model: fit_cell(outcomes[name][model])
            ),
            grid(
                "score: CPU µs a row",
                tables,
                models,
                lambda name, model: f"{outcomes[name][model].score_cpu / len(tables[name].test) * 1e6:.3g}",
            ),
        ]
    )


def grid(
    title: str, tables: Mapping[str, Table], columns: Sequence[str], cell: Callable[[str, str], str]
) -> str:
    lines = [
        f"| {name}, {len(table.train):,} × {table.train.shape[1]} | "
        f"{' | '.join(cell(name, column) for column in columns)} |"
        for name, table in tables.items()
    ]
    return "\n".join([f"| {title} | {' | '.join(columns)} |", f"| --- |{' ---: |' * len(columns)}", *lines])


def nats_grid(title: str, outcomes: Outcomes, tables: Mapping[str, Table], models: Sequence[str]) -> str:
    """Means and ranges over seeds, the best of those over all rows in bold, the true one last."""

    def cell(name: str, column: str) -> str:
        truth = tables[name].truth
        if column == "truth":
            return "" if truth is None else f"{truth:.2f}"
        whole = [outcome.nats for model, outcome in outcomes[name].items() if not MODELS[model].boxed]
        outcome = outcomes[name][column]
        mean, *rest = mean_and_range(outcome.seeds or (outcome.nats,), ".2f").split(" ", 1)
        best = whole and outcome.nats == max(whole)
        return " ".join([f"**{mean}**" if best else mean, *rest])

    truths = ["truth"] if any(table.truth is not None for table in tables.values()) else []
    return grid(f"{title}: nats a row on test data", tables, [*models, *truths], cell)


def fit_cell(outcome: Outcome) -> str:
    return f"{outcome.fit_cpu:.3g} ({outcome.fit_wall:.3g})"


def verdict(outcomes: Outcomes, ours: str, peers: Sequence[str]) -> str:
    """Say for each peer where a model is ahead of it, and what of its time it takes."""
    lines = []
    for peer in peers:
        pairs = {
            name: (row[ours], row[peer]) for name, row in outcomes.items() if ours in row and peer in row
        }
        if not pairs:
            continue
        behind = [name for name, (own, other) in pairs.items() if own.nats <= other.nats]
        exceptions = f" (not on {', '.join(behind)})" if behind else ""
        ratios = [own.fit_cpu / other.fit_cpu for own, other in pairs.values()]
        lines.append(
            f"- {ours} is ahead of {peer} on {len(pairs) - len(behind)} of {len(pairs)}{exceptions}, in "
            f"{np.median(ratios):.2g} times its CPU time (median; {min(ratios):.2g} to {max(ratios):.2g})."
        )
    return "\n".join(lines)


def scoring(table: str, row: Mapping[str, Outcome], base: str = "NSF") -> str:
    """Return the time of scoring many rows, beside that of the flow."""
    times = {model: outcome.many_cpu for model, outcome in row.items() if outcome.many_cpu is not None}
    lines = [
        f"| {model} | {shown(seconds)} | {f'{seconds / times[base]:.2f}' if base in times else ''} |"
        for model, seconds in times.items()
    ]
    head = f"| scoring {N_MANY:,} × 10, models of {table} | CPU time | ratio to {base} |"
    return "\n".join([head, "| --- | ---: | ---: |", *lines])
