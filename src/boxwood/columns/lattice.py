"""A lattice: points at equal steps, where a column has counting measure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["INTEGERS", "Lattice"]

_MOST_DIGITS = 15
_LARGEST_PLACE = 1e300
_LARGEST_NUMERATOR = 2.0**53
_LARGEST_SINGLE = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Lattice:
    """The points ``origin + k·step``; the origin lies in [0, step).

    Examples
    --------
    >>> tenths = Lattice(0.0, 0.1)
    >>> tenths.places(np.array([0.3, -0.25])), tenths.points(np.array([3.0]))
    (array([ 3., -2.]), array([0.3]))
    """

    origin: float
    step: float

    def places(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the number k of the point that is nearest to each value, NaN for NaN.

        Of two that are as near, the upper one: so every point has as many whole numbers around it.
        """
        with np.errstate(over="ignore"):
            exact = np.clip((values - self.origin) / self.step, -_LARGEST_PLACE, _LARGEST_PLACE)
        floor = np.floor(exact)
        return np.asarray(floor + (exact - floor >= 0.5))

    def points(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the points of some numbers: 0.3, not 0.30000000000000004, on a lattice of tenths."""
        with np.errstate(over="ignore"):
            values = self.origin + places * self.step
            whole = np.rint(values * self._power)
        if not self._power:
            return values
        return np.where(np.abs(whole) < _LARGEST_NUMERATOR, whole / self._power, values)

    def holds(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which values are points of the lattice, up to rounding of floats or to single precision."""
        nearest = self.points(self.places(values))
        slack = 1e-6 * self.step + 4.0 * np.spacing(np.abs(values))
        single = np.clip(nearest, -_LARGEST_SINGLE, _LARGEST_SINGLE).astype(np.float32).astype(np.float64)
        return np.asarray((np.abs(values - nearest) <= slack) | (values == single))

    def is_whole(self, value: float) -> bool:
        """Return whether these are the whole numbers and the value is one: its number is then the value.

        Arrays of one value take 40 µs, more than the question that they are about.
        """
        return (
            self.step == 1.0
            and self.origin == 0.0
            and abs(value) < _LARGEST_NUMERATOR
            and value == int(value)
        )

    @cached_property
    def decimals(self) -> int | None:
        """How many decimals the points have; None where they are no decimals."""
        for digits in range(_MOST_DIGITS + 1):
            if all(_is_decimal(value, 10.0**digits) for value in (self.origin, self.step)):
                return digits
        return None

    @property
    def _power(self) -> float:
        """The power of ten by which origin and step are whole; 0 where none makes them."""
        return 0.0 if self.decimals is None else 10.0**self.decimals


INTEGERS = Lattice(0.0, 1.0)
"""The whole numbers."""


def _is_decimal(value: float, power: float) -> bool:
    whole = float(np.rint(value * power))
    return abs(whole) < _LARGEST_NUMERATOR and whole / power == value
