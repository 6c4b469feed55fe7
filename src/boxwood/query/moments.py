"""Integrals of a column's values, their squares and logarithms of densities over stretches of u."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.margins import NumberMargin
from boxwood.query.cube_set import Margin

__all__ = ["log_derivatives_at", "mean_log_derivatives", "value_integrals", "values_at"]

Numbers = NDArray[np.float64]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)
"""Exact for x² times the quadratic density of a piece."""

MOST_INTEGERS = 64
"""Integers next to each end of a cell that are summed one by one; those between are taken as continuous, less
the variance 1/12 of rounding."""

N_PLACES = 16
"""Places of a cell at which logarithms of densities are taken."""


def values_at(margin: Margin, u: Numbers) -> Numbers:
    """Return the values at places of [0, 1]; codes as floats."""
    return np.asarray(margin.decode(np.ascontiguousarray(u)), dtype=np.float64)


def log_derivatives_at(margin: Margin, u: Numbers) -> Numbers:
    """Return the logarithm of the margin's density, or of the probability of a value, at places of [0, 1]."""
    if not isinstance(margin, NumberMargin):
        ends = np.concatenate([[0.0], np.cumsum(margin.masses)])
        codes = np.clip(np.searchsorted(ends, u, side="right") - 1, 0, len(margin.masses) - 1)
        with np.errstate(divide="ignore"):
            return np.log(margin.masses)[codes]
    logs = margin.log_derivative(np.ascontiguousarray(margin.decode(np.ascontiguousarray(u))))
    if margin.missing_mass:
        logs = np.where(u >= margin.cdf.total, math.log(margin.missing_mass), logs)
    return np.asarray(logs)


def mean_log_derivatives(margin: Margin, edges: Numbers) -> Numbers:
    """Return the mean of `log_derivatives_at` over each cell, by the midpoint rule."""
    places = (np.arange(N_PLACES) + 0.5) / N_PLACES
    u = edges[:-1, None] + np.diff(edges)[:, None] * places
    return np.asarray(log_derivatives_at(margin, u.ravel()).reshape(u.shape).mean(axis=1))


def value_integrals(margin: NumberMargin, edges: Numbers, center: float) -> tuple[Numbers, Numbers]:
    """Return ∫ (x − center) du and ∫ (x − center)² du over cells; of a gap's interval nothing.

    Exact for pieces, atoms and tails of a margin; of integers see `MOST_INTEGERS`.
    """
    if margin.lattice is not None:  # the CDF is one of the points' numbers
        step = margin.lattice.step
        first, second = _integrals(margin, edges, (center - margin.lattice.origin) / step)
        return step * first, step * step * second
    return _integrals(margin, edges, center)


def _integrals(margin: NumberMargin, edges: Numbers, center: float) -> tuple[Numbers, Numbers]:
    total = margin.cdf.total
    ends = np.minimum(edges, total)
    knots = margin.cdf.u
    inner = knots[(knots > ends[0]) & (knots < ends[-1])]
    if margin.lattice is not None:
        inner = np.unique(np.concatenate([inner, _integer_edges(margin, ends)]))
    fine = np.unique(np.concatenate([ends, inner]))
    first, second = _stretches(margin, fine, center)
    below = [np.concatenate([[0.0], np.cumsum(part)]) for part in (first, second)]
    at = np.searchsorted(fine, ends)
    return np.diff(below[0][at]), np.diff(below[1][at])


def _integer_edges(margin: NumberMargin, ends: Numbers) -> Numbers:
    """Return the edges of integers inside cells, of many of them those next to the cell's ends."""
    cdf = margin.cdf
    values = cdf.decode_integers(np.ascontiguousarray(np.clip(ends, 0.0, np.nextafter(cdf.total, 0.0))))
    low, high = values[:-1], values[1:]
    found: list[float] = []
    for a, b in zip(low.tolist(), high.tolist(), strict=True):
        # Of more integers those next to either end: a tail that falls fast is over by then.
        first, last = min(b, a + MOST_INTEGERS), max(a, b - MOST_INTEGERS)
        spans = [(a, b)] if b - a <= 2.0 * MOST_INTEGERS else [(a, first), (last, b)]
        for low_end, high_end in spans:
            if math.isfinite(low_end) and math.isfinite(high_end) and abs(high_end) < 2.0**52:
                found += [
                    cdf.below(_core.integer_edge(k)) for k in np.arange(low_end, high_end + 2.0).tolist()
                ]
    u = np.array(found)
    return u[(u > ends[0]) & (u < ends[-1])] if len(u) else u


def _stretches(margin: NumberMargin, u: Numbers, center: float) -> tuple[Numbers, Numbers]:
    """Return the integrals over stretches, each of which lies within one piece, atom or tail."""
    cdf, width = margin.cdf, np.diff(u)
    inside = np.ascontiguousarray(0.5 * (u[:-1] + u[1:]))
    low, high = cdf.decode(np.ascontiguousarray(u[:-1])), cdf.decode(np.ascontiguousarray(u[1:]))
    left, right = inside < cdf.u[0], (inside >= cdf.u[-1]) & (cdf.right_mass > 0.0)
    # Where nothing lies between two pieces, as between the bins of a histogram, or less than the spacing of
    # u, one end's u is the other's: of the values there only the piece's own count.
    within = ~(left | right)
    piece = np.clip(np.searchsorted(cdf.u, inside[within], side="right") - 1, 0, len(cdf.x) - 2)
    for ends in (low, high):
        ends[within] = np.clip(ends[within], cdf.x[piece], cdf.x[piece + 1])
    constant, value = low == high, low
    if margin.lattice is not None:
        # Not at the ends, where u may be rounded to the next integer's.
        value, other = (
            cdf.decode_integers(np.ascontiguousarray(u[:-1] + part * width)) for part in (0.25, 0.75)
        )
        constant = value == other
    first, second = width * (value - center), width * (value - center) ** 2
    middle = within & ~constant
    if middle.any():
        ends_of = low[middle], high[middle], width[middle]
        first[middle], second[middle] = _smooth(margin, *ends_of, center)
    # What is left of a tail's mass at the inner and the outer end of a stretch.
    tail = left & ~constant
    inner, outer = u[1:][tail] - cdf.u[0] + cdf.left_mass, u[:-1][tail] - cdf.u[0] + cdf.left_mass
    if tail.any():
        scale = -1.0 / cdf.left_rate
        first[tail], second[tail] = _tail(inner, outer, cdf.left_mass, scale, cdf.x[0] - center)
    tail = right & ~constant
    inner, outer = cdf.right_mass - (u[:-1][tail] - cdf.u[-1]), cdf.right_mass - (u[1:][tail] - cdf.u[-1])
    if tail.any():
        scale = 1.0 / cdf.right_rate
        first[tail], second[tail] = _tail(inner, outer, cdf.right_mass, scale, cdf.x[-1] - center)
    if margin.lattice is not None:
        second[~constant] -= width[~constant] / 12.0
    return first, second


def _smooth(
    margin: NumberMargin, low: Numbers, high: Numbers, width: Numbers, center: float
) -> tuple[Numbers, Numbers]:
    half = 0.5 * (high - low)
    x = (low + half)[:, None] + half[:, None] * _NODES
    density = np.exp(margin.cdf.log_density(np.ascontiguousarray(x.ravel()))).reshape(x.shape)
    weight = density * _WEIGHTS
    weight *= (width / np.maximum(weight.sum(axis=1), 1e-300))[:, None]
    return (weight * (x - center)).sum(axis=1), (weight * (x - center) ** 2).sum(axis=1)


def _tail(inner: Numbers, outer: Numbers, mass: float, scale: float, start: float) -> tuple[Numbers, Numbers]:
    """Return ∫ y and ∫ y² of y = start − scale·log(r / mass) over r from `outer` to `inner`."""

    def antiderivatives(r: Numbers) -> tuple[Numbers, Numbers]:
        r = np.maximum(r, 0.0)
        log = np.log(np.maximum(r, 1e-300) / mass)
        return r * (log - 1.0), r * (log * log - 2.0 * log + 2.0)

    (a1, a2), (b1, b2) = antiderivatives(inner), antiderivatives(outer)
    width = inner - outer
    first = start * width - scale * (a1 - b1)
    second = start * start * width - 2.0 * start * scale * (a1 - b1) + scale * scale * (a2 - b2)
    return first, second
