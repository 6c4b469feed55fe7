"""A density forest grown level by level on the parts of a table: no task has all rows.

At each level the parts count their rows in the open nodes of all trees, the counts are added up in a tree of
merges, and every node is split by what the core's growth in one place would have looked at: some hundreds of
its rows, or sums over all of them. A node of few rows is handed over: its rows are brought to one task, which
grows all that is below it. The forest is the same to the byte as one that was grown in one call of the core.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns
from boxwood.margins import Margins
from boxwood.parameters.options import pack_options
from boxwood.tree.density.level_tasks import (
    Part,
    TravellingGrowth,
    count,
    deepen,
    densities,
    held_out,
    join,
    merge,
    plan,
    roots,
    route,
    sample,
    score,
    take,
)
from boxwood.tree.density.ranges import TravellingForest
from boxwood.tree.elsewhere import TaskGraph, TravellingTable, as_it_is

__all__ = ["ROWS_OF_A_SUBTREE", "ForestInLevels", "RowsTogetherError"]

ROWS_OF_A_SUBTREE = 8192
"""Nodes of up to so many rows are handed over: fewer make more levels, each of which is a round of tasks."""

SUBTREES_OF_A_TABLE = 1024
"""Of large tables those with one row of so many: counts of more nodes would be more than the rows."""

TREES_AT_ONCE = 64
"""A part keeps four bytes a row for each tree that grows."""

PARTS_A_THREAD, GROUPS_A_THREAD = 2, 2
"""Parts of the table, and groups of trees, for each thread: a lost worker's are made again by all others."""

_ARITY = 8

Numbers = NDArray[np.float64]


class RowsTogetherError(ValueError):
    """Raised where trees need all rows of a large node in one place."""


class ForestInLevels:
    """The fit of a forest by levels; what `ForestInRanges` is for whole trees.

    Parameters
    ----------
    graph : TaskGraph
    table : TravellingTable
        Of the whole table, which is cut into parts here.
    """

    def __init__(self, graph: TaskGraph, table: TravellingTable) -> None:
        options = table.options.unpacked()
        try:
            _core.check_levels(options)
        except ValueError as error:
            raise RowsTogetherError(str(error)) from error
        self._graph, self._options, self._edges = graph, options, list(table.arguments[0])
        self._rows = _rows_of_parts(table.table(), PARTS_A_THREAD * graph.n_threads)
        self._pilot = _core.Pilot(table.table(), options) if options.candidates else None
        self._n_observations = _core.n_observations(table.table())
        parts = [Part.of_rows(k, table, rows) for k, rows in enumerate(self._rows)]
        self._parts = graph.start([graph.call(as_it_is, part) for part in parts])

    def grow(self, progress: Callable[[int], None] | None = None) -> tuple[_core.Mixture, Numbers, float]:
        """Grow the trees: the mixture, the sum of the gains of each column's splits, the smallest split."""
        options = self._options
        smallest = options.grow.min_samples_split if self._pilot is None else self._choose_split(self._pilot)
        growth = self._growth(smallest, [], None)
        gains, mixtures = np.zeros(len(self._edges)), []
        for begin in range(0, options.n_trees, TREES_AT_ONCE):
            end = min(begin + TREES_AT_ONCE, options.n_trees)
            for flat, of_trees in self._rounds(growth, begin, end, None, join):
                for of_tree in of_trees:  # one after another, as the core adds them up
                    gains = gains + of_tree
                n = len(of_trees)
                mixtures.append(_core.make_mixture(self._edges, flat, np.full(n, 1.0 / n)))
            if progress is not None:
                progress(end)
        return _core.join_mixtures(mixtures), gains, smallest

    def score(
        self, margins: Margins, mixture: _core.Mixture, columns: Columns, missing: str
    ) -> tuple[Numbers, Numbers]:
        """Score the rows that the forest was grown on, as the core does, part by part."""
        forest = TravellingForest(margins, self._edges, mixture.flat(), mixture.weights(), missing)
        graph = self._graph
        [sent] = graph.start([graph.call(as_it_is, forest)])
        own = [rows[rows < columns.n_rows] for rows in self._rows]  # behind them stand unseen categories
        bare = columns.without_weights()
        calls = [
            graph.call(score, part, sent, bare.take(rows))
            for part, rows in zip(self._parts, own, strict=True)
        ]
        log_density, unseen = np.empty(columns.n_rows), np.empty((columns.n_rows, 4))
        for rows, (of_part, unseen_of_part) in zip(own, graph.results(calls), strict=True):
            log_density[rows] = of_part
            unseen[rows] = unseen_of_part.reshape(-1, 4)
        return log_density, unseen.ravel()

    def _growth(self, smallest: float, candidates: list[float], held: Any) -> Any:
        """Send how trees are grown ahead."""
        options = pack_options(self._options).unpacked()
        grow = options.grow
        grow.min_samples_split = smallest
        options.grow = grow
        options.candidates = candidates
        most_rows = max(ROWS_OF_A_SUBTREE, sum(map(len, self._rows)) // SUBTREES_OF_A_TABLE)
        made = TravellingGrowth(self._edges, pack_options(options), most_rows, held)
        return self._graph.start([self._graph.call(as_it_is, made)])[0]

    def _choose_split(self, pilot: _core.Pilot) -> float:
        """Choose `min_samples_split` by the pilot, as `ForestInRanges` does."""
        graph = self._graph
        held = np.concatenate(
            graph.results([graph.call(held_out, part, self._n_observations) for part in self._parts])
        )
        found = self._densities(held, 0, pilot.n_first, 0)
        scores = pilot.scores(found)
        if pilot.n_first < pilot.n_trees:
            candidate = pilot.candidate_of_others(scores)
            others = self._densities(held, pilot.n_first, pilot.n_trees, candidate)
            scores = pilot.scores([*found, *others])
        return pilot.chosen(scores)

    def _densities(self, held: NDArray[np.uint16], begin: int, end: int, candidate: int) -> list[Numbers]:
        candidates = list(self._options.candidates)[candidate:]
        growth = self._growth(candidates[0], candidates, held)
        found = self._rounds(growth, begin, end, self._n_observations, densities)
        return [of_tree for group in found for of_tree in group]

    def _rounds(
        self, growth: Any, begin: int, end: int, n_observations: float | None, finish: Callable[..., Any]
    ) -> list[Any]:
        """Grow trees from begin to end, a level a round: what `finish` makes of each group of them."""
        rounds = _Rounds(self._graph, self._parts, growth, n_observations)
        first = self._options.first_tree
        n_groups = min(end - begin, GROUPS_A_THREAD * self._graph.n_threads)
        numbers = [[first + int(k) for k in part] for part in np.array_split(np.arange(begin, end), n_groups)]
        rounds.begin(numbers)
        while rounds.has_open_nodes:
            rounds.go_down()
        return self._graph.results(rounds.finished(finish))


class _Rounds:
    """The tasks of some trees, in groups: what is known after a level, as values that stay where they are."""

    def __init__(self, graph: TaskGraph, parts: list[Any], growth: Any, n_observations: float | None) -> None:
        self._graph, self._parts, self._growth, self._n_observations = graph, parts, growth, n_observations
        self._tops: list[Any] = []
        self._skeletons: list[Any] = []
        self._below: list[list[Any]] = []
        self._states: list[Any] = []
        self._open: list[int] = []

    @property
    def has_open_nodes(self) -> bool:
        return bool(self._open)

    def begin(self, numbers: list[list[int]]) -> None:
        """Draw the samples, and plant the roots."""
        call, n_parts = self._graph.call, len(self._parts)
        drawn = [call(sample, part, self._n_observations, numbers, outputs=2) for part in self._parts]
        started = self._graph.start([pair[i] for i in (0, 1) for pair in drawn])
        self._states, shown = started[:n_parts], self._graph.results(started[n_parts:])
        units = [
            [_unit([part[g][t] for part in shown]) for t in range(len(group))]
            for g, group in enumerate(numbers)
        ]
        planted = [
            call(roots, self._growth, group, of_group) for group, of_group in zip(numbers, units, strict=True)
        ]
        self._tops = self._graph.start(planted)
        self._skeletons = list(self._tops)  # roots have no counts yet
        self._below = [[] for _ in numbers]
        self._open = list(range(len(numbers)))

    def go_down(self) -> None:
        """Split the open nodes of all trees: one level."""
        graph, call, groups = self._graph, self._graph.call, self._open
        skeletons = [self._skeletons[g] for g in groups]
        counted = [
            call(
                count, part, self._n_observations, self._growth, state, skeletons, groups, outputs=len(groups)
            )
            for part, state in zip(self._parts, self._states, strict=True)
        ]
        planned = [
            call(
                plan,
                self._growth,
                self._tops[g],
                self._merged([of_part[i] for of_part in counted]),
                outputs=2,
            )
            for i, g in enumerate(groups)
        ]
        wanted = [of_group[1] for of_group in planned]
        taken = [
            call(take, part, self._n_observations, state, skeletons, wanted, groups, outputs=len(groups))
            for part, state in zip(self._parts, self._states, strict=True)
        ]
        deeper = [
            call(
                deepen, self._growth, of_group[0], self._merged([of_part[i] for of_part in taken]), outputs=4
            )
            for i, of_group in enumerate(planned)
        ]
        routed = [
            call(route, part, self._n_observations, state, [of_group[1] for of_group in deeper], groups)
            for part, state in zip(self._parts, self._states, strict=True)
        ]
        made = graph.start([*(of_group[i] for i in range(4) for of_group in deeper), *routed])
        n = len(groups)
        for i, g in enumerate(groups):
            self._tops[g], self._skeletons[g] = made[i], made[n + i]
            self._below[g].append(made[2 * n + i])
        n_open = graph.results(made[3 * n : 4 * n])
        self._states = made[4 * n :]
        self._open = [g for g, still in zip(groups, n_open, strict=True) if still]

    def _merged(self, tasks: list[Any]) -> Any:
        """Merge what parts say, eight at a time, in their order."""
        while len(tasks) > 1:
            tasks = [self._graph.call(merge, tasks[k : k + _ARITY]) for k in range(0, len(tasks), _ARITY)]
        return tasks[0]

    def finished(self, finish: Callable[..., Any]) -> list[Any]:
        """Return the tasks that make something of each group's trees."""
        return [
            self._graph.call(finish, self._growth, top, below)
            for top, below in zip(self._tops, self._below, strict=True)
        ]


def _rows_of_parts(table: _core.BinnedTable, n_parts: int) -> list[NDArray[np.intp]]:
    """Return the rows of each part: equal ones stand together, and distinct ones in the core's order."""
    number = _core.distinct_numbers(table)
    n_distinct = int(number.max()) + 1
    ends = np.linspace(0, n_distinct, min(n_parts, n_distinct) + 1).astype(np.int64)[1:]
    part_of = np.searchsorted(ends, number, side="right")
    return [np.flatnonzero(part_of == k) for k in range(len(ends))]


def _unit(weights: list[Numbers]) -> float:
    """Return the unit of a tree's weights, of which each part has shown the different ones."""
    different = np.concatenate(weights)
    if len(different) == 0:
        raise RowsTogetherError("the sample of a tree has no rows")
    return float(_core.unit_of_counts(different))
