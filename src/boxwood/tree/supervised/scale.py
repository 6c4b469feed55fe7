"""The scale on which the core sees values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Scale"]


@dataclass(frozen=True)
class Scale:
    """A power of two and a shift: the core has its tolerances for values of a range near 1, and near 0.

    Attributes
    ----------
    power : int
        Of the largest range; powers of two scale without rounding, and one for all values keeps their weight
        in the sum of variances.
    shift : ndarray of shape (n_values,)
        The least of each value; 0 of a single one, which the core centres by itself.
    """

    power: int
    shift: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> Scale:
        """Return the scale of rows of values."""
        with np.errstate(over="ignore"):
            span = float((values.max(axis=0) - values.min(axis=0)).max())
        power = int(np.frexp(span)[1]) if 0.0 < span < np.inf else 0
        single = values.shape[1] == 1 or span == np.inf
        return cls(power, np.zeros(values.shape[1]) if single else values.min(axis=0))

    @property
    def unit(self) -> float:
        """Variance of the values where the core's is 1."""
        return float(np.ldexp(1.0, min(1000, max(-1000, 2 * self.power))))

    def scaled(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values as the core sees them."""
        return np.ascontiguousarray(np.ldexp(values - self.shift, -self.power))

    def restored(self, predicted: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the core tells as values."""
        return np.asarray(np.ldexp(predicted, self.power) + self.shift)
