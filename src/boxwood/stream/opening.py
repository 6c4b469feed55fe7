"""What can be read in batches, and what of it `fit` takes without being told."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from importlib.util import find_spec
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from boxwood.columns.columns import Columns
from boxwood.columns.read.from_duckdb import is_relation
from boxwood.mapped_memory import free_memory
from boxwood.stream.readers import BatchReader, FileReader, IterableReader, RelationReader, is_pattern
from boxwood.stream.table_source import TableSource

__all__ = ["as_source", "open_table"]

LARGEST_RATIO = 200
"""A file of less than this part of the free memory is read at once: compressed cells of a third of a byte are
eight bytes each in memory, and a fit takes eight times that."""


def open_table(
    X: Any,
    memory_limit: int | str | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    missing_values: Sequence[str] | None = None,
) -> TableSource:
    """Open a table that may be larger than memory, for `fit` and the methods that go row by row.

    Nothing is read yet. A fit of what is returned is that of the same table in memory, to the byte.

    Parameters
    ----------
    X : path, pattern, relation or batches
        The path of a CSV, JSON-lines or Parquet file or a pattern such as ``2024/*.parquet``; a DuckDB
        relation; an iterable of batches (frames, record batches, mappings, arrays), a function that returns
        one, or pyarrow's datasets and readers. An iterator can be read once, which is enough for a fit.
    memory_limit : int or str, optional
        How much memory a call may take for itself: bytes, or a size such as "2GB" or "512MiB"; by default
        half of what is free. Where a fit would take more, what is large lies in mapped temporary files.
    folder : str or path-like, optional
        Where these files go; by default the system's folder for temporary files. They take about five
        times the table's eight bytes a cell for trees and forests, up to eight times for boosted densities.
    missing_values : sequence of str, optional
        For CSV files: cells to read as missing, instead of empty cells, NA, N/A, NaN and NULL.

    Returns
    -------
    TableSource

    Examples
    --------
    >>> import boxwood as bw
    >>> source = bw.open_table("examples/penguins.csv", memory_limit="100MB")
    >>> forest = bw.DensityForest(n_estimators=5, random_state=0).fit(source)
    >>> forest.score_samples(source).shape
    (344,)
    """
    return TableSource(_reader(X, missing_values), memory_limit, folder)


def as_source(X: Any) -> TableSource | None:
    """Return what comes in batches as a source; None for tables that are there and for small files."""
    if isinstance(X, np.ndarray | Columns):
        return None
    if isinstance(X, TableSource):
        return X
    if isinstance(X, str | os.PathLike):
        return _of_large_file(X)
    if isinstance(X, list | tuple):
        return open_table(X) if X and _is_batch(X[0]) else None
    return open_table(X) if _gives_batches(type(X)) else None  # type: ignore[arg-type]


def _of_large_file(path: str | os.PathLike[Any]) -> TableSource | None:
    """Return a source of several files, or of one that is large beside memory."""
    name = os.fsdecode(path)
    if is_pattern(name):
        return open_table(path)
    if not os.path.isfile(name) or LARGEST_RATIO * os.path.getsize(name) < free_memory():
        return None  # read at once, or refused as it always was
    return open_table(path)


def _reader(X: Any, missing_values: Sequence[str] | None) -> BatchReader:
    from boxwood.columns.read.from_frame import is_frame

    if isinstance(X, str | os.PathLike):
        return FileReader(X, missing_values)
    if is_relation(X):
        return RelationReader(X)
    if hasattr(X, "to_batches") and not is_frame(X):  # a dataset of pyarrow's
        return IterableReader(X.to_batches)
    if is_frame(X) or isinstance(X, Columns):
        return IterableReader([X])
    if callable(X) or isinstance(X, Iterable):
        return IterableReader(X)
    raise TypeError(
        f"{type(X).__name__} cannot be read in batches: give a path, a pattern, a DuckDB relation or batches."
    )


def _is_batch(X: Any) -> bool:
    if isinstance(X, list | tuple | np.ndarray | str | float | int):
        return False
    from boxwood.columns.read.from_frame import is_frame

    return isinstance(X, Columns) or is_frame(X)


@lru_cache
def _gives_batches(kind: Any) -> bool:
    """Return whether things of a type are batches and nothing else."""
    if kind.__name__ == "DuckDBPyRelation":
        return find_spec("pyarrow") is not None  # else it is read at once
    if issubclass(kind, Iterator) or kind.__name__ == "RecordBatchReader":
        return True
    if hasattr(kind, "to_batches"):
        return not hasattr(kind, "column_names")  # which a table of pyarrow's has
    return issubclass(kind, FunctionType | MethodType | partial)
