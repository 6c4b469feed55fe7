"""Conditional distributions of a number, one a row, by a density of the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["DensityLaws"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DensityLaws:
    """The distributions of a column given the rest of each row.

    Attributes
    ----------
    conditionals : callable
        Returns the conditionals of the rows; with values, of rows whose column has these.
    column : int
    """

    conditionals: Callable[..., Any]
    column: int

    def means(self) -> Numbers:
        """Return the mean of each distribution."""
        return np.asarray(self.conditionals().means(self.column))

    def medians(self) -> Numbers:
        """Return the median of each distribution."""
        return np.asarray(self.conditionals().medians(self.column))

    def quantiles(self, p: Any) -> Numbers:
        """Return quantiles of each distribution: (n_rows, n_p)."""
        return np.asarray(self.conditionals().quantiles(self.column, p))

    def cdf(self, values: Any) -> Numbers:
        """Return the probability of at most each value: (n_rows, n_values)."""
        return np.asarray(self.conditionals().cdf(self.column, values))

    def draws(self, n: int = 1, random_state: Any = None) -> Numbers:
        """Draw from each distribution: (n_rows, n)."""
        return np.asarray(self.conditionals().draws(self.column, n, random_state))

    def log_density(self, values: Numbers) -> Numbers:
        """Return the log-density of a value under each row's distribution; a gap in a row is a value."""
        return np.asarray(-self.conditionals(values).surprise()[:, self.column])
