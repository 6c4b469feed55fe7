"""A column's values in order: what the rules for the bins are worked out from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Lattice
from boxwood.margins.atoms import SMALLEST_SPIKE, Cells, find_atoms

__all__ = ["SortedSample", "sorted_sample"]

TIED_ROWS = 2.0
"""Rows a distinct value from which on a column counts as rounded, and its resolution bounds the width."""


@dataclass(frozen=True, eq=False)
class SortedSample:
    """Values in ascending order and, where rows have weights, the weight of the first i of them.

    Attributes
    ----------
    values : ndarray of shape (n,)
    cumulative : ndarray of shape (n + 1,) or None
    """

    values: NDArray[np.float64]
    cumulative: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.values)

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(len(self.values)) if self.cumulative is None else float(self.cumulative[-1])

    @property
    def low(self) -> float:
        """The smallest value."""
        return float(self.values[0])

    @property
    def high(self) -> float:
        """The largest value."""
        return float(self.values[-1])

    @cached_property
    def ranks(self) -> _core.Ranks:
        """The index that counts bins."""
        return _core.Ranks(self.values)

    def counts(self, low: float, high: float, n_bins: int) -> NDArray[np.float64]:
        """Return the counts of bins of equal width, which span all values."""
        return self.ranks.uniform_counts(low, high, n_bins, self.cumulative)

    def weights(self) -> NDArray[np.float64] | None:
        """Return the weight of each value."""
        return None if self.cumulative is None else np.diff(self.cumulative)

    def standard_deviation(self) -> float:
        """Return the standard deviation, with the number of rows below the sum."""
        # Scaled first: squares of numbers past 1e154 overflow.
        scale = max(abs(self.low), abs(self.high), 1e-300)
        scaled = self.values / scale
        if self.cumulative is None:
            return scale * float(scaled.std())
        weights = self.weights()
        mean = np.average(scaled, weights=weights)
        return scale * math.sqrt(float(np.average((scaled - mean) ** 2, weights=weights)))

    def quantile(self, level: float) -> float:
        """Return a quantile as numpy.quantile has it, each value standing as often as it weighs."""
        position = level * max(self.total - 1.0, 0.0)
        below, above = self._value_at(math.floor(position)), self._value_at(math.ceil(position))
        return below + (position - math.floor(position)) * (above - below)

    def _value_at(self, position: int) -> float:
        if self.cumulative is None:
            return float(self.values[position])
        index = int(np.searchsorted(self.cumulative[1:], position, side="right"))
        return float(self.values[min(index, len(self) - 1)])

    @cached_property
    def n_distinct(self) -> int:
        """How many different values there are."""
        return 1 + int(np.count_nonzero(self.values[1:] != self.values[:-1]))

    @cached_property
    def resolution(self) -> float:
        """The smallest gap between two values of a rounded column; 0 where rows rarely share a value."""
        if self.n_distinct == 1 or self.total < TIED_ROWS * self.n_distinct:
            return 0.0
        gaps = np.diff(self.values)
        return float(gaps[gaps > 0.0].min())

    @cached_property
    def lattice(self) -> float:
        """The step of which all gaps between values are multiples; 0 where there is none."""
        smallest = self.resolution
        if smallest == 0.0:
            return 0.0
        extent = self.high - self.low
        if smallest < extent * 2.0**-52:  # no double could tell the steps apart; their number may overflow
            return 0.0
        step = extent / max(1.0, np.round(extent / smallest))
        rounding = 8.0 * np.spacing(max(abs(self.low), abs(self.high))) / step
        if rounding > 0.01:
            return 0.0
        places = (self.values - self.low) / step
        return float(step) if np.all(np.abs(places - np.round(places)) <= rounding + 1e-9) else 0.0

    def counts_on(self, lattice: Lattice) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the numbers of a lattice's points that have rows, ascending, and the weight of these."""
        places, inverse = np.unique(lattice.places(self.values), return_inverse=True)
        return places, np.bincount(inverse, self.weights(), minlength=len(places)).astype(np.float64)

    def only(self, kept: NDArray[np.bool_]) -> SortedSample:
        """Return the sample of some of the values."""
        if kept.all():
            return self
        weights = self.weights()
        return sorted_sample(self.values[kept], None if weights is None else weights[kept])

    def without_spikes(self) -> SortedSample:
        """Leave single values that stand out by their number of rows out of the sample.

        A spike has a density without bound: it would drive every criterion to the narrowest bins.
        """
        if self.cumulative is None and len(self) - self.n_distinct < SMALLEST_SPIKE * len(self) - 1.0:
            return self  # too few rows share a value
        starts = np.flatnonzero(np.concatenate([[True], np.diff(self.values) > 0.0]))
        upto = np.arange(len(self) + 1.0) if self.cumulative is None else self.cumulative
        counts = np.diff(upto[np.append(starts, len(self))])
        if counts.max() < SMALLEST_SPIKE * self.total:
            return self
        distinct = self.values[starts]
        spikes = find_atoms(Cells(distinct, distinct, counts))
        if not spikes.any() or spikes.sum() == len(spikes) or (~spikes).sum() < 2:
            return self
        keep = np.repeat(~spikes, np.diff(np.append(starts, len(self))))
        return self.only(keep)


def sorted_sample(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> SortedSample:
    """Sort the values that are not missing and have a weight."""
    if weights is None:
        ordered = np.sort(values)
        n_present = int(np.searchsorted(ordered, np.nan))  # NaN are sorted last
        return SortedSample(ordered[:n_present])
    present = ~np.isnan(values) & (weights > 0.0)
    values, weights = values[present], weights[present]
    order = np.argsort(values, kind="stable")
    return SortedSample(values[order], np.concatenate([[0.0], np.cumsum(weights[order])]))
