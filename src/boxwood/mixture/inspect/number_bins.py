"""The bins of a numeric column in the table's own units."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field, Kind, Lattice
from boxwood.margins import NumberMargin

__all__ = ["NumberBins"]

LARGEST = 2.0**997
"""No number of a table is larger."""


@dataclass(frozen=True, eq=False)
class NumberBins:
    """Bins of a numeric, integer or datetime column. A part of them is a range: first and end bin.

    Attributes
    ----------
    field : Field
    margin : NumberMargin
    bin edges : ndarray
        Ends of the bins on [0, 1].
    """

    field: Field
    margin: NumberMargin
    bin_edges: NDArray[np.float64]

    @property
    def n_bins(self) -> int:
        """How many bins there are."""
        return len(self.bin_edges) - 1

    @property
    def has_missing(self) -> bool:
        """Whether missing values are modelled."""
        return self.margin.missing_mass > 0.0

    @cached_property
    def starts(self) -> NDArray[np.float64]:
        """The smallest value of each bin or a later one; infinite where no value is in them.

        A value lies in a bin from k on exactly if it is at least ``starts[k]``, to the last bit. Dates are
        rounded up to whole microseconds and lattices to their points, which changes nothing for these.
        """
        inner = self.bin_edges[1:-1]
        found = (_first_number if self.margin.lattice is None else _first_point)(self.margin, inner)
        if self.field.kind is Kind.DATETIME:
            found = np.ceil(found)
        found[inner >= self.margin.cdf.total] = np.inf
        return np.concatenate([[-np.inf], found, [np.inf]])

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest value of positive density: infinite with tails."""
        margin = self.margin
        if margin.tails[0] > 0.0 or margin.tails[2] > 0.0:
            return -np.inf, np.inf
        if margin.lattice is not None:
            last = np.nextafter(margin.cdf.total, 0.0)
            first, end = margin.lattice.points(margin.cdf.decode_integers(np.array([0.0, last])))
            return float(first), float(end)
        return float(margin.x[0]), float(margin.x[-1])

    @cached_property
    def after_atom(self) -> NDArray[np.bool_]:
        """Whether a bin's start is the first value after an atom, so that the atom lies just below it."""
        return np.isin(np.nextafter(self.starts, -np.inf), self.margin.atoms)

    def bins_of(self, u: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the bin of each u; a missing value that is not modelled lies in the last."""
        return bins_between_thresholds(self.bin_edges, u)

    def holds_values(self, part: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether a range holds any value beside missing."""
        return self.starts[part[..., 0]] < np.inf

    def holds_missing(self, part: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether missing values, where they are modelled, lie in a range."""
        if not self.has_missing:
            return np.zeros(part.shape[:-1], dtype=bool)
        bin = int(self.bins_of(np.array([0.5 * self.margin.cdf.total + 0.5]))[0])
        return (part[..., 0] <= bin) & (bin < part[..., 1])

    def bounds(self, part: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the lower and upper bound of ranges; NaN where a range holds no value.

        The upper bound of integers and lattices is the largest point, that of others the value that is no
        longer in the range, except that an atom at the end belongs to it.
        """
        low, high = self.starts[part[..., 0]], self.starts[part[..., 1]]
        atoms_low, atoms_high = self.after_atom[part[..., 0]], self.after_atom[part[..., 1]]
        if self.margin.lattice is not None:
            high = _previous_point(self.margin.lattice, high)
        else:
            low = np.where(atoms_low, np.nextafter(low, -np.inf), low)
            high = np.where(atoms_high, np.nextafter(high, -np.inf), high)
        low, high = np.maximum(low, self.ends[0]), np.minimum(high, self.ends[1])
        values = self.holds_values(part)
        return np.where(values, low, np.nan), np.where(values, high, np.nan)

    def volume(self, part: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the size of ranges: length and number of atoms, or number of points; 1 for missing."""
        low, high = self.bounds(part)
        if self.margin.lattice is not None:
            size = np.rint((high - low) / self.margin.lattice.step) + 1.0
        else:
            atoms = np.searchsorted(self.margin.atoms, self.starts)
            size = high - low + (atoms[part[..., 1]] - atoms[part[..., 0]])
        present = np.where(self.holds_values(part), size, 0.0).clip(min=0.0)
        return present + self.holds_missing(part)

    def fraction(self, part: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the widths of ranges on [0, 1]: their probability by the margin."""
        return self.bin_edges[part[..., 1]] - self.bin_edges[part[..., 0]]


def bins_between_thresholds(bin_edges: NDArray[np.float64], u: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the bin of each u; NaN lies in the last."""
    found = np.searchsorted(bin_edges, np.where(np.isnan(u), 1.0, u), side="right") - 1
    return found.clip(0, len(bin_edges) - 2)


def _first_point(margin: NumberMargin, u: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the smallest point of the lattice that encodes to u or more."""
    assert margin.lattice is not None
    found = margin.cdf.decode_integers(u)
    below = np.empty_like(u)
    for step in (1.0, -1.0):
        margin.cdf.encode_integers(found if step > 0.0 else found - 1.0, below)
        found = found + step * ((below < u) if step > 0.0 else (below >= u))
    return margin.lattice.points(found)


def _previous_point(lattice: Lattice, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the point before each; infinity stays."""
    finite = np.isfinite(points)
    return np.where(finite, lattice.points(lattice.places(np.where(finite, points, 0.0)) - 1.0), points)


def _first_number(margin: NumberMargin, u: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the smallest double that encodes to u or more, by bisection of the doubles in their order."""
    low = np.full(len(u), _order(-LARGEST))
    high = np.full(len(u), _order(LARGEST))
    encoded = np.empty_like(u)
    for _ in range(64):
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        margin.encode(_double(middle), encoded)
        reached = encoded >= u
        high = np.where(reached, middle, high)
        low = np.where(reached, low, np.minimum(middle + 1, high))
    return _double(high)


def _order(x: float) -> np.int64:
    """Return a double's place among all doubles."""
    bits = np.float64(x).view(np.int64)
    return np.int64(bits ^ ((bits >> 63) & np.int64(0x7FFF_FFFF_FFFF_FFFF)))


def _double(place: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the double at a place."""
    return (place ^ ((place >> 63) & np.int64(0x7FFF_FFFF_FFFF_FFFF))).view(np.float64) + 0.0
