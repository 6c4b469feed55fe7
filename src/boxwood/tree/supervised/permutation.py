"""What columns are worth to predictions: how far a score falls where a column is shuffled."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["falls_by_permutation"]


def falls_by_permutation(
    rows: NDArray[np.float64],
    used: Iterable[int],
    score: Callable[[NDArray[np.float64]], float],
    n_repeats: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return how far the score falls for each column and repeat; 0 for columns that are not used.

    Examples
    --------
    >>> rows = np.array([[0.0, 5.0], [1.0, 6.0], [2.0, 7.0]])
    >>> first = lambda rows: float(np.mean(rows[:, 0] == [0.0, 1.0, 2.0]))
    >>> falls = falls_by_permutation(rows, [0], first, 50, np.random.default_rng(0))
    >>> falls.shape, bool(0.5 < falls[0].mean() < 0.8), float(falls[1].max())
    ((2, 50), True, 0.0)
    """
    shuffled = rows.copy()  # the rows may be the caller's own table
    whole = score(shuffled)
    falls = np.zeros((rows.shape[1], n_repeats))
    for j in used:
        for k in range(n_repeats):
            shuffled[:, j] = rng.permutation(rows[:, j])
            falls[j, k] = whole - score(shuffled)
        shuffled[:, j] = rows[:, j]
    return falls
