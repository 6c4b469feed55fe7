"""A density forest grown level by level on the parts of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns
from boxwood.margins import Margins
from boxwood.parameters.options import pack_options
from boxwood.tree.density.ranges import TravellingForest
from boxwood.tree.elsewhere import TaskGraph, TravellingTable, as_it_is
from boxwood.tree.levels.rounds import (
    TREES_AT_ONCE,
    Rounds,
    RowsTogetherError,
    n_parts_of,
    rows_of_parts,
    rows_of_subtrees,
    sent_parts,
)
from boxwood.tree.levels.tasks import Part, Subtrees, TravellingGrowth, Trees, join, of_trees

__all__ = ["ForestInLevels"]

Numbers = NDArray[np.float64]


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
        native = table.made()  # for this fit alone: what a process keeps of tables would stay after it
        self._rows = rows_of_parts(_core.distinct_numbers(native), n_parts_of(graph))
        self._pilot = _core.Pilot(native, options) if options.candidates else None
        self._n_observations = _core.n_observations(native)
        self._parts = sent_parts(graph, (_part_of(k, table, rows) for k, rows in enumerate(self._rows)))

    def grow(self, progress: Callable[[int], None] | None = None) -> tuple[_core.Mixture, Numbers, float]:
        """Grow the trees: the mixture, the sum of the gains of each column's splits, the smallest split."""
        options = self._options
        smallest = options.grow.min_samples_split if self._pilot is None else self._choose_split(self._pilot)
        growth = self._growth(smallest, [], None)
        gains, mixtures = np.zeros(len(self._edges)), []
        for begin in range(0, options.n_trees, TREES_AT_ONCE):
            end = min(begin + TREES_AT_ONCE, options.n_trees)
            for flat, of_group in self._rounds(growth, begin, end, None, join):
                for of_tree in of_group:  # one after another, as the core adds them up
                    gains = gains + of_tree
                n = len(of_group)
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
        most_rows = rows_of_subtrees(sum(map(len, self._rows)))
        made = TravellingGrowth("LevelGrowth", (self._edges,), pack_options(options), most_rows, (held,))
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
        first = self._options.first_tree
        rounds = Rounds(self._graph, self._parts, growth, n_observations)
        return rounds.grow(first + begin, first + end, finish)


def _part_of(number: int, table: TravellingTable, rows: NDArray[np.intp]) -> Part:
    """Take rows of a whole table."""
    edges, *arrays = table.arguments
    own = (edges, *(None if array is None else np.ascontiguousarray(array[rows]) for array in arrays))
    options = table.options.unpacked()
    options.part_of_table = True
    return Part(number, "LevelPart", table.of_part(own, options))


def held_out(part: Part, n_observations: float) -> NDArray[np.uint16]:
    """Return the rows of a part that a pilot holds out."""
    held: NDArray[np.uint16] = part.level_part(n_observations).held_out()
    return held


def densities(growth: TravellingGrowth, trees: Trees, below: Sequence[Subtrees]) -> list[Numbers]:
    """Return what the trees of a pilot say of the rows that it holds out."""
    native = growth.native()
    return [native.densities(tree, own) for tree, own in zip(trees, of_trees(len(trees), below), strict=True)]


def score(part: Part, forest: TravellingForest, columns: Columns) -> tuple[Numbers, Numbers]:
    """Score the rows of a part by all trees, and by those that have not seen a row."""
    options = part.table.options.unpacked()
    options.n_threads = 1
    missing = getattr(_core.MissingValues, forest.missing)
    return _core.score_table_forest(
        forest.margins.native, columns.arrays(), part.native_table(), options, forest.mixture(), missing, 0
    )
