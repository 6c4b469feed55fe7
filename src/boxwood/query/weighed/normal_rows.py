"""Each column of rows given the rest of the row, under a Gaussian: normal distributions in closed form."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from boxwood.columns import Columns
from boxwood.columns.as_numbers import number_matrix
from boxwood.gaussian.normal import Normal, log_density_of_squares
from boxwood.randomness import generator

__all__ = ["NormalRows"]

Numbers = NDArray[np.float64]


class NormalRows:
    """The conditional distributions of a table's cells, gaps summed out: they are independent of the values.

    Parameters
    ----------
    normal : Normal
    gap_rates : ndarray
    columns : Columns
    """

    def __init__(self, normal: Normal, gap_rates: Numbers, columns: Columns) -> None:
        self._normal, self._gap_rates, self.columns = normal, gap_rates, columns
        self._rows = number_matrix(columns)
        self._known: dict[int, tuple[Numbers, Numbers]] = {}

    def surprise(self) -> Numbers:
        """Return −log p(value | rest of the row) of every cell, gaps as values: (n_samples, n_features)."""
        found = np.empty(self._rows.shape)
        for j, rate in enumerate(self._gap_rates.tolist()):
            mean, deviation = self._law(j)
            z = (self._rows[:, j] - mean) / deviation
            own = log_density_of_squares(z**2, 2.0 * np.log(deviation), 1)
            with np.errstate(divide="ignore"):
                found[:, j] = -np.where(np.isnan(z), np.log(rate), own + np.log1p(-rate))
        return found

    def means(self, column: int) -> Numbers:
        """Return the mean of a column of numbers given what is there in the rest of each row."""
        return self._law(column)[0]

    def medians(self, column: int) -> Numbers:
        """Return the median of a column given the rest of each row."""
        return self.quantiles(column, 0.5)[:, 0]

    def quantiles(self, column: int, p: Any) -> Numbers:
        """Return quantiles of a column given the rest of each row: (n_samples, n_p), codes for categories."""
        return self._at(column, np.atleast_1d(np.asarray(p, dtype=np.float64))[None])

    def draws(self, column: int, n: int = 1, random_state: Any = None) -> Numbers:
        """Draw values of a column given the rest of each row: (n_samples, n), codes for categories."""
        return self._at(column, generator(random_state).random((len(self._rows), n)))

    def cdf(self, column: int, values: Any) -> Numbers:
        """Return P(column <= value | rest of the row) of numbers: (n_samples, n_values)."""
        mean, deviation = self._law(column)
        limits = np.atleast_1d(np.asarray(values, dtype=np.float64))
        if self.columns.schema.fields[column].kind == "integer":
            limits = np.floor(limits) + 0.5
        return np.asarray(special.ndtr((limits - mean[:, None]) / deviation[:, None]))

    def category_probabilities(self, column: int) -> Numbers:
        """Return the probability of each category given the rest of each row: (n_samples, n_categories)."""
        mean, deviation = self._law(column)
        ends = np.arange(len(self.columns.schema.fields[column].categories) + 1) - 0.5
        ends[0], ends[-1] = -np.inf, np.inf
        return np.asarray(np.diff(special.ndtr((ends - mean[:, None]) / deviation[:, None]), axis=1))

    def _at(self, column: int, fractions: Numbers) -> Numbers:
        mean, deviation = self._law(column)
        found = mean[:, None] + deviation[:, None] * special.ndtri(fractions)
        field = self.columns.schema.fields[column]
        if field.kind.is_number:
            return found
        return np.clip(np.round(found), 0, len(field.categories) - 1)

    def _law(self, j: int) -> tuple[Numbers, Numbers]:
        """Return mean and deviation of a column given the rest of each row, by pattern of gaps."""
        if j not in self._known:
            known = ~np.isnan(self._rows)
            known[:, j] = False
            mean, deviation = np.empty(len(known)), np.empty(len(known))
            patterns, of_row = np.unique(known, axis=0, return_inverse=True)
            for k, pattern in enumerate(patterns):
                rows = np.flatnonzero(of_row.ravel() == k)
                slopes, center, spread = self._regression(j, np.flatnonzero(pattern))
                mean[rows] = center + self._rows[np.ix_(rows, np.flatnonzero(pattern))] @ slopes
                deviation[rows] = spread
            self._known[j] = mean, deviation
        return self._known[j]

    def _regression(self, j: int, others: NDArray[np.intp]) -> tuple[Numbers, float, float]:
        """Return slopes, intercept and deviation of a column's regression on others."""
        variance, center = float(self._normal.covariance[j, j]), float(self._normal.mean[j])
        if not len(others):
            return np.zeros(0), center, float(np.sqrt(variance))
        part = self._normal.marginal(others)
        whitened = self._normal.covariance[j, others] @ part.whitening
        slopes = part.whitening @ whitened
        spread = np.sqrt(max(variance - float(whitened @ whitened), 1e-14 * variance))
        return slopes, center - float(part.mean @ slopes), float(spread)
