"""Draws under evidence, put right where rounding or a rule would take them out of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns
from boxwood.columns.schema import all_missing
from boxwood.query.engine import CubeBox, QueryEngine
from boxwood.query.gap_draws import unseen_put_in
from boxwood.query.sum_column import contains

__all__ = ["keep_evidence"]


def keep_evidence(
    engine: QueryEngine,
    exact: Columns,
    rounded: Columns,
    gaps: NDArray[np.bool_],
    boxes: Sequence[CubeBox],
    rng: np.random.Generator,
) -> Columns:
    """Return drawn rows inside the evidence: rounded as the table was, wherever that leaves them there.

    `gaps` are cells without a place on [0, 1]: gaps that training did not show.
    """
    exact, rounded = _with_gaps(exact, gaps), _with_gaps(rounded, gaps)
    exact, rounded = _with_points(exact, boxes), _with_points(rounded, boxes)
    if all(not box.box.sets for box in boxes):
        return rounded
    inside = _inside(rounded, boxes)
    if not inside.all():
        columns = [_chosen(inside, a, b) for a, b in zip(rounded, exact, strict=True)]
        rounded = Columns(exact.schema, exact.n_rows, columns=columns)
        inside = _inside(rounded, boxes)
    return rounded if inside.all() else _broken_rules(engine, rounded, boxes, inside, rng)


def _inside(columns: Columns, boxes: Sequence[CubeBox]) -> NDArray[np.bool_]:
    inside = np.zeros(columns.n_rows, dtype=np.bool_)
    for box in boxes:
        inside |= box.box.contains(columns)
    return inside


def _chosen(first: NDArray[np.bool_], a: Column, b: Column) -> Column:
    return _column(a, np.where(first, a.values, b.values))


def _column(like: Column, values: NDArray[Any]) -> Column:
    made = Column(like.field, values.astype(like.values.dtype), 0)
    return Column(like.field, made.values, int(np.count_nonzero(made.missing())))


def _with_gaps(columns: Columns, gaps: NDArray[np.bool_]) -> Columns:
    if not gaps.any():
        return columns
    parts = []
    for j, column in enumerate(columns):
        missing = all_missing(column.field, columns.n_rows)
        parts.append(_chosen(~gaps[:, j], column, missing) if gaps[:, j].any() else column)
    return Columns(columns.schema, columns.n_rows, columns=parts)


def _with_points(columns: Columns, boxes: Sequence[CubeBox]) -> Columns:
    """Put the very values of evidence in place of what decoding, or rounding to decimals, makes of them."""
    points = {j: [] for box in boxes for j, cube in box.cubes.items() if cube.points}  # type: ignore[var-annotated]
    for box in boxes:
        for j in points:
            points[j] += box.cubes[j].points
    if not points:
        return columns
    parts = list(columns)
    for j, values in points.items():
        known = np.unique(values)
        numbers = parts[j].values
        nearest = np.abs(numbers[:, None] - known).argmin(axis=1)
        parts[j] = _column(parts[j], known[nearest])
    return Columns(columns.schema, columns.n_rows, columns=parts)


def _broken_rules(
    engine: QueryEngine,
    columns: Columns,
    boxes: Sequence[CubeBox],
    inside: NDArray[np.bool_],
    rng: np.random.Generator,
) -> Columns:
    """Draw by their margins what evidence asks of columns against the rules that they follow."""
    parts = list(columns)
    left = ~inside
    for box in boxes:
        ruled = [j for j in box.cubes if j in engine.component_of]
        others = np.ones(columns.n_rows, dtype=np.bool_)
        for j, values in box.box.sets.items():
            if j not in ruled:
                others &= contains(j, values, columns)
        rows = np.flatnonzero(left & others)
        for j in ruled:
            wrong = rows[~box.box.sets[j].contains(parts[j].values[rows])]
            cube = box.cubes[j]
            lengths = np.cumsum(cube.high - cube.low)
            if not len(wrong) or not len(lengths):
                continue
            at = rng.random(len(wrong)) * lengths[-1]
            k = np.minimum(np.searchsorted(lengths, at, side="right"), len(lengths) - 1)
            u = cube.high[k] - (lengths[k] - at)
            drawn = parts[j].values.copy()
            u = np.clip(u, cube.low[k], np.nextafter(cube.high[k], 0.0))
            margin = engine.margins.columns[j]
            drawn[wrong] = unseen_put_in(margin, u, margin.decode(u))
            parts[j] = _column(parts[j], drawn)
        left[rows] = False
    return Columns(columns.schema, columns.n_rows, columns=parts)
