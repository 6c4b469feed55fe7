"""A table from a numpy array, a list of rows, a mapping of columns or a scipy sparse matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns.column import Column, Field
from boxwood.columns.columns import Columns
from boxwood.columns.errors import at, oversized_error, shape_error
from boxwood.columns.from_values import column_from_values
from boxwood.columns.kind import Kind
from boxwood.columns.schema import Schema

__all__ = ["columns_from_array", "columns_from_mapping", "columns_from_sparse", "default_names"]


def default_names(n_columns: int) -> list[str]:
    """Name columns that came without names as scikit-learn does: x0, x1, …"""
    return [f"x{j}" for j in range(n_columns)]


def columns_from_array(X: Any) -> Columns:
    """Read a 2-D array, or anything that numpy makes one of."""
    array = _as_array(X)
    if array.dtype.names is not None and array.ndim == 1:
        return columns_from_mapping({name: array[name] for name in array.dtype.names}, "numpy")
    if array.ndim != 2:
        raise shape_error(X, array.ndim)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: the array's dtype is complex.")
    if array.dtype.kind == "f":
        return _from_floats(array)
    names = default_names(array.shape[1])
    columns = [column_from_values(name, array[:, j]) for j, name in enumerate(names)]
    schema = Schema(tuple(column.field for column in columns))
    return Columns(schema, array.shape[0], columns=columns)


def columns_from_mapping(X: Mapping[Any, Any], container: str = "frame") -> Columns:
    """Read a mapping of column names to sequences of equal length."""
    columns: list[Column] = []
    for name, values in X.items():
        column = column_from_values(str(name), _as_values(str(name), values))
        if columns and len(column.values) != len(columns[0].values):
            raise ValueError(
                f"{at(column.name)} has {len(column.values)} rows, {at(columns[0].name)} has "
                f"{len(columns[0].values)}."
            )
        columns.append(column)
    schema = Schema(tuple(column.field for column in columns), container, named=True)
    return Columns(schema, len(columns[0].values) if columns else 0, columns=columns)


def columns_from_sparse(X: Any) -> Columns:
    """Read a scipy sparse matrix; it stays sparse."""
    if X.ndim != 2:
        raise shape_error(X, X.ndim)
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported: the sparse matrix's dtype is complex.")
    matrix = X.tocsr().astype(np.float64)
    n_missing, _, oversized = _core.scan_values(matrix.data)
    names = default_names(matrix.shape[1])
    if oversized >= 0:
        row = int(np.searchsorted(matrix.indptr, oversized, side="right")) - 1
        name = names[int(matrix.indices[oversized])]
        raise oversized_error(name, row, float(matrix.data[oversized]))
    schema = Schema(tuple(Field(name, Kind.NUMERIC) for name in names))
    return Columns(schema, matrix.shape[0], sparse=matrix, n_missing=n_missing)


def _from_floats(array: NDArray[Any]) -> Columns:
    # The fast path: an array that is float64 and row-major already is neither copied nor split.
    with np.errstate(over="ignore"):  # a long double may overflow: the scan reports it
        matrix = np.ascontiguousarray(array, dtype=np.float64)
    n_missing, _, oversized = _core.scan_values(matrix.ravel())
    if oversized >= 0:
        row, j = divmod(oversized, matrix.shape[1])
        raise oversized_error(f"x{j}", row, float(matrix[row, j]))
    return Columns(_numeric_schema(matrix.shape[1]), matrix.shape[0], matrix=matrix, n_missing=n_missing)


_NUMERIC_SCHEMAS: dict[int, Schema] = {}


def _numeric_schema(n_columns: int) -> Schema:
    # Kept, because making one for 20 columns costs more than scoring a row.
    schema = _NUMERIC_SCHEMAS.get(n_columns)
    if schema is None:
        fields = tuple(Field(name, Kind.NUMERIC) for name in default_names(n_columns))
        schema = Schema(fields)
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
        raise ValueError(f"the rows do not form a table: {error}") from None
    if array.dtype.kind in "USM" and isinstance(X, list | tuple):
        array = np.asarray(X, dtype=object)  # numpy turned numbers among strings into strings
    return array


def _as_values(name: str, values: Any) -> NDArray[Any]:
    try:
        array = _as_array(values)
    except ValueError as error:
        raise ValueError(f"{at(name)}: {error}") from None
    if array.ndim != 1:
        raise ValueError(f"{at(name)} must have one dimension, it has {array.ndim}.")
    return array


def _filled(array: Any) -> NDArray[Any]:
    if array.dtype.kind == "f":
        return np.asarray(array.filled(np.nan))
    return np.asarray(array.astype(object).filled(None))
