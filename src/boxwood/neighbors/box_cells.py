"""A box cut into cells with few rows each: where to draw points that meet a density's mass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["BoxCells", "cells_of_rows"]


@dataclass(frozen=True, eq=False)
class BoxCells:
    """Cells that fill a box without overlap.

    Attributes
    ----------
    low, high : ndarray of shape (n_cells, n_dims)
    fraction : ndarray of shape (n_cells,)
        Of the rows in each, half mixed with its fraction of the box's volume.
    log_density : ndarray of shape (n_cells,)
        Of points drawn by `draw`.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    fraction: NDArray[np.float64]
    log_density: NDArray[np.float64]

    def draw(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Draw points, uniform within cells; give them and their log-densities."""
        cells = rng.choice(len(self.fraction), size=n, p=self.fraction)
        points = self.low[cells] + rng.random((n, self.low.shape[1])) * (self.high - self.low)[cells]
        return points, self.log_density[cells]


def cells_of_rows(
    rows: NDArray[np.float64], weights: NDArray[np.float64], box: NDArray[np.float64], size: float
) -> BoxCells:
    """Halve a box by rows across its sides in turn, until cells hold at most `size` of them."""
    open_cells = [(np.arange(len(rows)), box[:, 0].copy(), box[:, 1].copy())]
    closed = []
    while open_cells:
        members, low, high = open_cells.pop()
        cut = _cut(rows[members], low, high) if weights[members].sum() > size else None
        if cut is None:
            closed.append((weights[members].sum(), low, high))
            continue
        d, at = cut
        left = rows[members, d] < at
        middle_high, middle_low = high.copy(), low.copy()
        middle_high[d] = middle_low[d] = at
        open_cells += [(members[~left], middle_low, high), (members[left], low, middle_high)]
    low, high = (np.array([cell[i] for cell in closed]) for i in (1, 2))
    mass = np.array([cell[0] for cell in closed])
    log_volume = np.log(high - low).sum(axis=1)
    part = np.exp(log_volume - np.log(box[:, 1] - box[:, 0]).sum())
    fraction = 0.5 * mass / mass.sum() + 0.5 * part / part.sum()
    return BoxCells(low, high, fraction / fraction.sum(), np.log(fraction / fraction.sum()) - log_volume)


def _cut(
    rows: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> tuple[int, float] | None:
    """Return the side along which rows spread most, relative to the cell, and the median; None where flat."""
    spread = np.ptp(rows, axis=0) / (high - low)
    for d in np.argsort(-spread, kind="stable"):
        at = float(np.median(rows[:, d]))
        if low[d] < at < high[d] and (rows[:, d] < at).any():
            return int(d), at
    return None
