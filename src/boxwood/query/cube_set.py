"""A set of a column's values on [0, 1]: the intervals of u that its margin gives them, or points."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.margins import CategoryMargin, NumberMargin
from boxwood.query.column_set import CategorySet, ColumnSet, NumberSet

__all__ = ["CubeSet", "Margin", "cube_set", "hold_values", "interval_of_value", "without_intervals"]

Margin = NumberMargin | CategoryMargin
Numbers = NDArray[np.float64]

SLIVER = 1e-13
"""What is narrower beside an interval that is cut out comes of rounding."""


@dataclass(frozen=True, eq=False)
class CubeSet:
    """Disjoint ascending intervals of u, or, where the set has no probability, values with a density.

    Attributes
    ----------
    low, high : ndarray
    missing : bool
        Whether a gap belongs to the set; its interval, where the margin has one, is among the others.
    points : tuple of float
        Values of a continuous column, where nothing else is in the set.
    """

    low: Numbers
    high: Numbers
    missing: bool
    points: tuple[float, ...] = ()

    def inside(self, u: Numbers) -> NDArray[np.bool_]:
        """Return which places lie in an interval."""
        place = np.searchsorted(self.low, u, side="right") - 1
        return np.asarray((place >= 0) & (u < np.append(self.high, 0.0)[place]))


def cube_set(margin: Margin, values: ColumnSet) -> CubeSet:
    """Return where a margin places a set of values."""
    if isinstance(margin, CategoryMargin):
        assert isinstance(values, CategorySet)
        return _of_categories(margin, values)
    assert isinstance(values, NumberSet)
    return _of_numbers(margin, values)


def interval_of_value(margin: Margin, value: float) -> tuple[float, float]:
    """Return the interval of a value (NaN: of a gap); of a continuous value both ends are equal."""
    if math.isnan(value):
        return 1.0 - margin.missing_mass, 1.0
    if isinstance(margin, CategoryMargin):
        upper = _ends(margin)
        return float(upper[int(value)]), float(upper[int(value) + 1])
    return _below(margin, value, False), _below(margin, value, True)


def hold_values(edges: Numbers, end: float) -> NDArray[np.bool_]:
    """Return which cells hold values; the others hold gaps, which begin at `end`.

    An edge may be off by rounding, or lie before values that are too rare for an edge of their own. Next to
    very many gaps all values together are narrower than rounding.

    Examples
    --------
    >>> hold_values(np.array([0.0, 0.5, 0.9 - 1e-16, 1.0]), 0.9)
    array([ True,  True, False])
    >>> hold_values(np.array([0.0, 1e-15, 1.0]), 1e-15)
    array([ True, False])
    """
    middle = 0.5 * (edges[:-1] + edges[1:])
    return np.asarray((edges[:-1] < end - min(1e-12, 1e-3 * end)) & (middle <= end))


def without_intervals(part: CubeSet, low: Numbers, high: Numbers) -> CubeSet:
    """Return a set without intervals (in any order), and without the slivers that rounding leaves."""
    order = np.argsort(low)
    kept: list[tuple[float, float]] = []
    for start, end in zip(part.low.tolist(), part.high.tolist(), strict=True):
        for a, b in zip(low[order].tolist(), high[order].tolist(), strict=True):
            if b <= start or a >= end:
                continue
            kept.append((start, a))
            start = max(start, b)
        kept.append((start, end))
    wide = [(a, b) for a, b in kept if b - a > SLIVER]
    return CubeSet(np.array([a for a, _ in wide]), np.array([b for _, b in wide]), part.missing)


def _ends(margin: CategoryMargin) -> Numbers:
    """Return the ends of the intervals of all codes, of unseen categories and of gaps; the last is 1."""
    ends = np.concatenate([[0.0], np.cumsum(margin.masses)])
    ends[-1] = 1.0
    if not margin.missing_mass:
        ends[-2] = 1.0
        if not margin.unseen_mass:
            ends[-3] = 1.0
    return ends


def _of_categories(margin: CategoryMargin, values: CategorySet) -> CubeSet:
    flags = np.zeros(len(margin.masses), dtype=np.bool_)
    flags[list(values.codes)] = True
    flags[-2], flags[-1] = values.unseen, values.missing
    ends = _ends(margin)
    flags &= ends[1:] > ends[:-1]
    steps = np.diff(np.concatenate([[0], flags.astype(np.int8), [0]]))
    return CubeSet(ends[:-1][steps[:-1] == 1], ends[1:][steps[1:] == -1], values.missing)


def _of_numbers(margin: NumberMargin, values: NumberSet) -> CubeSet:
    low, high, points = [], [], []
    total = margin.cdf.total if margin.missing_mass else 1.0
    for start, end, start_closed, end_closed in values.intervals:
        a = 0.0 if start == -math.inf else _below(margin, start, not start_closed)
        b = total if end == math.inf else _below(margin, end, end_closed)
        if start == end and margin.lattice is None and not b > a:
            points.append(start)
        elif b > a and a < margin.cdf.total:  # from there on nothing but rounding is left of 1
            low.append(a)
            high.append(b)
    if values.missing and margin.missing_mass:
        if high and high[-1] >= total:
            high[-1] = 1.0
        else:
            low.append(total)
            high.append(1.0)
    alone = not low and not values.missing
    return CubeSet(np.array(low), np.array(high), values.missing, tuple(points) if alone else ())


def _below(margin: NumberMargin, value: float, inclusive: bool) -> float:
    """Return P(X < value), or P(X <= value), of a margin."""
    if margin.lattice is not None:
        if margin.lattice.is_whole(value):
            edge = _core.upper_edge(value) if inclusive else _core.integer_edge(value)
            return min(margin.cdf.below(edge), margin.cdf.total)
        at = np.array([value])
        if inclusive and margin.lattice.holds(at)[0]:
            after = _core.upper_edge(float(margin.lattice.places(at)[0]))
            return min(margin.cdf.below(after), margin.cdf.total)
        return min(margin.below(value), margin.cdf.total)
    if inclusive and (margin.atoms == value).any():
        return margin.cdf.below(math.nextafter(value, math.inf))
    return margin.cdf.below(value)
