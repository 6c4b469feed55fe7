"""Values put into a table's gaps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns, read_columns
from boxwood.columns.precision import rounded_to_source
from boxwood.columns.write.parts import plain_objects

__all__ = ["rounded", "with_index_of", "with_new_categories", "with_values"]


def with_values(columns: Columns, j: int, rows: NDArray[np.intp], values: NDArray[np.float64]) -> Columns:
    """Return a table with values in some rows of a column, which has no other gaps then."""
    parts = list(columns)
    numbers = parts[j].values.copy()
    numbers[rows] = values
    parts[j] = Column(parts[j].field, numbers, 0)
    return Columns(columns.schema, columns.n_rows, columns=parts, weights=columns.weights)


def rounded(columns: Columns, filled: Columns) -> Columns:
    """Round what was filled in to the decimals of its column, and leave what was there as it is."""
    predicted = rounded_to_source(filled)
    parts = [
        Column(
            new.field, np.where(old.missing(), new.values, old.values).astype(old.values.dtype), new.n_missing
        )
        for old, new in zip(columns, predicted, strict=True)
    ]
    return Columns(filled.schema, filled.n_rows, columns=parts, weights=filled.weights)


def with_new_categories(X: Any, filled: Columns) -> Columns:
    """Return a filled table with the categories of the given one that its schema does not know.

    They are no gaps: what was there stays.
    """
    new = [not column.kind.is_number and bool(_is_new(column).any()) for column in filled]
    if not any(new):
        return filled
    given = list(read_columns(X))
    parts = [
        _with_labels(column, given[j]) if is_new else column
        for j, (column, is_new) in enumerate(zip(filled, new, strict=True))
    ]
    schema = replace(filled.schema, fields=tuple(part.field for part in parts))
    return Columns(schema, filled.n_rows, columns=parts, weights=filled.weights)


def _is_new(column: Column) -> NDArray[np.bool_]:
    return np.asarray(column.values >= len(column.field.categories))


def _with_labels(column: Column, given: Column) -> Column:
    rows = np.flatnonzero(_is_new(column))
    labels = plain_objects(Column(given.field, given.values[rows], 0))
    categories = (*column.field.categories, *dict.fromkeys(labels))
    code = {label: k for k, label in enumerate(categories)}
    codes = column.values.copy()
    codes[rows] = [code[label] for label in labels]
    return Column(replace(column.field, categories=categories), codes, column.n_missing)


def with_index_of(X: Any, table: Any) -> Any:
    """Return a pandas frame with the index of the frame that it was made of; other tables as they are."""
    if hasattr(X, "iloc") and hasattr(table, "iloc"):
        table.index = X.index
    return table
