"""One column that comes in parts: one kind and one set of categories for all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Column, Field, Label
from boxwood.columns.errors import at
from boxwood.columns.kind import Kind
from boxwood.columns.labels import sorted_labels
from boxwood.stream.growing_array import GrowingArray

__all__ = ["GrowingColumn"]

_NUMBERS = {Kind.NUMERIC, Kind.INTEGER}
BLOCK = 1 << 20


class GrowingColumn:
    """A column to which parts are added; at the end it is that of the whole table.

    Parts may show different categories; a part of integers and one of floats make floats; a part without any
    value is of whichever kind the others are.

    Parameters
    ----------
    capacity : int
        How many rows are expected.

    Examples
    --------
    >>> from boxwood.columns.read.from_codes import coded_column
    >>> growing = GrowingColumn(4)
    >>> growing.append(coded_column("city", ["Ulm", None]))
    >>> growing.append(coded_column("city", ["Bonn", "Ulm"]))
    >>> column = growing.finish()
    >>> column.field.categories, column.values
    (('Bonn', 'Ulm'), array([ 1, -1,  0,  1], dtype=int32))
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._field: Field | None = None
        self._codes: dict[Label, int] = {}
        self._array: GrowingArray | None = None
        self._n_missing = 0

    def append(self, part: Column) -> None:
        """Add a part; TypeError where its values are of another family than those before."""
        field = self._widened(part)
        if self._array is None:
            self._array = GrowingArray(np.float64 if field.kind.is_number else np.int32, self._capacity)
        elif self._field is not None and self._field.kind.is_number != field.kind.is_number:
            self._array = self._without_values(field)
        self._field = field
        self._array.append(self._values(part, field))
        self._n_missing += part.n_missing

    def finish(self) -> Column:
        """Return the column of all parts: categories sorted, unless their order was declared."""
        assert self._field is not None
        assert self._array is not None
        field, values = self._field, self._array.values
        if field.kind is not Kind.CATEGORICAL:
            return Column(field, values, self._n_missing)
        categories = sorted_labels(self._codes)
        position = {label: code for code, label in enumerate(categories)}
        moved = np.array([position[label] for label in self._codes] + [MISSING_CODE], dtype=np.int32)
        for start in range(0, len(values), BLOCK):
            block = values[start : start + BLOCK]
            block[:] = moved[block]  # index −1 is the last entry: missing stays missing
        return Column(Field(field.name, field.kind, categories), values, self._n_missing)

    def _widened(self, part: Column) -> Field:
        """Return the field that holds what was added and this part."""
        known, new = self._field, part.field
        if known is None or self._has_no_value() or known == new:
            return new
        if part.n_missing == len(part.values):
            return known
        if known.kind in _NUMBERS and new.kind in _NUMBERS:
            return Field(known.name, Kind.NUMERIC)
        if known.kind is new.kind is Kind.CATEGORICAL:
            return known
        if known.kind is new.kind:
            raise TypeError(
                f"{at(new.name)}: its {new.kind.value} categories are {_listed(new)}, before they were "
                f"{_listed(known)}. Categories with an order must be the same in all batches."
            )
        raise TypeError(
            f"{at(new.name)} is {new.kind.value}, before it was {known.kind.value}: all batches must have "
            "the same types."
        )

    def _has_no_value(self) -> bool:
        return self._array is not None and self._n_missing == len(self._array)

    def _without_values(self, field: Field) -> GrowingArray:
        """Return what stands for rows that have no value in a column of another kind."""
        assert self._array is not None
        if field.kind.is_number:
            return self._array.as_floats()
        codes = GrowingArray(np.int32, self._capacity)
        codes.append(np.full(len(self._array), MISSING_CODE, dtype=np.int32))
        return codes

    def _values(self, part: Column, field: Field) -> NDArray[np.float64] | NDArray[np.int32]:
        """Return a part's values as the whole column has them; labels have numbers as they come."""
        if field.kind.is_number != part.kind.is_number:  # it has no value
            missing = np.nan if field.kind.is_number else MISSING_CODE
            return np.full(len(part.values), missing)
        if field.kind is not Kind.CATEGORICAL:
            return part.values
        codes = [self._codes.setdefault(label, len(self._codes)) for label in part.field.categories]
        moved: NDArray[np.int32] = np.array([*codes, MISSING_CODE], dtype=np.int32)[part.values]
        return moved


def _listed(field: Field) -> str:
    shown = ", ".join(map(repr, field.categories[:5]))
    return f"{shown}, …" if len(field.categories) > 5 else shown
