"""The law of one column under evidence, from weighed draws."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import ColumnMeasure, Field
from boxwood.columns.base_measure import CATEGORIES
from boxwood.query.answer import Answer, Answers
from boxwood.query.weighed.draws import Draws

__all__ = ["WeighedLaw"]

Numbers = NDArray[np.float64]

MOST_BINS = 64
"""Of the histogram behind an entropy."""


class WeighedLaw:
    """The values of a column among draws, and what they weigh.

    Parameters
    ----------
    field : Field
    draws : Draws
    column : int
    measure : ColumnMeasure, default=CATEGORIES
        Where the column has probabilities of single values: without it everywhere.
    """

    def __init__(self, field: Field, draws: Draws, column: int, measure: ColumnMeasure = CATEGORIES) -> None:
        self.field, self._draws, self._measure = field, draws, measure
        part = draws.columns[column]
        self._there = ~part.missing()
        self._values = np.asarray(part.values, dtype=np.float64)

    def check_present(self) -> None:
        """Raise where the value is missing for certain."""
        if not self._draws.weights[self._there].any():
            raise ValueError(f"column {self.field.name!r} is missing for certain under this evidence.")

    @cached_property
    def _sorted(self) -> tuple[Numbers, Numbers, Numbers]:
        """Values that are there, ascending, their weights, and the sums of these up to each."""
        self.check_present()
        used = np.flatnonzero(self._there & (self._draws.weights > 0.0))
        order = used[np.argsort(self._values[used], kind="stable")]
        weights = self._draws.weights[order]
        weights = weights / weights.sum()
        below = np.cumsum(weights)
        return self._values[order], weights, below / below[-1]

    def cdf(self, values: Any) -> Answers:
        """Return P(X <= value)."""
        self.check_present()
        limits = np.asarray(values, dtype=np.float64)
        indicators = (self._values[:, None] <= limits.ravel()).astype(np.float64)
        found = self._draws.means(indicators, self._there)
        return Answers.of(
            np.asarray(found).reshape(limits.shape),
            found.standard_error.reshape(limits.shape),
            found.effective_sample_size,
        )

    def quantile(self, p: Any) -> Answers:
        """Return the smallest values whose `cdf` is at least p, with Woodruff's errors.

        The error of the CDF at the quantile, carried over to values by quantiles so far above and below.
        """
        fractions = np.asarray(p, dtype=np.float64)
        if not ((fractions >= 0.0) & (fractions <= 1.0)).all():
            raise ValueError("p must lie in [0, 1].")
        found = self._at(fractions)
        return Answers.of(found, self._errors(found, fractions), self._size)

    def error_at(self, value: float) -> float:
        """Return the standard error of an end of an interval."""
        at = np.array(value)
        return float(self._errors(at, np.asarray(self.cdf(at))))

    @property
    def _size(self) -> float:
        return 1.0 / float((self._sorted[1] ** 2).sum())

    def _at(self, p: Numbers) -> Numbers:
        values, _, below = self._sorted
        place = np.searchsorted(below, np.clip(p, 0.0, 1.0) - 1e-12, side="left")
        return np.asarray(values[np.minimum(place, len(values) - 1)])

    def _errors(self, found: Numbers, p: Numbers) -> Numbers:
        error = self.cdf(found).standard_error
        low, high = self._at(np.asarray(p - error)), self._at(np.asarray(p + error))
        return np.asarray(0.5 * (high - low))

    @cached_property
    def mean(self) -> Answer:
        """The mean; of a boolean the probability of true."""
        self.check_present()
        return self._draws.mean(self._values, self._there)

    @cached_property
    def variance(self) -> Answer:
        """The variance."""
        center = float(self.mean)
        found = self._draws.mean((self._values - center) ** 2, self._there)
        size = found.effective_sample_size
        factor = size / max(size - 1.0, 1.0)
        return Answer.weighed(float(found) * factor, found.standard_error * factor, size)

    @cached_property
    def missing(self) -> Answer:
        """The probability of a gap."""
        return self._draws.mean((~self._there).astype(np.float64))

    @cached_property
    def category_probabilities(self) -> Answers:
        """Of each category, among gaps and unseen ones."""
        codes = np.arange(len(self.field.categories))
        return self._draws.means((self._values[:, None] == codes).astype(np.float64))

    @cached_property
    def entropy(self) -> Answer:
        """In nats, gaps as a value; of continuous values by a histogram of about equal masses."""
        weights = self._draws.weights
        discrete = np.ones(len(weights), dtype=np.bool_)
        if self.field.kind.is_number:
            discrete = ~self._there | self._measure.is_discrete(self._values)
        # Atoms and gaps have counting measure, whatever lies between the atoms has length.
        codes = np.where(self._there, self._values, np.inf)[discrete]
        of_value = np.unique(codes, return_inverse=True)[1]
        mass, widths = np.bincount(of_value, weights[discrete]), np.ones(of_value.max(initial=-1) + 1)
        if not discrete.all():
            pieces = _equal_masses(self._values[~discrete], weights[~discrete])
            mass, widths = (np.concatenate(both) for both in zip((mass, widths), pieces, strict=True))
        used = mass > 0.0
        logs = np.log(mass[used] / widths[used])
        found = -float((mass[used] * logs).sum())
        spread = float((mass[used] * (logs + found) ** 2).sum())
        size = self._draws.effective_sample_size
        return Answer.weighed(found, math.sqrt(spread / size), size)

    def mode(self) -> float:
        """Return the value of highest probability; of continuous values, that of highest density.

        By half-samples: the shortest interval with half of the weight, half of that, and so on.
        """
        values, weights, _ = self._sorted
        levels, of_level = np.unique(values, return_inverse=True)
        if not self.field.kind.is_number or len(levels) <= len(values) // 2:
            known = levels < len(self.field.categories) if not self.field.kind.is_number else levels == levels
            return float(levels[known][np.argmax(np.bincount(of_level, weights)[known])])
        while len(values) > 3:
            first, last = _shortest(values, np.cumsum(weights) / weights.sum(), 0.5)
            if last - first + 1 >= len(values):
                break
            values, weights = values[first : last + 1], weights[first : last + 1]
        return float(np.average(values, weights=weights))

    def shortest_interval(self, level: float) -> tuple[float, float]:
        """Return the shortest interval with a probability of at least `level`."""
        values, _, below = self._sorted
        first, last = _shortest(values, below, level)
        return float(values[first]), float(values[last])


def _equal_masses(values: Numbers, weights: Numbers) -> tuple[Numbers, Numbers]:
    """Return the weights of intervals that hold about as much each, and their widths."""
    used = np.flatnonzero(weights > 0.0)
    order = used[np.argsort(values[used], kind="stable")]
    values, weights = values[order], weights[order]
    total, squares = float(weights.sum()), float((weights**2).sum())
    if not len(values) or values[0] == values[-1]:  # a value that the evidence names
        return np.array([total]), np.ones(1)
    n_bins = int(np.clip(math.sqrt(total**2 / squares) / 2.0, 2, MOST_BINS))
    edges = np.unique(np.interp(np.linspace(0.0, 1.0, n_bins + 1), np.cumsum(weights) / total, values))
    return np.histogram(values, edges, weights=weights)[0], np.diff(edges)


def _shortest(values: Numbers, below: Numbers, level: float) -> tuple[int, int]:
    """Return the first and the last of sorted values whose interval is the shortest with a fraction."""
    start = np.concatenate([[0.0], below[:-1]])
    last = np.searchsorted(below, np.minimum(start + level, 1.0) - 1e-12, side="left")
    fits = np.flatnonzero((start + level <= 1.0 + 1e-12) & (last < len(values)))
    best = fits[np.argmin(values[last[fits]] - values[fits])]
    return int(best), int(last[best])
