"""How the columns of a table looked, kept beside their values: types, decimals, units."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from boxwood.columns.column import Column
from boxwood.columns.columns import Columns
from boxwood.columns.kind import Kind
from boxwood.columns.precision import decimals_of, unit_of
from boxwood.columns.source import Source, TypeName, leaf_of
from boxwood.columns.types.object_types import name_of_objects
from boxwood.columns.types.pandas_types import name_of_pandas
from boxwood.columns.types.polars_types import name_of_polars
from boxwood.columns.types.pyarrow_types import name_of_pyarrow

__all__ = ["column_types", "described", "with_sources"]

_PANDAS_FLOATS = {"float16", "float32", "float64"}


def with_sources(columns: Columns, native: Any = None) -> Columns:
    """Return a table with each column's source.

    Parameters
    ----------
    columns : Columns
    native : pandas, polars or pyarrow frame, optional
        What the columns were read from; where there is none (a file, a mapping), precisions alone are found.
    """
    return described(columns, column_types(columns, native))


def column_types(columns: Columns, native: Any = None) -> list[tuple[TypeName, bool]]:
    """Return each column's type in words, and whether it may have gaps."""
    names = _known_types(columns) if native is None else _type_names(columns, native)
    nullable = [True] * len(columns)
    if columns.schema.container == "pyarrow" and native is not None:
        nullable = [bool(field.nullable) for field in native.schema]
    return list(zip(names, nullable, strict=True))


def described(columns: Columns, types: Sequence[tuple[TypeName, bool]]) -> Columns:
    """Return a table with the types of its columns and the precision of their values."""
    known = [
        column.with_source(Source(name, *_precision(column, name), may_miss))
        for column, (name, may_miss) in zip(columns, types, strict=True)
    ]
    schema = dataclasses.replace(columns.schema, fields=tuple(column.field for column in known))
    return Columns(schema, columns.n_rows, columns=known, weights=columns.weights)


def _known_types(columns: Columns) -> list[TypeName]:
    """Return what was known of the columns' types as they were read, such as that dates have a zone."""
    return [() if field.source is None else field.source.dtype for field in columns.schema.fields]


def _type_names(columns: Columns, native: Any) -> list[TypeName]:
    container = columns.schema.container
    if container == "pandas":
        return _named(
            columns, [name_of_pandas(dtype) for dtype in native.dtypes], lambda j: native.iloc[:, j]
        )
    if container == "polars":
        return _named(columns, [name_of_polars(dtype) for dtype in native.dtypes], native.to_series)
    if container == "pyarrow":
        return [name_of_pyarrow(field.type) for field in native.schema]
    return [()] * len(columns)


def _named(columns: Columns, names: list[TypeName], series_at: Callable[[int], Any]) -> list[TypeName]:
    """Return types, of objects with what they are."""
    return [
        name_of_objects(series_at(j), columns[j].kind) if name == ("object",) else name
        for j, name in enumerate(names)
    ]


def _precision(column: Column, name: TypeName) -> tuple[int | None, str | None]:
    """Return the decimals of numbers and the unit of dates and durations."""
    leaf = leaf_of(name) or ("",)
    if column.kind is Kind.DATETIME:
        zoned = leaf[0] in ("datetime", "object") and leaf[2:3] not in ((), (None,), ("UTC",))
        return None, unit_of(column.values, coarsest="h" if zoned else "D")
    if column.kind is not Kind.NUMERIC:
        return None, None
    if leaf[0] == "duration" or leaf[1:2] in (("timedelta",), ("Timedelta",)):
        return None, unit_of(column.values, micros=1e6)
    if leaf[0] == "decimal":
        return leaf[2], None
    if leaf[:2] == ("object", "decimal"):
        return leaf[2], None
    return decimals_of(column.values, leaf[0] if leaf[0] in _PANDAS_FLOATS else np.float64), None
