"""The one input validation: every table comes in here, or is refused with the column and the row named."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from boxwood.columns.as_kind import with_kinds
from boxwood.columns.columns import Columns
from boxwood.columns.errors import at
from boxwood.columns.read.from_array import columns_from_array, columns_from_mapping, columns_from_sparse
from boxwood.columns.read.whole_floats import whole_floats_as_integers
from boxwood.columns.weights import read_weights

__all__ = ["read_columns", "read_part"]


def read_columns(
    X: Any,
    *,
    sample_weight: Any = None,
    kinds: Mapping[str, str] | None = None,
    missing_values: Sequence[str] | None = None,
    accept_sparse: bool = False,
    allow_missing: bool = True,
    sources: bool = True,
) -> Columns:
    """Read a table of any kind into typed columns.

    Parameters
    ----------
    X : table
        A numpy array or nested list, a pandas, polars (lazy too) or pyarrow frame, a mapping of names
        to sequences, a DuckDB relation, the path of a CSV, JSON-lines or Parquet file or a pattern of
        several, batches of these (see `open_table`), a scipy sparse matrix where accepted, or columns that
        were read before. The delimiter of a CSV file is found; where it is a semicolon, numbers may have
        decimal commas.
    sample_weight : number or array-like of shape (n_rows,), optional
        Frequencies: weight 2 is the row twice; rows of weight zero are left out.
    kinds : mapping of column name to kind, optional
        Kinds that differ from those the table itself declares: "numeric", "integer", "ordinal",
        "categorical", "boolean" or "datetime".
    missing_values : sequence of str, optional
        For CSV files: cells to read as missing, instead of empty cells, NA, N/A, NaN and NULL.
    accept_sparse : bool, default=False
        Whether a scipy sparse matrix may come; otherwise it is an error.
    allow_missing : bool, default=True
        Whether cells may be missing; otherwise they are an error that names column and row.
    sources : bool, default=True
        Whether to keep how the columns look in X (types, decimals), which is how `sample` gives them back,
        and to read floats of pandas that are whole, with gaps, as integers. A fitted model that reads a new
        table knows both already.

    Returns
    -------
    Columns

    Warns
    -----
    UserWarning
        Names the floats that were read as integers.

    Raises
    ------
    ValueError, TypeError
        With the column and the first row that cannot be taken.
    FileNotFoundError
        For a path where no file is.

    Examples
    --------
    >>> import boxwood as bw
    >>> bw.read_columns([[1.5, 2.0], [2.5, float("nan")]])
    2 rows × 2 columns
      x0  numeric
      x1  numeric      1 missing
    """
    # An array is asked for first: a single row must not pay for the other containers.
    is_array = isinstance(X, np.ndarray)
    columns = columns_from_array(X) if is_array else _read(X, missing_values, accept_sparse, sources)
    if columns.n_rows == 0 or not columns.schema.fields:
        raise _empty_error(columns)
    if sources and not is_array and columns is not X and columns.schema.container == "pandas":
        columns = whole_floats_as_integers(columns, kinds or {})
    if kinds is not None:
        columns = with_kinds(columns, kinds)
    if sample_weight is not None:
        columns = _weighted(columns, sample_weight)
    if not allow_missing and columns.n_missing:
        raise _missing_error(columns)
    return columns


def read_part(X: Any, sources: bool = True) -> Columns:
    """Read a part of a table, which may have no rows.

    What the whole table tells is left to it: floats that are whole and have gaps stay floats here (see
    `part_schema`). Without `sources` types and precisions are not looked for, as in `read_columns`.

    Examples
    --------
    >>> read_part({"age": []}).n_rows
    0
    """
    return columns_from_array(X) if isinstance(X, np.ndarray) else _read(X, None, False, sources)


def _read(X: Any, missing_values: Sequence[str] | None, accept_sparse: bool, sources: bool) -> Columns:
    if isinstance(X, Columns):
        if X.is_sparse and not accept_sparse:
            raise _sparse_error()
        return X
    from boxwood.stream.opening import as_source  # it reads batches by `read_columns`

    source = as_source(X)
    if source is not None:
        with source.memory() as memory:
            return source.read(memory)
    if isinstance(X, str | os.PathLike):
        from boxwood.columns.read.from_file import columns_from_file

        return _described(columns_from_file(X, missing_values), sources)
    if isinstance(X, Mapping) and not _is_sparse(X):  # a sparse dictionary of keys is both
        return _described(columns_from_mapping(X), sources)
    if isinstance(X, list | tuple):
        return columns_from_array(X)
    return _read_by_library(X, accept_sparse, sources)


def _read_by_library(X: Any, accept_sparse: bool, sources: bool) -> Columns:
    from boxwood.columns.read.from_duckdb import columns_from_relation, is_relation
    from boxwood.columns.read.from_frame import columns_from_frame, is_frame

    if _is_sparse(X):
        if not accept_sparse:
            raise _sparse_error()
        return columns_from_sparse(X)
    if is_relation(X):
        return _described(columns_from_relation(X), sources)
    if is_frame(X):
        return columns_from_frame(X, sources)
    return columns_from_array(X)


def _described(columns: Columns, sources: bool) -> Columns:
    """Return a table that has no types of its own with the precision of its columns, where it is wanted."""
    from boxwood.columns.read.sources import with_sources

    return with_sources(columns) if sources and columns.n_rows else columns


def _is_sparse(X: Any) -> bool:
    module = sys.modules.get("scipy.sparse")  # where it is not imported nobody can have made one
    return module is not None and bool(module.issparse(X))


def _weighted(columns: Columns, sample_weight: Any) -> Columns:
    if columns.weights is not None:
        raise ValueError("sample_weight is given twice: the columns carry weights already.")
    return columns.with_weights(read_weights(sample_weight, columns.n_rows))


def _sparse_error() -> TypeError:
    return TypeError(
        "A sparse matrix was passed for X, but dense data is required. Use '.toarray()' to "
        "convert to a dense numpy array."
    )


def _empty_error(columns: Columns) -> ValueError:
    n_rows, n_columns = columns.n_rows, len(columns)
    what = "0 sample(s)" if n_columns else "0 feature(s)"
    return ValueError(
        f"Found array with {what} (shape=({n_rows}, {n_columns})) while a minimum of 1 is required."
    )


def _missing_error(columns: Columns) -> ValueError:
    for column in columns:
        if column.n_missing:
            row = int(np.argmax(column.missing()))
            return ValueError(
                f"{at(column.name, row)}: the value is missing (NaN), which this estimator does not take. "
                "Drop such rows or impute them."
            )
    raise AssertionError("no missing value to report")
