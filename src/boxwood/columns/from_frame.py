"""A table from a pandas, polars or pyarrow frame, by way of narwhals."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Column, Field
from boxwood.columns.columns import Columns
from boxwood.columns.errors import at
from boxwood.columns.from_array import default_names
from boxwood.columns.from_values import (
    BOOLEANS,
    LARGEST_INTEGER,
    as_label,
    coded_column,
    column_from_values,
    integer_column,
    number_column,
)
from boxwood.columns.kind import Kind
from boxwood.columns.schema import Schema

__all__ = ["columns_from_frame", "is_frame"]

_CONTAINERS = {"pandas": "pandas", "polars": "polars", "pyarrow": "pyarrow"}


def is_frame(X: Any) -> bool:
    """True for the data frames that narwhals knows, lazy ones too."""
    return nw.dependencies.is_into_dataframe(X) or isinstance(
        nw.from_native(X, pass_through=True), nw.LazyFrame
    )


def columns_from_frame(X: Any) -> Columns:
    """Read a frame; a lazy one is collected."""
    names, named = _column_names(X)
    frame = nw.from_native(X)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    container = _CONTAINERS.get(frame.implementation.value, "frame")
    columns = [
        _column(name, frame.get_column(original)) for name, original in zip(names, frame.columns, strict=True)
    ]
    schema = Schema(tuple(column.field for column in columns), container, named)
    return Columns(schema, len(frame), columns=columns)


def _column_names(X: Any) -> tuple[list[str], bool]:
    # Read from the native frame: narwhals refuses duplicate names before we could name them.
    columns = X.columns if hasattr(X, "columns") and not hasattr(X, "column_names") else None
    if hasattr(X, "collect_schema"):
        original = list(X.collect_schema())
    elif columns is not None:
        original = list(columns)
    else:
        original = list(X.column_names)
    seen: set[Any] = set()
    for name in original:
        if name in seen:
            raise ValueError(f"{at(name)} stands twice in the table: column names must differ.")
        seen.add(name)
    strings = [isinstance(name, str) for name in original]
    if all(strings):
        return original, bool(original)
    if any(strings):
        types = sorted({type(name).__name__ for name in original})
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {types} as column name types. Convert them all to strings."
        )
    return default_names(len(original)), False


def _column(name: str, series: nw.Series[Any]) -> Column:
    dtype = series.dtype
    if dtype.is_integer():
        return _integers(name, series)
    if dtype.is_float() or dtype == nw.Decimal:
        return number_column(name, _floats(series.cast(nw.Float64)))
    if dtype == nw.Boolean:
        numbers = _floats(series.cast(nw.Int8))
        missing = np.isnan(numbers)
        codes = np.where(missing, MISSING_CODE, np.nan_to_num(numbers)).astype(np.int32)
        return Column(Field(name, Kind.BOOLEAN, BOOLEANS), codes, int(missing.sum()))
    if dtype in (nw.Datetime, nw.Date):
        if dtype == nw.Date and series.implementation.is_pandas_like():
            series = series.cast(nw.Datetime("us"))
        return number_column(name, _floats(series.dt.timestamp("us")), Kind.DATETIME)
    if dtype == nw.Duration:
        return number_column(name, _floats(series.dt.total_microseconds()) / 1e6)
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return _coded(name, series)
    return _other(name, series)


def _floats(series: nw.Series[Any]) -> NDArray[np.float64]:
    if series.null_count():
        series = series.cast(nw.Float64)
    values = np.asarray(series.to_numpy())
    if values.dtype == object:  # pandas' nullable types with NA
        values = np.array([np.nan if v is None or v != v else v for v in values.tolist()])
    return np.ascontiguousarray(values, dtype=np.float64)


def _integers(name: str, series: nw.Series[Any]) -> Column:
    if not series.null_count():
        return integer_column(name, np.asarray(series.to_numpy()))
    for extreme in (series.max(), series.min()):
        if extreme is not None and abs(int(extreme)) > LARGEST_INTEGER:
            row = series.to_list().index(extreme)
            return integer_column(name, np.array([0] * row + [int(extreme)], dtype=object).astype(np.int64))
    return number_column(name, _floats(series), Kind.INTEGER)


def _coded(name: str, series: nw.Series[Any]) -> Column:
    declared = series.dtype in (nw.Categorical, nw.Enum)
    codes, labels = _native_codes(series)
    if not declared:
        return _sorted_codes(name, codes, labels)
    kind = Kind.ORDINAL if series.dtype == nw.Enum else Kind.CATEGORICAL
    known = tuple(as_label(label) for label in labels)
    if len(set(known)) != len(known):
        return coded_column(name, series.to_list(), kind=kind)
    if kind is Kind.CATEGORICAL:
        return _sorted_codes(name, codes, labels)
    return Column(Field(name, kind, known), codes, int((codes == MISSING_CODE).sum()))


def _native_codes(series: nw.Series[Any]) -> tuple[NDArray[np.int32], list[Any]]:
    """Give codes and labels by the frame library's own hashing, which no Python loop can match."""
    native = series.to_native()
    if series.implementation.is_pandas_like():
        if isinstance(series.dtype, nw.Categorical | nw.Enum):
            return native.cat.codes.to_numpy().astype(np.int32), list(native.cat.categories)
        import pandas as pd

        codes, labels = pd.factorize(native)
        return codes.astype(np.int32), list(labels)
    if series.implementation.is_polars():
        import polars as pl

        if series.dtype == nw.Enum:
            labels = native.cat.get_categories().to_list()
            physical = native.to_physical().cast(pl.Int32)
        else:
            texts = native.cast(pl.String)
            labels = texts.unique().drop_nulls().sort().to_list()
            physical = texts.cast(pl.Enum(labels)).to_physical().cast(pl.Int32)
        return physical.fill_null(MISSING_CODE).to_numpy().astype(np.int32), labels
    encoded = native.combine_chunks() if hasattr(native, "combine_chunks") else native
    if not hasattr(encoded, "dictionary"):
        encoded = encoded.dictionary_encode()
    if hasattr(encoded, "combine_chunks"):
        encoded = encoded.combine_chunks()
    codes = encoded.indices.fill_null(MISSING_CODE).to_numpy(zero_copy_only=False)
    return codes.astype(np.int32), encoded.dictionary.to_pylist()


def _sorted_codes(name: str, codes: NDArray[np.int32], labels: list[Any]) -> Column:
    known = [as_label(label) for label in labels]
    if len(set(known)) != len(known):  # two values with one spelling
        values = [None if code < 0 else known[code] for code in codes.tolist()]
        return coded_column(name, values)
    order = sorted(range(len(known)), key=lambda i: (type(known[i]).__name__, known[i]))
    rank = np.empty(len(known) + 1, dtype=np.int32)
    rank[order] = np.arange(len(known), dtype=np.int32)
    rank[-1] = MISSING_CODE
    sorted_codes = rank[codes]  # index −1 is the last entry: missing stays missing
    field = Field(name, Kind.CATEGORICAL, tuple(known[i] for i in order))
    return Column(field, sorted_codes, int((sorted_codes == MISSING_CODE).sum()))


def _other(name: str, series: nw.Series[Any]) -> Column:
    native = series.to_native()
    if series.implementation.is_pandas_like():
        return column_from_values(name, np.asarray(native))
    if series.null_count() == len(series):
        return number_column(name, np.full(len(series), np.nan))
    raise TypeError(
        f"{at(name)} has the type {series.dtype}, which boxwood does not take. Convert it to numbers, "
        "strings, booleans or dates, or drop it."
    )
