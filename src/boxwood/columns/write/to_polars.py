"""A column as a series of polars."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxwood.columns.column import Column
from boxwood.columns.kind import Kind
from boxwood.columns.source import TypeName
from boxwood.columns.types.polars_types import polars_type
from boxwood.columns.write.objects import object_array
from boxwood.columns.write.parts import (
    decimals,
    holds,
    known_codes,
    missing_mask,
    numbers_of,
    one_type,
    plain,
    plain_objects,
    ticks,
    whole_numbers,
)

__all__ = ["polars_series"]


def polars_series(column: Column, dtype: TypeName) -> Any:
    """Return a column as a series of the type that it came in, else of the type that its kind suggests."""
    return _typed(column, dtype) if holds(dtype, column) else _by_kind(column)


def _typed(column: Column, dtype: TypeName) -> Any:
    import polars as pl

    word = dtype[0]
    if word == "object":
        return pl.Series(object_array(column, dtype).tolist(), dtype=pl.Object())
    native = polars_type(dtype, [str(label) for label in column.field.categories])
    if word == "null":
        return pl.Series([None] * len(column.values), dtype=native)
    if word == "decimal":
        return pl.Series(decimals(column, dtype[2]), dtype=native)
    if word in ("string", "categorical", "enum"):
        return _texts(column).cast(native)
    return _with_gaps(_numbers(column, dtype), column).cast(native)


def _numbers(column: Column, dtype: TypeName) -> Any:
    word = dtype[0]
    if word in ("datetime", "duration"):
        return ticks(column, dtype[1])
    if word == "date":
        return ticks(column, "D").astype(np.int32)
    return numbers_of(column) if word.startswith("float") else whole_numbers(column)


def _with_gaps(values: Any, column: Column) -> Any:
    import polars as pl

    missing = missing_mask(column)
    series = pl.Series(values)
    return series.set(pl.Series(missing), None) if missing.any() else series


def _texts(column: Column) -> Any:
    import polars as pl

    labels = (*column.field.categories, None)
    return pl.Series([labels[code] for code in known_codes(column).tolist()], dtype=pl.String())


def _by_kind(column: Column) -> Any:
    import polars as pl

    if column.kind in (Kind.CATEGORICAL, Kind.ORDINAL):
        labels = one_type(column)
        with_gap = [*labels, None]
        listed = [with_gap[code] for code in known_codes(column).tolist()]
        # An enum is of texts, and as texts numbers would be other values.
        if column.kind is Kind.ORDINAL and all(isinstance(label, str) for label in labels):
            return pl.Series(listed, dtype=pl.Enum(labels))
        return pl.Series(listed, dtype=None if labels else pl.String())
    if column.kind is Kind.NUMERIC:
        return pl.Series(column.values, nan_to_null=True)
    if column.n_missing and column.kind is not Kind.DATETIME:
        dtype = pl.Int64() if column.kind is Kind.INTEGER else pl.Boolean()
        return pl.Series(plain_objects(column), dtype=dtype)
    return pl.Series(plain(column))
