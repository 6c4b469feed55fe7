"""The base measure that models of parts of one table share: which values have a probability of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.lattice import Lattice

__all__ = ["CATEGORIES", "OPEN", "BaseMeasure", "ColumnMeasure"]


OPEN = (-np.inf, np.inf)
"""No bounds."""


@dataclass(frozen=True, eq=False)
class ColumnMeasure:
    """Where a column has counting measure; elsewhere a value has a density with respect to length.

    Attributes
    ----------
    all_discrete : bool
        Every value that training showed is discrete.
    lattice : Lattice or None
        Of integers, rounded numbers and dates.
    atoms : ndarray
        Single discrete values of a column without a lattice, ascending.
    bounds : tuple of 2 floats
        Beyond which the column has no values: 0 where it begins or ends there, or as they were given.
    span : tuple of 2 floats
        The least and the largest value of the table that a part is taken of; infinite for a whole table.
    support : ndarray or None
        All values that the column can have, ascending, if they were given: numbers, or codes of categories.
    """

    all_discrete: bool
    lattice: Lattice | None
    atoms: NDArray[np.float64]
    bounds: tuple[float, float] = OPEN
    span: tuple[float, float] = OPEN
    support: NDArray[np.float64] | None = None

    @property
    def is_closed(self) -> bool:
        """Whether the column has no values but those of its support."""
        return self.support is not None

    def is_discrete(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which values are discrete; a gap (NaN) always is."""
        found = np.isnan(values)
        if self.all_discrete and self.lattice is None and len(self.atoms) == 0:  # categories
            return np.ones(len(values), dtype=np.bool_)
        if self.lattice is not None:
            found |= self.lattice.holds(values)
        return np.asarray(found | np.isin(values, self.atoms))


CATEGORIES = ColumnMeasure(True, None, np.zeros(0))
"""The measure of categories, and of columns without a value."""


class BaseMeasure:
    """The measures of a table's columns, on which models of parts of its rows agree.

    A table hands its measure on to the parts that are taken of it. It is found when a model first asks for
    it: many never do.

    Parameters
    ----------
    find : callable
        Returns the measure of each column; it should be picklable, as a table is.
    whole : object, optional
        The table that parts with this measure are taken of, with a method `of_columns`
        (see `boxwood.evidence.SharedTable`).

    Examples
    --------
    >>> zero = ColumnMeasure(False, None, np.zeros(1))
    >>> measure = BaseMeasure(lambda: [zero, CATEGORIES])
    >>> measure.of_columns([0]).columns[0].atoms
    array([0.])
    """

    def __init__(self, find: Callable[[], list[ColumnMeasure]], whole: Any = None) -> None:
        self._find = find
        self.whole = whole

    @classmethod
    def found(cls, measures: list[ColumnMeasure]) -> BaseMeasure:
        """Return the measure of columns whose measures are known."""
        return cls(partial(list, measures))

    @cached_property
    def columns(self) -> list[ColumnMeasure]:
        """The measure of each column."""
        return self._find()

    def of_columns(self, columns: Sequence[int]) -> BaseMeasure:
        """Return the measure of some of the columns, by their positions."""
        whole = None if self.whole is None else self.whole.of_columns(columns)
        return BaseMeasure(partial(_chosen, self, columns), whole)


def _chosen(measure: BaseMeasure, columns: Sequence[int]) -> list[ColumnMeasure]:
    return [measure.columns[j] for j in columns]
