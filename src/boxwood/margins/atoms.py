"""Atoms: values that many rows share, which get an interval of their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cells", "find_atoms", "with_atoms"]

ROWS_A_VALUE = 10.0
"""A column whose distinct values have this many rows on average is discrete: every value is an atom."""

MOST_ATOMS = 500
"""A column of more distinct values is never discrete: an atom takes two of a column's 1,024 knots."""

SMALLEST_SPIKE = 0.01
"""Elsewhere a value is an atom from this fraction of the rows (and `ROWS_A_VALUE` rows) on,"""

SPIKE_OVER_NEIGHBOURS = 5.0
"""if it has this many times the rows of its neighbouring values, four on either side."""


VIRTUAL_ROWS = 0.5
"""What an atom is given that was not among the rows, as a category is."""


@dataclass(frozen=True, eq=False)
class Cells:
    """A column's sorted cells: smallest and largest value, and count (the weight of its rows)."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    count: NDArray[np.float64]

    def __getitem__(self, chosen: NDArray[np.bool_]) -> Cells:
        return Cells(self.low[chosen], self.high[chosen], self.count[chosen])

    def __len__(self) -> int:
        return len(self.count)

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.count.sum())


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
    tied = cells.low == cells.high
    if len(cells) == 1:
        return tied & (cells.count > 1.0)
    if len(cells) <= MOST_ATOMS and cells.total >= ROWS_A_VALUE * len(cells):
        return tied
    heavy = tied & (cells.count >= max(SMALLEST_SPIKE * cells.total, ROWS_A_VALUE))
    for k in np.flatnonzero(heavy):
        neighbours = np.r_[cells.count[max(0, k - 4) : k], cells.count[k + 1 : k + 5]]
        heavy[k] = cells.count[k] >= SPIKE_OVER_NEIGHBOURS * neighbours.mean()
    return heavy


def with_atoms(cells: Cells, atoms: NDArray[np.float64]) -> tuple[Cells, NDArray[np.bool_]]:
    """Return cells that have every one of the given atoms, and tell which cells are these.

    An atom that no row has counts as half a row.

    Examples
    --------
    >>> cells, is_atom = with_atoms(Cells(np.ones(1), np.full(1, 3.0), np.full(1, 9.0)), np.zeros(1))
    >>> cells.count, is_atom
    (array([0.5, 9. ]), array([ True, False]))
    """
    absent = atoms[~np.isin(atoms, cells.low[cells.low == cells.high])]
    low, high = np.append(cells.low, absent), np.append(cells.high, absent)
    count = np.append(cells.count, np.full(len(absent), VIRTUAL_ROWS))
    order = np.argsort(low, kind="stable")
    joined = Cells(low[order], high[order], count[order])
    return joined, (joined.low == joined.high) & np.isin(joined.low, atoms)
