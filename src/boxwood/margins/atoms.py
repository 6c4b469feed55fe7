"""Atoms: values that many rows share, which get an interval of their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood import _core

__all__ = ["Cells", "find_atoms"]

SMALLEST_SPIKE = 0.01
"""A value of a smaller fraction of the rows is an atom of discrete columns alone."""

MOST_ATOMS = 500
"""A column of more distinct values is never discrete: an atom takes two of a column's 1,024 knots."""


@dataclass(frozen=True, eq=False)
class Cells:
    """A column's sorted cells: smallest and largest value, and count (the weight of its rows)."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    count: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.count)


def find_atoms(cells: Cells) -> NDArray[np.bool_]:
    """Return which cells are atoms.

    A column is discrete, and all its values are atoms, where these have ten rows each on average (and
    where it is constant). Otherwise an atom is a spike: a value with at least 1% and ten of the rows,
    and five times as many as its neighbours. A cell of several rare values, which were not told apart,
    is never an atom.

    Examples
    --------
    >>> values = np.append(0.0, np.linspace(1.0, 2.0, 500))
    >>> cells = Cells(values, values, np.append(200.0, np.ones(500)))
    >>> np.flatnonzero(find_atoms(cells))
    array([0])
    """
    return _core.find_atoms(cells.low, cells.high, cells.count)
