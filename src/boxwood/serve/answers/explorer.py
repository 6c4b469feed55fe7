"""What the explorer shows besides the columns: a pair of them, rows that fit, what depends on what."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxwood.plot.question_axis import QuestionAxis, axis_of_question
from boxwood.query.event import Event
from boxwood.query.event_reader import column_position
from boxwood.query.expression import read_expression
from boxwood.query.weighed import WeighedQuery
from boxwood.serve.answers.asking import Asking, given_of
from boxwood.serve.answers.drawn_dependence import N_DRAWS, all_cells, drawn_dependence
from boxwood.serve.axes import described_axis
from boxwood.serve.plain_json import plain
from boxwood.serve.refusal import RefusedError
from boxwood.serve.rows import rows_of

__all__ = ["dependent", "examples", "pair", "sample"]

MOST_PIECES = 500_000
"""Leaves times pairs of columns up to which dependence is exact: these take a quarter of a second."""


def pair(asking: Asking) -> dict[str, Any]:
    """Return the probabilities of the cells of two columns under evidence."""
    if asking["x"] == asking["y"]:
        raise RefusedError("invalid", f"two different columns are needed; got {asking['x']!r} twice.")
    under = given_of(asking)
    across, up = (axis_of_question(under, asking[name], asking["n_bins"]) for name in ("x", "y"))
    rows = []
    for part in up.sets:
        asking.deadline.check()
        of_row = Event.of_column(up.position, part)
        events = [of_row & Event.of_column(across.position, values) for values in across.sets]
        rows.append(plain(np.asarray(under.query.probabilities(events))))
    gaps = [Event.of_column(axis.position, axis.missing) for axis in (across, up)]
    return {
        "x": _described(asking, across),
        "y": _described(asking, up),
        "probabilities": rows,
        "missing": plain(float(under.query.probability(gaps[0] | gaps[1]))),
    }


def _described(asking: Asking, axis: QuestionAxis) -> dict[str, Any]:
    return described_axis(asking.model, axis)


def sample(asking: Asking) -> dict[str, Any]:
    """Return simulated rows that satisfy the evidence."""
    return {"rows": _simulated(asking, asking["n"])}


def examples(asking: Asking) -> dict[str, Any]:
    """Return real rows, where there is a table, and simulated ones that fit."""
    found: dict[str, Any] = {"real": [], "real_at": [], "n_real": None}
    table = asking.loaded.table
    if table is not None:
        given = asking["given"]
        fits = np.arange(table.n_rows)
        if given is not None:
            fits = np.flatnonzero(read_expression(asking.model.schema, given).contains(table))
        chosen = _chosen(fits, asking["n"], asking["seed"])
        found = {"real": rows_of(table.take(chosen)), "real_at": chosen.tolist(), "n_real": len(fits)}
    asking.deadline.check()
    return {**found, "simulated": _simulated(asking, asking["n"])}


def _chosen(rows: Any, n: int, seed: int) -> Any:
    """Return the first few rows, or with another seed than 0 some of them."""
    if seed == 0 or len(rows) <= n:
        return rows[:n]
    return np.sort(np.random.default_rng(seed).choice(rows, n, replace=False))


def _simulated(asking: Asking, n: int) -> list[dict[str, Any]]:
    return rows_of(given_of(asking).query.sample_columns(n, asking["seed"], corrected=True))


def dependent(asking: Asking) -> dict[str, Any]:
    """Return the columns that depend most on a column under the evidence; or of each one its partner."""
    schema, column = asking.model.schema, asking["column"]
    query, n = given_of(asking).query, len(schema)
    if column is None:
        pairs = [(a, b) for a in range(n) for b in range(a)]
    else:
        pairs = [(b, k) for k in [column_position(schema, column)] for b in range(n) if b != k]
    exact = not isinstance(query, WeighedQuery) and len(pairs) * query._engine.leaves.n_leaves <= MOST_PIECES
    cells = [] if exact else all_cells(query.sample_columns(N_DRAWS, 0))
    best: dict[int, tuple[float, int]] = {}
    for a, b in pairs:
        asking.deadline.check()
        value = _exact_dependence(query, a, b) if exact else drawn_dependence(cells[a], cells[b])
        for one, other in ((a, b), (b, a)) if column is None else ((a, b),):
            best[one] = max(best.get(one, (-1.0, 0)), (value, other))
    found = [
        {"column": schema.names[one], "with": schema.names[other], "dependence": plain(value)}
        for one, (value, other) in best.items()
    ]
    return {
        "column": column,
        "exact": exact,
        "columns": sorted(found, key=lambda line: -line["dependence"]),
    }


def _exact_dependence(query: Any, a: int, b: int) -> float:
    return float(np.sqrt(-np.expm1(-2.0 * float(query.mutual_information(a, b)))))
