"""Draws on the cube of categories that a table has: those never seen have no name to be drawn by."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from boxwood.margins.margins import Margins

__all__ = ["known_points"]

MOST_DRAWS = 64
"""Of a row that shows a category which was never seen."""


def known_points(
    draw: Callable[[int], NDArray[np.float64]], n_rows: int, margins: Margins
) -> NDArray[np.float64]:
    """Draw points of the cube; those of a category that was never seen are drawn again.

    Parameters
    ----------
    draw : callable
        Draws so many points.
    n_rows : int
    margins : Margins
    """
    points = draw(n_rows)
    for _ in range(MOST_DRAWS):
        again = np.flatnonzero(margins.native.is_unseen(points))
        if not len(again):
            break
        points[again] = draw(len(again))
    return points
