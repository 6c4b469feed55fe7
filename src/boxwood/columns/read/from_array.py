"""A table from a numpy array, a list of rows, a mapping of columns or a scipy sparse matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns.column import Column, Field
from boxwood.columns.columns import Columns
from boxwood.columns.errors import at, first_line, oversized_error, shape_error
from boxwood.columns.kind import Kind
from boxwood.columns.names import default_names, read_names
from boxwood.columns.read.from_numbers import as_float64
from boxwood.columns.read.from_values import column_from_values
from boxwood.columns.schema import Schema

__all__ = [
    "columns_from_array",
    "columns_from_mapping",
    "columns_from_sparse",
    "numeric_schema",
    "unscanned_columns",
]


def columns_from_array(X: Any) -> Columns:
    """Read a 2-D array, or anything that numpy makes one of."""
    array = _as_array(X)
    if array.dtype.names is not None and array.ndim == 1:
        return columns_from_mapping({name: array[name] for name in array.dtype.names}, "numpy")
    if array.ndim != 2:
        raise shape_error(X, array.ndim)
    if array.dtype.kind == "f":
        return _from_floats(array)
    names = default_names(array.shape[1])
    columns = [column_from_values(name, array[:, j]) for j, name in enumerate(names)]
    schema = Schema(tuple(column.field for column in columns))
    return Columns(schema, array.shape[0], columns=columns)


def columns_from_mapping(X: Mapping[Any, Any], container: str = "frame") -> Columns:
    """Read a mapping of column names to sequences of equal length."""
    names, named = read_names(X)
    columns: list[Column] = []
    for name, values in zip(names, X.values(), strict=True):
        column = _column(name, values)
        if columns and len(column.values) != len(columns[0].values):
            raise ValueError(
                f"{at(column.name)} has {len(column.values)} rows, {at(columns[0].name)} has "
                f"{len(columns[0].values)}."
            )
        columns.append(column)
    schema = Schema(tuple(column.field for column in columns), container, named)
    return Columns(schema, len(columns[0].values) if columns else 0, columns=columns)


def columns_from_sparse(X: Any) -> Columns:
    """Read a scipy sparse matrix; it stays sparse."""
    if X.ndim != 2:
        raise shape_error(X, X.ndim)
    if X.dtype.kind == "c":
        raise ValueError(f"{at('x0')}: Complex data not supported.")
    if X.dtype.kind not in "biuf":
        raise TypeError(f"{at('x0')}: a sparse matrix must hold numbers, not {X.dtype}.")
    matrix = X.tocsr()
    if not matrix.has_canonical_format:  # entries that stand twice add up
        matrix = matrix.copy()
        matrix.sum_duplicates()
    matrix = matrix.astype(np.float64, copy=False)
    n_missing, _, oversized = _core.scan_values(matrix.data)
    if oversized >= 0:
        row = int(np.searchsorted(matrix.indptr, oversized, side="right")) - 1
        raise oversized_error(f"x{matrix.indices[oversized]}", row, float(matrix.data[oversized]))
    return Columns(numeric_schema(matrix.shape[1]), matrix.shape[0], sparse=matrix, n_missing=n_missing)


def _from_floats(array: NDArray[Any]) -> Columns:
    # The fast path: an array that is float64 and row-major already is neither copied nor split.
    if array.dtype != np.float64 or not array.flags.c_contiguous:
        array = np.ascontiguousarray(as_float64(array))
    n_rows, n_columns = array.shape
    n_missing, _, oversized = _core.scan_values(array.reshape(-1))
    if oversized >= 0:
        row, j = divmod(oversized, n_columns)
        raise oversized_error(f"x{j}", row, float(array[row, j]))
    schema = _NUMERIC_SCHEMAS.get(n_columns) or numeric_schema(n_columns)
    return Columns(schema, n_rows, None, array, None, n_missing)


def unscanned_columns(X: Any) -> Columns | None:
    """Read a row-major float64 array without looking for missing or oversized numbers; None for all else.

    For a reader whose sums show a number that is not finite as surely as a scan, and who then comes through
    input validation again to have it named.
    """
    if type(X) is not np.ndarray or X.dtype != np.float64 or X.ndim != 2 or X.size == 0:
        return None
    if not X.flags.c_contiguous or not X.flags.aligned:
        return None
    return Columns(numeric_schema(X.shape[1]), X.shape[0], None, X, None, 0)


_NUMERIC_SCHEMAS: dict[int, Schema] = {}


def numeric_schema(n_columns: int) -> Schema:
    """Return the schema of a matrix of numbers."""
    # Kept, because making one for 20 columns costs more than scoring a row.
    schema = _NUMERIC_SCHEMAS.get(n_columns)
    if schema is None:
        schema = Schema(tuple(Field(name, Kind.NUMERIC) for name in default_names(n_columns)))
        if len(_NUMERIC_SCHEMAS) < 64:
            _NUMERIC_SCHEMAS[n_columns] = schema
    return schema


def _as_array(X: Any) -> NDArray[Any]:
    if isinstance(X, np.ma.MaskedArray):
        return _filled(X)
    if isinstance(X, np.ndarray):
        return np.asarray(X)
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise _ragged_error(X, error) from None
    if array.dtype.kind in "USM" and isinstance(X, list | tuple):
        array = np.asarray(X, dtype=object)  # numpy turned numbers among strings into strings
    return array


def _filled(array: Any) -> NDArray[Any]:
    if array.dtype.names is not None:
        return array  # its fields are masked arrays, filled one by one
    if array.dtype.kind == "f":
        return np.asarray(array.filled(np.nan))
    if array.dtype.kind in "mM":
        return np.asarray(array.filled(np.array("NaT", dtype=array.dtype)))
    if array.dtype.kind == "c":
        return np.asarray(array.data)
    objects = np.ma.getdata(array).astype(object)
    objects[np.ma.getmaskarray(array)] = None
    return objects


def _ragged_error(X: Any, error: ValueError) -> ValueError:
    try:
        lengths = [len(row) for row in X]
    except TypeError:
        return ValueError(f"the rows do not form a table: {first_line(error)}")
    row = next((i for i, length in enumerate(lengths) if length != lengths[0]), None)
    if row is None:
        return ValueError(f"the rows do not form a table: {first_line(error)}")
    return ValueError(
        f"the rows do not form a table: row {row} has {lengths[row]} values, row 0 has {lengths[0]}."
    )


def _column(name: str, values: Any) -> Column:
    if not isinstance(values, np.ndarray | list | tuple):
        from boxwood.columns.read.from_series import as_series, column_from_series

        series = as_series(values)
        if series is not None:
            return column_from_series(name, series)
    try:
        array = _as_array(values)
    except ValueError as error:
        raise ValueError(f"{at(name)}: {error}") from None
    if array.ndim != 1:
        raise ValueError(f"{at(name)} must have one dimension, it has {array.ndim}.")
    return column_from_values(name, array)
