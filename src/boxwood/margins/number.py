"""The margin of a numeric column."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.margins.atoms import Cells, find_atoms
from boxwood.model_file import State

__all__ = ["NumberMargin", "fit_number_margin"]

MOST_KNOTS = 1024
"""Knots of a column, of which every atom takes two."""

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
    whole : bool
        The column holds whole numbers: k stands for the interval from k − ½ to k + ½.
    """

    x: NDArray[np.float64]
    mass: NDArray[np.float64]
    shape_left: NDArray[np.float64]
    shape_right: NDArray[np.float64]
    tails: tuple[float, float, float, float]
    missing_mass: float = 0.0
    whole: bool = False
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
        """Places in [0, 1] where pieces meet, ascending, from 0 to 1."""
        u = self.cdf.u
        inner = u[(u > 0.0) & (u < 1.0)]
        return np.concatenate([[0.0], inner, [1.0]])

    def encode(self, values: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Write u of each value to `out`: an atom's middle, NaN or the missing interval's middle."""
        (self.cdf.encode_integers if self.whole else self.cdf.encode)(values, out)
        if self.missing_mass:
            out[np.isnan(values)] = 1.0 - 0.5 * self.missing_mass

    def log_derivative(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the logarithm of the density, or of the mass of an atom or whole number; NaN for NaN."""
        if self.whole:
            return self.cdf.log_mass_of_integers(values)
        return self.cdf.log_density(values)

    def decode(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the value at each u; NaN in the missing interval."""
        u = np.ascontiguousarray(u, dtype=np.float64)
        values = (self.cdf.decode_integers if self.whole else self.cdf.decode)(u)
        if self.missing_mass:
            values[u >= 1.0 - self.missing_mass] = np.nan
        return values

    def to_state(self) -> dict[str, Any]:
        """Give what a model file keeps."""
        return {
            "kind": "number",
            "x": self.x,
            "mass": self.mass,
            "shape_left": self.shape_left,
            "shape_right": self.shape_right,
            "tails": list(self.tails),
            "missing_mass": self.missing_mass,
            "whole": self.whole,
        }

    @classmethod
    def from_state(cls, state: State) -> NumberMargin:
        """Read what `to_state` gave; the native map checks that it is a CDF."""
        x = state.array("x", np.float64, (None,))
        pieces = (len(x) - 1,)
        mass = state.array("mass", np.float64, pieces)
        left = state.array("shape_left", np.float64, pieces)
        right = state.array("shape_right", np.float64, pieces)
        tails = state.labels("tails")
        if len(tails) != 4 or not all(isinstance(tail, float) for tail in tails):
            raise state.error("tails", "is not four numbers")
        missing = state.number("missing_mass", low=0.0, high=1.0)
        margin = cls(
            x, mass, left, right, (tails[0], tails[1], tails[2], tails[3]), missing, state.flag("whole")
        )
        try:
            total = margin.cdf.total + missing
        except ValueError as error:
            raise state.error("x", f"is no CDF: {error}") from None
        if abs(total - 1.0) > 1e-9:
            raise state.error("mass", f"sums to {total}, not to 1")
        return margin


def fit_number_margin(cells: Cells, missing: float, kind: str, whole: bool) -> NumberMargin:
    """Fit the margin of a column from its cells.

    Parameters
    ----------
    cells : Cells
        May be empty where every value is missing.
    missing : float
        Weight of the missing values.
    kind : {"linear", "smooth"}
    whole : bool
    """
    total = cells.total + missing
    missing_mass = missing / total
    if not len(cells):
        # Nothing is known of the values: they keep a mass of half a row.
        missing_mass = total / (total + 0.5)
        cells = Cells(np.zeros(1), np.zeros(1), np.ones(1))
        return _from_cdf(_continuous(cells, kind, 1.0 - missing_mass, *_no_atoms()), missing_mass, whole)
    present = 1.0 - missing_mass
    is_atom = find_atoms(cells)
    if not is_atom.any():
        return _from_cdf(_continuous(cells, kind, present, *_no_atoms()), missing_mass, whole)
    beside = cells[~is_atom].total
    # Half a row is reserved for values that are no atom, so that none has density zero.
    share = present / (cells.total + 0.5)
    shape_from = cells[~is_atom] if beside >= FEWEST_CONTINUOUS and kind == "smooth" else cells
    values, masses = cells.low[is_atom], cells.count[is_atom] * share
    return _from_cdf(
        _continuous(shape_from, kind, (beside + 0.5) * share, values, masses), missing_mass, whole
    )


def _no_atoms() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.empty(0), np.empty(0)


def _continuous(
    cells: Cells, kind: str, mass: float, values: NDArray[np.float64], masses: NDArray[np.float64]
) -> _core.PiecewiseCdf:
    if kind == "smooth":
        room = MOST_KNOTS - 2 * len(values)
        return _core.fit_smooth_cdf(cells.low, cells.high, cells.count, mass, values, masses, max_knots=room)
    low, high = linear_box(cells)
    return _core.fit_linear_cdf(low, high, mass, values, masses)


def linear_box(cells: Cells) -> tuple[float, float]:
    """Give the bounding box of a column, widened by half a mean gap on either side."""
    low, high = float(cells.low[0]), float(cells.high[-1])
    if low == high:
        half = 0.5 * max(abs(low), 1.0)
        return low - half, high + half
    gap = (high - low) / max(cells.total - 1.0, 1.0)
    below = min(low - 0.5 * gap, np.nextafter(low, -np.inf))
    return float(below), float(max(high + 0.5 * gap, np.nextafter(high, np.inf)))


def _from_cdf(cdf: _core.PiecewiseCdf, missing_mass: float, whole: bool) -> NumberMargin:
    tails = (cdf.left_mass, cdf.left_rate, cdf.right_mass, cdf.right_rate)
    return NumberMargin(
        cdf.x, cdf.mass, cdf.shape_left, cdf.shape_right, tails, missing_mass, whole, {"cdf": cdf}
    )
