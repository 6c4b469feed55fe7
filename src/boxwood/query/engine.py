"""What all queries of one fitted mixture share: its leaves, tables and rules in the core."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns
from boxwood.dependencies import RuledDensity
from boxwood.gaps import UnseenGaps
from boxwood.margins import Margins
from boxwood.mixture import Mixture
from boxwood.query.across import Tie, boxes_across
from boxwood.query.box import Box
from boxwood.query.column_set import ColumnSet
from boxwood.query.cube_set import CubeSet, cube_set
from boxwood.query.event import Event
from boxwood.query.event_reader import read_event
from boxwood.query.rule_event import Asked, RuledComponent
from boxwood.query.rule_tables import RuleTables
from boxwood.query.sum_column import SumColumn

__all__ = ["CubeBox", "QueryEngine"]

MOST_KEPT = 4096
"""Events, boxes, sets of values and answers that are kept."""

MOST_TIES = 16
"""Conditions on two columns together that are kept: each has a table of up to 8 MB."""


_GAP = CubeSet(np.empty(0), np.empty(0), True)
"""A gap that training did not show: independent of everything, it has no place on [0, 1]."""


@dataclass(frozen=True, eq=False)
class CubeBox:
    """A box as the core takes it.

    Attributes
    ----------
    columns, events : list
        Columns that follow no rule, and an event each.
    asked : dict
        By component of rules, what is asked of its columns.
    factor : float
        What its probability is multiplied by.
    n_points : int
        In how many columns it asks for one continuous value: its probability is a density in these.
    box : Box
        What it was made of; where a continuous value is one of several, with that value alone.
    cubes : dict
        The set of each column that is asked, on [0, 1].
    components : sequence of RuledComponent
        All of the table.
    gaps : tuple of int
        Columns under rules of which it asks for a gap that training did not show: the core knows none.
    ties : tuple of Tie
        Conditions on two columns together.
    """

    columns: list[int]
    events: list[_core.CubeEvent]
    asked: dict[int, Asked]
    factor: float
    n_points: int
    box: Box
    cubes: dict[int, CubeSet]
    components: Sequence[RuledComponent]
    gaps: tuple[int, ...] = ()
    ties: tuple[Tie, ...] = ()

    def ties_column(self, column: int) -> bool:
        """Return whether a column is in a condition together with another."""
        return any(column in tie.column.columns for tie in self.ties)

    @cached_property
    def parts(self) -> tuple[Any, ...]:
        """Columns, an event each, rules of which something is asked, and a factor."""
        rules = [self.components[c].event(sets) for c, sets in self.asked.items()]
        return self.columns, self.events, rules, self.factor


class QueryEngine:
    """Turns events into boxes of the cube and asks the core.

    Parameters
    ----------
    margins : Margins
    mixture : Mixture
    gaps : UnseenGaps, optional
        What a gap in a column without gaps has.
    ruled : RuledDensity, optional
        The rules of the table.
    n_threads : int
    n_rows : float
        How many rows the fitted table was worth, where gaps do not tell.
    """

    def __init__(
        self,
        margins: Margins,
        mixture: Mixture,
        gaps: UnseenGaps | None = None,
        ruled: RuledDensity | None = None,
        n_threads: int = 1,
        n_rows: float = 1.0,
    ) -> None:
        self.margins, self.mixture, self.schema = margins, mixture, margins.schema
        self.n_threads = n_threads
        self.gap_rates = np.zeros(len(self.schema))
        if gaps is not None and math.isfinite(gaps.n):
            self.gap_rates = gaps.probabilities
        known = gaps is not None and math.isfinite(gaps.n)
        self.n_rows = gaps.n if known and gaps is not None else n_rows
        self.leaves = _core.LeafTable(mixture.native, n_threads)
        self.edges = [u for u, _ in mixture.bin_edges]
        self.components: list[RuledComponent] = []
        if ruled is not None:
            drawn = ruled.drawn
            self.components = [
                RuledComponent(margins, component, drawn.agreement, c, self.leaves)
                for c, component in enumerate(drawn.components)
            ]
        self.component_of = {j: c for c, one in enumerate(self.components) for j in one.columns}
        self.tables = _core.QueryTables(self.leaves, [one.everything for one in self.components])
        self.rule_tables = RuleTables(self)
        self._kept: dict[tuple[Box, float, tuple[int, ...]], float] = {}
        self._read: dict[Any, Event] = {}
        self._boxes: dict[Box, list[CubeBox]] = {}
        self._events: dict[tuple[int, ColumnSet], tuple[Any, ...]] = {}
        self.ties: dict[Any, Tie] = {}

    @cached_property
    def leaf_counts(self) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
        """Of each leaf its tree, the weight of its rows, and its probability in its tree.

        Kept: of 160,000 leaves they take 50 ms to find, and every interval asks for them.
        """
        first, flat = self.leaves.first_leaf(), self.mixture.flat
        trees = np.repeat(np.arange(len(first) - 1), np.diff(first).astype(np.intp))
        leaf = flat["feature"] < 0
        mass, counts = flat["mass"][leaf], np.asarray(flat["count"][leaf], dtype=np.float64)
        uncounted = np.bincount(trees, counts)[trees] <= 0.0  # products and histograms have no rows in leaves
        return trees, np.where(uncounted, self.n_rows * mass, counts), mass

    @cached_property
    def rows(self) -> _core.RowConditionals:
        """Conditionals of rows, which keep the leaves in another order."""
        return _core.RowConditionals(self.leaves)

    def read(self, event: Any, columns: Mapping[str, Any]) -> Event:
        """Read an event; what a text means, which takes 60 µs to find, is kept."""
        if isinstance(event, Event) and not columns:
            return event
        key = (event, tuple((name, type(value), value) for name, value in columns.items()))  # True == 1
        try:
            known = self._read.get(key)
        except TypeError:  # a list of values, a dictionary
            return read_event(self.schema, event, **columns)
        if known is None:
            known = read_event(self.schema, event, **columns)
            _keep(self._read, key, known)
        return known

    def boxes_of(self, event: Event) -> list[CubeBox]:
        """Return the boxes of an event on the cube; where one asks for several continuous values, each."""
        found: list[CubeBox] = []
        for box in event.boxes:
            found += self.boxes_of_box(box)
        return found

    def boxes_of_box(self, box: Box) -> list[CubeBox]:
        """Return one box on the cube; it may become several."""
        made = self._boxes.get(box)
        if made is None:
            made = self._boxes_of(box)
            _keep(self._boxes, box, made)
        return made

    def keep_tie(self, key: Any, tie: Tie) -> None:
        """Keep a condition on two columns; of many the oldest, and the boxes that hold it, are forgotten."""
        if len(self.ties) >= MOST_TIES:
            self.ties.pop(next(iter(list(self.ties))), None)  # threads may ask at the same time
            self._boxes = {
                box: made for box, made in list(self._boxes.items()) if not any(one.ties for one in made)
            }
        self.ties[key] = tie

    def probabilities(self, boxes: Sequence[CubeBox]) -> NDArray[np.float64]:
        """Return the probability of each box; of one with points its density in these columns."""
        if any(box.ties for box in boxes):
            return self._tied_probabilities(boxes)
        if len(boxes) == 1:
            return np.array([self._probability(boxes[0])])
        found = [self._looked_up(box) if box.asked else None for box in boxes]
        left = [box for box, known in zip(boxes, found, strict=True) if known is None]
        rest = iter(self.tables.probabilities([box.parts for box in left], self.n_threads) if left else ())
        return np.array([next(rest) if known is None else known for known in found])

    def _probability(self, box: CubeBox) -> float:
        """Return the probability of one box; of one under rules it is kept."""
        found = self._looked_up(box)
        if found is None:
            found = self.tables.probability(box.parts)
            self._remember(box, found)
        return found

    def look_up(self, boxes: Sequence[CubeBox]) -> NDArray[np.float64] | None:
        """Return the probability of each box where tables have them all, without a look at the leaves."""
        found = []
        for box in boxes:
            known = self._looked_up(box)
            if known is None:
                return None
            found.append(known)
        return np.array(found)

    def _looked_up(self, box: CubeBox) -> float | None:
        if box.ties:
            return None if box.n_points else self._kept.get((box.box, box.factor, box.gaps))
        if not box.asked:
            found = self.tables.look_up(box.parts)
            return None if math.isnan(found) else found
        if box.n_points:
            return None
        known = self._kept.get((box.box, box.factor, box.gaps))
        return self.rule_tables.look_up(box) if known is None else known

    def _remember(self, box: CubeBox, found: float) -> None:
        """Keep the answer to a box under rules."""
        if (box.asked or box.ties) and not box.n_points:
            _keep(self._kept, (box.box, box.factor, box.gaps), found)

    def weighed(self, boxes: Sequence[CubeBox]) -> tuple[NDArray[np.float64], _core.Conditioned | None]:
        """Return the probability of each box and the leaves that they leave; None where tables had them."""
        known = self.look_up(boxes)
        if known is not None:
            return known, None
        conditioned = self.condition(boxes)
        found = conditioned.totals()
        for box, p in zip(boxes, found.tolist(), strict=True):
            self._remember(box, p)
        return found, conditioned

    def jointly(
        self,
        conditioned: _core.Conditioned,
        evidence: Sequence[CubeBox],
        event: Event,
        joint: Sequence[CubeBox],
    ) -> NDArray[np.float64] | None:
        """Return the probability of an event and boxes of evidence together, from the leaves of the latter.

        None where both ask the same columns. `joint` are the boxes of both that count, by their points.
        """
        boxes = self.boxes_of(event)
        if any(box.ties for box in (*boxes, *evidence)):
            return None
        asked = {column for box in boxes for column in self._asked(box)}
        if not joint or not all(asked.isdisjoint(self._asked(box)) for box in evidence):
            return None
        found = [
            conditioned.probability(i, self.tables, box.parts)
            for i, known in enumerate(evidence)
            for box in boxes
            if box.n_points + known.n_points == joint[0].n_points
        ]
        if len(joint) == len(found) == 1:
            self._remember(joint[0], found[0])
        return np.array(found)

    def _asked(self, box: CubeBox) -> set[int]:
        """Return the columns that a box asks something of, of rules all of the component."""
        asked = set(box.box.sets)
        for j in tuple(asked & self.component_of.keys()):
            asked.update(self.components[self.component_of[j]].columns)
        return asked

    def condition(self, boxes: Sequence[CubeBox]) -> _core.Conditioned:
        """Return the leaves that boxes leave."""
        conditioned = _core.Conditioned(self.tables, [box.parts for box in boxes], self.n_threads)
        if any(box.ties for box in boxes):
            conditioned.tie([[tie.event for tie in box.ties] for box in boxes])
        return conditioned

    def _tied_probabilities(self, boxes: Sequence[CubeBox]) -> NDArray[np.float64]:
        keys = [(box.box, box.factor, box.gaps) for box in boxes]
        known = [self._kept.get(key) for key in keys]  # looked at once: another thread may forget them
        new = [i for i, value in enumerate(known) if boxes[i].n_points or value is None]
        found = np.array([0.0 if value is None else value for value in known])
        if new:
            found[new] = self.condition([boxes[i] for i in new]).totals()
        for i in new:
            if not boxes[i].n_points:
                _keep(self._kept, keys[i], float(found[i]))
        return found

    def encode(self, columns: Columns) -> NDArray[np.float64]:
        """Return rows on the cube: a gap is the middle of its interval, or NaN where there is none."""
        return self.margins.encode(columns)

    def _boxes_of(self, box: Box) -> list[CubeBox]:
        """Return the boxes of one box, one for each combination of alternatives in its columns."""
        if any(isinstance(j, SumColumn) for j in box.sets):
            return boxes_across(self, box)
        alternatives = [self._alternatives(j, values) for j, values in box.sets.items()]
        return [self._combined(box, tuple(box.sets), chosen) for chosen in itertools.product(*alternatives)]

    def _alternatives(self, j: int, values: ColumnSet) -> tuple[Any, ...]:
        """Return what a set of values is: one event, several points, or values and gaps apart.

        Each is the set, its form on the cube, the core's event, a factor, and how many points it has.
        """
        key = (j, values)
        found = self._events.get(key)
        if found is None:
            found = tuple(self._made_alternatives(j, values))
            _keep(self._events, key, found)
        return found

    def _made_alternatives(self, j: int, values: ColumnSet) -> list[tuple[Any, ...]]:
        margin, rate = self.margins.columns[j], float(self.gap_rates[j])
        cube = cube_set(margin, values)
        if cube.points:
            return [self._point(j, value, rate) for value in cube.points]
        if rate > 0.0 and cube.missing:
            if j in self.component_of:
                present = (values, cube, None, 1.0 - rate, 0)
                return [present, (None, _GAP, None, rate, 0)]
            return [(values, cube, self.leaves.event(j, cube.low, cube.high, rate), 1.0, 0)]
        ruled = j in self.component_of
        event = None if ruled else self.leaves.event(j, cube.low, cube.high, 0.0)
        return [(values, cube, event, 1.0 - rate, 0)]

    def _point(self, j: int, value: float, rate: float) -> tuple[Any, ...]:
        margin: Any = self.margins.columns[j]
        u = np.empty(1)
        margin.encode(np.array([value]), u)
        density = float(np.exp(margin.log_derivative(np.array([value]))[0]))
        cube = CubeSet(np.empty(0), np.empty(0), False, (value,))
        return (None, cube, self.leaves.point(j, float(u[0]), 1.0), (1.0 - rate) * density, 1)

    def _combined(self, box: Box, columns: tuple[int, ...], chosen: tuple[Any, ...]) -> CubeBox:
        of_column: list[int] = []
        events, factor, n_points = [], 1.0, 0
        asked: dict[int, Asked] = {}
        cubes: dict[int, CubeSet] = {}
        for j, (values, cube, event, part, points) in zip(columns, chosen, strict=True):
            factor, n_points = factor * part, n_points + points
            cubes[j] = cube
            if event is not None:
                of_column.append(j)
                events.append(event)
            elif values is not None:
                asked.setdefault(self.component_of[j], {})[j] = (values, cube)
        gaps = tuple(j for j, one in zip(columns, chosen, strict=True) if one[1] is _GAP)
        return CubeBox(of_column, events, asked, factor, n_points, box, cubes, self.components, gaps)


def _keep(kept: dict[Any, Any], key: Any, value: Any) -> None:
    """Keep a value, after forgetting all where they are many."""
    if len(kept) >= MOST_KEPT:
        kept.clear()
    kept[key] = value
