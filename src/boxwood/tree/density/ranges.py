"""A density forest in ranges of trees, which a runner grows: the same bytes as in one call of the core."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.binning.bin_edges import ColumnBinEdges
from boxwood.columns import Columns
from boxwood.margins import Margins
from boxwood.tree.elsewhere import TravellingTable, TreeRunner, made_once, ranges_of

__all__ = ["ForestInRanges"]

FEWEST_ROWS = 2_000
"""A range of rows to score has at least so many: fewer take less time than a task."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TravellingForest:
    """A forest and its margins in a form that travels."""

    margins: Margins
    bin_edges: list[ColumnBinEdges]
    flat: dict[str, Any]
    weights: Numbers
    missing: str
    token: str = field(default_factory=lambda: uuid.uuid4().hex)

    def mixture(self) -> _core.Mixture:
        """Return the trees as the core asks them."""
        return made_once(
            "mixture", self.token, lambda: _core.make_mixture(self.bin_edges, self.flat, self.weights)
        )


class ForestInRanges:
    """The fit of a forest by a runner, which is sent the table once."""

    def __init__(self, runner: TreeRunner, table: TravellingTable) -> None:
        self._runner = runner
        self._table = table
        self._sent = runner.send(table)

    def grow(self, progress: Callable[[int], None] | None = None) -> tuple[_core.Mixture, Numbers, float]:
        """Grow the trees: the mixture, the sum of the gains of each column's splits, the smallest split."""
        options = self._table.options.unpacked()
        smallest = options.grow.min_samples_split
        if options.candidates:
            smallest = self._choose_split(_core.Pilot(self._table.table(), options))
        ranges = ranges_of(options.n_trees, self._runner.n_threads)
        told = None if progress is None else _trees_done(progress, ranges)
        asked = [(begin, end, smallest) for begin, end in ranges]
        grown = self._runner.run(_grow, self._sent, asked, told)
        edges = list(self._table.arguments[0])
        gains, parts = np.zeros(len(edges)), []
        for (flat, of_range), (begin, end) in zip(grown, ranges, strict=True):
            for of_tree in of_range:  # one after another, as the core adds them up
                gains = gains + of_tree
            parts.append(_core.make_mixture(edges, flat, np.full(end - begin, 1.0 / (end - begin))))
        return _core.join_mixtures(parts), gains, smallest

    def score(
        self, margins: Margins, mixture: _core.Mixture, columns: Columns, missing: str
    ) -> tuple[Numbers, Numbers]:
        """Score the rows that the forest was grown on, as the core does, in ranges of rows."""
        flat, weights = mixture.flat(), mixture.weights()
        forest = TravellingForest(margins, list(self._table.arguments[0]), flat, weights, missing)
        sent = self._runner.send(forest)
        most = max(1, columns.n_rows // FEWEST_ROWS)
        wanted = min(most, len(ranges_of(columns.n_rows, self._runner.n_threads)))
        blocks = np.array_split(np.arange(columns.n_rows), wanted)
        asked = [(sent, columns.without_weights().take(rows), int(rows[0])) for rows in blocks]
        scores = self._runner.run(_score, self._sent, asked)
        return (
            np.concatenate([of_range for of_range, _ in scores]),
            np.concatenate([unseen for _, unseen in scores]),
        )

    def _choose_split(self, pilot: _core.Pilot) -> float:
        """Choose `min_samples_split` by the pilot: a few trees first, which tell how deep the others go."""
        densities = self._runner.run(_pilot, self._sent, [(tree, 0) for tree in range(pilot.n_first)])
        scores = pilot.scores(densities)
        if pilot.n_first < pilot.n_trees:
            candidate = pilot.candidate_of_others(scores)
            others = [(tree, candidate) for tree in range(pilot.n_first, pilot.n_trees)]
            scores = pilot.scores([*densities, *self._runner.run(_pilot, self._sent, others)])
        return pilot.chosen(scores)


def _pilot(table: TravellingTable, tree: int, candidate: int) -> Numbers:
    """Grow a tree of the pilot: its densities at the rows that it has not seen."""
    pilot = _core.Pilot(table.table(), table.options.unpacked())
    return np.asarray(pilot.densities(tree, tree + 1, candidate)[0])


def _grow(table: TravellingTable, begin: int, end: int, smallest: float) -> tuple[dict[str, Any], Numbers]:
    """Grow trees and fit their leaves: as flat arrays, with the gains of each."""
    options = table.options_of(begin, end)
    options.candidates = []
    grow = options.grow
    grow.min_samples_split = smallest
    options.grow = grow
    fitted = _core.fit_density_forest(table.table(), options, None)
    return fitted.mixture.flat(), fitted.gains()


def _score(
    table: TravellingTable, forest: TravellingForest, columns: Columns, first: int
) -> tuple[Numbers, Numbers]:
    """Score rows of the table from a first one on."""
    options = table.options.unpacked()
    options.n_threads = 1
    return _core.score_table_forest(
        forest.margins.native,
        columns.arrays(),
        table.table(),
        options,
        forest.mixture(),
        getattr(_core.MissingValues, forest.missing),
        first,
    )


def _trees_done(progress: Callable[[int], None], ranges: list[tuple[int, int]]) -> Callable[[int], None]:
    return lambda n_done: progress(ranges[n_done - 1][1] if n_done else 0)
