"""Targets and weights that are columns of a source."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import Column
from boxwood.columns.columns import Columns
from boxwood.columns.kind import Kind

__all__ = ["NamedTarget", "without_column"]


class NamedTarget:
    """The values of a column as a target: numbers, or labels, which few readers need one a row.

    Parameters
    ----------
    column : Column
    """

    def __init__(self, column: Column) -> None:
        if column.n_missing:
            row = int(np.argmax(column.missing()))
            raise ValueError(
                f"y, column {column.name!r}, row {row}: the value is missing; leave the row out. "
                "Input y contains NaN."
            )
        self.column = column

    def __len__(self) -> int:
        return len(self.column.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return one value a row: integers, floats, booleans or strings."""
        column = self.column
        if not column.kind.is_number:
            values: NDArray[Any] = np.array(column.field.categories)[column.values]
        else:
            values = column.values.astype(np.int64) if column.kind is Kind.INTEGER else column.values
        return values if dtype is None else values.astype(dtype)

    def classes(self) -> tuple[NDArray[Any], NDArray[np.uint32]] | None:
        """Return the sorted categories that occur, and which of them each row is of; None of numbers."""
        if self.column.kind.is_number:
            return None
        present = np.bincount(self.column.values, minlength=len(self.column.field.categories)) > 0
        ranks = (np.cumsum(present) - 1).astype(np.uint32)
        return np.array(self.column.field.categories)[present], ranks[self.column.values]


def without_column(columns: Columns, name: str) -> tuple[Columns, Column]:
    """Return the other columns, and the column of a name."""
    if name not in columns.schema.names:
        raise ValueError(f"there is no column {name!r}; the table has {list(columns.schema.names)}.")
    others = [column for column in columns if column.name != name]
    if not others:
        raise ValueError(f"the table has no column besides {name!r}.")
    schema = replace(columns.schema, fields=tuple(column.field for column in others))
    return Columns(schema, columns.n_rows, columns=others, weights=columns.weights), columns[name]
