"""Columns back into what the user works with: an array, or a frame of the library it came from."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Column
from boxwood.columns.columns import Columns
from boxwood.columns.kind import Kind

__all__ = ["to_native"]


def to_native(columns: Columns, container: str | None = None) -> Any:
    """Give the table in its own container, or in a given one.

    Parameters
    ----------
    columns : Columns
    container : {"numpy", "pandas", "polars", "pyarrow"}, optional
        By default what the table came in. A table from a file becomes a frame of the first of pandas,
        polars and pyarrow that is installed, else an array.

    Examples
    --------
    >>> import boxwood as bw
    >>> to_native(bw.read_columns({"a": [1, 2], "b": ["x", None]}), "numpy")
    array([[1, 'x'],
           [2, None]], dtype=object)
    """
    container = container or columns.schema.container
    if container == "frame":
        installed = (name for name in ("pandas", "polars", "pyarrow") if importlib.util.find_spec(name))
        container = next(installed, "numpy")
    if container == "numpy":
        return _to_array(columns)
    data = {column.name: _plain(column, container) for column in columns}
    if container == "pandas":
        import pandas as pd

        return pd.DataFrame(data)
    if container == "polars":
        import polars as pl

        return pl.DataFrame(data)
    import pyarrow as pa

    return pa.table(data)


def _to_array(columns: Columns) -> NDArray[Any]:
    kinds = {field.kind for field in columns.schema.fields}
    if kinds <= {Kind.NUMERIC}:
        return columns.matrix()
    whole = columns.n_missing == 0
    if kinds == {Kind.INTEGER} and whole:
        return columns.matrix().astype(np.int64)
    if kinds == {Kind.BOOLEAN} and whole:
        return columns.matrix().astype(bool)
    if kinds <= {Kind.NUMERIC, Kind.INTEGER}:
        return columns.matrix()
    array = np.empty((columns.n_rows, len(columns)), dtype=object)
    for j, column in enumerate(columns):
        array[:, j] = _objects(column)
    return array


def _objects(column: Column) -> list[Any]:
    if column.kind is Kind.DATETIME:
        return [None if x is None else x for x in _datetimes(column).tolist()]
    if column.kind.is_number:
        whole = column.kind is Kind.INTEGER
        return [None if x != x else (int(x) if whole else x) for x in column.values.tolist()]
    labels = (*column.field.categories, None, None)  # unknown, missing
    return [labels[code] for code in column.values.tolist()]


def _datetimes(column: Column) -> NDArray[Any]:
    missing = np.isnan(column.values)
    micros = np.where(missing, 0.0, column.values).astype(np.int64).astype("datetime64[us]")
    micros[missing] = np.datetime64("NaT")
    return micros


def _plain(column: Column, container: str) -> Any:
    """Give one column as the frame library likes it: nullable where something is missing."""
    if column.kind is Kind.DATETIME:
        return _datetimes(column)
    if column.kind is Kind.NUMERIC:
        return column.values
    if column.kind in (Kind.CATEGORICAL, Kind.ORDINAL):
        return _categories(column, container)
    if column.n_missing == 0:
        return column.values.astype(np.int64 if column.kind is Kind.INTEGER else bool)
    if container == "pandas":
        import pandas as pd

        return pd.array(_objects(column), dtype="Int64" if column.kind is Kind.INTEGER else "boolean")
    if container == "polars":
        import polars as pl

        dtype = pl.Int64 if column.kind is Kind.INTEGER else pl.Boolean
        return pl.Series(_objects(column), dtype=dtype)
    return _objects(column)


def _categories(column: Column, container: str) -> Any:
    strings = all(isinstance(label, str) for label in column.field.categories)
    if container == "pandas":
        import pandas as pd

        codes = np.where(column.values >= len(column.field.categories), MISSING_CODE, column.values)
        ordered = column.kind is Kind.ORDINAL
        return pd.Categorical.from_codes(codes, list(column.field.categories), ordered=ordered)
    if container == "polars" and strings:
        import polars as pl

        kind = column.kind is Kind.ORDINAL
        dtype = pl.Enum(list(column.field.categories)) if kind else pl.String()
        return pl.Series(_objects(column), dtype=dtype)
    return _objects(column)
