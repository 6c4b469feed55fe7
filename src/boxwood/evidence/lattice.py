"""Lattices: columns whose values are whole multiples of a step, as rounding leaves them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.lattice import Lattice

__all__ = ["Lattice", "common_step", "find_lattice", "largest_numerator"]

FEWEST_VALUES = 4
"""Two or three numbers lie on some lattice, whatever they are."""

OCCUPIED = 0.2
"""Fraction of a lattice's points that must be occupied, in the region where values are densest.

n rows spread at random over K points occupy a fraction 1 − exp(−n/K) of the points: a fifth if n = 0.22 K.
"""

MOST_STEPS = 2.0**40

_SOME_VALUES = 1000
"""In longer columns about this many values are checked first for being decimals."""

_LARGEST_NUMERATOR = 2.0**43
"""Numbers of 13 digits. Nearly every double is a decimal of 16 digits, so more digits prove nothing."""


def find_lattice(values: NDArray[np.float64]) -> Lattice | None:
    """Return the lattice of a column, found on its distinct values; None where it has none.

    Multiplicity does not enter: a table given twice, and mostly a bootstrap sample, has the same one.

    Parameters
    ----------
    values : ndarray
        Distinct and ascending.

    Examples
    --------
    >>> find_lattice(np.array([2700.0, 2850.0, 2900.0, 2925.0, 3000.0, 3050.0]))
    Lattice(origin=0.0, step=25.0)
    >>> find_lattice(np.sqrt(np.arange(100.0))) is None
    True
    """
    if len(values) < FEWEST_VALUES:
        return None
    lattice = common_step(values)
    if lattice is None or not _is_occupied(lattice.places(values)):
        return None
    return lattice


def common_step(values: NDArray[np.float64]) -> Lattice | None:
    """Return the widest lattice that holds all of some distinct, ascending values; None where none does."""
    for decimals in _decimals(values):
        if decimals is not None:
            return _of_decimals(*decimals)
    return _by_differences(values)


def largest_numerator(values: NDArray[np.float64]) -> float:
    """Return the largest whole number among values as decimals, 1234 for 12.34; infinity where they are none.

    Examples
    --------
    >>> largest_numerator(np.array([0.5, 12.34])), largest_numerator(np.array([1.0, 1.0 / 3.0]))
    (1234.0, inf)
    """
    for decimals in _decimals(values):
        if decimals is not None:
            return float(np.abs(decimals[0]).max())
    return np.inf


def _decimals(values: NDArray[np.float64]) -> Iterator[tuple[NDArray[np.int64], float] | None]:
    yield _as_decimals(values, np.float64)
    single = values.astype(np.float32) if np.abs(values).max() < 3e38 else None
    if single is not None and np.array_equal(single.astype(np.float64), values):
        yield _as_decimals(values, np.float32)  # 0.1 in single precision is no decimal in double


def _as_decimals(values: NDArray[np.float64], dtype: type) -> tuple[NDArray[np.int64], float] | None:
    """Return whole numbers and the power of ten that they are to be divided by, if the values are decimals.

    A quotient of two exact doubles is rounded once: it equals the value where that is the double nearest
    to the decimal, and only there.
    """
    if len(values) > 2 * _SOME_VALUES and _as_decimals(values[:: len(values) // _SOME_VALUES], dtype) is None:
        return None  # a few values show that all of them are not, in a hundredth of the time
    largest = float(np.abs(values).max())
    for digits in range(16):
        power = 10.0**digits
        if largest * power >= _LARGEST_NUMERATOR:
            return None
        whole = np.rint(values * power)
        if np.array_equal((whole / power).astype(dtype).astype(np.float64), values):
            return whole.astype(np.int64), power
    return None


def _of_decimals(whole: NDArray[np.int64], power: float) -> Lattice | None:
    step = int(np.gcd.reduce(np.diff(whole)))
    if step == 0 or (whole[-1] - whole[0]) / step > MOST_STEPS:
        return None
    return Lattice(float(int(whole[0]) % step) / power, step / power)


def _by_differences(values: NDArray[np.float64]) -> Lattice | None:
    """Find a step that is no decimal (thirds, standardised integers) by Euclid's algorithm."""
    gaps = np.diff(values)
    rounding = 4.0 * float(np.spacing(np.abs(values).max()))
    step = float(gaps.min())
    for _ in range(40):
        if step < 64.0 * rounding:  # as fine as the floats themselves
            return None
        rest = np.abs(gaps - np.rint(gaps / step) * step)
        left = rest > rounding * (1.0 + gaps / step)
        if not left.any():
            return _refined(values, step, rounding)
        step = float(rest[left].min())
    return None


def _refined(values: NDArray[np.float64], step: float, rounding: float) -> Lattice | None:
    extent = float(values[-1] - values[0])
    n_steps = np.rint(extent / step)
    if not 1.0 <= n_steps <= MOST_STEPS:
        return None
    step = extent / float(n_steps)
    places = (values - values[0]) / step
    if np.abs(places - np.rint(places)).max() > rounding / step + 1e-9:
        return None
    return Lattice(float(values[0] - np.floor(values[0] / step) * step), step)


def _is_occupied(places: NDArray[np.float64]) -> bool:
    """Return whether the densest half of the values has enough of the points that it spans."""
    half = max((len(places) + 1) // 2, FEWEST_VALUES)
    spans = places[half - 1 :] - places[: len(places) - half + 1] + 1.0
    return bool(half >= OCCUPIED * spans.min())
