"""How much of each pair of cells a set of sums of two columns has: closed forms of piecewise CDFs."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from boxwood.query.across.side import Side
from boxwood.query.column_set import NumberSet
from boxwood.query.sum_column import ROUNDING

__all__ = ["pair_areas"]

Numbers = NDArray[np.float64]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(5)
"""Exact for a cubic CDF times another's quadratic density; to 1e-9 of its mass in a stretch of a tail."""


def pair_areas(first: Side, second: Side, factor: float, allowed: NumberSet) -> Numbers:
    """Return the area in u of x + factor·y in a set, of each pair of cells; ties are exact.

    Parameters
    ----------
    first, second : Side
        Columns x and y.
    factor : float
    allowed : NumberSet
        Of sums; a missing one is not looked at.

    Returns
    -------
    ndarray of shape (n_cells of x, n_cells of y)
    """
    areas = np.zeros((len(first.cover), len(second.cover)))
    for low, high, low_closed, high_closed in allowed.intervals:
        areas += _half_plane(first, second, factor, high, high_closed)
        areas -= _half_plane(first, second, factor, low, not low_closed)
    return np.clip(areas, 0.0, np.outer(first.cover, second.cover))


def _half_plane(first: Side, second: Side, factor: float, bound: float, inclusive: bool) -> Numbers:
    """Return the areas of x + factor·y < bound, or <= bound."""
    if math.isinf(bound):
        return np.outer(first.cover, second.cover) * (bound > 0.0)
    # Points are summed one by one and the other column's CDF is taken at each.
    if second.is_discrete and not first.is_discrete:
        # x + f·y <= c as y + x/f <= c/f, or >= for a negative factor.
        if factor > 0.0:
            return _half_plane(second, first, 1.0 / factor, bound / factor, inclusive).T
        rest = _half_plane(second, first, 1.0 / factor, bound / factor, not inclusive).T
        return np.outer(first.cover, second.cover) - rest
    if factor < 0.0:  # y >= (x − c)/|f|: everything but y < (x − c)/|f|
        below = _below_line(first, second, factor, bound, not inclusive)
        return np.outer(first.cover, second.cover) - below
    return _below_line(first, second, factor, bound, inclusive)


def _below_line(outer: Side, inner: Side, factor: float, bound: float, inclusive: bool) -> Numbers:
    """Return the areas of y < (bound − x)/factor, or <=, for x outer and y inner."""
    cell, weight, place = [], [], []
    for x, mass, at in (_points(outer), _stretches(outer, inner, factor, bound)):
        y = (bound - x) / factor
        slack = 0.0 if bound == 0.0 and abs(factor) == 1.0 else _slack(x, bound, factor)
        u = inner.below(y, inclusive, slack)
        cell.append(at)
        weight.append(mass)
        place.append(u)
    return _summed(np.concatenate(cell), np.concatenate(weight), np.concatenate(place), outer, inner)


def _slack(x: Numbers, bound: float, factor: float) -> Numbers:
    return ROUNDING * (np.abs(x) + abs(bound)) / abs(factor)


def _points(outer: Side) -> tuple[Numbers, Numbers, NDArray[np.intp]]:
    """Return values with a probability, how much of it may be, and its cell, or each of its cells."""
    values, low, high = outer.points
    ends = np.unique(np.concatenate([low, high, outer.edges]))
    middle = 0.5 * (ends[1:] + ends[:-1])
    point = np.clip(np.searchsorted(low, middle, side="right") - 1, 0, None)
    if not len(values):
        return values, values, np.zeros(0, dtype=np.intp)
    inside = (middle > low[point]) & (middle < high[point])
    mass = np.diff(outer.length_below(ends))[inside]
    cell = np.clip(np.searchsorted(outer.edges, middle[inside], side="right") - 1, 0, len(outer.cover) - 1)
    return values[point[inside]], mass, cell


def _stretches(
    outer: Side, inner: Side, factor: float, bound: float
) -> tuple[Numbers, Numbers, NDArray[np.intp]]:
    """Return nodes of stretches between values where either CDF changes its form, with their masses."""
    if outer.is_discrete:
        return np.empty(0), np.empty(0), np.zeros(0, dtype=np.intp)
    x = np.unique(np.concatenate([outer.breaks, bound - factor * inner.breaks]))
    u_low, u_high = outer.below(x, True)[:-1], outer.below(x, False)[1:]
    first, last = outer.below(x[:1], False)[0], outer.below(x[-1:], True)[0]
    half = 0.5 * np.diff(x)
    middle_u = 0.5 * (u_low + u_high)
    kept = (u_high > u_low) & (half > 0.0)
    covered = outer.length_below(u_high) - outer.length_below(u_low)
    kept &= covered > 0.0
    nodes = (x[:-1] + half)[kept, None] + half[kept, None] * _NODES
    weight = outer.density(nodes.ravel()).reshape(nodes.shape) * _WEIGHTS
    total = weight.sum(axis=1)
    flat = ~(total > 0.0)
    weight[flat], total[flat] = _WEIGHTS, _WEIGHTS.sum()
    weight *= (covered[kept] / total)[:, None]
    cell = np.searchsorted(outer.edges, middle_u[kept], side="right") - 1
    # What lies beyond the outermost break: 1e-15 of a tail.
    beyond = np.array([0.0, last])
    rest = np.diff(outer.length_below(np.array([0.0, first, last, outer.cdf.total])))[[0, 2]]
    ends = np.searchsorted(outer.edges, beyond, side="right") - 1
    cells = np.clip(np.concatenate([np.repeat(cell, len(_NODES)), ends]), 0, len(outer.cover) - 1)
    return (
        np.concatenate([nodes.ravel(), x[[0, -1]]]),
        np.concatenate([weight.ravel(), rest]),
        cells,
    )


def _summed(cell: NDArray[np.intp], weight: Numbers, u: Numbers, outer: Side, inner: Side) -> Numbers:
    """Return sums of weights times what lies below places u of the inner column, by pairs of cells."""
    n = len(inner.cover)
    # Of u on an edge the cell below it, all of which lies below u.
    at = np.clip(np.searchsorted(inner.edges, u, side="left") - 1, 0, n - 1)
    part = inner.length_below(u) - inner.length_below(inner.edges)[at]
    shape = (len(outer.cover), n)
    flat = cell * n + at
    crossed = np.bincount(flat, weight * part, minlength=shape[0] * n).reshape(shape)
    reached = np.bincount(flat, weight, minlength=shape[0] * n).reshape(shape)
    # Cells below the one that is reached are below it whole.
    above = np.cumsum(reached[:, ::-1], axis=1)[:, ::-1] - reached
    return crossed + above * inner.cover
