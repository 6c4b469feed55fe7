"""Conditional distributions of a number, one a row: masses of the target's bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.query.column_law import end_of
from boxwood.query.moments import value_integrals, values_at
from boxwood.randomness import generator
from boxwood.table.target.target_bins import TargetBins

__all__ = ["BinLaws"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BinLaws:
    """Distributions of a number; inside a bin each has the shape of the number's margin.

    Attributes
    ----------
    bins : TargetBins
    masses : ndarray of shape (n_rows, n_bins)
        Rows sum to 1.
    """

    bins: TargetBins
    masses: Numbers

    def means(self) -> Numbers:
        """Return the mean of each distribution."""
        margin = self.bins.margin
        center = float(values_at(margin, np.array([0.5]))[0])
        first, _ = value_integrals(margin, self.bins.edges, center)
        return np.asarray(center + self.masses @ (first / self.bins.widths))

    def medians(self) -> Numbers:
        """Return the median of each distribution."""
        return self.quantiles([0.5])[:, 0]

    def quantiles(self, p: Any) -> Numbers:
        """Return quantiles of each distribution: (n_rows, n_p)."""
        fractions = np.atleast_1d(np.asarray(p, dtype=np.float64))
        return self._at(np.broadcast_to(fractions, (len(self.masses), len(fractions))))

    def cdf(self, values: Any) -> Numbers:
        """Return the probability of at most each value: (n_rows, n_values)."""
        limits = np.atleast_1d(np.asarray(values, dtype=np.float64))
        ends = np.array([end_of(self.bins.margin, self.bins.field, value) for value in limits.tolist()])
        places = np.broadcast_to(ends, (len(self.masses), len(ends)))
        return np.clip(self.bins.below(self.masses, places), 0.0, 1.0)

    def draws(self, n: int = 1, random_state: Any = None) -> Numbers:
        """Draw from each distribution: (n_rows, n)."""
        return self._at(generator(random_state).random((len(self.masses), n)))

    def log_density(self, values: Numbers) -> Numbers:
        """Return the log-density of a value under each row's distribution."""
        k = self.bins.codes(values)
        ratio = self.masses[np.arange(len(k)), k] / self.bins.widths[k]
        return np.asarray(np.log(ratio) + self.bins.log_derivative(values))

    def _at(self, fractions: Numbers) -> Numbers:
        edges, widths = self.bins.edges, self.bins.widths
        sums = np.concatenate([np.zeros((len(self.masses), 1)), np.cumsum(self.masses, axis=1)], axis=1)
        places = np.empty(fractions.shape)
        for i, below in enumerate(sums):
            k = np.clip(np.searchsorted(below, fractions[i], side="left") - 1, 0, len(widths) - 1)
            within = (fractions[i] - below[k]) / np.maximum(self.masses[i, k], 1e-300)
            places[i] = edges[k] + widths[k] * np.clip(within, 0.0, 1.0)
        inside = np.clip(places, np.nextafter(edges[0], 1.0), np.nextafter(edges[-1], 0.0))
        return values_at(self.bins.margin, inside.ravel()).reshape(places.shape)
