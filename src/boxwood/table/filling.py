"""Values put into a table's gaps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns
from boxwood.columns.precision import rounded_to_source

__all__ = ["rounded", "with_index_of", "with_values"]


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


def with_index_of(X: Any, table: Any) -> Any:
    """Return a pandas frame with the index of the frame that it was made of; other tables as they are."""
    if hasattr(X, "iloc") and hasattr(table, "iloc"):
        table.index = X.index
    return table
