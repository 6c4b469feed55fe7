"""The margin of a numeric column."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import INTEGERS, Lattice
from boxwood.columns.errors import LARGEST_NUMBER
from boxwood.model_file import State

__all__ = ["NumberMargin"]

Parts = tuple[_core.PiecewiseCdf, float, tuple[float, float] | None, float, float]
"""CDF, mass of missing values, origin and step of the lattice, mass and size of what lies beside it."""


@dataclass(frozen=True, eq=False)
class NumberMargin:
    """A monotone map of numbers onto [0, 1]: cubic pieces, atoms and exponential tails.

    Attributes
    ----------
    x : ndarray of shape (n_pieces + 1,)
        Knots, ascending; an atom is a knot that stands twice. On a lattice: in numbers of points.
    mass : ndarray of shape (n_pieces,)
        Probability of each piece.
    shape_left, shape_right : ndarray of shape (n_pieces,)
        Density at a piece's ends, relative to its mean density.
    tails : tuple of 4 floats
        Mass and rate of the exponential tails to the left and to the right.
    missing_mass : float
        Probability of a missing value; its interval lies at the top of [0, 1].
    lattice : Lattice or None
        Where the column has counting measure: the point of number k stands for the interval from k − ½ to
        k + ½ of the CDF. Integers are the lattice of step 1.
    off_mass : float
        What every point keeps of its probability for values beside it, at a finer precision than the
        column had when it was fitted. They have the point's place on [0, 1].
    off_size : float
        How much lies beside each point: a step, or in a column of integers the integers between two points.
    """

    x: NDArray[np.float64]
    mass: NDArray[np.float64]
    shape_left: NDArray[np.float64]
    shape_right: NDArray[np.float64]
    tails: tuple[float, float, float, float]
    missing_mass: float = 0.0
    lattice: Lattice | None = None
    off_mass: float = 0.0
    off_size: float = 0.0
    _handles: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_handles": {}}  # native objects are not pickled, but made anew

    @classmethod
    def of_parts(
        cls,
        cdf: _core.PiecewiseCdf,
        missing_mass: float,
        lattice: tuple[float, float] | None = None,
        off_mass: float = 0.0,
        off_size: float = 0.0,
    ) -> NumberMargin:
        """Return the margin of what the native core has."""
        tails = (cdf.left_mass, cdf.left_rate, cdf.right_mass, cdf.right_rate)
        shapes = (cdf.shape_left, cdf.shape_right)
        points = None if lattice is None else Lattice(*lattice)
        return cls(cdf.x, cdf.mass, *shapes, tails, missing_mass, points, off_mass, off_size, {"cdf": cdf})

    def parts(self) -> Parts:
        """Return what the native core makes the map of."""
        lattice = None if self.lattice is None else (self.lattice.origin, self.lattice.step)
        return self.cdf, self.missing_mass, lattice, self.off_mass, self.off_size

    @property
    def cdf(self) -> _core.PiecewiseCdf:
        """The native map."""
        if "cdf" not in self._handles:
            self._handles["cdf"] = _core.piecewise_cdf(
                self.x, self.mass, self.shape_left, self.shape_right, *self.tails
            )
        return self._handles["cdf"]

    @property
    def atoms(self) -> NDArray[np.float64]:
        """The values that have an interval of their own."""
        found = self.x[:-1][self.x[:-1] == self.x[1:]]
        return found if self.lattice is None else self.lattice.points(found)

    @property
    def span(self) -> float:
        """How far the knots reach, in the column's units."""
        return float(self.x[-1] - self.x[0]) * (1.0 if self.lattice is None else self.lattice.step)

    @property
    def is_continuous(self) -> bool:
        """Whether the column may be cut anywhere: it has no lattice, atoms or missing values."""
        return not (self.lattice or self.missing_mass or len(self.atoms))

    @property
    def knots(self) -> NDArray[np.float64]:
        """Places in [0, 1] where pieces meet, ascending, from 0 to 1.

        Between points of a lattice, not within the interval of one; the last inner one is where the
        interval of missing values begins, where there are any.
        """
        u = self.cdf.u if self.lattice is None else self._edges_of_points()
        if self.missing_mass:
            u = np.append(u, self.cdf.total)
        return np.concatenate([[0.0], np.unique(u[(u > 0.0) & (u < 1.0)]), [1.0]])

    def _edges_of_points(self) -> NDArray[np.float64]:
        atoms = self.x[:-1][self.x[:-1] == self.x[1:]]
        beside = np.concatenate([np.floor(np.setdiff1d(self.x, atoms)) + 1.0, atoms, atoms + 1.0])
        return np.array([self.cdf.below(_core.integer_edge(k)) for k in np.unique(beside)])

    def below(self, value: float) -> float:
        """Return P(X < value) by the margin, as events on the cube begin; of a lattice by its points."""
        if self.lattice is None:
            return self.cdf.below(value)
        if self.lattice.is_whole(value):
            return self.cdf.below(_core.integer_edge(value))
        at = np.array([value])
        place = float(self.lattice.places(at)[0])
        is_above = not self.lattice.holds(at)[0] and value > float(self.lattice.points(np.array([place]))[0])
        return self.cdf.below(_core.upper_edge(place) if is_above else _core.integer_edge(place))

    def encode(self, values: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Write u of each value to `out`: an atom's middle, NaN or the missing interval's middle."""
        if self.lattice is None:
            self.cdf.encode(values, out)
        else:
            self.cdf.encode_integers(self.lattice.places(values), out)
        if self.missing_mass:
            out[np.isnan(values)] = 0.5 * self.cdf.total + 0.5

    def log_derivative(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithm of the density, or of the mass of an atom or lattice point; NaN for NaN."""
        if self.lattice is None:
            return self.cdf.log_density(values)
        logs = self.log_mass_at(values)
        with np.errstate(divide="ignore"):
            beside = np.log(self.off_mass) - (np.log(self.off_size) if self.off_mass else 0.0)
        is_point = self.lattice.holds(values) | np.isnan(values)
        return np.asarray(logs + np.where(is_point, np.log1p(-self.off_mass), beside))

    def log_mass_at(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithm of the width on [0, 1] of the lattice point that is nearest to each value."""
        assert self.lattice is not None
        return self.cdf.log_mass_of_integers(self.lattice.places(values))

    def decode(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the value at each u; NaN in the missing interval."""
        if self.lattice is None:
            values = self.cdf.decode(u)
        else:
            values = self.lattice.points(self.cdf.decode_integers(u))
        if self.missing_mass:
            values[u >= self.cdf.total] = np.nan
        return values

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        points = {}
        if self.lattice is not None:
            points = {"lattice": [self.lattice.origin, self.lattice.step], "off_mass": self.off_mass}
        return {
            "kind": "number",
            "x": self.x,
            "mass": self.mass,
            "shape_left": self.shape_left,
            "shape_right": self.shape_right,
            "tails": list(self.tails),
            "missing_mass": self.missing_mass,
            **points,
        }

    @classmethod
    def from_state(cls, state: State, integer: bool) -> NumberMargin:
        """Read what `to_state` gave; the native map checks that it is a CDF."""
        x = state.array("x", np.float64, (None,), low=-LARGEST_NUMBER, high=LARGEST_NUMBER)
        pieces = (len(x) - 1,)
        mass = state.array("mass", np.float64, pieces)
        left = state.array("shape_left", np.float64, pieces)
        right = state.array("shape_right", np.float64, pieces)
        tails = state.labels("tails")
        if len(tails) != 4 or not all(isinstance(tail, float) for tail in tails):
            raise state.error("tails", "is not four numbers")
        missing = state.number("missing_mass", low=0.0, high=1.0)
        points = _lattice_of_state(state, integer)
        if integer and points[0] is None and ((x != np.rint(x)).any() or mass[x[:-1] < x[1:]].any()):
            raise state.error("x", "has values that are no integers, but the column holds integers")
        margin = cls(x, mass, left, right, (tails[0], tails[1], tails[2], tails[3]), missing, *points)
        try:
            total = margin.cdf.total + missing
        except ValueError as error:
            raise state.error("x", f"is no CDF: {error}") from None
        if abs(total - 1.0) > 1e-9:
            raise state.error("mass", f"sums to {total}, not to 1")
        return margin


def _lattice_of_state(state: State, integer: bool) -> tuple[Lattice | None, float, float]:
    """Read a lattice, and the mass and size of what lies beside its points."""
    if "whole" in state:  # an older file, which knew no lattice but the integers
        if state.flag("whole") != integer:
            raise state.error("whole", f"is {not integer}, but the column's kind makes it {integer}")
        return (INTEGERS if integer else None), 0.0, 0.0
    if "lattice" not in state:  # a column of integers is then a list of atoms
        return None, 0.0, 0.0
    given = state.labels("lattice")
    if len(given) != 2 or not all(isinstance(value, float) and math.isfinite(value) for value in given):
        raise state.error("lattice", "is not two finite numbers")
    if not given[1] > 0.0:
        raise state.error("lattice", f"has the step {given[1]}, not a positive one")
    lattice = Lattice(given[0], given[1])
    if integer and not (lattice.step.is_integer() and lattice.origin.is_integer()):
        raise state.error("lattice", "has points that are no integers, but the column holds integers")
    size = lattice.step - 1.0 if integer else lattice.step
    off_mass = state.number("off_mass", low=0.0, high=1.0 if size else 0.0)
    if off_mass == 1.0:
        raise state.error("off_mass", "leaves nothing to the points of the lattice")
    return lattice, off_mass, size
