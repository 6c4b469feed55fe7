"""Bin edges chosen column by column in plain numpy: the reference implementation of the native choice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.binning.bin_edges import ColumnBinEdges
from boxwood.margins import CategoryMargin, Margins, NumberMargin

MOST_BINS = 1024
CLOSEST = 1e-12
TOLERANCE = 1e-9


def choose_bin_edges(
    margins: Margins, u: NDArray[np.float64], weights: NDArray[np.float64] | None, kind: str
) -> list[ColumnBinEdges]:
    bin_edges: list[ColumnBinEdges] = []
    for j, margin in enumerate(margins.columns):
        if isinstance(margin, CategoryMargin):
            bin_edges.append((_thinned(margin.knots, 1.0 - margin.missing_mass), True))
        elif margin.lattice is not None:
            at = np.linspace(0.0, 1.0, MOST_BINS + 1)[1:-1]
            if kind == "linear":
                values, counts = _core.runs_of(u[:, j], weights)
                at = values[_at_equal_fractions(counts, MOST_BINS)]
            bin_edges.append((_integer_bin_edges(margin, at), False))
        elif kind == "linear":
            bin_edges.append((_linear_bin_edges(margin, u[:, j], weights), False))
        else:
            bin_edges.append((_smooth_bin_edges(margin), False))
    return bin_edges


def find_bins(bin_edges: list[ColumnBinEdges], u: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Return the bin of every value, row-major."""
    bins = np.empty(u.shape, dtype=np.uint16)
    for j, column in enumerate(bin_edges):
        bins[:, j] = _core.find_bins(column, u[:, j])
    return bins


def bin_edges_fit(margin: NumberMargin | CategoryMargin, bin_edges: ColumnBinEdges) -> bool:
    inner, categorical = bin_edges[0][1:-1], bin_edges[1]
    if categorical != isinstance(margin, CategoryMargin):
        return False
    if margin.missing_mass > CLOSEST and not np.isclose(bin_edges[0][-2], margin.knots[-2], 0.0, TOLERANCE):
        return False
    if isinstance(margin, CategoryMargin):
        return _all_near(margin.knots, inner)
    if (inner > margin.cdf.total + TOLERANCE).any():
        return False
    if margin.lattice is not None:
        return _all_near(_integer_edges(margin, inner), inner)
    return not (_inside_atoms(margin, inner - TOLERANCE) & _inside_atoms(margin, inner + TOLERANCE)).any()


def _smooth_bin_edges(margin: NumberMargin) -> NDArray[np.float64]:
    edges = _atom_edges(margin)
    grid = np.linspace(0.0, 1.0, max(2, MOST_BINS + 1 - len(edges)))
    return _joined(edges, _outside_atoms(margin, grid))


def _integer_bin_edges(margin: NumberMargin, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bin edges on either side of the integers at some points."""
    return _thinned(_integer_edges(margin, at), margin.cdf.total)


def _integer_edges(margin: NumberMargin, at: NDArray[np.float64]) -> NDArray[np.float64]:
    integer = np.unique(margin.cdf.decode_integers(at[at < margin.cdf.total]))
    beside = np.unique(np.append(integer, integer + 1.0))
    edges = [margin.cdf.below(_core.integer_edge(k)) for k in beside]
    return _joined(np.array([*edges, margin.cdf.total]))


def _linear_bin_edges(
    margin: NumberMargin, u: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    edges = _atom_edges(margin)
    values, counts = _core.runs_of(u, weights)
    middles = 0.5 * values[:-1] + 0.5 * values[1:]
    chosen = _at_equal_fractions(counts, MOST_BINS - 1 - len(edges))
    return _joined(edges, _outside_atoms(margin, middles[chosen[chosen < len(middles)]]))


def _at_equal_fractions(counts: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    """Return the places of all values, or of so many that lie at equal fractions of the rows."""
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
    """Return all points inside (0, 1), sorted, without near duplicates, and the two ends."""
    points = np.unique(np.concatenate(parts))
    points = points[(points > CLOSEST) & (points < 1.0 - CLOSEST)]
    apart = np.diff(points, prepend=0.0) > CLOSEST
    return np.concatenate([[0.0], points[apart], [1.0]])


def _thinned(bin_edges: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    """Keep at most `MOST_CELLS` bins: neighbours share one, but nothing one with missing values."""
    bin_edges = _joined(bin_edges)
    if len(bin_edges) <= MOST_BINS + 1:
        return bin_edges
    kept = bin_edges[np.unique(np.linspace(0, len(bin_edges) - 1, MOST_BINS).astype(int))]
    return _joined(kept, bin_edges[[np.argmin(np.abs(bin_edges - total))]])


def _all_near(values: NDArray[np.float64], wanted: NDArray[np.float64]) -> bool:
    above = np.searchsorted(values, wanted).clip(1, len(values) - 1)
    distance = np.minimum(np.abs(values[above] - wanted), np.abs(wanted - values[above - 1]))
    return bool((distance <= TOLERANCE).all())
