"""Boxes with a condition on a sum of two columns, in the form that the core takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boxwood import _core
from boxwood.columns import Field
from boxwood.margins import NumberMargin
from boxwood.query.across.areas import pair_areas
from boxwood.query.across.side import Side
from boxwood.query.box import Box, both
from boxwood.query.column_set import ColumnSet, NumberSet
from boxwood.query.cube_set import CubeSet, cube_set
from boxwood.query.errors import QueryError
from boxwood.query.interval import Interval
from boxwood.query.sum_column import SumColumn
from boxwood.query.values import present_values

if TYPE_CHECKING:
    from boxwood.query.engine import CubeBox, QueryEngine

__all__ = ["Tie", "boxes_across"]

MOST_VALUES = 2048
"""Values of a column under rules that are taken one by one."""


MOST_PAIRS = 1 << 22
"""Pairs of bins of two columns; binned growth has up to 1,024 bins a column."""


@dataclass(frozen=True, eq=False)
class Tie:
    """A condition on the sum of two columns, within a box.

    Attributes
    ----------
    column : SumColumn
    allowed : NumberSet
    sides : tuple of Side
        The two columns, and what the box asks of each.
    event : _core.PairEvent
    """

    column: SumColumn
    allowed: NumberSet
    sides: tuple[Side, Side]
    event: _core.PairEvent


def boxes_across(engine: QueryEngine, box: Box) -> list[CubeBox]:
    """Return the boxes on the cube of a box with conditions on sums of columns.

    A sum is missing where a column is: these are boxes of their own. Where a column has one value, continuous
    or under rules, the sum is a condition on the other.
    """
    found: list[CubeBox] = []
    for plain in _without_gaps(engine, box):
        if any(isinstance(j, SumColumn) for j in plain.sets):
            found += _tied(engine, plain)
        else:
            found += engine.boxes_of_box(plain)
    return found


def _without_gaps(engine: QueryEngine, box: Box) -> Iterator[Box]:
    """Return disjoint boxes in which no sum may be missing, and the columns of all sums are there."""
    for j, values in box.sets.items():
        if not isinstance(j, SumColumn) or not values.missing:
            continue
        assert isinstance(values, NumberSet)
        rest = {k: part for k, part in box.sets.items() if k != j}
        if values.intervals:
            yield from _without_gaps(engine, Box({**rest, j: NumberSet(values.intervals)}))
        for there in range(len(j.columns)):
            parts: Any = {k: present_values(_field(engine, k)) for k in j.columns[:there]}
            parts[j.columns[there]] = ~present_values(_field(engine, j.columns[there]))
            gap = Box(rest) & Box(parts)
            if not gap.is_empty:
                yield from _without_gaps(engine, gap)
        return
    sums = [j for j in box.sets if isinstance(j, SumColumn)]
    there_ = {k: present_values(_field(engine, k)) for j in sums for k in j.columns}
    kept = Box({j: v for j, v in box.sets.items() if not (isinstance(j, SumColumn) and _is_line(v))})
    made = kept & Box(there_)
    if not made.is_empty:
        yield made


def _is_line(values: ColumnSet) -> bool:
    return isinstance(values, NumberSet) and (~values).intervals == ()


def _field(engine: QueryEngine, column: int) -> Field:
    return engine.schema.fields[column]


def _tied(engine: QueryEngine, box: Box) -> list[CubeBox]:
    sums = [j for j in box.sets if isinstance(j, SumColumn)]
    _check_sums(engine, sums)
    for j in sums:
        for k in j.columns:
            values = _single_values(engine, k, box.sets[k])
            if values is not None:
                made = [_substituted(box, j, k, value) for value in values]
                return [one for part in made if not part.is_empty for one in boxes_across(engine, part)]
    ties = [_tie(engine, box, j) for j in sums]
    tied = {k for j in sums for k in j.columns}
    rest = Box({j: values for j, values in box.sets.items() if j not in sums and j not in tied})
    return [_with_ties(engine, plain, box, ties) for plain in engine.boxes_of_box(rest)]


def _check_sums(engine: QueryEngine, sums: list[SumColumn]) -> None:
    names = engine.schema.names
    for j in sums:
        if len(j.columns) > 2:
            listed = ", ".join(repr(names[k]) for k in j.columns)
            raise QueryError(
                f"the columns {listed} are compared together; at most two columns can be, exactly. Draw rows "
                "by `sample` and count, or ask about two of them."
            )
    seen: dict[int, SumColumn] = {}
    for j in sums:
        for k in j.columns:
            if k in seen:
                others = sorted({*seen[k].columns, *j.columns})
                listed = " and ".join(repr(names[i]) for i in others)
                raise QueryError(
                    f"column {names[k]!r} is compared with other columns twice ({listed}); one comparison of "
                    "a column with another can be answered at a time. Draw rows by `sample` under the one "
                    "and count the other."
                )
            seen[k] = j


def _single_values(engine: QueryEngine, column: int, values: ColumnSet) -> list[float] | None:
    """Return the values of a column that must be taken one by one: continuous ones, and those under rules."""
    margin = engine.margins.columns[column]
    cube = cube_set(margin, values)
    if cube.points:
        return list(cube.points)
    if column not in engine.component_of:
        return None
    assert isinstance(margin, NumberMargin)
    side = Side(margin, np.array([0.0, 1.0]), cube)
    points, low, high = side.points
    inside = cube.inside(0.5 * (low + high))
    if not side.is_discrete or inside.sum() > MOST_VALUES:
        raise QueryError(
            f"column {_field(engine, column).name!r} follows from other columns, or others from it, and has "
            f"too many values to compare it with another column. Ask about at most {MOST_VALUES} of its "
            "values, or fit with dependencies=None."
        )
    return [float(value) for value in points[inside]]


def _substituted(box: Box, sums: SumColumn, column: int, value: float) -> Box:
    """Return the box in which one column of a sum has a value: the other has what the sum leaves it."""
    (a, _), (b, factor) = sums.coefficients
    other, scale = (b, factor) if column == a else (a, 1.0)
    shift = value if column == a else factor * value
    allowed = box.sets[sums]
    assert isinstance(allowed, NumberSet)
    intervals = tuple(_shifted(one, shift, scale) for one in allowed.intervals)
    whole = getattr(box.sets[other], "whole", False)
    fixed = NumberSet.of_values([value], whole=getattr(box.sets[column], "whole", False))
    sets = {j: values for j, values in box.sets.items() if j != sums}
    sets[column] = fixed
    sets[other] = both(sets[other], NumberSet(intervals, whole=whole))
    return Box(sets)


def _shifted(one: Interval, shift: float, scale: float) -> Interval:
    low, high = (one.low - shift) / scale, (one.high - shift) / scale
    if scale < 0.0:
        return Interval(high, low, one.high_closed, one.low_closed)
    return Interval(low, high, one.low_closed, one.high_closed)


def _tie(engine: QueryEngine, box: Box, sums: SumColumn) -> Tie:
    (a, _), (b, factor) = sums.coefficients
    allowed = box.sets[sums]
    assert isinstance(allowed, NumberSet)
    key = (sums, allowed, box.sets[a], box.sets[b])
    kept = engine.ties.get(key)
    if kept is None:
        first, second = side_of(engine, a, box.sets[a]), side_of(engine, b, box.sets[b])
        _check_size(engine, sums, first, second)
        areas = pair_areas(first, second, factor, allowed)
        alone = [engine.leaves.event(k, s.cube.low, s.cube.high, 0.0) for k, s in ((a, first), (b, second))]
        kept = Tie(sums, allowed, (first, second), engine.leaves.pair(a, b, areas, *alone))
        engine.keep_tie(key, kept)
    return kept


def _check_size(engine: QueryEngine, sums: SumColumn, first: Side, second: Side) -> None:
    sizes = [len(side.edges) - 1 for side in (first, second)]
    if sizes[0] * sizes[1] > MOST_PAIRS:
        a, b = (engine.schema.names[j] for j in sums.columns)
        raise QueryError(
            f"columns {a!r} and {b!r} have {sizes[0]} and {sizes[1]} bins, too many to compare the columns "
            "with each other. Fit with splitter='binned', or a histogram with fewer bins."
        )


def side_of(engine: QueryEngine, column: int, values: ColumnSet) -> Side:
    """Return a column with what a box asks of it; its cells are the column's bins."""
    margin = engine.margins.columns[column]
    assert isinstance(margin, NumberMargin)
    cube = cube_set(margin, values)
    if not len(cube.low):
        cube = CubeSet(np.zeros(1), np.zeros(1), False)
    return Side(margin, engine.edges[column], cube)


def _with_ties(engine: QueryEngine, plain: CubeBox, box: Box, ties: list[Tie]) -> CubeBox:
    columns = [k for tie in ties for k in tie.column.columns]
    rate = float(np.prod(1.0 - engine.gap_rates[columns]))
    cubes = {**plain.cubes}
    for tie in ties:
        cubes.update(zip(tie.column.columns, (side.cube for side in tie.sides), strict=True))
    own = Box({**box.sets, **plain.box.sets})
    return replace(plain, factor=plain.factor * rate, box=own, cubes=cubes, ties=tuple(ties))
