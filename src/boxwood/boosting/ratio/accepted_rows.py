"""Rows of a density by rejection sampling: draws of another are kept by the ratio of the two."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.columns import concatenated

__all__ = ["accepted_rows"]

LEAST_DRAWS, MOST_DRAWS = 64, 2**16
"""At once: more would take much memory."""

LEAST_RATE = 1.0 / 1024.0
"""Of rows that are taken to be accepted, however few of the latest were."""

ENOUGH_TO_TELL = 1024
"""Draws under evidence that show how large factors are there."""

ROOM = 0.5
"""By so much the logarithm of the largest factor under evidence may exceed that of the largest one seen."""


def accepted_rows(
    draw: Callable[[int], Columns],
    log_factor: Callable[[Columns], NDArray[np.float64]],
    log_most: float,
    n_rows: int,
    rng: np.random.Generator,
    by_largest: bool = False,
) -> Columns:
    """Draw rows until so many are accepted, each with a chance proportional to its factor.

    Parameters
    ----------
    draw : callable
        Gives so many rows, others every time.
    log_factor : callable
        The logarithm of each row's factor.
    log_most : float
        The largest that there can be.
    n_rows : int
    rng : Generator
    by_largest : bool, default=False
        Whether the largest factor of the first draws stands for that of all where it is smaller. Evidence may
        lead to where all are small, and next to no draw would be kept.
    """
    kept: list[Columns] = []
    n_left, rate = n_rows, math.exp(-log_most)
    while n_left > 0 or not kept:
        n_drawn = max(int(1.1 * n_left / rate), LEAST_DRAWS)
        is_first = not kept
        if by_largest and is_first:
            n_drawn = max(n_drawn, ENOUGH_TO_TELL)
        drawn = draw(min(n_drawn, MOST_DRAWS))
        logs = log_factor(drawn)
        if by_largest and is_first:
            log_most = min(log_most, float(logs.max()) + ROOM)
        chances = np.exp(logs - log_most)
        rate = max(float(chances.mean()), LEAST_RATE)
        chosen = np.flatnonzero(rng.random(drawn.n_rows) < chances)[:n_left]
        kept.append(drawn.take(chosen))
        n_left -= len(chosen)
    return concatenated(kept)
