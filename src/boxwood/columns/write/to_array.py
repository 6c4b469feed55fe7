"""Columns as an array of numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.columns import Columns
from boxwood.columns.kind import Kind
from boxwood.columns.write.parts import plain, plain_objects

__all__ = ["plain_array", "structured_array"]


def plain_array(columns: Columns) -> NDArray[Any]:
    """Return a two-dimensional array, of floats where all columns are numbers, else of what they share."""
    kinds = {field.kind for field in columns.schema.fields}
    if kinds <= {Kind.NUMERIC, Kind.INTEGER} and (kinds != {Kind.INTEGER} or columns.n_missing):
        return columns.matrix()
    if len(kinds) == 1 and kinds <= {Kind.INTEGER, Kind.BOOLEAN, Kind.DATETIME}:
        listed = [plain(column) for column in columns]
        if all(values.dtype != object for values in listed):
            return np.column_stack(listed)
    array = np.empty((columns.n_rows, len(columns)), dtype=object)
    for j, column in enumerate(columns):
        array[:, j] = plain_objects(column)
    return array


def structured_array(columns: Columns) -> NDArray[Any]:
    """Return a one-dimensional array with a field for each column."""
    listed = [plain(column) for column in columns]
    dtype = [(column.name, values.dtype) for column, values in zip(columns, listed, strict=True)]
    array = np.empty(columns.n_rows, dtype=dtype)
    for column, values in zip(columns, listed, strict=True):
        array[column.name] = values
    return array
