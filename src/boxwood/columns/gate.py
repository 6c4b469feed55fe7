"""The one gate: every table comes in here, or is refused with the column and the row named."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from boxwood.columns.column import Column, Field
from boxwood.columns.columns import Columns
from boxwood.columns.errors import at
from boxwood.columns.from_array import columns_from_array, columns_from_mapping, columns_from_sparse
from boxwood.columns.from_values import as_label, coded_column
from boxwood.columns.kind import Kind
from boxwood.columns.schema import Schema
from boxwood.columns.weights import read_weights

__all__ = ["read_columns"]


def read_columns(
    X: Any,
    *,
    sample_weight: Any = None,
    kinds: Mapping[str, str] | None = None,
    missing_values: Sequence[str] | None = None,
    accept_sparse: bool = False,
    allow_missing: bool = True,
) -> Columns:
    """Read a table of any kind into typed columns.

    Parameters
    ----------
    X : table
        A numpy array or nested list, a pandas, polars (lazy too) or pyarrow frame, a mapping of names
        to sequences, a DuckDB relation, the path of a CSV, JSON-lines or Parquet file, a scipy sparse
        matrix where accepted, or columns that were read before.
    sample_weight : array-like of shape (n_rows,), optional
        Frequencies: weight 2 is the row twice; rows of weight zero are left out.
    kinds : mapping of column name to kind, optional
        Kinds that differ from those the table itself declares: "numeric", "integer", "ordinal",
        "categorical", "boolean" or "datetime".
    missing_values : sequence of str, optional
        For CSV files: cells to read as missing, instead of empty cells, NA, N/A, NaN and NULL.
    accept_sparse : bool, default=False
    allow_missing : bool, default=True

    Returns
    -------
    Columns

    Raises
    ------
    ValueError, TypeError
        With the column and the first row that cannot be taken.

    Examples
    --------
    >>> import boxwood as bw
    >>> bw.read_columns([[1.5, 2.0], [2.5, float("nan")]])
    2 rows × 2 columns
      x0  numeric
      x1  numeric      1 missing
    """
    columns = _read(X, missing_values, accept_sparse)
    if len(columns) == 0:
        raise ValueError(
            f"Found array with 0 feature(s) (shape=({columns.n_rows}, 0)) while a minimum of 1 is required."
        )
    if columns.n_rows == 0:
        raise ValueError(
            f"Found array with 0 sample(s) (shape=(0, {len(columns)})) while a minimum of 1 is required."
        )
    if kinds:
        columns = _with_kinds(columns, kinds)
    if sample_weight is not None:
        columns = columns.with_weights(read_weights(sample_weight, columns.n_rows))
    if not allow_missing and columns.n_missing:
        raise _missing_error(columns)
    return columns


def _read(X: Any, missing_values: Sequence[str] | None, accept_sparse: bool) -> Columns:
    if isinstance(X, Columns):
        return X
    if isinstance(X, np.ndarray):
        return columns_from_array(X)
    if isinstance(X, str | os.PathLike):
        from boxwood.columns.from_duckdb import columns_from_file

        return columns_from_file(X, missing_values)
    if isinstance(X, Mapping) and not type(X).__module__.startswith("scipy.sparse"):  # DOK is both
        return columns_from_mapping(X)
    if isinstance(X, list | tuple):
        return columns_from_array(X)
    return _read_by_library(X, accept_sparse)


def _read_by_library(X: Any, accept_sparse: bool) -> Columns:
    from boxwood.columns.from_duckdb import columns_from_relation, is_relation
    from boxwood.columns.from_frame import columns_from_frame, is_frame

    if type(X).__module__.startswith("scipy.sparse"):
        if not accept_sparse:
            raise TypeError(
                "A sparse matrix was passed for X, but dense data is required. Use '.toarray()' to "
                "convert to a dense numpy array."
            )
        return columns_from_sparse(X)
    if is_relation(X):
        return columns_from_relation(X)
    if is_frame(X):
        return columns_from_frame(X)
    return columns_from_array(X)


def _with_kinds(columns: Columns, kinds: Mapping[str, str]) -> Columns:
    unknown = sorted(set(kinds) - set(columns.schema.names))
    if unknown:
        raise ValueError(
            f"kinds names {unknown}, but the table has the columns {list(columns.schema.names)}."
        )
    changed = [
        _as_kind(column, Kind(kinds[column.name])) if column.name in kinds else column for column in columns
    ]
    schema = Schema(tuple(column.field for column in changed), columns.schema.container, columns.schema.named)
    return Columns(schema, columns.n_rows, columns=changed, weights=columns.weights)


def _as_kind(column: Column, kind: Kind) -> Column:
    if column.kind is kind:
        return column
    if kind.is_number and kind is not Kind.DATETIME and column.kind is not Kind.DATETIME:
        return _as_numbers(column, kind)
    if kind is Kind.BOOLEAN:
        field = Field(column.name, kind, (False, True))
        return Schema((field,)).match(column, 0)
    if kind in (Kind.ORDINAL, Kind.CATEGORICAL) and column.kind is not Kind.DATETIME:
        return _as_categories(column, kind)
    raise ValueError(f"{at(column.name)} is {column.kind} and cannot be read as {kind}.")


def _as_numbers(column: Column, kind: Kind) -> Column:
    if column.kind in (Kind.CATEGORICAL, Kind.ORDINAL):
        row = int(np.argmax(column.values >= 0))
        raise ValueError(f"{at(column.name, row)}: a {column.kind} column cannot be read as {kind}.")
    numbers = column.numbers()
    if kind is Kind.INTEGER:
        fractional = ~(np.isnan(numbers) | (numbers == np.floor(numbers)))
        if fractional.any():
            row = int(np.argmax(fractional))
            raise ValueError(f"{at(column.name, row)}: {numbers[row]:.6g} is not a whole number.")
    return Column(Field(column.name, kind), numbers, column.n_missing)


def _as_categories(column: Column, kind: Kind) -> Column:
    if not column.kind.is_number:
        return Column(Field(column.name, kind, column.field.categories), column.values, column.n_missing)
    whole = column.kind is Kind.INTEGER
    labels = [
        None if number != number else as_label(int(number) if whole else number)
        for number in column.values.tolist()
    ]
    return coded_column(column.name, labels, kind=kind)


def _missing_error(columns: Columns) -> ValueError:
    for column in columns:
        if column.n_missing:
            missing = np.isnan(column.values) if column.kind.is_number else column.values < 0
            row = int(np.argmax(missing))
            return ValueError(
                f"{at(column.name, row)}: the value is missing (NaN), which this estimator does not take. "
                "Drop such rows or impute them."
            )
    raise AssertionError("no missing value to report")
