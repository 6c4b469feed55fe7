"""Values never seen: what a histogram keeps for bins without rows, and for what lies beyond its bins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boxwood.histogram.bin_measure import BinMeasure

__all__ = ["UNSEEN", "UnseenValues", "good_turing"]

Numbers = NDArray[np.float64]

UNSEEN = ("zero", "smooth")
"""What a value has that training did not show: density 0, or a part of the Good–Turing mass."""

LARGEST_DRAWN = 2.0**52
"""Ranges beyond the bins that a sample may lie at most."""


def good_turing(counts: Numbers) -> float:
    """Return the probability that a new row is in a bin without rows: (n₁ + 1)/(n + 2).

    n₁ is the number of bins with one observation. What rows are worth need not be whole numbers.

    Examples
    --------
    >>> good_turing(np.array([7.0, 1.0, 0.0, 1.0, 9.0]))
    0.15
    """
    n_single = int(np.count_nonzero((counts > 0.0) & (counts < 1.5)))
    return min((n_single + 1.0) / (float(counts.sum()) + 2.0), 0.5)


@dataclass(frozen=True, eq=False)
class UnseenValues:
    """A tail over all numbers, of which that in bins with mass is left out: their rows tell more.

    The tail is Cauchy's with the middle of the bins as its centre and half their span as its scale, cut off
    at 0 where no value is negative: it has a part for values at any distance, and next to the bins it is
    about flat.

    Attributes
    ----------
    mass : float
        The probability that a value is none of those seen.
    edges : ndarray
    held : ndarray of bool
        Which bins have mass.
    measure : BinMeasure
    start : float
        Below it nothing can be.
    """

    mass: float
    edges: Numbers
    held: NDArray[np.bool_]
    measure: BinMeasure
    start: float = -np.inf

    @cached_property
    def _cauchy(self) -> tuple[float, float, float]:
        """Centre and scale of the tail, and the level at which it is cut off."""
        low, high = 0.5 * float(self.edges[0]), 0.5 * float(self.edges[-1])
        centre, scale = low + high, high - low
        return centre, scale, 0.5 + math.atan((self.start - centre) / scale) / math.pi

    def _below(self, values: Numbers) -> Numbers:
        """Return the tail's distribution function."""
        centre, scale, cut = self._cauchy
        below = 0.5 + np.arctan((np.maximum(values, self.start) - centre) / scale) / math.pi
        return np.asarray((below - cut) / (1.0 - cut))

    def _at(self, levels: Numbers) -> Numbers:
        """Return the tail's quantiles."""
        centre, scale, cut = self._cauchy
        far = np.tan(math.pi * (cut + levels * (1.0 - cut) - 0.5)).clip(-LARGEST_DRAWN, LARGEST_DRAWN)
        return np.asarray(np.maximum(centre + scale * far, self.start))

    @cached_property
    def of_bins(self) -> Numbers:
        """The tail's probability of each bin."""
        return np.diff(self._below(self.edges))

    @cached_property
    def free(self) -> float:
        """The tail's probability outside the bins with mass; at least that beyond the outermost ones."""
        return max(1.0 - float(self.of_bins[self.held].sum()), 1e-3)

    def log_density(self, values: Numbers) -> Numbers:
        """Return the log-density of values that are in no bin with mass."""
        with np.errstate(divide="ignore"):
            if self.measure.lattice is None:
                centre, scale, cut = self._cauchy
                # By logarithms: squares of far values overflow.
                tail = -2.0 * np.log(np.hypot(1.0, (values - centre) / scale))
                tail = np.where(values < self.start, -np.inf, tail - np.log(math.pi * scale * (1.0 - cut)))
            else:
                half, points = 0.5 * self.measure.lattice.step, self.measure.nearest(values)
                tail = np.log(self._below(points + half) - self._below(points - half))
            return np.asarray(math.log(self.mass) + tail - math.log(self.free))

    def left_out(self) -> Numbers:
        """Return the mean log-density in each bin if its rows had not been there."""
        with np.errstate(divide="ignore"):
            freed = np.log(self.of_bins) - np.log(self.free + np.where(self.held, self.of_bins, 0.0))
            return np.asarray(math.log(self.mass) + freed - np.log(self.measure.sizes(self.edges)))

    def fraction_up_to(self, values: Numbers, bins: NDArray[np.intp]) -> Numbers:
        """Return the part of the unseen values that lies at or below each value, by its bin."""
        if self.measure.lattice is not None:
            values = self.measure.at_or_below(values) + 0.5 * self.measure.lattice.step
        upto = self._below(values)
        before = np.concatenate([[0.0], np.cumsum(np.where(self.held, self.of_bins, 0.0))])
        within = np.clip(upto - self._below(self.edges)[bins], 0.0, self.of_bins[bins])
        taken = before[bins] + np.where(self.held[bins], within, 0.0)
        return np.clip((upto - np.where(upto > 0.0, taken, 0.0)) / self.free, 0.0, 1.0)

    def span(self) -> tuple[float, float]:
        """Return two ends beyond which next to nothing lies."""
        low, high = self._at(np.array([0.0, 1.0]))
        return float(low), float(high)

    def draw(self, n_samples: int, rng: np.random.Generator) -> Numbers:
        """Draw values that were not seen."""
        levels = np.concatenate([[0.0], self._below(self.edges), [1.0]])
        parts = np.where(np.concatenate([[False], self.held, [False]]), 0.0, np.diff(levels))
        parts[[0, -1]] = np.maximum(parts[[0, -1]], 1e-12 * (self.start == -np.inf))
        chosen = rng.choice(len(parts), size=n_samples, p=parts / parts.sum())
        drawn = self._at(levels[chosen] + rng.random(n_samples) * parts[chosen])
        return drawn if self.measure.lattice is None else self.measure.nearest(drawn)
