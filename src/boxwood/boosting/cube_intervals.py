"""Where rows lie on the cube: a value is a point of [0, 1], or an interval where it has a probability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns
from boxwood.margins import Margins, NumberMargin
from boxwood.margins.category import CategoryMargin

__all__ = ["CubeIntervals", "cube_intervals_of", "evenly_spread"]


@dataclass(frozen=True, eq=False)
class CubeIntervals:
    """An interval for each value, of width 0 where it is a point: a box for each row.

    Attributes
    ----------
    lower, width : ndarray of shape (n_rows, n_columns)
    """

    lower: NDArray[np.float64]
    width: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.lower)

    @property
    def discrete(self) -> NDArray[np.bool_]:
        """Which columns hold an interval in any row."""
        return np.asarray(self.width.any(axis=0))

    def column(self, j: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the lower ends and the widths of one column."""
        return self.lower[:, j], self.width[:, j]

    def take(self, rows: NDArray[np.intp] | slice) -> CubeIntervals:
        """Return the intervals of some rows."""
        return CubeIntervals(self.lower[rows], self.width[rows])

    def spread_points(
        self, copies: NDArray[np.intp], rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Return points of each box, so many as `copies` says, and the row of each.

        Rows take turns at one evenly spread sequence, shifted at random: the points of a box are evenly
        spread, and those of all rows together too.
        """
        rows = np.repeat(np.arange(len(self)), copies)
        discrete = self.discrete
        places = np.zeros((len(rows), self.lower.shape[1]))
        spread = evenly_spread(1 << max(len(rows) - 1, 0).bit_length(), int(discrete.sum()))
        places[:, discrete] = (spread[: len(rows)] + rng.random(spread.shape[1])) % 1.0
        return np.clip(self.lower[rows] + places * self.width[rows], 0.0, 1.0), rows


def cube_intervals_of(
    margins: Margins, columns: Columns, points: NDArray[np.float64], missing: str
) -> CubeIntervals:
    """Return the intervals of each row's values.

    Parameters
    ----------
    margins : Margins
    columns : Columns
    points : ndarray of shape (n_rows, n_columns)
        The rows as the margins encode them.
    missing : {"event", "marginal"}
        A missing value is the interval that its column keeps for it, or all of [0, 1]. In a column that
        had none when the margins were fitted it is all of [0, 1] in any case.
    """
    middle = points.copy() if columns.n_missing else points
    width = np.zeros_like(middle)
    for j, (margin, column) in enumerate(zip(margins.columns, columns, strict=True)):
        width[:, j] = _widths(margin, column)
        if column.n_missing:
            absent = column.missing()
            anywhere = missing == "marginal" or not margin.missing_mass
            middle[absent, j] = 0.5 if anywhere else 1.0 - 0.5 * margin.missing_mass
            width[absent, j] = 1.0 if anywhere else margin.missing_mass
    return CubeIntervals(np.maximum(middle - 0.5 * width, 0.0), width)


def _widths(margin: NumberMargin | CategoryMargin, column: Column) -> NDArray[np.float64] | float:
    """Return the width on [0, 1] of each value that has one; 0 for the others."""
    if isinstance(margin, CategoryMargin):
        return margin.masses[column.values]
    if margin.lattice is not None:
        return np.exp(margin.log_mass_at(column.values))
    atoms = margin.atoms
    if not len(atoms):
        return 0.0
    is_atom = np.isin(column.values, atoms)
    width = np.zeros(len(column.values))
    width[is_atom] = np.exp(margin.log_derivative(np.ascontiguousarray(column.values[is_atom])))
    return width


def evenly_spread(n_points: int, n_columns: int) -> NDArray[np.float64]:
    """Return the first points of Sobol's sequence, a power of two, each in the middle of its stretch."""
    if n_columns == 0:
        return np.zeros((n_points, 0))
    from scipy.stats import qmc

    points = qmc.Sobol(n_columns, scramble=False).random_base2(n_points.bit_length() - 1)
    return np.asarray(points + 0.5 / n_points, dtype=np.float64)
