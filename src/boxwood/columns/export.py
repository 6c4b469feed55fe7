"""Columns back into what the user works with: an array, or a frame of the library it came from."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Column
from boxwood.columns.columns import Columns
from boxwood.columns.dates import FIRST_MICROSECOND, LAST_MICROSECOND
from boxwood.columns.kind import Kind

__all__ = ["to_native"]


def to_native(columns: Columns, container: str | None = None) -> Any:
    """Return the table in its own container, or in a given one; weights are left behind.

    Parameters
    ----------
    columns : Columns
    container : {"numpy", "pandas", "polars", "pyarrow"}, optional
        By default what the table came in. A table from a file, a mapping or a DuckDB relation becomes a
        frame of the first of pandas, polars and pyarrow that is installed, else an array.

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
        return _to_structured(columns)
    if container == "numpy":
        return columns.sparse() if columns.is_sparse else _to_array(columns)
    if container == "pandas":
        import pandas as pd

        return pd.DataFrame({column.name: _for_pandas(column) for column in columns})
    if container == "polars":
        import polars as pl

        return pl.DataFrame({column.name: _for_polars(column) for column in columns})
    if container == "pyarrow":
        import pyarrow as pa

        return pa.table({column.name: _for_pyarrow(column) for column in columns})
    raise ValueError(f"container must be numpy, pandas, polars or pyarrow, not {container!r}.")


def _own_container(columns: Columns) -> str:
    container = columns.schema.container
    if container == "numpy" and columns.schema.named:
        return "structured"
    if container == "frame":
        installed = (name for name in ("pandas", "polars", "pyarrow") if importlib.util.find_spec(name))
        return next(installed, "numpy")
    return container


def _to_array(columns: Columns) -> NDArray[Any]:
    kinds = {field.kind for field in columns.schema.fields}
    if kinds <= {Kind.NUMERIC, Kind.INTEGER} and (kinds != {Kind.INTEGER} or columns.n_missing):
        return columns.matrix()
    if len(kinds) == 1 and kinds <= {Kind.INTEGER, Kind.BOOLEAN, Kind.DATETIME}:
        plain = [_plain(column) for column in columns]
        if all(values.dtype != object for values in plain):
            return np.column_stack(plain)
    array = np.empty((columns.n_rows, len(columns)), dtype=object)
    for j, column in enumerate(columns):
        array[:, j] = _objects(column)
    return array


def _to_structured(columns: Columns) -> NDArray[Any]:
    plain = [_plain(column) for column in columns]
    dtype = [(column.name, values.dtype) for column, values in zip(columns, plain, strict=True)]
    array = np.empty(columns.n_rows, dtype=dtype)
    for column, values in zip(columns, plain, strict=True):
        array[column.name] = values
    return array


def _plain(column: Column) -> NDArray[Any]:
    """Return a column in the dtype that says most, as objects where numpy has no missing value."""
    if column.kind is Kind.DATETIME:
        return _datetimes(column)
    if column.kind is Kind.NUMERIC:
        return column.values
    if column.n_missing == 0 and column.kind is Kind.INTEGER:
        return column.values.astype(np.int64)
    if column.n_missing == 0 and column.kind is Kind.BOOLEAN:
        return column.values.astype(bool)
    values = np.empty(len(column.values), dtype=object)
    values[:] = _objects(column)
    return values


def _objects(column: Column) -> list[Any]:
    if column.kind is Kind.DATETIME:
        return list(_datetimes(column).tolist())
    if column.kind.is_number:
        whole = column.kind is Kind.INTEGER
        return [None if x != x else (int(x) if whole else x) for x in column.values.tolist()]
    labels = (*column.field.categories, None, None)  # unknown, missing
    return [labels[code] for code in column.values.tolist()]


def _datetimes(column: Column) -> NDArray[Any]:
    missing = column.missing()
    whole = np.where(missing, 0.0, column.values).astype(np.int64)
    # The last microsecond of 9999 rounds up to the year 10000 as a float64.
    micros = np.clip(whole, FIRST_MICROSECOND, LAST_MICROSECOND).astype("datetime64[us]")
    micros[missing] = np.datetime64("NaT", "us")
    return micros


def _known_codes(column: Column) -> NDArray[Any]:
    return np.where(column.values >= len(column.field.categories), MISSING_CODE, column.values)


def _one_type(column: Column) -> list[Any]:
    """Return the categories as they are where they share a type, else as strings."""
    labels = list(column.field.categories)
    return labels if len({type(label) for label in labels}) < 2 else [str(label) for label in labels]


def _for_pandas(column: Column) -> Any:
    import pandas as pd

    if column.kind in (Kind.CATEGORICAL, Kind.ORDINAL):
        ordered = column.kind is Kind.ORDINAL
        return pd.Categorical.from_codes(_known_codes(column), list(column.field.categories), ordered=ordered)
    if column.n_missing and column.kind is Kind.INTEGER:
        return pd.array(_objects(column), dtype="Int64")
    if column.n_missing and column.kind is Kind.BOOLEAN:
        return pd.array(_objects(column), dtype="boolean")
    return _plain(column)


def _for_polars(column: Column) -> Any:
    import polars as pl

    if column.kind in (Kind.CATEGORICAL, Kind.ORDINAL):
        labels = (*_one_type(column), None)
        listed = [labels[code] for code in _known_codes(column).tolist()]
        if column.kind is Kind.ORDINAL:
            return pl.Series(
                [label if label is None else str(label) for label in listed],
                dtype=pl.Enum([str(x) for x in labels[:-1]]),
            )
        return pl.Series(listed, dtype=None if len(labels) > 1 else pl.String())
    if column.kind is Kind.NUMERIC:
        return pl.Series(column.values, nan_to_null=True)
    if column.n_missing and column.kind is not Kind.DATETIME:
        return pl.Series(_objects(column), dtype=pl.Int64() if column.kind is Kind.INTEGER else pl.Boolean())
    return pl.Series(_plain(column))


def _for_pyarrow(column: Column) -> Any:
    import pyarrow as pa

    if column.kind in (Kind.CATEGORICAL, Kind.ORDINAL):
        codes = _known_codes(column)
        indices = pa.array(codes, mask=codes == MISSING_CODE)
        labels = pa.array(_one_type(column), type=None if column.field.categories else pa.string())
        return pa.DictionaryArray.from_arrays(indices, labels, ordered=column.kind is Kind.ORDINAL)
    if column.kind is Kind.NUMERIC:
        return pa.array(column.values, from_pandas=True)
    dtype = {Kind.INTEGER: pa.int64(), Kind.BOOLEAN: pa.bool_()}.get(column.kind)
    return pa.array(_plain(column), type=dtype)
