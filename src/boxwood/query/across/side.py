"""One of two columns that an event compares: its CDF in steps, and the part of it that may be."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boxwood.margins import NumberMargin
from boxwood.query.cube_set import CubeSet
from boxwood.query.sum_column import ROUNDING

__all__ = ["MOST_POINTS", "Side"]

Numbers = NDArray[np.float64]

MOST_POINTS = 1 << 18
"""Points of a lattice that are taken one by one; more are taken as continuous, which moves a probability by
less than that of a point."""

LEAST_TAIL = 1e-15
"""What lies beyond is left to the last point of a lattice, or the last stretch of a tail."""

_LEVELS = 0.5 ** np.arange(1, 49)
"""Fractions of a tail's mass at which its stretches end: within each an exponential is nearly a cubic."""


class Side:
    """A column under an event: places of [0, 1] of values, and where its CDF changes its form.

    Values of a lattice are counted in points, as its margin counts them.

    Parameters
    ----------
    margin : NumberMargin
    edges : ndarray
        Of the column's cells in u.
    cube : CubeSet
        Which of its values may be; gaps are not among them.
    """

    def __init__(self, margin: NumberMargin, edges: Numbers, cube: CubeSet) -> None:
        self.margin, self.edges, self.cube = margin, edges, cube
        self.cdf = margin.cdf
        lattice = margin.lattice
        self.origin, self.step = (0.0, 1.0) if lattice is None else (lattice.origin, lattice.step)
        upper = np.cumsum(cube.high - cube.low)
        lengths = np.stack([upper - (cube.high - cube.low), upper], axis=1).ravel()
        self._ends = np.concatenate([[0.0], np.stack([cube.low, cube.high], axis=1).ravel(), [1.0]])
        self._lengths = np.concatenate([[0.0], lengths, upper[-1:]])

    @cached_property
    def cover(self) -> Numbers:
        """How much of each cell may be."""
        return np.diff(self.length_below(self.edges))

    def length_below(self, u: Numbers) -> Numbers:
        """Return how much of what may be lies below places of [0, 1]."""
        return np.interp(u, self._ends, self._lengths)

    @cached_property
    def points(self) -> tuple[Numbers, Numbers, Numbers]:
        """Values with a probability, and where their intervals of [0, 1] begin and end: points or atoms."""
        if not self.is_discrete:
            atoms = np.unique(self.margin.x[:-1][self.margin.x[:-1] == self.margin.x[1:]])
            if self.margin.lattice is not None:
                return atoms[:0], atoms[:0], atoms[:0]
            return atoms, self.below(atoms, False), self.below(atoms, True)
        low, high = self._span
        places = np.arange(low, high + 1.0)
        edges = self._encoded(np.append(places, high + 1.0) - 0.5)
        edges[0], edges[-1] = 0.0, self.cdf.total
        assert self.margin.lattice is not None
        return self.margin.lattice.points(places), edges[:-1], edges[1:]

    @cached_property
    def is_discrete(self) -> bool:
        """Whether all its values are points, few enough to be taken one by one."""
        return self.margin.lattice is not None and self._span[1] - self._span[0] < MOST_POINTS

    @cached_property
    def _span(self) -> tuple[float, float]:
        ends = np.array([LEAST_TAIL, self.cdf.total * (1.0 - LEAST_TAIL)])
        low, high = self.cdf.decode_integers(ends)
        return float(low), float(high)

    def below(self, values: Numbers, inclusive: bool, slack: Numbers | float = 0.0) -> Numbers:
        """Return P(X < value), or P(X <= value), of the margin; what is within the slack of a value is it."""
        if self.margin.lattice is not None:
            places = (values - self.origin) / self.step
            nearest = np.rint(places)
            tied = np.abs(places - nearest) * self.step <= slack + ROUNDING * np.abs(values)
            after = np.where(tied, nearest + (1.0 if inclusive else 0.0), np.ceil(places))
            return self._encoded(after - 0.5)
        found = self._encoded(values)
        if not len(self._atoms):
            return found
        at = np.clip(np.searchsorted(self._atoms, values), 0, len(self._atoms) - 1)
        for k in (at, np.maximum(at - 1, 0)):
            tied = np.abs(self._atoms[k] - values) <= slack
            found = np.where(tied, self._atom_ends[k, int(inclusive)], found)
        return found

    @cached_property
    def _atoms(self) -> Numbers:
        return np.unique(self.margin.atoms)

    @cached_property
    def _atom_ends(self) -> Numbers:
        return np.array(
            [[self.cdf.below(a), self.cdf.below(float(np.nextafter(a, np.inf)))] for a in self._atoms]
        )

    def _encoded(self, x: Numbers) -> Numbers:
        u = np.empty(np.shape(x))
        finite = np.ascontiguousarray(np.clip(x, -1e300, 1e300))
        self.cdf.encode(finite, u)
        return np.clip(u, 0.0, self.cdf.total)

    @cached_property
    def breaks(self) -> Numbers:
        """Values, ascending, between which the CDF is a cubic and the value stays in one cell."""
        total = self.cdf.total
        u = np.concatenate([self.edges, self.cube.low, self.cube.high])
        tails = [self.cdf.left_mass * _LEVELS, total - self.cdf.right_mass * _LEVELS]
        u = np.concatenate([u, *tails])
        u = np.unique(u[(u > 0.0) & (u < total)])
        x = np.concatenate([self.cdf.x, self.cdf.decode(np.ascontiguousarray(u))])
        return np.unique(x[np.isfinite(x)]) * self.step + self.origin

    def density(self, values: Numbers) -> Numbers:
        """Return the density of the CDF's continuous part."""
        places = np.ascontiguousarray((values - self.origin) / self.step)
        return np.exp(self.cdf.log_density(places)) / self.step
