"""Means and covariances of rows: computed in one pass, merged without loss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Moments"]

_BLOCK = 4096
"""Rows a block: centred on its own mean it stays in cache, and merging blocks keeps every digit."""


@dataclass(frozen=True, eq=False)
class Moments:
    """Total weight, mean and maximum-likelihood covariance (divided by the weight) of rows.

    The covariance is kept, not the sum of squares, which overflows for numbers that input validation takes.

    Examples
    --------
    >>> a, b = Moments.of_rows(np.array([[1.0], [3.0]])), Moments.of_rows(np.array([[5.0]]))
    >>> whole = a.merge(b)
    >>> whole.weight, whole.mean, whole.covariance
    (3.0, array([3.]), array([[2.66666667]]))
    """

    weight: float
    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]

    @classmethod
    def of_rows(cls, X: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> Moments:
        """Compute the moments of rows without missing values, block by block in a fixed order."""
        n_columns = X.shape[1]
        total = cls(0.0, np.zeros(n_columns), np.zeros((n_columns, n_columns)))
        buffer = np.empty((min(_BLOCK, X.shape[0]), n_columns))
        for start in range(0, X.shape[0], _BLOCK):
            rows = slice(start, start + _BLOCK)
            total = total.merge(cls._of_block(X[rows], None if weights is None else weights[rows], buffer))
        return total

    @classmethod
    def _of_block(
        cls, X: NDArray[np.float64], weights: NDArray[np.float64] | None, buffer: NDArray[np.float64]
    ) -> Moments:
        """Compute the moments of a block; `buffer` has room for it. About 1.5 times a product XᵀX."""
        weight = float(len(X)) if weights is None else float(weights.sum())
        if weight == 0.0:
            return cls(0.0, np.zeros(X.shape[1]), np.zeros((X.shape[1], X.shape[1])))
        fractions = np.full(len(X), 1.0 / weight) if weights is None else weights / weight
        roots = np.sqrt(fractions)
        mean = fractions @ X
        scaled = np.subtract(X, mean, out=buffer[: len(X)])
        scaled *= roots[0] if weights is None else roots[:, None]
        # The rounding of a mean far from 0 shows in the mean of what it centres (1e9 ± 1: 6 digits).
        rest = roots @ scaled
        covariance = scaled.T @ scaled - np.outer(rest, rest)
        np.fill_diagonal(covariance, covariance.diagonal().clip(min=0.0))
        return cls(weight, mean + rest, covariance)

    def merge(self, other: Moments) -> Moments:
        """Return the moments of both sets of rows."""
        if self.weight == 0.0 or other.weight == 0.0:
            return self if other.weight == 0.0 else other
        weight = self.weight + other.weight
        fraction = other.weight / weight
        delta = other.mean - self.mean
        within = (1.0 - fraction) * self.covariance + fraction * other.covariance
        between = np.outer(delta, delta) * (fraction * (1.0 - fraction))
        return Moments(weight, self.mean + delta * fraction, within + between)
