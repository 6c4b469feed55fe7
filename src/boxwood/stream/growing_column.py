"""The values of one column that comes in parts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Column, Field, Label
from boxwood.columns.kind import Kind
from boxwood.stream.growing_array import GrowingArray

__all__ = ["GrowingColumn"]

BLOCK = 1 << 20


class GrowingColumn:
    """A column to which parts are added; at the end it is that of the whole table.

    Its field, which all parts agree on, comes with each part: a part of integers and one of floats make
    floats, and a part without any value is of whichever kind the others are.

    Parameters
    ----------
    capacity : int
        How many rows are expected.

    Examples
    --------
    >>> from boxwood.columns.read.from_codes import coded_column
    >>> growing = GrowingColumn(4)
    >>> for values in (["Ulm", None], ["Bonn", "Ulm"]):
    ...     part = coded_column("city", values)
    ...     growing.append(part, part.field)
    >>> growing.finish(Field("city", Kind.CATEGORICAL, ("Bonn", "Ulm"))).values
    array([ 1, -1,  0,  1], dtype=int32)
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._codes: dict[Label, int] = {}
        self._array: GrowingArray | None = None
        self._n_missing = 0

    def append(self, part: Column, field: Field) -> None:
        """Add a part; `field` is that of all parts so far and of this one."""
        dtype = np.dtype(np.float64 if field.kind.is_number else np.int32)
        if self._array is None:
            self._array = GrowingArray(dtype, self._capacity)
        elif self._array.values.dtype != dtype:  # no part before had a value
            self._array = self._without_values(field)
        self._array.append(self._values(part, field))
        self._n_missing += part.n_missing

    def finish(self, field: Field) -> Column:
        """Return the column of all parts, whose field this is."""
        assert self._array is not None
        values = self._array.values
        if field.kind is not Kind.CATEGORICAL:
            return Column(field, values, self._n_missing)
        position = {label: code for code, label in enumerate(field.categories)}
        # A label that the column does not have is one of a part without any value.
        moved = [position.get(label, MISSING_CODE) for label in self._codes] + [MISSING_CODE]
        codes = np.array(moved, dtype=np.int32)
        for start in range(0, len(values), BLOCK):
            block = values[start : start + BLOCK]
            block[:] = codes[block]  # index −1 is the last entry: missing stays missing
        return Column(field, values, self._n_missing)

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
