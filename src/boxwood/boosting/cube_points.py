"""Rows on the cube as a chain is trained on them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.steps import Steps

__all__ = ["CubePoints"]


@dataclass(frozen=True, eq=False)
class CubePoints:
    """Points of the cube; a row with intervals is several of them, which share its weight.

    Attributes
    ----------
    u : ndarray of shape (n_points, n_columns)
    weights : ndarray of shape (n_points,) or None
        None: 1 each.
    row : ndarray of shape (n_points,)
        The row of each point, ascending from 0.
    steps : dict
        Of columns with intervals, by number.
    """

    u: NDArray[np.float64]
    weights: NDArray[np.float64] | None
    row: NDArray[np.intp]
    steps: dict[int, Steps] = field(default_factory=dict)

    def first_of_rows(self) -> NDArray[np.intp]:
        """Return the first point of every row."""
        return np.flatnonzero(np.diff(self.row, prepend=-1))

    def part(self, rows: NDArray[np.bool_]) -> CubePoints:
        """Return the points of some rows."""
        kept = rows[self.row]
        number = np.cumsum(rows) - 1
        weights = None if self.weights is None else self.weights[kept]
        return replace(self, u=self.u[kept], weights=weights, row=number[self.row[kept]])

    def weights_of_rows(self) -> NDArray[np.float64] | None:
        """Return the weight of every row, None where each is 1."""
        if self.weights is None:
            return None
        return np.asarray(np.bincount(self.row, self.weights), dtype=np.float64)
