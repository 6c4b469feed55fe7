"""The sign of a column: where zero is an end of its values, it is an end of its density too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import OPEN

__all__ = ["bounds_of_sign"]

FEWEST = 20
"""Fewer values, or rows of a lattice, tell nothing about what can not be."""

OUTERMOST = 6
SHARP = 0.15
"""Values end at zero where the outermost six span at most this fraction of the middle half: so do uniform and
exponential ones, while six of normal ones span at least a quarter of it up to 10,000 rows."""

NEAR = 3.0
"""and where zero is at most so many times that away."""


def bounds_of_sign(values: NDArray[np.float64], n_rows: float) -> tuple[float, float]:
    """Return 0 as the lower bound of a column that is never negative, as the upper one of one never positive.

    Only where zero is a value, an end of the values, or farther away than they are from each other: a normal
    column of mean 3 shows no negative value in 300 rows, and may in the next.

    Parameters
    ----------
    values : ndarray
        Distinct and ascending.
    n_rows : float
        How many rows they come from; of a column without a lattice, how many values there are.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> bounds_of_sign(np.sort(rng.exponential(size=300)), 300)
    (0.0, inf)
    >>> bounds_of_sign(np.sort(np.abs(rng.normal(3.0, 1.0, size=300))), 300)
    (-inf, inf)
    """
    if n_rows < FEWEST or len(values) < 2:
        return OPEN
    if values[0] >= 0.0:
        return (0.0, np.inf) if _ends_at_zero(values) else OPEN
    if values[-1] <= 0.0:
        return (-np.inf, 0.0) if _ends_at_zero(-values[::-1]) else OPEN
    return OPEN


def _ends_at_zero(values: NDArray[np.float64]) -> bool:
    lowest, n = float(values[0]), len(values)
    if lowest == 0.0 or lowest >= float(values[-1]) - lowest:
        return True
    if n < FEWEST:
        return False
    outermost = float(values[OUTERMOST]) - lowest
    middle = float(values[3 * n // 4] - values[n // 4])
    return outermost <= SHARP * middle and lowest <= NEAR * outermost
