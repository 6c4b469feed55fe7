"""Draws under evidence that asks for what training did not show: gaps in columns under rules, categories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from boxwood.columns import Column, Columns
from boxwood.columns.columns import concatenated
from boxwood.columns.schema import all_missing
from boxwood.margins import CategoryMargin
from boxwood.query.box import Box
from boxwood.query.column_set import CategorySet
from boxwood.query.cube_set import Margin
from boxwood.query.engine import CubeBox, QueryEngine

__all__ = ["grouped_by_gaps", "sample_groups", "unseen_put_in", "with_unseen"]

Group = tuple[tuple[int, ...], list[CubeBox]]


def grouped_by_gaps(boxes: Sequence[CubeBox]) -> list[Group]:
    """Return the boxes in groups that ask for the same such gaps."""
    groups: dict[tuple[int, ...], list[CubeBox]] = {}
    for box in boxes:
        groups.setdefault(box.gaps, []).append(box)
    return list(groups.items())


def sample_groups(
    engine: QueryEngine,
    groups: Sequence[Group],
    n_samples: int,
    rng: np.random.Generator,
    draw: Callable[[Any, list[CubeBox], int, np.random.Generator], Columns],
) -> Columns:
    """Draw rows of each group as often as it is probable, its gaps put in, in any order.

    `draw` draws rows of some boxes, as the core does, which sums such columns out.
    """
    masses = np.array([engine.probabilities(boxes).sum() for _, boxes in groups])
    counts = rng.multinomial(n_samples, masses / masses.sum())
    parts = []
    for (gaps, boxes), n_rows in zip(groups, counts.tolist(), strict=True):
        if n_rows:
            open_boxes = boxes if not gaps else [_without(box) for box in boxes]
            parts.append(_with_gaps(draw(engine.condition(boxes), open_boxes, n_rows, rng), gaps))
    return concatenated(parts).take(rng.permutation(n_samples))


def with_unseen(engine: QueryEngine, columns: Columns, points: Any, boxes: Sequence[CubeBox]) -> Columns:
    """Return decoded rows with unseen categories where evidence has them: decoding names known ones alone."""
    sets = [(j, part) for box in boxes for j, part in box.box.sets.items()]
    asked = {j for j, part in sets if isinstance(part, CategorySet) and part.unseen}
    made: list[Column] = list(columns)
    for j in asked:
        values = unseen_put_in(engine.margins.columns[j], points[:, j], columns[j].values)
        made[j] = Column(columns[j].field, values, columns[j].n_missing)
    return Columns(columns.schema, columns.n_rows, columns=made) if asked else columns


def unseen_put_in(margin: Margin, u: Any, values: Any) -> Any:
    """Return decoded values of a column with the code of unseen categories where u lies in their interval."""
    if not isinstance(margin, CategoryMargin):
        return values
    return np.where(margin.is_unseen(u), len(margin.mass), values).astype(values.dtype)


def _without(box: CubeBox) -> CubeBox:
    """Return a box that does not ask for its gaps: they are put in after the draw."""
    sets = {j: part for j, part in box.box.sets.items() if j not in box.gaps}
    cubes = {j: cube for j, cube in box.cubes.items() if j not in box.gaps}
    return replace(box, box=Box(sets), cubes=cubes, gaps=())


def _with_gaps(columns: Columns, gaps: Sequence[int]) -> Columns:
    if not gaps:
        return columns
    made: list[Column] = list(columns)
    for j in gaps:
        made[j] = all_missing(columns.schema.fields[j], columns.n_rows)
    return Columns(columns.schema, columns.n_rows, columns=made)
