"""Heaping: points of a lattice that are favoured all along it, as people round to tens."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["find_heap"]

PERIODS = (60, 50, 30, 25, 24, 20, 15, 12, 10, 7, 6, 5, 4, 3, 2)

FEWEST_PEAKS = 12
"""A heap is seen at as many of its points at least: a die has none, whatever its faces."""

MOST_POINTS = 1e6
"""Of a longer lattice n rows tell no heaps."""

PEAKS = 2.0 / 3.0
"""The fraction of a heap's points that stand above all points around them.

By chance one point of three does so, and of twelve points eight do with probability 0.02.
"""


def find_heap(places: NDArray[np.float64], counts: NDArray[np.float64]) -> int:
    """Return the period of a lattice's heaped points, the longest one; 1 where no points are favoured.

    Bins of other widths than multiples of it would hold now more, now fewer heaped points.

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
