"""Shared knots: where trees may cut a column."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.margins import CategoryMargin, Margins, NumberMargin

__all__ = ["ColumnKnots", "choose_knots", "find_cells", "is_continuous", "knots_fit"]

MOST_CELLS = 1024
"""Cells of a column at the most, so that marginals and distances are sums over few of them."""

CLOSEST = 1e-12
"""Knots nearer to each other than this are one."""

TOLERANCE = 1e-9
"""How far a saved knot may lie from where it should."""

ColumnKnots = tuple[NDArray[np.float64], bool]
"""Knots from 0 to 1, and whether the cells between them are categories."""


def choose_knots(
    margins: Margins, u: NDArray[np.float64], weights: NDArray[np.float64] | None, kind: str
) -> list[ColumnKnots]:
    """Choose the knots of every column.

    Under smooth margins rows are uniform, and so are the knots; under linear ones they lie at equal
    shares of the rows, between neighbouring values. Categories, atoms, whole numbers and missing values
    are never cut: the density of one is that of its whole interval.

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
            knots.append((_thinned(margin.knots, 1.0 - margin.missing_mass), True))
        elif margin.whole:
            at = np.linspace(0.0, 1.0, MOST_CELLS + 1)[1:-1]
            if kind == "linear":
                values, counts = _core.runs_of(u[:, j], weights)
                at = values[_at_equal_shares(counts, MOST_CELLS)]
            knots.append((_whole_knots(margin, at), False))
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


def is_continuous(margin: NumberMargin | CategoryMargin) -> bool:
    """Tell whether a column may be cut anywhere: numbers without atoms, whole numbers or missing values."""
    if isinstance(margin, CategoryMargin):
        return False
    return not (margin.whole or margin.missing_mass or len(margin.atoms))


def knots_fit(margin: NumberMargin | CategoryMargin, knots: ColumnKnots) -> bool:
    """Tell whether knots are of a column's kind and cut nothing that has an interval of its own."""
    inner, categorical = knots[0][1:-1], knots[1]
    if categorical != isinstance(margin, CategoryMargin):
        return False
    if isinstance(margin, CategoryMargin):
        return _all_near(margin.knots, inner)
    if (inner > margin.cdf.total + TOLERANCE).any():
        return False
    if margin.whole:
        return _all_near(_whole_edges(margin, inner), inner)
    return not (_inside_atoms(margin, inner - TOLERANCE) & _inside_atoms(margin, inner + TOLERANCE)).any()


def _smooth_knots(margin: NumberMargin) -> NDArray[np.float64]:
    edges = _atom_edges(margin)
    grid = np.linspace(0.0, 1.0, max(2, MOST_CELLS + 1 - len(edges)))
    return _joined(edges, _outside_atoms(margin, grid))


def _whole_knots(margin: NumberMargin, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Knots on either side of the whole numbers at some points."""
    return _thinned(_whole_edges(margin, at), margin.cdf.total)


def _whole_edges(margin: NumberMargin, at: NDArray[np.float64]) -> NDArray[np.float64]:
    whole = np.unique(margin.cdf.decode_integers(at[at < margin.cdf.total]))
    beside = np.unique(np.append(whole, whole + 1.0))
    edges = [margin.cdf.below(_core.whole_number_edge(k)) for k in beside]
    return _joined(np.array([*edges, margin.cdf.total]))


def _linear_knots(
    margin: NumberMargin, u: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    edges = _atom_edges(margin)
    values, counts = _core.runs_of(u, weights)
    middles = 0.5 * values[:-1] + 0.5 * values[1:]
    chosen = _at_equal_shares(counts, MOST_CELLS - 1 - len(edges))
    return _joined(edges, _outside_atoms(margin, middles[chosen[chosen < len(middles)]]))


def _at_equal_shares(counts: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    """Give the places of all values, or of so many that lie at equal shares of the rows."""
    if len(counts) <= most:
        return np.arange(len(counts))
    below = np.cumsum(counts) / counts.sum()
    return np.unique(np.searchsorted(below, np.arange(1, most + 1) / (most + 1))).clip(max=len(counts) - 1)


def _atom_edges(margin: NumberMargin) -> NDArray[np.float64]:
    """Both ends of every atom's interval, and where missing values begin."""
    u = margin.cdf.u
    atom = margin.x[:-1] == margin.x[1:]
    return np.concatenate([u[:-1][atom], u[1:][atom], [margin.cdf.total]])


def _inside_atoms(margin: NumberMargin, points: NDArray[np.float64]) -> NDArray[np.bool_]:
    u = margin.cdf.u
    piece = np.searchsorted(u, points, side="right") - 1
    inside = piece.clip(0, len(margin.mass) - 1)
    return (margin.x[inside] == margin.x[inside + 1]) & (piece >= 0) & (piece < len(margin.mass))


def _outside_atoms(margin: NumberMargin, points: NDArray[np.float64]) -> NDArray[np.float64]:
    return points[~_inside_atoms(margin, points) & (points < margin.cdf.total)]


def _joined(*parts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give all points inside (0, 1), sorted, without near duplicates, and the two ends."""
    points = np.unique(np.concatenate(parts))
    points = points[(points > CLOSEST) & (points < 1.0 - CLOSEST)]
    apart = np.diff(points, prepend=0.0) > CLOSEST
    return np.concatenate([[0.0], points[apart], [1.0]])


def _thinned(knots: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    """Keep at most `MOST_CELLS` cells: neighbours share one, but nothing one with missing values."""
    knots = _joined(knots)
    if len(knots) <= MOST_CELLS + 1:
        return knots
    kept = knots[np.unique(np.linspace(0, len(knots) - 1, MOST_CELLS).astype(int))]
    return _joined(kept, knots[[np.argmin(np.abs(knots - total))]])


def _all_near(values: NDArray[np.float64], wanted: NDArray[np.float64]) -> bool:
    above = np.searchsorted(values, wanted).clip(1, len(values) - 1)
    distance = np.minimum(np.abs(values[above] - wanted), np.abs(wanted - values[above - 1]))
    return bool((distance <= TOLERANCE).all())
