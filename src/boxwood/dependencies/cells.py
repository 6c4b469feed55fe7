"""Tables from numbers: values as ``Column.numbers`` gives them, NaN for a gap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import MISSING_CODE, Column, Columns, Field, Schema

__all__ = ["columns_of_numbers", "replaced"]


def columns_of_numbers(schema: Schema, numbers: Sequence[NDArray[np.float64]]) -> Columns:
    """Return the table of the values of each column."""
    columns = [_column(field, values) for field, values in zip(schema.fields, numbers, strict=True)]
    return Columns(schema, len(numbers[0]), columns=columns)


def replaced(columns: Columns, numbers: dict[int, NDArray[np.float64]]) -> Columns:
    """Return a table with other values in some columns."""
    if not numbers:
        return columns
    listed = [
        _column(column.field, numbers[j]) if j in numbers else column for j, column in enumerate(columns)
    ]
    table = Columns(columns.schema, columns.n_rows, columns=listed, weights=columns.weights)
    return table.with_measure(columns.measure)


def _column(field: Field, numbers: NDArray[np.float64]) -> Column:
    absent = np.isnan(numbers)
    if field.kind.is_number:
        return Column(field, np.ascontiguousarray(numbers), int(np.count_nonzero(absent)))
    return Column(
        field,
        np.where(absent, MISSING_CODE, numbers).astype(np.int32),
        int(np.count_nonzero(absent)),
    )
