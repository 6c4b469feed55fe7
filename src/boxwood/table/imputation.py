"""Gaps of a table filled by what a density expects of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns
from boxwood.columns.precision import rounded_to_source
from boxwood.table.expected import expected_values

__all__ = ["impute"]


def impute(
    query: Any, columns: Columns, how: str, rng: np.random.Generator, left: Collection[str] = ()
) -> Columns:
    """Return a table without gaps: each is filled by what is expected given what its row shows.

    Draws of several gaps of a row are joint: each is drawn given the ones before it (the chain rule).
    Columns whose names are in `left` are left as they are.
    """
    filled = columns
    for j, column in enumerate(columns):
        rows = np.flatnonzero(column.missing())
        if not len(rows) or column.name in left:
            continue
        known = filled if how == "draw" else columns
        conditionals = query.conditionals(known.take(rows))
        values = expected_values(conditionals, j, column.field, how, rng)
        filled = _with_values(filled, j, rows, values)
    return _rounded(columns, filled)


def _with_values(columns: Columns, j: int, rows: NDArray[np.intp], values: NDArray[np.float64]) -> Columns:
    parts = list(columns)
    numbers = parts[j].values.copy()
    numbers[rows] = values
    parts[j] = Column(parts[j].field, numbers, 0)
    return Columns(columns.schema, columns.n_rows, columns=parts)


def _rounded(columns: Columns, filled: Columns) -> Columns:
    """Round what was filled in to the decimals of its column, and leave what was there as it is."""
    rounded = rounded_to_source(filled)
    parts = [
        Column(
            new.field, np.where(old.missing(), new.values, old.values).astype(old.values.dtype), new.n_missing
        )
        for old, new in zip(columns, rounded, strict=True)
    ]
    return Columns(filled.schema, filled.n_rows, columns=parts)
