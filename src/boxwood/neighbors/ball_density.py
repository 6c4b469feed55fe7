"""The estimate behind `NeighborDensity`: K rows over N times the volume of the ball that holds them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.neighbors.balls import log_ball_volume
from boxwood.neighbors.index import RowIndex

__all__ = ["BallDensity", "Balls"]

_SMALLEST_FRACTION = 1e-9
"""Radius, as a fraction of the largest coordinate, where a table has but one distinct row."""


@dataclass(frozen=True, eq=False)
class Balls:
    """Of each query: the ball's radius in the metric's coordinates, what it holds, and of how many."""

    radius: NDArray[np.float64]
    held: NDArray[np.float64]
    total: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BallDensity:
    """Distinct rows with weights, and K.

    Attributes
    ----------
    index : RowIndex
        Of distinct rows, in the coordinates of a norm.
    weights : ndarray
        Of these rows.
    n_neighbors : int
    unbiased : bool
    bounded : bool
        Whether a ball holds two distinct rows at least. Around K rows that coincide the density would be
        ∝ 1/distance^D, of infinite integral; so it is bounded everywhere.
    """

    index: RowIndex
    weights: NDArray[np.float64]
    n_neighbors: int
    unbiased: bool
    bounded: bool = False

    @property
    def p(self) -> float:
        """Of Minkowski's norm."""
        metric = self.index.metric
        return {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": math.inf}.get(str(metric.norm), metric.p)

    @property
    def log_stretch(self) -> float:
        """Log-volume in the metric's coordinates of a cube of volume 1 in the table's."""
        scale = self.index.metric.scale
        return 0.0 if scale is None else float(np.log(scale).sum())

    def log_density(self, rows: NDArray[np.float64], n_jobs: int | None = None) -> NDArray[np.float64]:
        """Return the logarithm of held/(total·volume) at each row."""
        balls = self.balls(rows, n_jobs)
        n_dims = rows.shape[1]
        held = balls.held - 1.0 if self.unbiased else balls.held
        volume = log_ball_volume(n_dims, self.p) + n_dims * np.log(balls.radius)
        return np.asarray(np.log(held) - np.log(balls.total) - volume + self.log_stretch)

    def balls(self, rows: NDArray[np.float64], n_jobs: int | None = None) -> Balls:
        """Find each row's ball: more neighbours are asked until all balls are filled."""
        n = len(rows)
        found = Balls(np.empty(n), np.empty(n), np.empty(n))
        left = np.arange(n)
        asked = min(self.n_neighbors + 1, len(self.weights))  # two at least, where there are two
        while len(left):
            distances, near = self.index.query(np.ascontiguousarray(rows[left]), asked, n_jobs)
            done = self._fill(found, left, distances, self.weights[near], asked == len(self.weights))
            left, asked = left[~done], min(2 * asked, len(self.weights))
        return found

    def _fill(
        self,
        found: Balls,
        places: NDArray[np.int64],
        distances: NDArray[np.float64],
        weights: NDArray[np.float64],
        all_asked: bool,
    ) -> NDArray[np.bool_]:
        """Write the balls that these neighbours fill; tell which they are."""
        # A row that coincides with a training row is that row: it is left out once.
        own = np.where(distances[:, 0] == 0.0, np.minimum(weights[:, 0], 1.0), 0.0)
        upto = np.cumsum(weights, axis=1) - own[:, None]
        filled = (upto >= self.n_neighbors * (1.0 - 1e-12)) & (distances > 0.0)
        if self.bounded:
            filled[:, 0] = False
        done = np.asarray(filled.any(axis=1))
        last = np.where(done, filled.argmax(axis=1), distances.shape[1] - 1)
        every = np.arange(len(places))
        radius, held = distances[every, last], upto[every, last]
        # The ball holds K rows, or more where K of them coincide and it had to grow.
        before = np.where(last > 0, upto[every, last - 1], 0.0)
        grown = before >= self.n_neighbors
        held = np.where(grown, held, float(self.n_neighbors))
        if all_asked:  # then all that is left coincides with its row
            radius = np.where(done, radius, self._smallest_radius)
            held = np.where(done, held, upto[every, -1])
            done = np.ones(len(places), dtype=bool)
        found.radius[places[done]] = radius[done]
        found.held[places[done]] = held[done]
        found.total[places[done]] = (self.weights.sum() - own)[done]
        return done

    @property
    def _smallest_radius(self) -> float:
        largest = float(np.abs(self.index.rows()).max())
        return _SMALLEST_FRACTION * (largest if largest > 0.0 else 1.0)
