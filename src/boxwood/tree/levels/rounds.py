"""Rounds of tasks that grow trees level by level: no task has all rows of a table.

At each level the parts count their rows in the open nodes of all trees, the counts are added up in a tree of
merges, and every node is split by what the core's growth in one place would have looked at: some hundreds of
its rows, or sums over all of them. A node of few rows is handed over: its rows are brought to one task, which
grows all that is below it. The forest is the same to the byte as one that was grown in one call of the core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.tree.elsewhere import TaskGraph, as_it_is
from boxwood.tree.levels.tasks import count, deepen, merge, plan, roots, route, sample, take

__all__ = [
    "TREES_AT_ONCE",
    "Rounds",
    "RowsTogetherError",
    "n_parts_of",
    "rows_of_parts",
    "rows_of_subtrees",
    "sent_parts",
]

ROWS_OF_A_SUBTREE = 65536
"""Nodes of up to so many rows are handed over: fewer make more levels, each of which is a round of tasks."""

SUBTREES_OF_A_TABLE = 256
"""Of large tables those with one row of so many: counts of more nodes would be more than the rows."""

TREES_AT_ONCE = 64
"""A part keeps four bytes a row for each tree that grows."""

PARTS_A_THREAD, GROUPS_A_THREAD = 1, 1
"""Parts of the table, and groups of trees, for each thread: a lost worker's are made again by all others."""

_ARITY = 8

Numbers = NDArray[np.float64]


class RowsTogetherError(ValueError):
    """Raised where trees need all rows of a large node in one place."""


def n_parts_of(graph: TaskGraph) -> int:
    """Return into how many parts a table is cut."""
    return PARTS_A_THREAD * graph.n_threads


def rows_of_subtrees(n_rows: int) -> int:
    """Return how many rows a node of a table may have that is handed over."""
    return max(ROWS_OF_A_SUBTREE, n_rows // SUBTREES_OF_A_TABLE)


def sent_parts(graph: TaskGraph, parts: Iterable[Any]) -> list[Any]:
    """Send the parts of a table, one after another: no more than one lies here in the form that travels."""
    return [graph.start([graph.call(as_it_is, part)])[0] for part in parts]


class Rounds:
    """The tasks of some trees, in groups: what is known after a level, as values that stay where they are."""

    def __init__(self, graph: TaskGraph, parts: list[Any], growth: Any, n_observations: float | None) -> None:
        self._graph, self._parts, self._growth, self._n_observations = graph, parts, growth, n_observations
        self._tops: list[Any] = []
        self._skeletons: list[Any] = []
        self._below: list[list[Any]] = []
        self._states: list[Any] = []
        self._before: list[tuple[Any, list[int]]] = []  # what each part counted, of which groups
        self._open: list[int] = []

    def grow(self, first: int, end: int, finish: Callable[..., Any]) -> list[Any]:
        """Grow the trees of some numbers, a level a round: what `finish` makes of each group of them."""
        n_groups = min(end - first, GROUPS_A_THREAD * self._graph.n_threads)
        self._begin([[int(k) for k in part] for part in np.array_split(np.arange(first, end), n_groups)])
        while self._open:
            self._go_down()
        tasks = [
            self._graph.call(finish, self._growth, top, below)
            for top, below in zip(self._tops, self._below, strict=True)
        ]
        return self._graph.results(tasks)

    def _begin(self, numbers: list[list[int]]) -> None:
        """Draw the samples, and plant the roots."""
        call, n_parts = self._graph.call, len(self._parts)
        drawn = [call(sample, part, self._n_observations, numbers) for part in self._parts]
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
        self._before = [([], []) for _ in self._parts]
        self._open = list(range(len(numbers)))

    def _go_down(self) -> None:
        """Split the open nodes of all trees: one level."""
        graph, call, groups = self._graph, self._graph.call, self._open
        skeletons = [self._skeletons[g] for g in groups]
        counted = [
            call(count, part, self._n_observations, self._growth, state, skeletons, groups, *before)
            for part, state, before in zip(self._parts, self._states, self._before, strict=True)
        ]
        planned = [
            call(plan, self._growth, self._tops[g], self._merged([of_part[i] for of_part in counted]))
            for i, g in enumerate(groups)
        ]
        wanted = [of_group[1] for of_group in planned]
        taken = [
            call(take, part, self._n_observations, state, skeletons, wanted, groups)
            for part, state in zip(self._parts, self._states, strict=True)
        ]
        deeper = [
            call(deepen, self._growth, of_group[0], self._merged([of_part[i] for of_part in taken]))
            for i, of_group in enumerate(planned)
        ]
        routed = [
            call(route, part, self._n_observations, state, [of_group[1] for of_group in deeper], groups)
            for part, state in zip(self._parts, self._states, strict=True)
        ]
        made = graph.start([*(of_group[i] for i in range(4) for of_group in deeper), *routed, *counted])
        n, n_parts = len(groups), len(self._parts)
        for i, g in enumerate(groups):
            self._tops[g], self._skeletons[g] = made[i], made[n + i]
            self._below[g].append(made[2 * n + i])
        n_open = graph.results(made[3 * n : 4 * n])
        self._states = made[4 * n : 4 * n + n_parts]
        self._before = [(own, groups) for own in made[4 * n + n_parts :]]
        self._open = [g for g, still in zip(groups, n_open, strict=True) if still]

    def _merged(self, tasks: list[Any]) -> Any:
        """Merge what parts say, eight at a time, in their order."""
        while len(tasks) > 1:
            tasks = [self._graph.call(merge, tasks[k : k + _ARITY]) for k in range(0, len(tasks), _ARITY)]
        return tasks[0]


def rows_of_parts(number: NDArray[np.integer], n_parts: int) -> list[NDArray[np.intp]]:
    """Return the rows of each part: equal ones stand together, and distinct ones in the core's order.

    `number` is that of each row among the distinct ones.
    """
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
