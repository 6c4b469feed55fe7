"""Atoms: single values of a continuous column that rows share far more often than its other values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["COPIES_RATIO", "SHARED_RATIO", "find_atoms"]

SHARED_RATIO = 10.0
"""An atom is carried by this many times the distinct rows of the column's median value,"""

COPIES_RATIO = 30.0
"""or comes this many times as often, where only copies of a row can tell.

In a bootstrap sample of 10⁶ continuous rows a value comes up to ten times, its median is one; sampling
weights reach twenty times their median.
"""

SMALLEST_FRACTION = 0.01
"""and has at least this fraction of all."""


def find_atoms(counts: NDArray[np.float64], ratio: float = SHARED_RATIO) -> NDArray[np.bool_]:
    """Return which of a column's values are atoms, by their counts relative to the median count.

    The same for a column that is given twice, or with all weights ten times as large.

    Examples
    --------
    >>> counts = np.ones(300)
    >>> counts[7] = 100.0
    >>> np.flatnonzero(find_atoms(counts)), np.flatnonzero(find_atoms(2.0 * counts))
    (array([7]), array([7]))
    """
    if len(counts) == 0:
        return np.zeros(0, dtype=np.bool_)
    return np.asarray(
        (counts >= ratio * np.median(counts)) & (counts >= SMALLEST_FRACTION * counts.sum()), dtype=np.bool_
    )
