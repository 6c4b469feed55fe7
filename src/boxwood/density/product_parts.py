"""The columns of a table, or the components of a rotation of it, as tables of their own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import BaseMeasure, Column, ColumnMeasure, Columns, Field, Kind, Schema
from boxwood.columns.dates import FIRST_MICROSECOND, LAST_MICROSECOND
from boxwood.linear.rotation import Rotation

__all__ = ["alone", "column_of", "fields_of", "parts_of"]

_ANYWHERE = ColumnMeasure(False, None, np.zeros(0))


def parts_of(columns: Columns, rotation: Rotation | None) -> list[Columns]:
    """Return each column, or component, as a table of its own."""
    if rotation is None:
        listed = list(columns)
    else:
        Z = rotation.apply(columns.matrix())
        fields = fields_of(columns.schema, rotation)
        listed = [Column(field, np.ascontiguousarray(Z[:, j]), 0) for j, field in enumerate(fields)]
    # Components of a rotation have a density with respect to length, whatever the columns have.
    measure = columns.measure if rotation is None else BaseMeasure.found([_ANYWHERE] * len(listed))
    return [
        Columns(alone(column.field), columns.n_rows, columns=[column], weights=columns.weights).with_measure(
            None if measure is None else measure.of_columns([j])
        )
        for j, column in enumerate(listed)
    ]


def fields_of(schema: Schema, rotation: Rotation | None) -> tuple[Field, ...]:
    """Return the fields of the columns, or of the components."""
    if rotation is None:
        return schema.fields
    return tuple(Field(f"z{j}", Kind.NUMERIC) for j in range(len(schema)))


def alone(field: Field) -> Schema:
    """Return the schema of a table of one column."""
    return Schema((field,), named=True)


def column_of(field: Field, values: NDArray[np.float64]) -> Column:
    """Return a column of values that a rotation gave back, as its kind has them."""
    if field.kind is Kind.INTEGER:
        values = np.round(values).clip(-(2.0**53), 2.0**53)
    elif field.kind is Kind.DATETIME:
        values = np.round(values).clip(FIRST_MICROSECOND, LAST_MICROSECOND)
    return Column(field, np.ascontiguousarray(values), 0)
