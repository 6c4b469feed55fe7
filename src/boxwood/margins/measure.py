"""One base measure for several models: the values that count as atoms in all of them."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns, Kind, Schema
from boxwood.margins.atoms import MOST_ATOMS, find_atoms
from boxwood.margins.summary import NumberSummary, summarize

__all__ = ["SharedAtoms", "share_measure"]


class SharedAtoms:
    """The atoms of a column on which models of parts of its rows agree.

    They are those of the whole column and of any part, sought when they are asked for.
    """

    def __init__(
        self, column: Column, weights: NDArray[np.float64] | None, parts: list[NDArray[np.intp]]
    ) -> None:
        self._columns = Columns(
            Schema((column.field,)), len(column.values), columns=[column], weights=weights
        )
        self._parts = parts

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The atoms, ascending."""
        integer = _atoms_of(self._columns)
        found = np.unique(np.concatenate([integer, *(_atoms_of(self._columns.take(p)) for p in self._parts)]))
        # An atom takes two of a margin's knots. Those of the whole column are never too many.
        return found if len(found) <= MOST_ATOMS else integer


def share_measure(columns: Columns, parts: list[NDArray[np.intp]]) -> Columns:
    """Return the same table with a measure that it hands on to the parts that are taken of it.

    Log-densities compare under the same measure only: a value that is an atom for one class, where it has a
    probability, and none for another, where it has a density, would tell nothing. Integers always have
    probabilities.

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.margins import fit_margins
    >>> table = bw.read_columns([[0.0]] * 20 + [[float(x)] for x in np.linspace(0.1, 1.0, 20)])
    >>> parts = [np.arange(20), np.arange(20, 40)]
    >>> shared = share_measure(table, parts)
    >>> [fit_margins(shared.take(part)).columns[0].atoms.tolist() for part in parts]
    [[0.0], [0.0]]
    """
    measure = [
        SharedAtoms(column, columns.weights, parts)
        if column.kind.is_number and column.kind is not Kind.INTEGER
        else None
        for column in columns
    ]
    return columns.with_measure(measure)


def _atoms_of(columns: Columns) -> NDArray[np.float64]:
    if columns.n_rows == 0 or columns.n_missing == columns.n_rows:
        return np.zeros(0)
    summary = summarize([columns])
    counted = summary.columns[0]
    assert isinstance(counted, NumberSummary)
    cells = counted.cells(summary.unit)
    return cells.low[find_atoms(cells)]
