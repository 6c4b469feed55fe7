"""Evenly spread points of each row's intervals, shifted by a hash of the row's content and a seed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.boosting.cube_intervals import CubeIntervals
from boxwood.columns import Columns
from boxwood.randomness import derived_seed

__all__ = ["HALVES", "RowPoints", "ShiftedPoints", "row_keys"]

HALVES = (0, 1)
"""Every row has two sets of points whose shifts are independent of each other."""

SHIFTS = 5000
"""First number in the derivation of the seeds of shifts from the model's seed."""


def row_keys(columns: Columns, without: int | None = None) -> NDArray[np.uint64]:
    """Return a hash of each row's content, or of the row without one column.

    The hash depends on the values alone: neither on other rows, nor on the container, nor on its dtypes.
    """
    values = np.ascontiguousarray(columns.matrix())
    if without is not None:
        values = values.copy()
        values[:, without] = np.nan
    return np.ascontiguousarray(_core.hash_rows(values)[:, 0])


@dataclass(frozen=True, eq=False)
class RowPoints:
    """Points of the cube that belong to rows, those of a row one after another.

    Attributes
    ----------
    u : ndarray of shape (n_points, n_columns)
    starts : ndarray of shape (n_rows,)
        Number of each row's first point.
    """

    u: NDArray[np.float64]
    starts: NDArray[np.intp]

    @property
    def counts(self) -> NDArray[np.intp]:
        """Number of points of each row."""
        return np.diff(self.starts, append=len(self.u))

    def log_means(self, logs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithm of the mean of exp(logs) over each row's points."""
        return self.log_sums(logs) - np.log(self.counts)

    def log_sums(self, logs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithm of the sum of exp(logs) over each row's points."""
        highest, scaled = self._scaled(logs)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.add.reduceat(scaled, self.starts)) + highest)

    def relative_variances(self, logs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the variance of exp(logs) over each row's points, divided by the square of its mean."""
        _, scaled = self._scaled(logs)
        mean = np.add.reduceat(scaled, self.starts) / self.counts
        squares = np.add.reduceat((scaled - np.repeat(mean, self.counts)) ** 2, self.starts)
        variance = squares / np.maximum(self.counts - 1, 1)
        return np.divide(variance, mean**2, out=np.zeros(len(mean)), where=mean > 0.0)

    def _scaled(self, logs: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return each row's largest logarithm, and all values divided by that of their row."""
        highest = np.maximum.reduceat(logs, self.starts)
        finite = np.where(np.isneginf(highest), 0.0, highest)
        return finite, np.exp(logs - np.repeat(finite, self.counts))


@dataclass(frozen=True, eq=False)
class ShiftedPoints:
    """The points of each row's intervals.

    Points of Sobol's sequence are shifted by a vector that is uniform on the cube, modulo 1 (Cranley and
    Patterson's rotation), and then scaled to the row's intervals. The shift is drawn by a counter-based hash
    of the row's key, the seed and the column. Each point by itself is therefore uniform within the
    intervals, and a mean over points has no bias. Points of a common grid have one: a chain may be higher on
    such a grid than beside it.

    Attributes
    ----------
    intervals : CubeIntervals
    keys : ndarray of uint64 of shape (n_rows,)
    seed : int
    """

    intervals: CubeIntervals
    keys: NDArray[np.uint64]
    seed: int

    def __len__(self) -> int:
        return len(self.keys)

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return the points of some rows."""
        return type(self)(self.intervals.take(rows), self.keys[rows], self.seed)

    def points(self, half: int, begin: int, end: NDArray[np.intp]) -> RowPoints:
        """Return the points `begin` to `end` of each row, the latter given for each row.

        Every row gets at least one point.
        """
        counts = end - begin
        starts = np.cumsum(counts) - counts
        owner = np.repeat(np.arange(len(self)), counts)
        number = np.arange(len(owner)) - starts[owner] + begin
        columns = np.flatnonzero(self.intervals.discrete)
        places = _sobol(int(end.max(initial=1)), len(columns))[number]
        places += self._shifts(half, columns)[owner]
        np.subtract(places, 1.0, out=places, where=places >= 1.0)
        u = self.intervals.lower[owner]
        u[:, columns] += places * self.intervals.width[:, columns][owner]
        return RowPoints(np.clip(u, 0.0, 1.0, out=u), starts)

    def _shifts(self, half: int, columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the shift of each row in some columns: a number in [0, 1)."""
        first = derived_seed(self.seed, SHIFTS, half)
        shifts = np.empty((len(self), len(columns)))
        for k, j in enumerate(columns):
            shifts[:, k] = _core.draw_uniform(self.keys, first + int(j))
        return shifts


@lru_cache(maxsize=16)
def _sobol(n_points: int, n_columns: int) -> NDArray[np.float64]:
    """Return the first points of Sobol's sequence, `n_points` rounded up to a power of two."""
    if n_columns == 0:
        return np.zeros((n_points, 0))
    from scipy.stats import qmc

    points = qmc.Sobol(n_columns, scramble=False).random_base2(max(n_points - 1, 0).bit_length())
    points.flags.writeable = False
    return np.asarray(points, dtype=np.float64)
