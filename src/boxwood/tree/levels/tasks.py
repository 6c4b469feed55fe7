"""The tasks of a forest that is grown level by level: plain functions of values that never change.

A *state* is what a part knows of its rows: for each tree their numbers, their weights and where those of each
open node begin. Groups of trees are lists of what the core calls `LevelTree`, of densities, and
`DecisionLevelTree`; parts and growth of both kinds have the same methods.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.parameters.options import PackedOptions
from boxwood.tree.elsewhere import TravellingTable, made_once

__all__ = [
    "LevelCounts",
    "Part",
    "Taken",
    "TravellingGrowth",
    "Wanted",
    "count",
    "deepen",
    "join",
    "merge",
    "of_trees",
    "plan",
    "roots",
    "route",
    "sample",
    "take",
]

MOST_WEIGHTS = 2000
"""Weights are multiples of 2⁻²⁰: at most 1,700 different ones are small multiples of a unit, to 10⁻⁴."""

Numbers = NDArray[np.float64]
Places = NDArray[np.uint64]
OpenRows = tuple[NDArray[np.uint32], Numbers, Places]
State = list[list[OpenRows]]
TakenRows = tuple[NDArray[np.uint16], Numbers, Places]
Trees = list[Any]
Subtrees = list[list[Any]]


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of a table in bins: all that are equal, and nobody else has them.

    Attributes
    ----------
    number : int
    kind : {"LevelPart", "DecisionLevelPart"}
        What the core calls it.
    table : TravellingTable
        Of these rows.
    """

    number: int
    kind: str
    table: TravellingTable

    def native_table(self) -> Any:
        """Return the rows as the core reads them; a process keeps those of the last table."""
        return made_once(f"part {self.number}", self.table.token, self.table.made)

    def level_part(self, n_observations: float | None) -> Any:
        """Return the rows as levels ask them: all, or what a pilot leaves of so many observations."""
        which = f"{'pilot of' if n_observations is not None else 'levels of'} part {self.number}"
        left = () if n_observations is None else (n_observations,)
        make = getattr(_core, self.kind)
        return made_once(
            which,
            self.table.token,
            lambda: make(self.native_table(), self.table.options.unpacked(), *left),
        )


@dataclass(frozen=True, eq=False)
class TravellingGrowth:
    """How trees are grown, in a form that travels.

    Attributes
    ----------
    kind : {"LevelGrowth", "DecisionLevelGrowth"}
        What the core calls it.
    columns : tuple
        Its first arguments.
    options : PackedOptions
    most_rows : int
        Nodes of up to so many rows are handed over.
    others : tuple
        Further arguments: of a pilot the rows that it holds out.
    """

    kind: str
    columns: tuple[Any, ...]
    options: PackedOptions
    most_rows: int
    others: tuple[Any, ...] = ()
    token: str = field(default_factory=lambda: uuid.uuid4().hex)

    def native(self) -> Any:
        """Return the core's."""
        return made_once("level growth", self.token, self._made)

    def _made(self) -> Any:
        make = getattr(_core, self.kind)
        return make(*self.columns, self.options.unpacked(), self.most_rows, *self.others)


class LevelCounts(NamedTuple):
    """Sums over the rows of a tree's open nodes.

    Attributes
    ----------
    n_rows : ndarray of shape (n_parts, n_open)
        Of each part.
    weight : ndarray of shape (n_open,)
    counts : ndarray
        Weight in the bins of each node's histograms, or of its classes.
    most : ndarray
        Maxima in the place of sums.
    """

    n_rows: Places
    weight: Numbers
    counts: Numbers
    most: Numbers

    def merge(self, other: LevelCounts) -> LevelCounts:
        """Return the sums over both: whole counts are the same in any order."""
        return LevelCounts(
            np.concatenate([self.n_rows, other.n_rows]),
            self.weight + other.weight,
            self.counts + other.counts,
            np.maximum(self.most, other.most),
        )


class Wanted(NamedTuple):
    """Which rows of a tree's open nodes are needed.

    Attributes
    ----------
    step : ndarray of shape (n_open,)
        Every so many; 0 for none, and the largest number for sums over all.
    first : ndarray of shape (n_parts, n_open)
        The first one that each part gives.
    tried : ndarray
        Of decisions, for each open node which columns are tried.
    """

    step: Places
    first: Places
    tried: NDArray[np.uint8]


class Taken(NamedTuple):
    """What is needed of the rows of a tree's open nodes.

    Attributes
    ----------
    rows : list of bins, weights and numbers of rows of each open node
        Of each part.
    sums : ndarray
        Over all rows of the nodes that are split by sums.
    """

    rows: list[TakenRows]
    sums: Numbers

    def merge(self, other: Taken) -> Taken:
        """Return the rows of both in the parts' order, and the sums over both."""
        return Taken(self.rows + other.rows, self.sums + other.sums)


def sample(
    part: Part, n_observations: float | None, groups: Sequence[Sequence[int]]
) -> tuple[State, list[list[Numbers]]]:
    """Draw the samples of trees; with the different weights of each."""
    native = part.level_part(n_observations)
    state = [[native.sample(tree) for tree in group] for group in groups]
    shown = [[_different(rows, weights) for rows, weights, _ in group] for group in state]
    return state, shown


def _different(rows: NDArray[np.uint32], weights: Numbers) -> Numbers:
    """Return the different weights of rows; of all that are 1 none are written down."""
    return np.ones(min(len(rows), 1)) if len(weights) == 0 else np.unique(weights)[:MOST_WEIGHTS]


def roots(growth: TravellingGrowth, numbers: Sequence[int], units: Sequence[float]) -> Trees:
    """Return trees without splits."""
    native = growth.native()
    return [native.root(number, unit) for number, unit in zip(numbers, units, strict=True)]


def count(
    part: Part,
    n_observations: float | None,
    growth: TravellingGrowth,
    state: State,
    skeletons: Sequence[Trees],
    groups: Sequence[int],
    before: Sequence[list[LevelCounts]],
    groups_before: Sequence[int],
) -> list[list[LevelCounts]]:
    """Count the rows of a part in the open nodes of all trees.

    `before` is what this function gave in the level before, of the groups that were open then.
    """
    native, n_bins = part.level_part(n_observations), growth.native().n_bins
    counts_before = dict(zip(groups_before, before, strict=True))
    found = []
    for trees, g in zip(skeletons, groups, strict=True):
        own = [of_tree.counts for of_tree in counts_before[g]] if before else [np.zeros(0)] * len(trees)
        counted = [
            native.count(tree, *rows, n_bins, counts)
            for tree, rows, counts in zip(trees, state[g], own, strict=True)
        ]
        found.append([LevelCounts(n_rows[None, :], *sums) for n_rows, *sums in counted])
    return found


def merge(parts: Sequence[list[Any]]) -> list[Any]:
    """Merge what parts say of each tree, `LevelCounts` or `Taken`, in the parts' order."""
    return [reduce(lambda a, b: a.merge(b), of_tree) for of_tree in zip(*parts, strict=True)]


def plan(growth: TravellingGrowth, trees: Trees, sums: list[LevelCounts]) -> tuple[Trees, list[Wanted]]:
    """Take the sums of a level in: the trees, and which rows of their open nodes are needed."""
    native = growth.native()
    planned, wanted = [], []
    for tree, of_tree in zip(trees, sums, strict=True):
        n_rows = of_tree.n_rows.sum(axis=0, dtype=np.uint64)
        next_tree, step, tried = native.plan(tree, n_rows, of_tree.weight, of_tree.counts, of_tree.most)
        planned.append(next_tree)
        wanted.append(Wanted(step, _first_rows(of_tree.n_rows, step), tried))
    return planned, wanted


def _first_rows(n_rows: Places, step: Places) -> Places:
    """Return where each part's own rows begin among every `step`-th of all, which are in the parts' order.

    Examples
    --------
    >>> _first_rows(np.array([[5], [4], [2]], dtype=np.uint64), np.array([3], dtype=np.uint64)).ravel()
    array([0, 1, 0], dtype=uint64)
    """
    before = np.cumsum(n_rows, axis=0, dtype=np.uint64) - n_rows
    every = np.maximum(step, np.uint64(1))
    return np.ascontiguousarray((every - before % every) % every)


def take(
    part: Part,
    n_observations: float | None,
    state: State,
    skeletons: Sequence[Trees],
    wanted: Sequence[list[Wanted]],
    groups: Sequence[int],
) -> list[list[Taken]]:
    """Give what is needed of a part's rows."""
    native = part.level_part(n_observations)
    found = []
    for trees, of_group, g in zip(skeletons, wanted, groups, strict=True):
        own = []
        for tree, rows, of_tree in zip(trees, state[g], of_group, strict=True):
            bins, weights, n_rows, sums = native.take(
                tree, *rows, of_tree.step, of_tree.first[part.number], of_tree.tried
            )
            own.append(Taken([(bins, weights, n_rows)], sums))
        found.append(own)
    return found


def deepen(growth: TravellingGrowth, trees: Trees, taken: list[Taken]) -> tuple[Trees, Trees, Subtrees, int]:
    """Go one level down: the trees, these without counts, what is below nodes of few rows, open nodes."""
    native = growth.native()
    made = [native.deepen(tree, own.rows, own.sums) for tree, own in zip(trees, taken, strict=True)]
    deeper = [tree for tree, _ in made]
    skeletons = [tree.skeleton() for tree in deeper]
    return deeper, skeletons, [below for _, below in made], sum(tree.n_open for tree in deeper)


def route(
    part: Part, n_observations: float | None, state: State, skeletons: Sequence[Trees], groups: Sequence[int]
) -> State:
    """Send the rows of a part down to the present level."""
    native = part.level_part(n_observations)
    deeper: State = [[] for _ in state]  # those of trees that are done are let go
    for trees, g in zip(skeletons, groups, strict=True):
        deeper[g] = [native.route(tree, *rows) for tree, rows in zip(trees, state[g], strict=True)]
    return deeper


def join(growth: TravellingGrowth, trees: Trees, below: Sequence[Subtrees]) -> Any:
    """Put trees together: as flat arrays; of densities with the gains of each."""
    return growth.native().join(trees, of_trees(len(trees), below))


def of_trees(n_trees: int, below: Sequence[Subtrees]) -> Subtrees:
    """Return the subtrees of each tree, from all levels."""
    return [[subtree for level in below for subtree in level[t]] for t in range(n_trees)]
