"""Trees of a forest as tasks: each worker is given the table in bins once, and grows ranges of trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.dask.cluster import Cluster
from boxwood.mixture import Mixture
from boxwood.tree.density.tree_ranges import GrownRange, RangeTask

__all__ = ["DaskGrower"]

RANGES_A_THREAD = 4
"""Ranges of trees for each thread of the cluster: workers that are slow, or lost, hold the others up less."""


class DaskGrower:
    """Grows the trees of forests on a cluster (see `RangeGrower`).

    The table in bins, one or two bytes a cell, is part of a task that every other depends on. Dask copies
    what that task gives to the workers that grow trees, and makes it again where a worker is lost.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._task: Any = None

    def start(self, task: RangeTask) -> None:
        """Take a forest on."""
        [self._task] = self._cluster.start([self._cluster.call(_packed, _narrow(task))], ["the table in bins"])

    def pilot(self, begin: int, end: int, candidate: int) -> list[NDArray[np.float64]]:
        """Return what the trees of the pilot say, one task a tree."""
        calls = [self._cluster.call(_pilot, self._task, tree, candidate) for tree in range(begin, end)]
        return self._cluster.results(calls, _names(range(begin, end)))

    def grow(
        self, n_trees: int, min_samples_split: float, progress: Callable[[int], None] | None
    ) -> Sequence[GrownRange]:
        """Return all trees, in their order."""
        size = max(1, n_trees // (RANGES_A_THREAD * self._cluster.n_threads))
        begins = range(0, n_trees, size)
        calls = [
            self._cluster.call(_grow, self._task, begin, min(begin + size, n_trees), min_samples_split)
            for begin in begins
        ]
        grown = self._cluster.results(calls, _names(begins))
        if progress is not None:
            progress(n_trees)
        return [GrownRange(mixture.native, gains) for mixture, gains in grown]


def _narrow(task: RangeTask) -> RangeTask:
    return task


def _packed(task: RangeTask) -> RangeTask:
    return task


def _pilot(task: RangeTask, tree: int, candidate: int) -> NDArray[np.float64]:
    return np.asarray(task.pilot(task.table(), tree, tree + 1, candidate)[0])


def _grow(
    task: RangeTask, begin: int, end: int, min_samples_split: float
) -> tuple[Mixture, NDArray[np.float64]]:
    fitted = task.grow(task.table(), begin, end, min_samples_split)
    return Mixture.of_native(fitted.mixture), fitted.gains()


def _names(trees: Sequence[int]) -> list[str]:
    return [f"tree {tree}" for tree in trees]
