"""A table from a pandas, polars or pyarrow frame, by way of narwhals."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from boxwood.columns.columns import Columns
from boxwood.columns.errors import first_line
from boxwood.columns.names import default_names, numbers_as_names, read_names
from boxwood.columns.read.from_series import column_from_series
from boxwood.columns.read.sources import with_sources
from boxwood.columns.schema import Schema

__all__ = ["columns_from_frame", "eager", "is_frame"]

_CONTAINERS = {"pandas": "pandas", "polars": "polars", "pyarrow": "pyarrow"}
_IS_EAGER = (
    nw.dependencies.is_pandas_dataframe,
    nw.dependencies.is_polars_dataframe,
    nw.dependencies.is_pyarrow_table,
)


def is_frame(X: Any) -> bool:
    """True for the data frames that narwhals knows, lazy ones too, and for a pyarrow record batch."""
    return (
        isinstance(X, nw.DataFrame | nw.LazyFrame)
        or nw.dependencies.is_into_dataframe(X)
        or _is_record_batch(X)
        or isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame)
    )


def columns_from_frame(X: Any, sources: bool = True) -> Columns:
    """Read a frame; a lazy one is collected. How its columns look is kept where `sources` are wanted."""
    native = eager(X)
    labels = _original_names(native)
    names, named = read_names(labels)
    # Renamed by position: a frame's own names may be numbers or tuples, which narwhals may not take. Strings
    # stay: renaming took a quarter of the time that reading a row takes.
    if not named and nw.dependencies.is_pandas_dataframe(native):
        native = native.set_axis(default_names(len(names)), axis=1)
    frame = nw.from_native(native, eager_only=True)
    container = _CONTAINERS.get(frame.implementation.value, "frame")
    columns = [
        column_from_series(name, frame.get_column(column))
        for name, column in zip(names, frame.columns, strict=True)
    ]
    schema = Schema(tuple(column.field for column in columns), container, named, numbers_as_names(labels))
    table = Columns(schema, len(frame), columns=columns)
    return with_sources(table, native) if sources else table


def eager(X: Any) -> Any:
    """Return a native frame with its rows there: a lazy one is collected, a record batch is a table."""
    native = nw.to_native(X, pass_through=True)
    if _is_record_batch(native):
        import pyarrow as pa

        return pa.Table.from_batches([native])
    if any(is_eager(native) for is_eager in _IS_EAGER):
        return native  # not by way of narwhals, which refuses duplicate names in words of its own
    frame = nw.from_native(native, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        try:
            return nw.to_native(frame.collect())
        except Exception as error:
            # A lazy frame fails with whatever its library, its files or its functions raise.
            raise ValueError(f"the lazy frame could not be collected: {first_line(error)}") from error
    if isinstance(frame, nw.DataFrame) and frame.implementation.is_pandas_like():
        return frame.to_pandas()  # modin and cudf
    return native


def _original_names(native: Any) -> list[Any]:
    # Read from the native frame: narwhals refuses duplicate names before we could name them.
    return list(native.column_names if hasattr(native, "column_names") else native.columns)


def _is_record_batch(X: Any) -> bool:
    return type(X).__name__ == "RecordBatch" and type(X).__module__.startswith("pyarrow")
