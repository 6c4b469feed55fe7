"""A lattice: points at equal steps, where a column has counting measure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Lattice"]


@dataclass(frozen=True)
class Lattice:
    """The points ``origin + k·step``; the origin lies in [0, step)."""

    origin: float
    step: float

    def places(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the number k of the point that is nearest to each value, NaN for NaN."""
        return np.rint((values - self.origin) / self.step)

    def holds(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which values are points of the lattice, up to rounding of floats."""
        nearest = self.origin + self.places(values) * self.step
        slack = 1e-6 * self.step + 4.0 * np.spacing(np.abs(values))
        return np.asarray(np.abs(values - nearest) <= slack)
