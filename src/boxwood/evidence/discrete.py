"""Which values of a table are discrete: categories, booleans, integers, gaps, atoms and lattice values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import CATEGORIES, ColumnMeasure, Columns, Field, Kind, Lattice
from boxwood.evidence.atoms import COPIES_RATIO, SHARED_RATIO, find_atoms
from boxwood.evidence.lattice import FEWEST_VALUES, find_lattice, largest_numerator
from boxwood.evidence.sign import bounds_of_sign

__all__ = ["Discrete", "continuous_measure", "discrete_by", "find_measures"]

ROWS_A_VALUE = 10.0
"""A column whose values are carried by this many distinct rows on average is discrete,"""

MOST_VALUES = 500
"""if it has no more values than these."""

FRACTION_OF_COPIES = 0.1
"""Copies of one row tell an atom where all its other values are discrete, or from this fraction on.

Columns that are zero together have it; rows that were repeated to balance classes have not.
"""

MOST_ROUNDS = 3

SMALLEST_RANGE = 9.0
"""Two or three whole numbers up to so far apart are codes or counts, even if rows show them as floats."""

ROWS_A_SMALL_VALUE = 2.0
"""They need as many rows each. Copies count, because tables of such columns have few distinct rows."""

SHORT = 10_000
"""Two or three values that come ten times are discrete where they are decimals of at most this numerator."""


@dataclass(frozen=True, eq=False)
class Discrete:
    """What is discrete in a table: the measure of each column, and the cells of its rows."""

    measures: list[ColumnMeasure]
    cells: NDArray[np.bool_]

    @property
    def rows(self) -> NDArray[np.bool_]:
        """Which rows are discrete in every cell."""
        return np.asarray(self.cells.all(axis=1))


def find_measures(columns: Columns, multiplicity: NDArray[np.float64]) -> Discrete:
    """Find what is discrete in a table of distinct rows.

    Atoms are found on distinct rows first. Where all other values of a row are discrete its copies count
    as well: what is an atom then depends on the other columns' atoms, so that two or three rounds are made.

    Parameters
    ----------
    columns : Columns
        Without equal rows.
    multiplicity : ndarray of shape (n_rows,)
        How often each row was given.

    Examples
    --------
    >>> import boxwood as bw
    >>> rng = np.random.default_rng(0)
    >>> values = np.r_[np.zeros(1), rng.normal(size=300)]
    >>> found = find_measures(bw.read_columns(values[:, None]), np.r_[100.0, np.ones(300)])
    >>> found.measures[0].atoms, int(found.rows.sum())
    (array([0.]), 1)
    """
    if columns.n_rows == 0:
        return Discrete([CATEGORIES] * len(columns), np.ones((0, len(columns)), dtype=np.bool_))
    # Beside a row of an enormous weight others have no more than nothing, which ratios cannot stand.
    multiplicity = np.maximum(multiplicity, 2.0**-60 * multiplicity.max())
    numbers = [column.numbers() for column in columns]
    searched = [_SearchedColumn(v, f) for v, f in zip(numbers, columns.schema.fields, strict=True)]
    cells = np.ones((columns.n_rows, len(columns)), dtype=np.bool_)
    for _ in range(MOST_ROUNDS):
        for j, column in enumerate(searched):
            cells[:, j] = column.measure.is_discrete(numbers[j])
        telling = _telling_copies(cells, multiplicity)
        found_more = [column.add_atoms(multiplicity, telling[:, j]) for j, column in enumerate(searched)]
        if not any(found_more):
            break
    for j, column in enumerate(searched):
        cells[:, j] = column.measure.is_discrete(numbers[j])
    return Discrete([column.bounded(float(multiplicity.sum())) for column in searched], cells)


def continuous_measure(ordered: NDArray[np.float64]) -> ColumnMeasure | None:
    """Return the measure that `find_measures` finds for a column of different numbers on no lattice.

    Parameters
    ----------
    ordered : ndarray
        A column of floats in ascending order, without missing values.

    Returns
    -------
    ColumnMeasure or None
        None if two values are equal, if there are few, or if they lie on a lattice.

    Examples
    --------
    >>> continuous_measure(np.sqrt(np.arange(5.0))).all_discrete
    False
    >>> continuous_measure(np.arange(5.0)) is None
    True
    """
    if len(ordered) < FEWEST_VALUES or not (ordered[1:] > ordered[:-1]).all():
        return None
    if find_lattice(ordered) is not None:
        return None
    return ColumnMeasure(False, None, np.zeros(0), bounds_of_sign(ordered, float(len(ordered))))


def discrete_by(columns: Columns, measures: list[ColumnMeasure]) -> Discrete:
    """Return what is discrete in a table by measures that were found before."""
    cells = np.ones((columns.n_rows, len(columns)), dtype=np.bool_)
    for j, (column, measure) in enumerate(zip(columns, measures, strict=True)):
        if column.field.kind.is_number:
            cells[:, j] = measure.is_discrete(column.numbers())
    return Discrete(measures, cells)


def _telling_copies(cells: NDArray[np.bool_], multiplicity: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for each cell whether copies of its row tell something about the column."""
    if len(multiplicity) == 1:  # every column is constant
        return np.ones(cells.shape, dtype=np.bool_)
    n_continuous = (~cells).sum(axis=1)
    heavy = (multiplicity >= FRACTION_OF_COPIES * multiplicity.sum()) & (
        multiplicity >= COPIES_RATIO * np.median(multiplicity)
    )
    return np.asarray((n_continuous[:, None] == ~cells) | heavy[:, None])


class _SearchedColumn:
    """A column's distinct values, and the measure found so far."""

    place: NDArray[np.uint32] | None

    def __init__(self, numbers: NDArray[np.float64], field: Field) -> None:
        self.kind = field.kind
        self.is_number = field.kind.is_number
        self.measure = CATEGORIES
        if not self.is_number:
            return
        there = ~np.isnan(numbers)
        self.present = None if there.all() else there
        shown = numbers if self.present is None else numbers[there]
        # Sorting alone takes a third of the time, and mostly no two values are equal.
        self.values, self.place = np.sort(shown) + 0.0, None
        if (self.values[1:] > self.values[:-1]).all():
            self.shown = shown
        else:
            self.values, place = np.unique(shown + 0.0, return_inverse=True)
            self.place = place.astype(np.uint32)  # kept for all columns: half the table's memory
        self.measure = self._by_distinct_rows(field.kind)
        if self.measure.all_discrete:  # not searched again
            self.place = None

    def add_atoms(self, multiplicity: NDArray[np.float64], telling: NDArray[np.bool_]) -> bool:
        """Search again, using the cells in which copies are informative. Return whether an atom was found."""
        if not self.is_number or self.measure.all_discrete or len(self.values) == 0:
            return False
        if _are_small(self.values, float(multiplicity.sum())) or _are_few(
            self.values, self._counts(np.where(telling, multiplicity, 1.0))
        ):
            self.measure = ColumnMeasure(True, None, self.values)
            return True
        relative = np.where(telling, multiplicity / np.median(multiplicity), 1.0)
        counts = self._counts(relative)
        # Beside a lattice, which only values off it hide, a smaller ratio is enough.
        for ratio in (SHARED_RATIO, COPIES_RATIO):
            atoms = np.union1d(self.measure.atoms, self.values[find_atoms(counts, ratio)])
            measure = self._with_atoms(atoms)
            if len(atoms) > len(self.measure.atoms) and (ratio == COPIES_RATIO or measure.all_discrete):
                self.measure = measure
                return True
        return False

    def bounded(self, n_rows: float) -> ColumnMeasure:
        """Return the measure with the bounds that the column's sign sets."""
        if not self.is_number or self.kind is Kind.DATETIME or len(self.values) == 0:
            return self.measure
        counted = n_rows if self.measure.lattice is not None else float(len(self.values))
        return replace(self.measure, bounds=bounds_of_sign(self.values, counted))

    def _counts(self, of_rows: NDArray[np.float64]) -> NDArray[np.float64]:
        shown = of_rows if self.present is None else of_rows[self.present]
        if self.place is None:  # all values are different
            if (shown == shown[0]).all():
                return shown.astype(np.float64)
            self.place = np.searchsorted(self.values, self.shown).astype(np.uint32)
        counts = np.bincount(self.place, shown, minlength=len(self.values))
        return counts.astype(np.float64, copy=False)

    def _by_distinct_rows(self, kind: Kind) -> ColumnMeasure:
        if len(self.values) == 0:
            return CATEGORIES
        lattice = find_lattice(self.values)
        if kind is Kind.INTEGER:
            return ColumnMeasure(True, lattice or Lattice(0.0, 1.0), np.zeros(0))
        if lattice is not None:
            return ColumnMeasure(True, lattice, np.zeros(0))
        each = np.ones(len(self.values))
        if self.place is not None:
            each = np.bincount(self.place, minlength=len(self.values)).astype(np.float64)
        if len(self.values) <= MOST_VALUES and each.sum() >= ROWS_A_VALUE * len(self.values):
            return ColumnMeasure(True, None, self.values)
        return self._with_atoms(self.values[find_atoms(each, SHARED_RATIO)])

    def _with_atoms(self, atoms: NDArray[np.float64]) -> ColumnMeasure:
        """Return the measure with these atoms; the values beside them may lie on a lattice.

        A margin works in steps of a lattice, where atoms beside its points have no place: then all values
        are atoms if they are few, and the lattice is given up if they are many.
        """
        if len(atoms) == 0:
            return ColumnMeasure(False, None, atoms)
        lattice = find_lattice(np.setdiff1d(self.values, atoms, assume_unique=True))
        if lattice is not None and lattice.holds(atoms).all():
            return ColumnMeasure(True, lattice, np.zeros(0))
        if lattice is not None and len(self.values) <= MOST_VALUES:
            return ColumnMeasure(True, None, self.values)
        return ColumnMeasure(len(atoms) == len(self.values), None, atoms)


def _are_small(values: NDArray[np.float64], n_rows: float) -> bool:
    """Return whether two or three values are small whole numbers: a coin's 0 and 1, in a table of floats."""
    if not 1 < len(values) < FEWEST_VALUES or n_rows < ROWS_A_SMALL_VALUE * len(values):
        return False
    return bool(values[-1] - values[0] <= SMALLEST_RANGE and np.array_equal(values, np.rint(values)))


def _are_few(values: NDArray[np.float64], counts: NDArray[np.float64]) -> bool:
    """Return whether one to three values are discrete: constant ones, flags and codes that were repeated."""
    if len(values) == 1:
        return bool(counts[0] > 1.0)
    if len(values) >= FEWEST_VALUES or counts.sum() < ROWS_A_VALUE * len(values):
        return False
    return largest_numerator(values) <= SHORT
