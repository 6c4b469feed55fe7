"""A forest grown in ranges of trees, each of which may be grown elsewhere: by threads, or on a cluster.

A tree depends on the table, the options and its number alone. So whoever has the table can grow any of them,
and the forest is the same to the byte as one that was grown in one call of the core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.binning.bin_edges import ColumnBinEdges
from boxwood.tree.density.forest_parameters import ForestParameters, forest_options
from boxwood.tree.density.unseen_categories import RowsToGrow

__all__ = ["GrownRange", "RangeGrower", "RangeTask", "fit_in_ranges", "growing_by", "range_grower"]


@dataclass(frozen=True, eq=False)
class RangeTask:
    """What trees are grown from, in a form that travels: the table in bins, and all options.

    Attributes
    ----------
    bin_edges : list of (ndarray, bool)
    rows : RowsToGrow
    parameters : ForestParameters
    constant_columns : list of int
        Along which Gaussian leaves are constant.
    n_rows : float
        What the table is worth.
    seed : int
    """

    bin_edges: list[ColumnBinEdges]
    rows: RowsToGrow
    parameters: ForestParameters
    constant_columns: list[int]
    n_rows: float
    seed: int

    @classmethod
    def of_forest(
        cls,
        parameters: Any,
        bin_edges: list[ColumnBinEdges],
        rows: RowsToGrow,
        constant_columns: list[int],
        n_rows: float,
        seed: int,
    ) -> RangeTask:
        """Return the task of an estimator's forest; its parameters travel without the estimator."""
        plain = {field.name: getattr(parameters, field.name) for field in fields(ForestParameters)}
        return cls(bin_edges, rows, ForestParameters(**plain), constant_columns, n_rows, seed)

    def table(self) -> _core.BinnedTable:
        """Return the table as the core reads it."""
        return _core.BinnedTable(self.bin_edges, *self.rows)

    def options(self, n_threads: int = 1) -> _core.DensityForestOptions:
        """Return the options of the whole forest."""
        columns = len(self.bin_edges)
        return forest_options(
            self.parameters, columns, self.constant_columns, self.n_rows, self.seed, n_threads
        )

    def pilot(self, table: _core.BinnedTable, begin: int, end: int, candidate: int) -> list[Any]:
        """Grow trees of the pilot: of each, densities at the rows that it has not seen."""
        return _core.Pilot(table, self.options()).densities(begin, end, candidate)

    def grow(
        self, table: _core.BinnedTable, begin: int, end: int, min_samples_split: float
    ) -> _core.FittedForest:
        """Grow trees of the forest and fit their leaves."""
        options = self.options()
        options.candidates = []
        options.first_tree, options.n_trees = begin, end - begin
        grow = options.grow
        grow.min_samples_split = min_samples_split
        options.grow = grow
        return _core.fit_density_forest(table, options, None)


@dataclass(frozen=True, eq=False)
class GrownRange:
    """Trees of a range, and the gains of each column's splits in each of them."""

    mixture: _core.Mixture
    gains: NDArray[np.float64]


class RangeGrower(Protocol):
    """Grows ranges of trees of one task somewhere."""

    def start(self, task: RangeTask) -> None:
        """Take the task on; the calls that follow are about it."""

    def pilot(self, begin: int, end: int, candidate: int) -> list[NDArray[np.float64]]:
        """Return what each tree of the pilot says (see `RangeTask.pilot`)."""

    def grow(
        self,
        n_trees: int,
        min_samples_split: float,
        progress: Callable[[int], None] | None,
    ) -> Sequence[GrownRange]:
        """Return all trees, in their order."""


_GROWER: ContextVar[RangeGrower | None] = ContextVar("boxwood_range_grower", default=None)


@contextmanager
def growing_by(grower: RangeGrower) -> Iterator[None]:
    """Let forests that are fitted inside be grown by another: on a cluster, say."""
    token = _GROWER.set(grower)
    try:
        yield
    finally:
        _GROWER.reset(token)


def range_grower() -> RangeGrower | None:
    """Return who grows forests here; None where the core does it in one call."""
    return _GROWER.get()


def fit_in_ranges(
    grower: RangeGrower, task: RangeTask, progress: Callable[[int], None] | None
) -> tuple[_core.Mixture, NDArray[np.float64], float]:
    """Grow a forest in ranges of trees: the mixture, the gains of columns, the smallest split."""
    grower.start(task)
    options = task.options()
    smallest = _chosen_split(grower, task, options) if options.candidates else options.grow.min_samples_split
    grown = grower.grow(options.n_trees, smallest, progress)
    gains = np.zeros(len(task.bin_edges))
    for of_range in grown:
        for of_tree in of_range.gains:  # one after another, as the core adds them up
            gains = gains + of_tree
    return _core.join_mixtures([of_range.mixture for of_range in grown]), gains, smallest


def _chosen_split(grower: RangeGrower, task: RangeTask, options: _core.DensityForestOptions) -> float:
    """Choose `min_samples_split` by the trees of the pilot: a few first, which tell how deep the others go."""
    pilot = _core.Pilot(task.table(), options)
    densities = grower.pilot(0, pilot.n_first, 0)
    scores = pilot.scores(densities)
    if pilot.n_first < pilot.n_trees:
        candidate = pilot.candidate_of_others(scores)
        scores = pilot.scores([*densities, *grower.pilot(pilot.n_first, pilot.n_trees, candidate)])
    return pilot.chosen(scores)
