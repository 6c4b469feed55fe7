"""Shared knots: where trees may cut a column."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.margins import CategoryMargin, Margins, NumberMargin

__all__ = ["ColumnKnots", "choose_knots", "find_cells"]

MOST_CELLS = 1024
"""Cells of a column at the most, so that marginals and distances are sums over few of them."""

ColumnKnots = tuple[NDArray[np.float64], bool]
"""Knots from 0 to 1, and whether the cells between them are categories."""


def choose_knots(
    margins: Margins, u: NDArray[np.float64], weights: NDArray[np.float64] | None, kind: str
) -> list[ColumnKnots]:
    """Choose the knots of every column.

    Under smooth margins rows are uniform, and so are the knots; under linear ones they lie at equal
    shares of the rows, between neighbouring values. Categories, atoms, whole numbers and missing values
    are never cut.

    Parameters
    ----------
    margins : Margins
    u : ndarray of shape (n_rows, n_columns)
        The encoded rows.
    weights : ndarray or None
    kind : {"linear", "smooth"}
    """
    knots: list[ColumnKnots] = []
    for j, margin in enumerate(margins.columns):
        if isinstance(margin, CategoryMargin):
            knots.append((_thinned(margin.knots), True))
        elif kind == "linear":
            knots.append((_linear_knots(margin, u[:, j], weights), False))
        else:
            knots.append((_smooth_knots(margin), False))
    return knots


def find_cells(knots: list[ColumnKnots], u: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Give the cell of every value, row-major."""
    cells = np.empty(u.shape, dtype=np.uint16)
    for j, column in enumerate(knots):
        cells[:, j] = _core.find_cells(column, u[:, j])
    return cells


def _smooth_knots(margin: NumberMargin) -> NDArray[np.float64]:
    if margin.whole:
        return _whole_knots(margin)
    edges = _atom_edges(margin)
    grid = np.linspace(0.0, 1.0, max(2, MOST_CELLS + 1 - 2 * len(edges)))
    return _joined(edges, _outside_atoms(margin, grid))


def _whole_knots(margin: NumberMargin) -> NDArray[np.float64]:
    """Knots between whole numbers: those nearest to an even grid."""
    grid = np.linspace(0.0, 1.0, MOST_CELLS + 1)[1:-1]
    present = grid[grid < margin.cdf.total]
    whole = np.unique(margin.cdf.decode_integers(present))
    edges = np.array([margin.cdf.below(_core.whole_number_edge(k)) for k in np.append(whole, whole + 1.0)])
    return _thinned(_joined(edges, np.array([margin.cdf.total])))


def _linear_knots(
    margin: NumberMargin, u: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    edges = _atom_edges(margin)
    values, inverse = np.unique(u[~np.isnan(u)], return_inverse=True)
    counts = np.bincount(inverse.ravel(), weights=None if weights is None else weights[~np.isnan(u)])
    middles = 0.5 * values[:-1] + 0.5 * values[1:]
    room = MOST_CELLS - 1 - len(edges)
    if len(middles) > room:
        below = np.cumsum(counts)[:-1] / counts.sum()
        wanted = np.searchsorted(below, np.arange(1, room + 1) / (room + 1)).clip(max=len(middles) - 1)
        middles = middles[np.unique(wanted)]
    return _joined(edges, _outside_atoms(margin, middles))


def _atom_edges(margin: NumberMargin) -> NDArray[np.float64]:
    """Both ends of every atom's interval, and where missing values begin."""
    u = margin.cdf.u
    atom = margin.x[:-1] == margin.x[1:]
    return np.concatenate([u[:-1][atom], u[1:][atom], [margin.cdf.total]])


def _outside_atoms(margin: NumberMargin, points: NDArray[np.float64]) -> NDArray[np.float64]:
    u = margin.cdf.u
    piece = np.searchsorted(u, points, side="right") - 1
    inside = piece.clip(0, len(margin.mass) - 1)
    in_atom = (margin.x[inside] == margin.x[inside + 1]) & (piece >= 0) & (piece < len(margin.mass))
    return points[~in_atom & (points < margin.cdf.total)]


def _joined(*parts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give all points inside (0, 1), sorted, without near duplicates, and the two ends."""
    points = np.unique(np.concatenate(parts))
    points = points[(points > 1e-12) & (points < 1.0 - 1e-12)]
    apart = np.diff(points, prepend=0.0) > 1e-12
    return np.concatenate([[0.0], points[apart], [1.0]])


def _thinned(knots: NDArray[np.float64]) -> NDArray[np.float64]:
    """Keep at most `MOST_CELLS` cells: neighbours share one."""
    knots = _joined(knots)
    if len(knots) <= MOST_CELLS + 1:
        return knots
    return knots[np.unique(np.linspace(0, len(knots) - 1, MOST_CELLS + 1).astype(int))]
