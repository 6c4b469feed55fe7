"""Tables as matrices of numbers, for models that reckon with means and products, and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Column, Field
from boxwood.columns.columns import Columns
from boxwood.columns.errors import at
from boxwood.columns.kind import Kind
from boxwood.columns.schema import Schema

__all__ = [
    "LARGEST_SQUARABLE",
    "check_number_kinds",
    "columns_of_numbers",
    "number_matrix",
    "refuse_large_numbers",
]

LARGEST_SQUARABLE = 1e150
"""Squares of larger numbers overflow; those of numbers below its inverse vanish."""

_RANGES = {
    Kind.INTEGER: (-(2.0**53), 2.0**53),  # what input validation takes
    Kind.DATETIME: (-62135596800e6, 253402300799e6),  # the years 1 to 9999, in microseconds
}
"""A normal distribution has tails; what is drawn from it must fit into the column's type."""


def check_number_kinds(schema: Schema, model: str = "a Gaussian") -> None:
    """Raise TypeError for a categorical column: categories have neither mean nor order."""
    for field in schema.fields:
        if field.kind is Kind.CATEGORICAL:
            raise TypeError(
                f"{at(field.name)} is categorical, and {model} has no place for categories. Drop the "
                "column, or read it as ordinal if its categories have an order."
            )


def number_matrix(columns: Columns, *, missing: bool = True) -> NDArray[np.float64]:
    """Return the table as numbers; NaN where a value is missing or of a rank that the fit did not know.

    Where `missing` is false an unknown rank is an error instead.
    """
    rows = columns.matrix()
    if columns.schema.all_numeric:
        return rows
    for j, field in enumerate(columns.schema.fields):
        if field.kind.is_number:
            continue
        unknown = rows[:, j] >= len(field.categories)
        if not unknown.any():
            continue
        if not missing:
            raise ValueError(f"{at(field.name, int(np.argmax(unknown)))}: the fitted table has no such rank.")
        rows = rows.copy()
        rows[unknown, j] = np.nan
    return rows


def refuse_large_numbers(columns: Columns) -> None:
    """Raise ValueError where the square of a number overflows."""
    rows = columns.matrix()
    with np.errstate(invalid="ignore"):
        large = np.abs(rows) > LARGEST_SQUARABLE
    if large.any():
        row, j = divmod(int(np.argmax(large)), rows.shape[1])
        raise ValueError(
            f"{at(columns.schema.names[j], row)}: squares of numbers beyond {LARGEST_SQUARABLE:g} overflow. "
            "Rescale the column."
        )


def columns_of_numbers(schema: Schema, rows: NDArray[np.float64]) -> Columns:
    """Return rows of numbers as a table of that schema: integers, dates and ranks are rounded."""
    columns = [_column_of_numbers(field, rows[:, j]) for j, field in enumerate(schema.fields)]
    return Columns(schema, len(rows), columns=columns)


def _column_of_numbers(field: Field, values: NDArray[np.float64]) -> Column:
    missing = np.isnan(values)
    n_missing = int(missing.sum())
    if field.kind is Kind.NUMERIC:
        return Column(field, values, n_missing)
    if field.kind.is_number:
        return Column(field, np.round(values).clip(*_RANGES[field.kind]), n_missing)
    codes = np.where(missing, 0.0, np.round(values)).clip(0, len(field.categories) - 1).astype(np.int32)
    return Column(field, np.where(missing, MISSING_CODE, codes).astype(np.int32), n_missing)
