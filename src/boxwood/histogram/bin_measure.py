"""The base measure within bins: length, or counting on the points of a lattice and at atoms."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Lattice
from boxwood.histogram.heaping import HeapProfile
from boxwood.model_file import State

__all__ = ["INTEGERS", "LENGTH", "BinMeasure"]

Numbers = NDArray[np.float64]

_SLACK = 1e-6
"""Of a step: what rounding of floats may move a point of a lattice."""


@dataclass(frozen=True, eq=False)
class BinMeasure:
    """What the probability of a bin is divided by to give the density in it.

    On a lattice that is the number of its points in the bin: a value has the probability of a point. A value
    beside the points is taken for the nearest one. An atom has a bin of its own, from it to the next float.

    Attributes
    ----------
    lattice : Lattice or None
        Integers have that of step 1, or a wider one.
    atoms : ndarray
        Single values with a probability of their own, ascending; none of them on the lattice.
    profile : HeapProfile or None
        How often points of a heaped lattice come, relative to their mean: a point counts as much.
    is_closed : bool
        Whether other values than the points and the atoms have density zero, because the support is known.

    Examples
    --------
    >>> edges = np.array([-0.05, 0.15, 0.45])
    >>> BinMeasure(Lattice(0.0, 0.1)).sizes(edges)  # 0 and 0.1; 0.2, 0.3 and 0.4
    array([2., 3.])
    >>> LENGTH.sizes(edges).round(2)
    array([0.2, 0.3])
    """

    lattice: Lattice | None = None
    atoms: Numbers = field(default_factory=lambda: np.zeros(0))
    profile: HeapProfile | None = None
    is_closed: bool = False

    def holds(self, values: Numbers) -> NDArray[np.bool_]:
        """Return which values are points of the lattice or atoms."""
        found = np.isin(values, self.atoms)
        return found if self.lattice is None else found | self.lattice.holds(values)

    @property
    def is_counting(self) -> bool:
        """Whether every value is discrete: a point of the lattice, or an atom."""
        return self.lattice is not None

    def is_atom(self, edges: Numbers) -> NDArray[np.bool_]:
        """Return which bins are atoms."""
        return np.isin(edges[:-1], self.atoms)

    def sizes(self, edges: Numbers) -> Numbers:
        """Return the measure of each bin."""
        sizes = np.diff(edges)
        if self.profile is not None:
            sizes = np.diff(self.profile.up_to(np.ceil(self._places(edges))))
        elif self.lattice is not None:
            sizes = sizes / self.lattice.step
            if len(self.atoms):  # pieces beside them end anywhere
                sizes = np.diff(np.ceil(self._places(edges)))
            sizes = np.maximum(np.rint(sizes), 1.0)
        return np.where(self.is_atom(edges), 1.0, sizes) if len(self.atoms) else sizes

    def fraction_up_to(self, edges: Numbers, bins: NDArray[np.intp], values: Numbers) -> Numbers:
        """Return the fraction of each value's bin that lies at or below it."""
        low, high = edges[bins], edges[bins + 1]
        if self.lattice is None:
            # Not by numpy.interp, whose slopes overflow between denormals.
            fraction = (np.clip(values, low, high) - low) / (high - low)
        else:
            start, end = np.ceil(self._places(low)), np.floor(self._places(values) + _SLACK) + 1.0
            if self.profile is not None:
                start, end = self.profile.up_to(start), self.profile.up_to(end)
            fraction = (end - start) / self.sizes(edges)[bins]
        if len(self.atoms):
            fraction = np.where(self.is_atom(edges)[bins], values >= low, fraction)
        return np.clip(fraction, 0.0, 1.0)

    def values_at(self, edges: Numbers, bins: NDArray[np.intp], fraction: Numbers) -> Numbers:
        """Return the smallest value of each bin up to which lies a fraction of it."""
        low, high = edges[bins], edges[bins + 1]
        values = np.clip(low + fraction * (high - low), low, high)
        if self.profile is not None:
            start, size = self.profile.up_to(np.ceil(self._places(low))), self.sizes(edges)[bins]
            values = self._points(self.profile.at(start + fraction * size * (1.0 - 1e-12)))
        elif self.lattice is not None:
            start, end = np.ceil(self._places(low)), np.ceil(self._places(high)) - 1.0
            values = self._points(np.ceil(self._places(values) - 0.5).clip(start, np.maximum(start, end)))
        return self._at_atoms(edges, bins, values)

    def draw(self, edges: Numbers, bins: NDArray[np.int64], fraction: Numbers, integer: bool) -> Numbers:
        """Return the value at a fraction of each bin, points of the lattice alike; an integer where asked."""
        if self.profile is not None:
            start = self.profile.up_to(np.ceil(self._places(edges[bins])))
            values = self._points(self.profile.at(start + fraction * self.sizes(edges)[bins]))
        elif self.lattice is not None:
            values = self._points(_integers_within(self._places(edges), bins, fraction))
        elif integer:
            values = _integers_within(edges, bins, fraction)
        else:
            low, high = edges[bins], edges[bins + 1]
            values = np.minimum(low + fraction * (high - low), np.nextafter(high, low))
        return self._at_atoms(edges, bins, values)

    def means(self, edges: Numbers) -> Numbers:
        """Return the mean within each bin."""
        if self.profile is not None:
            return self._at_atoms(edges, np.arange(len(edges) - 1), self._moments(edges)[0])
        middles = 0.5 * (edges[1:] + edges[:-1])
        if self.lattice is not None and len(self.atoms):
            first = np.ceil(self._places(edges[:-1]))
            middles = self.lattice.origin + self.lattice.step * (first + 0.5 * (self.sizes(edges) - 1.0))
        return self._at_atoms(edges, np.arange(len(middles)), middles)

    def variances(self, edges: Numbers) -> Numbers:
        """Return the variance within each bin: of m points a step s apart s²(m² − 1)/12."""
        widths, step = np.diff(edges), 0.0
        if self.profile is not None:
            variances = self._moments(edges)[1]
            return np.where(self.is_atom(edges), 0.0, variances)
        if self.lattice is not None:
            step = self.lattice.step
            widths = self.sizes(edges) * step
        variances = (widths**2 - step**2) / 12.0
        return np.where(self.is_atom(edges), 0.0, variances) if len(self.atoms) else variances

    def _moments(self, edges: Numbers) -> tuple[Numbers, Numbers]:
        """Return mean and variance of the points of each bin, heaped ones counting more."""
        assert self.profile is not None
        points = self.points(edges[0], edges[-1])
        weights = np.exp(self.log_weights(points))
        bins = np.searchsorted(edges, points, side="right") - 1
        total = np.maximum(np.bincount(bins, weights, len(edges) - 1), 1e-300)
        means = np.bincount(bins, weights * points, len(edges) - 1) / total
        return means, np.bincount(bins, weights * (points - means[bins]) ** 2, len(edges) - 1) / total

    def log_weights(self, values: Numbers) -> Numbers:
        """Return the logarithm of what each value counts; 0 without a profile, for atoms and for NaN."""
        if self.profile is None:
            return np.zeros(len(values))
        places = np.rint(self._places(values))
        plain = np.isnan(values) | np.isin(values, self.atoms)
        return np.where(plain, 0.0, self.profile.log_weights(np.where(plain, 0.0, places)))

    def points(self, low: float, high: float) -> Numbers:
        """Return the lattice's points between two ends."""
        assert self.lattice is not None
        ends = self._places(np.array([low, high]))
        return self._points(np.arange(np.ceil(ends[0]), np.ceil(ends[1])))

    def nearest(self, values: Numbers) -> Numbers:
        """Return the lattice's point that is nearest to each value."""
        return self._points(np.rint(self._places(values)))

    def at_or_below(self, values: Numbers) -> Numbers:
        """Return the lattice's last point up to each value."""
        return self._points(np.floor(self._places(values) + _SLACK))

    def equals(self, other: BinMeasure) -> bool:
        """Return whether counts of both can be added."""
        mine, theirs = (None if m.profile is None else m.profile.weights.tolist() for m in (self, other))
        same_points = self.lattice == other.lattice and np.array_equal(self.atoms, other.atoms)
        return same_points and self.is_closed == other.is_closed and mine == theirs

    def _places(self, values: Numbers) -> Numbers:
        assert self.lattice is not None
        return (values - self.lattice.origin) / self.lattice.step

    def _points(self, places: Numbers) -> Numbers:
        assert self.lattice is not None
        points = self.lattice.origin + places * self.lattice.step
        power = _power_of_ten(self.lattice)
        # A quotient of whole numbers is the double nearest to the decimal, as a table has it.
        return points if power == 1.0 else np.rint(points * power) / power

    def _at_atoms(self, edges: Numbers, bins: NDArray[Any], values: Numbers) -> Numbers:
        return np.where(self.is_atom(edges)[bins], edges[bins], values) if len(self.atoms) else values

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps; nothing of plain length."""
        state: dict[str, Any] = {}
        if self.lattice is not None:
            state |= {"origin": self.lattice.origin, "step": self.lattice.step}
        if self.profile is not None:
            state["profile"] = self.profile.weights
        if self.is_closed:
            state["closed"] = True
        return state | ({"atoms": self.atoms} if len(self.atoms) else {})

    @classmethod
    def from_state(cls, state: State, integer: bool) -> Self:
        """Read what `to_state` gave; models of before lattices have nothing, and integers step 1."""
        lattice = Lattice(0.0, 1.0) if integer and "atoms" not in state else None
        if "step" in state:
            step = state.number("step", low=5e-324, high=2.0**997)
            lattice = Lattice(state.number("origin", low=0.0, high=step), step)
        atoms = state.array("atoms", np.float64, (None,)) if "atoms" in state else np.zeros(0)
        if np.any(atoms[1:] <= atoms[:-1]):
            raise state.error("atoms", "does not ascend")
        if "profile" not in state:
            return cls(lattice, atoms, is_closed="closed" in state and state.flag("closed"))
        weights = state.array("profile", np.float64, (None,), low=1e-12, high=1e6)
        if lattice is None or len(weights) < 2 or abs(weights.mean() - 1.0) > 1e-9:
            raise state.error("profile", "is none of a lattice")
        return cls(lattice, atoms, HeapProfile(weights))


LENGTH = BinMeasure()
"""The measure of a column of numbers that may lie anywhere."""

INTEGERS = BinMeasure(Lattice(0.0, 1.0))
"""That of integers."""


@cache
def _power_of_ten(lattice: Lattice) -> float:
    """Return what makes integers of a lattice's points; 1 where nothing does."""
    for digits in range(13):
        power = 10.0**digits
        scaled = np.array([lattice.origin, lattice.step]) * power
        if np.abs(scaled - np.rint(scaled)).max() <= 1e-9 and np.rint(scaled[1]) >= 1.0:
            return power
    return 1.0


def _integers_within(edges: Numbers, bins: NDArray[np.int64], fraction: Numbers) -> Numbers:
    low = np.ceil(edges[bins])
    last = bins == len(edges) - 2
    high = np.where(last, np.floor(edges[bins + 1]), np.ceil(edges[bins + 1]) - 1.0)
    high = np.maximum(high, low)  # a bin between two integers gives the next one
    return np.minimum(low + np.floor(fraction * (high - low + 1.0)), high)
