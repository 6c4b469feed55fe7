"""Densities of rows with intervals: means over points of them, moved through chains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from boxwood.boosting.chain import Chain, log_densities
from boxwood.boosting.cube_intervals import CubeIntervals

__all__ = ["Moving", "mean_over_intervals"]

POINTS_AT_ONCE = 65_536
"""Points that are moved at once, which bounds the memory of rows with intervals."""


class Moving:
    """Points of intervals on their way through a chain."""

    def __init__(self, chain: Chain, points: NDArray[np.float64], n_threads: int) -> None:
        self.shape = points.shape[:2]
        self.trees, self.n_threads = chain.trees, n_threads
        self.points, self.log_density = chain.coordinates.apply(
            points.reshape(-1, points.shape[2]), n_threads
        )

    def after(self, stage: int) -> NDArray[np.float64]:
        """Move through one more tree, where there is one; return the mean log-density of each row."""
        if stage < self.trees.n_trees:
            self.log_density += self.trees.move(self.points, stage, stage + 1, self.n_threads)
        return _log_mean(self.log_density.reshape(self.shape))


def mean_over_intervals(
    chains: list[Chain], intervals: CubeIntervals, n_points: int, n_threads: int
) -> NDArray[np.float64]:
    """Return the logarithm of the mean density over points of each row's intervals, under each chain."""
    logs = np.empty((len(intervals), len(chains)))
    spread = intervals.width.any(axis=1)
    for rows, n in ((np.flatnonzero(~spread), 1), (np.flatnonzero(spread), n_points)):
        step = max(1, POINTS_AT_ONCE // n)
        for begin in range(0, len(rows), step):
            part = rows[begin : begin + step]
            points = intervals.take(part).grid_points(n)
            moved = log_densities(chains, points.reshape(-1, points.shape[2]), n_threads)
            for k, of_chain in enumerate(moved.T):
                logs[part, k] = _log_mean(of_chain.reshape(len(part), n))
    return logs


def _log_mean(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    if logs.shape[1] == 1:
        return logs[:, 0]
    return np.asarray(logsumexp(logs, axis=1) - np.log(logs.shape[1]), dtype=np.float64)
