"""The tasks of a forest that is grown level by level: plain functions of values that never change.

A *state* is what a part knows of its rows: for each tree their numbers, their weights and where those of each
open node begin. Groups of trees are lists of the core's `LevelTree`.
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
from boxwood.binning.bin_edges import ColumnBinEdges
from boxwood.columns import Columns
from boxwood.parameters.options import PackedOptions
from boxwood.tree.density.ranges import TravellingForest
from boxwood.tree.elsewhere import TravellingTable, made_once

__all__ = [
    "LevelCounts",
    "Part",
    "Taken",
    "TravellingGrowth",
    "count",
    "deepen",
    "densities",
    "held_out",
    "join",
    "merge",
    "plan",
    "roots",
    "route",
    "sample",
    "score",
    "take",
]

MOST_WEIGHTS = 2000
"""Weights are multiples of 2⁻²⁰: at most 1,700 different ones are small multiples of a unit, to 10⁻⁴."""

Numbers = NDArray[np.float64]
Places = NDArray[np.uint64]
OpenRows = tuple[NDArray[np.uint32], Numbers, Places]
State = list[list[OpenRows]]
TakenRows = tuple[NDArray[np.uint16], Numbers, Places]
Trees = list[_core.LevelTree]
Subtrees = list[list[_core.Subtree]]


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of a table in bins: all that are equal, and nobody else has them."""

    number: int
    table: TravellingTable

    @classmethod
    def of_rows(cls, number: int, table: TravellingTable, rows: NDArray[np.intp]) -> Part:
        """Take rows of a whole table."""
        edges, *arrays = table.arguments
        own = (edges, *(None if array is None else np.ascontiguousarray(array[rows]) for array in arrays))
        options = table.options.unpacked()
        options.part_of_table = True
        return cls(number, table.of_part(own, options))

    def binned(self) -> _core.BinnedTable:
        """Return the rows as the core reads them; a process keeps those of the last table."""
        make = self.table.made
        return made_once(f"part {self.number}", self.table.token, make)

    def level_part(self, n_observations: float | None) -> _core.LevelPart:
        """Return the rows as levels ask them: all, or what a pilot leaves of so many observations."""
        kind = f"{'pilot of' if n_observations is not None else 'levels of'} part {self.number}"
        options = self.table.options
        return made_once(
            kind, self.table.token, lambda: _core.LevelPart(self.binned(), options.unpacked(), n_observations)
        )


@dataclass(frozen=True, eq=False)
class TravellingGrowth:
    """How trees are grown, in a form that travels; of a pilot with the rows that it holds out."""

    edges: list[ColumnBinEdges]
    options: PackedOptions
    most_rows: int
    held_out: NDArray[np.uint16] | None
    token: str = field(default_factory=lambda: uuid.uuid4().hex)

    def native(self) -> _core.LevelGrowth:
        """Return the core's."""
        return made_once(
            "level growth",
            self.token,
            lambda: _core.LevelGrowth(self.edges, self.options.unpacked(), self.most_rows, self.held_out),
        )


class LevelCounts(NamedTuple):
    """Sums over the rows of a tree's open nodes.

    Attributes
    ----------
    n_rows : ndarray of shape (n_parts, n_open)
        Of each part.
    weight : ndarray of shape (n_open,)
    counts : ndarray
        Weight in the bins of each node's histograms.
    """

    n_rows: Places
    weight: Numbers
    counts: Numbers

    def merge(self, other: LevelCounts) -> LevelCounts:
        """Return the sums over both: whole counts are the same in any order."""
        return LevelCounts(
            np.concatenate([self.n_rows, other.n_rows]),
            self.weight + other.weight,
            self.counts + other.counts,
        )


class Wanted(NamedTuple):
    """Which rows of a tree's open nodes are needed.

    Attributes
    ----------
    step : ndarray of shape (n_open,)
        Every so many; 0 for none, and the largest number for sums over all.
    first : ndarray of shape (n_parts, n_open)
        The first one that each part gives.
    """

    step: Places
    first: Places


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


def held_out(part: Part, n_observations: float) -> NDArray[np.uint16]:
    """Return the rows of a part that a pilot holds out."""
    return part.level_part(n_observations).held_out()


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
) -> list[list[LevelCounts]]:
    """Count the rows of a part in the open nodes of all trees."""
    native, n_bins = part.level_part(n_observations), growth.native().n_leaf_bins
    found = []
    for trees, g in zip(skeletons, groups, strict=True):
        counted = [native.count(tree, *rows, n_bins) for tree, rows in zip(trees, state[g], strict=True)]
        found.append([LevelCounts(n_rows[None, :], weight, counts) for n_rows, weight, counts in counted])
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
        next_tree, step = native.plan(tree, n_rows, of_tree.weight, of_tree.counts)
        planned.append(next_tree)
        wanted.append(Wanted(step, _first_rows(of_tree.n_rows, step)))
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
            bins, weights, n_rows, sums = native.take(tree, *rows, of_tree.step, of_tree.first[part.number])
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


def join(growth: TravellingGrowth, trees: Trees, below: Sequence[Subtrees]) -> tuple[dict[str, Any], Numbers]:
    """Put trees together: as flat arrays, with the gains of each."""
    return growth.native().join(trees, _of_trees(len(trees), below))


def densities(growth: TravellingGrowth, trees: Trees, below: Sequence[Subtrees]) -> list[Numbers]:
    """Return what the trees of a pilot say of the rows that it holds out."""
    native = growth.native()
    return [
        native.densities(tree, own) for tree, own in zip(trees, _of_trees(len(trees), below), strict=True)
    ]


def _of_trees(n_trees: int, below: Sequence[Subtrees]) -> Subtrees:
    """Return the subtrees of each tree, from all levels."""
    return [[subtree for level in below for subtree in level[t]] for t in range(n_trees)]


def score(part: Part, forest: TravellingForest, columns: Columns) -> tuple[Numbers, Numbers]:
    """Score the rows of a part by all trees, and by those that have not seen a row."""
    options = part.table.options.unpacked()
    options.n_threads = 1
    missing = getattr(_core.MissingValues, forest.missing)
    return _core.score_table_forest(
        forest.margins.native, columns.arrays(), part.binned(), options, forest.mixture(), missing, 0
    )
