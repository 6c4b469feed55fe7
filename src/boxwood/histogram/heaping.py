"""Heaping: points of a lattice that are favoured all along it, as people round to tens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["HeapProfile", "find_heap", "find_spikes"]

PERIODS = (60, 50, 30, 25, 24, 20, 15, 12, 10, 7, 6, 5, 4, 3, 2)

FEWEST_PEAKS = 12
"""A heap is seen at as many of its points at least: a die has none, whatever its faces."""

MOST_POINTS = 1e6
"""Of a longer lattice n rows tell no heaps."""

SMALLEST_SPIKE = 0.01

FEWEST_ROWS = 10.0

SPIKE_RATIO = 5.0

MOST_ROUNDS = 3

PEAKS = 2.0 / 3.0
"""The fraction of a heap's points that stand above all points around them.

By chance one point of three does so, and of twelve points eight do with probability 0.02.
"""


@dataclass(frozen=True, eq=False)
class HeapProfile:
    """How often the points of one period come, relative to their mean; the same all along the lattice.

    Attributes
    ----------
    weights : ndarray of shape (period,)
        Of points k with k mod period = 0, 1, …; positive, with mean 1.

    Examples
    --------
    >>> profile = HeapProfile.of_counts(np.array([0.0, 1.0, 2.0, 4.0]), np.array([9.0, 1.0, 8.0, 10.0]), 2)
    >>> profile.weights.round(2)
    array([1.87, 0.13])
    >>> profile.up_to(np.array([0.0, 1.0, 2.0, 3.0])).round(2), profile.at(np.array([1.5, 1.9]))
    (array([0.  , 1.87, 2.  , 3.87]), array([0., 1.]))
    """

    weights: NDArray[np.float64]

    @classmethod
    def of_counts(cls, places: NDArray[np.float64], counts: NDArray[np.float64], period: int) -> HeapProfile:
        """Return the profile of a column, with one row more at each point of the period."""
        residues = np.mod(places, period).astype(np.int64)
        raised = np.bincount(residues, counts, minlength=period) + 1.0
        return cls(raised * (period / raised.sum()))

    @property
    def period(self) -> int:
        """How many points there are in a period."""
        return len(self.weights)

    @cached_property
    def _before(self) -> NDArray[np.float64]:
        return np.concatenate([[0.0], np.cumsum(self.weights)])

    def log_weights(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithm of each point's weight."""
        return np.log(self.weights)[np.mod(places, self.period).astype(np.int64)]

    def up_to(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weight of all points from 0 to below each."""
        whole = np.floor(places / self.period)
        return whole * self.period + self._before[(places - whole * self.period).astype(np.int64)]

    def at(self, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the point in which a weight, counted from point 0, lies."""
        whole = np.floor(weight / self.period)
        rest = np.searchsorted(self._before, weight - whole * self.period, side="right") - 1
        return whole * self.period + np.minimum(rest, self.period - 1)


def find_heap(places: NDArray[np.float64], counts: NDArray[np.float64]) -> int:
    """Return the period of a lattice's heaped points, the longest one; 1 where no points are favoured.

    Parameters
    ----------
    places : ndarray of shape (n_values,)
        Numbers of the lattice's points that have rows, ascending.
    counts : ndarray of shape (n_values,)
        Their rows.

    Examples
    --------
    >>> ages = np.arange(20.0, 90.0)
    >>> find_heap(ages, np.where(ages % 5 == 0, 30.0, 10.0)), find_heap(ages, 100.0 - ages)
    (5, 1)
    """
    n_points = float(places[-1] - places[0]) + 1.0
    if not n_points <= MOST_POINTS:
        return 1
    of_points = np.zeros(int(n_points))
    of_points[(places - places[0]).astype(np.int64)] = counts
    for period in PERIODS:
        if n_points / period >= FEWEST_PEAKS and _is_heaped(of_points, period):
            return period
    return 1


def _is_heaped(counts: NDArray[np.float64], period: int) -> bool:
    best = int(np.argmax([counts[k::period].sum() for k in range(period)]))
    heaps = np.arange(best, len(counts), period)
    around = np.pad(counts, period)[heaps[:, None] + period + _beside(period)]
    occupied = (counts[heaps] > 0.0) | (around > 0.0).any(axis=1)
    peaks = counts[heaps] > around.max(axis=1)
    return bool(occupied.sum() >= FEWEST_PEAKS and peaks.sum() >= PEAKS * occupied.sum())


def _beside(period: int) -> NDArray[np.int64]:
    offsets = np.arange(1 - period, period)
    return offsets[offsets != 0]


def find_spikes(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which points of a lattice stand out.

    Spikes have 1% of the rows, ten of them and five times those of their neighbours. Beside a spike of
    nearly all rows others are told among the rest. Where most points stand out none is a spike: the column
    is a comb.

    Examples
    --------
    >>> find_spikes(np.array([50.0, 3.0, 2.0, 4.0, 3.0]))
    array([ True, False, False, False, False])
    """
    padded = np.pad(counts, 1)
    apart = (counts >= SPIKE_RATIO * np.maximum(padded[:-2], padded[2:])) & (counts >= FEWEST_ROWS)
    found = np.zeros(len(counts), dtype=np.bool_)
    for _ in range(MOST_ROUNDS):
        more = apart & (counts >= SMALLEST_SPIKE * float(counts[~found].sum()))
        if np.array_equal(more | found, found):
            break
        found |= more
    return np.asarray(found & (2 * found.sum() < len(counts)))
