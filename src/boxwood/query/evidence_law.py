"""The distribution of one column under evidence, from what the core sums over leaves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.dependencies.component import VALUE
from boxwood.query.across import tied_density
from boxwood.query.column_law import ColumnLaw
from boxwood.query.column_set import ColumnSet
from boxwood.query.cube_set import CubeSet, interval_of_value
from boxwood.query.engine import CubeBox, QueryEngine

__all__ = ["Groups", "groups_of", "law_of"]

Numbers = NDArray[np.float64]

_ANYTHING = CubeSet(np.zeros(1), np.ones(1), True)


class Groups:
    """Boxes that ask the same of a column.

    Attributes
    ----------
    of_box : list of int
    cubes : list of CubeSet
    sets : list of ColumnSet or None
        None where nothing is asked of the column.
    """

    def __init__(self, boxes: Sequence[CubeBox], column: int) -> None:
        self.of_box: list[int] = []
        self.cubes: list[CubeSet] = []
        self.sets: list[ColumnSet | None] = []
        known: dict[object, int] = {}
        for box in boxes:
            cube = box.cubes.get(column)
            key = None if cube is None else id(cube)
            if key not in known:
                known[key] = len(self.cubes)
                self.cubes.append(_ANYTHING if cube is None else cube)
                self.sets.append(None if cube is None else box.box.sets.get(column))
            self.of_box.append(known[key])

    def __len__(self) -> int:
        return len(self.cubes)


def groups_of(boxes: Sequence[CubeBox], column: int) -> Groups:
    """Return the boxes by what they ask of a column."""
    return Groups(boxes, column)


class _Cells:
    """Densities added up over cells between all edges that matter."""

    def __init__(self, bins: Numbers, groups: Groups, more: Sequence[Numbers] = ()) -> None:
        ends = [part for cube in groups.cubes for part in (cube.low, cube.high)]
        self.edges = np.unique(np.concatenate([bins, *ends, *more]))
        self.middle = 0.5 * (self.edges[1:] + self.edges[:-1])
        self.bin = np.clip(np.searchsorted(bins, self.middle, side="right") - 1, 0, len(bins) - 2)
        self.density = np.zeros(len(self.middle))

    def add(self, density: Numbers, cube: CubeSet) -> None:
        """Add a density of bins inside a set."""
        self.density += np.where(cube.inside(self.middle), density[self.bin], 0.0)

    def add_interval(self, low: float, high: float, mass: float) -> None:
        """Add mass that is spread evenly over an interval."""
        if mass > 0.0 and high > low:
            a, b = np.searchsorted(self.edges, [low, high])
            self.density[a:b] += mass / (high - low)


def law_of(
    engine: QueryEngine, conditioned: _core.Conditioned, boxes: Sequence[CubeBox], column: int
) -> ColumnLaw:
    """Return the distribution of a column under boxes of evidence."""
    tied = [box for box in boxes if box.ties_column(column)]
    if tied:
        return _tied_law(engine, tied, [box for box in boxes if not box.ties_column(column)], column)
    groups = groups_of(boxes, column)
    if column in engine.component_of:
        return _law_under_rules(engine, conditioned, groups, column)
    edges, density, gap = _free_cells(engine, conditioned, boxes, column)
    return ColumnLaw(engine.schema.fields[column], engine.margins.columns[column], edges, density, gap)


def _free_cells(
    engine: QueryEngine, conditioned: _core.Conditioned, boxes: Sequence[CubeBox], column: int
) -> tuple[Numbers, Numbers, float]:
    """Return edges and densities of a column without rules, and the mass of a gap that has no place."""
    groups = groups_of(boxes, column)
    found = conditioned.densities(column, groups.of_box, len(groups))
    bins, rate = engine.edges[column], float(engine.gap_rates[column])
    if len(groups) == 1 and groups.cubes[0] is _ANYTHING:  # of most columns: the cells are the bins
        return bins, found[0] * (1.0 - rate), rate * float((found[0] * np.diff(bins)).sum())
    cells, gap = _Cells(bins, groups), 0.0
    for cube, density in zip(groups.cubes, found, strict=True):
        if cube.points:
            _add_point(engine, cells, column, cube, density)
        else:
            # Where no gap is in the set, boxes have the factor 1 − rate in them already.
            cells.add(density * ((1.0 - rate) if cube.missing else 1.0), cube)
            gap += rate * float((density * np.diff(bins)).sum()) if cube.missing else 0.0
    return cells.edges, cells.density, gap


def _tied_law(
    engine: QueryEngine, tied: Sequence[CubeBox], free: Sequence[CubeBox], column: int
) -> ColumnLaw:
    edges, density = tied_density(engine, tied, column)
    field, margin, gap = engine.schema.fields[column], engine.margins.columns[column], 0.0
    if free:  # boxes in which a sum is missing
        *others, gap = _free_cells(engine, engine.condition(free), free, column)
        both = np.unique(np.concatenate([edges, others[0]]))
        middle = 0.5 * (both[1:] + both[:-1])
        parts = [(edges, density), others]
        density = sum(d[np.searchsorted(e, middle, side="right") - 1] for e, d in parts)
        edges = both
    return ColumnLaw(field, margin, edges, density, gap)


def _add_point(engine: QueryEngine, cells: _Cells, column: int, cube: CubeSet, density: Numbers) -> None:
    """Add the mass of a continuous value: to the narrowest cell about it that doubles allow."""
    u = np.empty(1)
    engine.margins.columns[column].encode(np.array(cube.points), u)
    low, high = np.nextafter(u[0], 0.0), np.nextafter(u[0], 1.0)
    bins = engine.edges[column]
    at = int(np.clip(np.searchsorted(bins, u[0], side="right") - 1, 0, len(density) - 1))
    edges = np.unique(np.concatenate([cells.edges, [low, high]]))
    old = np.clip(np.searchsorted(cells.edges, 0.5 * (edges[1:] + edges[:-1]), side="right") - 1, 0, None)
    cells.density = cells.density[old]
    cells.edges = edges
    cells.add_interval(low, high, float(density[at]))


def _law_under_rules(
    engine: QueryEngine, conditioned: _core.Conditioned, groups: Groups, column: int
) -> ColumnLaw:
    entries, present, gaps = conditioned.rule_law(column, groups.of_box, len(groups))
    one = engine.components[engine.component_of[column]]
    margin, bins = engine.margins.columns[column], engine.edges[column]
    root = one.component.root == column
    if root:
        places = one.intervals
    else:
        k = [ruled.column for ruled in one.component.ruled].index(column)
        ruled = one.component.ruled[k]
        places = np.array([interval_of_value(margin, float(value)) for value in ruled.value])
    cells = _Cells(bins, groups, [places.ravel()])
    end, rate, gap = 1.0 - margin.missing_mass, float(engine.gap_rates[column]), 0.0
    totals = np.bincount(groups.of_box, conditioned.totals(), len(groups))
    for g, cube in enumerate(groups.cubes):
        if not len(cube.low):  # a gap that has no place among the rules
            gap += float(totals[g])
            continue
        if cube is _ANYTHING and rate > 0.0:
            gap += rate * float(totals[g])
            entries[g], present[g], gaps[g] = (part[g] * (1.0 - rate) for part in (entries, present, gaps))
        if root:
            known = _without(cells, one.intervals)
            cells.density += np.where(cube.inside(cells.middle) & known, present[g][cells.bin], 0.0)
            for (low, high), mass in zip(places, entries[g][:-1], strict=True):
                cells.add_interval(low, high, float(mass))
            continue
        density = np.where(cells.middle < end, present[g][cells.bin], gaps[g][cells.bin])
        cells.density += np.where(cube.inside(cells.middle), density, 0.0)
        values = groups.sets[g]
        asked = None if values is None else (values, cube)
        kept = one.kept(k, asked)
        inside = np.ones(len(kept), bool) if values is None else one.inside(column, values, ruled.value)
        exceptions = ruled.rule.exception_rate
        for e in np.flatnonzero((ruled.kind == VALUE) & (entries[g] > 0.0)):
            low, high = places[e]
            on_rule = (1.0 - exceptions) / kept[e] if inside[e] else 0.0
            cells.add_interval(low, high, float(entries[g][e]) * min(on_rule, 1.0))
            rest = cube.inside(cells.middle) & ~((cells.middle > low) & (cells.middle < high))
            width = float(np.diff(cells.edges)[rest].sum())
            if width > 0.0:
                cells.density[rest] += float(entries[g][e]) * max(1.0 - on_rule, 0.0) / width
    return ColumnLaw(engine.schema.fields[column], margin, cells.edges, cells.density, gap)


def _without(cells: _Cells, intervals: Numbers) -> NDArray[np.bool_]:
    """Return which cells lie in none of some intervals."""
    free = np.ones(len(cells.middle), dtype=np.bool_)
    for low, high in intervals:
        free &= ~((cells.middle > low) & (cells.middle < high))
    return free
