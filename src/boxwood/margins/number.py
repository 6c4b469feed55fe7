"""The margin of a numeric column."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.margins.atoms import Cells, find_atoms, with_atoms
from boxwood.model_file import State

__all__ = ["NumberMargin", "fit_number_margin"]

MOST_KNOTS = 1023
"""Knots of a column, of which every atom takes two; with the one below missing values 1,024."""

FEWEST_CONTINUOUS = 5.0
"""With fewer rows beside the atoms, the shape between atoms is taken from all rows."""


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


def fit_number_margin(
    cells: Cells, missing: float, kind: str, integer: bool, atoms: NDArray[np.float64] | None = None
) -> NumberMargin:
    """Fit the margin of a column from its cells.

    Parameters
    ----------
    cells : Cells
        May be empty where every value is missing.
    missing : float
        Weight of the missing values.
    kind : {"linear", "smooth"}
    integer : bool
    atoms : ndarray, optional
        The values that are to be atoms, where other models have a say in it.
    """
    cells, is_atom = (cells, find_atoms(cells)) if atoms is None else with_atoms(cells, atoms)
    total = cells.total + missing
    if not len(cells):
        # Nothing is known of the values: they keep a mass of half a row.
        nothing = Cells(np.zeros(1), np.zeros(1), np.ones(1))
        present = 0.5 / (total + 0.5)
        is_atom = np.zeros(1, dtype=bool)
        return _from_cdf(_fit_cdf(nothing, is_atom, present, kind, integer), total / (total + 0.5), integer)
    cdf = _fit_cdf(cells, is_atom, cells.total / total, kind, integer)
    return _from_cdf(cdf, missing / total, integer)


def _fit_cdf(
    cells: Cells, is_atom: NDArray[np.bool_], present: float, kind: str, integer: bool
) -> _core.PiecewiseCdf:
    """Fit the CDF of the values that are there, whose probability is `present`."""
    others = cells[~is_atom]
    # Half a row is reserved for values that are no atom, so that none has density zero.
    reserved = 0.5 if is_atom.any() else 0.0
    rows = cells.total + reserved  # may be denormal: divided by, never inverted
    mass = present * ((others.total + reserved) / rows)
    values, masses = cells.low[is_atom], present * (cells.count[is_atom] / rows)
    if kind == "linear":
        return _core.fit_linear_cdf(*linear_box(cells, integer), mass, values, masses)
    shape_from = others if others.total >= FEWEST_CONTINUOUS or not is_atom.any() else cells
    room = MOST_KNOTS - 2 * len(values)
    return _core.fit_smooth_cdf(
        shape_from.low, shape_from.high, shape_from.count, mass, values, masses, max_bin_edges=room
    )


def linear_box(cells: Cells, integer: bool) -> tuple[float, float]:
    """Return the bounding box of a column, widened by half a mean gap on either side.

    Of integers: from the edge of the first to that of the last, so that all are equally likely.
    """
    low, high = float(cells.low[0]), float(cells.high[-1])
    half = 0.5 * max(abs(low), 1.0) if low == high else 0.0  # one value tells no scale
    if integer:
        first, last = math.floor(low - half), float(math.floor(high + half))
        after = max(last + 1.0, math.nextafter(last, math.inf))
        return _core.integer_edge(first), _core.integer_edge(after)
    if low == high:
        return low - half, high + half
    gap = (high - low) / max(cells.total - 1.0, 1.0)
    below = min(low - 0.5 * gap, math.nextafter(low, -math.inf))
    return below, max(high + 0.5 * gap, math.nextafter(high, math.inf))


def _from_cdf(cdf: _core.PiecewiseCdf, missing_mass: float, integer: bool) -> NumberMargin:
    tails = (cdf.left_mass, cdf.left_rate, cdf.right_mass, cdf.right_rate)
    return NumberMargin(
        cdf.x, cdf.mass, cdf.shape_left, cdf.shape_right, tails, missing_mass, integer, {"cdf": cdf}
    )
