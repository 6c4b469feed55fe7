"""Means and scatter of rows: computed in one pass, merged without loss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Moments"]

_BLOCK = 4096
"""Rows a block: centred on its own mean it stays in cache, and merging blocks keeps every digit."""


@dataclass(frozen=True, eq=False)
class Moments:
    """Total weight, mean and scatter (sum of w·(x − mean)(x − mean)ᵀ) of rows.

    Examples
    --------
    >>> a, b = Moments.of_rows(np.array([[1.0], [3.0]])), Moments.of_rows(np.array([[5.0]]))
    >>> whole = a.merge(b)
    >>> whole.weight, whole.mean, whole.covariance()
    (3.0, array([3.]), array([[2.66666667]]))
    """

    weight: float
    mean: NDArray[np.float64]
    scatter: NDArray[np.float64]

    @classmethod
    def of_rows(cls, X: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> Moments:
        """Compute the moments of rows without missing values, block by block in a fixed order."""
        n_columns = X.shape[1]
        total = cls(0.0, np.zeros(n_columns), np.zeros((n_columns, n_columns)))
        for start in range(0, X.shape[0], _BLOCK):
            block = X[start : start + _BLOCK]
            total = total.merge(
                cls._of_block(block, None if weights is None else weights[start : start + _BLOCK])
            )
        return total

    @classmethod
    def _of_block(cls, X: NDArray[np.float64], weights: NDArray[np.float64] | None) -> Moments:
        if weights is None:
            mean = X.mean(axis=0)
            centred = X - mean
            return cls(float(X.shape[0]), mean, centred.T @ centred)
        weight = float(weights.sum())
        mean = weights @ X / weight
        centred = X - mean
        return cls(weight, mean, (centred * weights[:, None]).T @ centred)

    def merge(self, other: Moments) -> Moments:
        """Give the moments of both sets of rows."""
        weight = self.weight + other.weight
        if self.weight == 0.0 or other.weight == 0.0:
            return self if other.weight == 0.0 else other
        delta = other.mean - self.mean
        mean = self.mean + delta * (other.weight / weight)
        between = np.outer(delta, delta) * (self.weight * other.weight / weight)
        return Moments(weight, mean, self.scatter + other.scatter + between)

    def covariance(self) -> NDArray[np.float64]:
        """Give the maximum-likelihood covariance: scatter divided by the weight."""
        return self.scatter / self.weight
