"""Columns back into what the user works with: an array, or a frame of the library it came from."""

from __future__ import annotations

import importlib.util
from typing import Any

from boxwood.columns.column import Field
from boxwood.columns.columns import Columns
from boxwood.columns.source import TypeName, shared_type
from boxwood.columns.write.to_array import plain_array, structured_array

__all__ = ["to_native"]

_LIBRARIES = ("pandas", "polars", "pyarrow")
"""Of frames; the first that is installed is taken where the table came in none of them."""


def to_native(columns: Columns, container: str | None = None) -> Any:
    """Return the table in its own container, or in a given one; weights are left behind.

    Parameters
    ----------
    columns : Columns
    container : {"numpy", "pandas", "polars", "pyarrow"}, optional
        By default what the table came in, with the types that its columns had, as far as these hold the
        values. A table from a file, a mapping or a DuckDB relation becomes a frame of the first of pandas,
        polars and pyarrow that is installed, else a structured array; so does one whose own library is not
        installed.

    Notes
    -----
    A category that the schema does not know becomes a missing value.

    Examples
    --------
    >>> import boxwood as bw
    >>> to_native(bw.read_columns({"a": [1, 2], "b": ["x", None]}), "numpy")
    array([[1, 'x'],
           [2, None]], dtype=object)
    """
    if container is None:
        container = _own_container(columns)
    if container == "structured":
        return structured_array(columns)
    if container == "numpy":
        return columns.sparse() if columns.is_sparse else plain_array(columns)
    types = _types(columns, container)
    if container == "pandas":
        return _pandas_frame(columns, types)
    if container == "polars":
        import polars as pl

        from boxwood.columns.write.to_polars import polars_series

        return pl.DataFrame(
            {column.name: polars_series(column, types[j]) for j, column in enumerate(columns)}
        )
    if container == "pyarrow":
        return _pyarrow_table(columns, types)
    raise ValueError(f"container must be numpy, pandas, polars or pyarrow, not {container!r}.")


def _own_container(columns: Columns) -> str:
    container = columns.schema.container
    if container == "numpy" and columns.schema.named:
        return "structured"
    if container == "numpy" or (container in _LIBRARIES and importlib.util.find_spec(container)):
        return container
    installed = (name for name in _LIBRARIES if importlib.util.find_spec(name))
    return next(installed, "structured")  # which has the columns' names


def _types(columns: Columns, container: str) -> list[TypeName]:
    """Return the types that the columns came in; of another library those that all libraries have."""
    types = [() if field.source is None else field.source.dtype for field in columns.schema.fields]
    return (
        types if container == columns.schema.container else [shared_type(name, container) for name in types]
    )


def _pandas_frame(columns: Columns, types: list[TypeName]) -> Any:
    import pandas as pd

    from boxwood.columns.write.to_pandas import pandas_array

    frame = pd.DataFrame({column.name: pandas_array(column, types[j]) for j, column in enumerate(columns)})
    labels = columns.schema.labels
    if labels:
        frame.columns = (
            pd.RangeIndex(len(labels)) if labels == tuple(range(len(labels))) else pd.Index(labels)
        )
    return frame


def _pyarrow_table(columns: Columns, types: list[TypeName]) -> Any:
    import pyarrow as pa

    from boxwood.columns.write.to_pyarrow import pyarrow_array

    arrays = [pyarrow_array(column, types[j]) for j, column in enumerate(columns)]
    fields = [
        pa.field(field.name, array.type, nullable=column.n_missing > 0 or _may_miss(field))
        for field, column, array in zip(columns.schema.fields, columns, arrays, strict=True)
    ]
    return pa.table(arrays, schema=pa.schema(fields))


def _may_miss(field: Field) -> bool:
    return field.source is None or field.source.nullable
