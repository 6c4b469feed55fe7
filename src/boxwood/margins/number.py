"""The margin of a numeric column."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.model_file import State

__all__ = ["NumberMargin"]


@dataclass(frozen=True, eq=False)
class NumberMargin:
    """A monotone map of numbers onto [0, 1]: cubic pieces, atoms and exponential tails.

    Attributes
    ----------
    x : ndarray of shape (n_pieces + 1,)
        Knots, ascending; an atom is a knot that stands twice.
    mass : ndarray of shape (n_pieces,)
        Probability of each piece.
    shape_left, shape_right : ndarray of shape (n_pieces,)
        Density at a piece's ends, relative to its mean density.
    tails : tuple of 4 floats
        Mass and rate of the exponential tails to the left and to the right.
    missing_mass : float
        Probability of a missing value; its interval lies at the top of [0, 1].
    integer : bool
        The column holds integers: k stands for the interval from k − ½ to k + ½.
    """

    x: NDArray[np.float64]
    mass: NDArray[np.float64]
    shape_left: NDArray[np.float64]
    shape_right: NDArray[np.float64]
    tails: tuple[float, float, float, float]
    missing_mass: float = 0.0
    integer: bool = False
    _handles: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_handles": {}}  # native objects are not pickled, but made anew

    @classmethod
    def of_cdf(cls, cdf: _core.PiecewiseCdf, missing_mass: float, integer: bool) -> NumberMargin:
        """Return the margin of a native map."""
        tails = (cdf.left_mass, cdf.left_rate, cdf.right_mass, cdf.right_rate)
        shapes = (cdf.shape_left, cdf.shape_right)
        return cls(cdf.x, cdf.mass, *shapes, tails, missing_mass, integer, {"cdf": cdf})

    def parts(self) -> tuple[_core.PiecewiseCdf, float, bool]:
        """Return what the native core makes the map of."""
        return self.cdf, self.missing_mass, self.integer

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
        return self.x[:-1][self.x[:-1] == self.x[1:]]

    @property
    def is_continuous(self) -> bool:
        """Whether the column may be cut anywhere: it has no atoms, integers or missing values."""
        return not (self.integer or self.missing_mass or len(self.atoms))

    @property
    def knots(self) -> NDArray[np.float64]:
        """Places in [0, 1] where pieces meet, ascending, from 0 to 1.

        Between integers, not within the interval of one; the last inner one is where the interval
        of missing values begins, where there are any.
        """
        u = self._edges_of_integers() if self.integer else self.cdf.u
        if self.missing_mass:
            u = np.append(u, self.cdf.total)
        return np.concatenate([[0.0], np.unique(u[(u > 0.0) & (u < 1.0)]), [1.0]])

    def _edges_of_integers(self) -> NDArray[np.float64]:
        atoms = self.atoms
        beside = np.concatenate([np.floor(np.setdiff1d(self.x, atoms)) + 1.0, atoms, atoms + 1.0])
        return np.array([self.cdf.below(_core.integer_edge(k)) for k in np.unique(beside)])

    def encode(self, values: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Write u of each value to `out`: an atom's middle, NaN or the missing interval's middle."""
        (self.cdf.encode_integers if self.integer else self.cdf.encode)(values, out)
        if self.missing_mass:
            out[np.isnan(values)] = 0.5 * self.cdf.total + 0.5

    def log_derivative(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithm of the density, or of the mass of an atom or integer; NaN for NaN."""
        if self.integer:
            return self.cdf.log_mass_of_integers(values)
        return self.cdf.log_density(values)

    def decode(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the value at each u; NaN in the missing interval."""
        values = (self.cdf.decode_integers if self.integer else self.cdf.decode)(u)
        if self.missing_mass:
            values[u >= self.cdf.total] = np.nan
        return values

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "kind": "number",
            "x": self.x,
            "mass": self.mass,
            "shape_left": self.shape_left,
            "shape_right": self.shape_right,
            "tails": list(self.tails),
            "missing_mass": self.missing_mass,
            "whole": self.integer,
        }

    @classmethod
    def from_state(cls, state: State, integer: bool) -> NumberMargin:
        """Read what `to_state` gave; the native map checks that it is a CDF."""
        if state.flag("whole") != integer:
            raise state.error("whole", f"is {not integer}, but the column's kind makes it {integer}")
        x = state.array("x", np.float64, (None,))
        pieces = (len(x) - 1,)
        mass = state.array("mass", np.float64, pieces)
        left = state.array("shape_left", np.float64, pieces)
        right = state.array("shape_right", np.float64, pieces)
        tails = state.labels("tails")
        if len(tails) != 4 or not all(isinstance(tail, float) for tail in tails):
            raise state.error("tails", "is not four numbers")
        missing = state.number("missing_mass", low=0.0, high=1.0)
        margin = cls(x, mass, left, right, (tails[0], tails[1], tails[2], tails[3]), missing, integer)
        try:
            total = margin.cdf.total + missing
        except ValueError as error:
            raise state.error("x", f"is no CDF: {error}") from None
        if abs(total - 1.0) > 1e-9:
            raise state.error("mass", f"sums to {total}, not to 1")
        return margin
