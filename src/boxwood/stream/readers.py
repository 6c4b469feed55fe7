"""What batches come from: files, relations of DuckDB, Python's iterables."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from boxwood.columns.columns import Columns
from boxwood.columns.errors import first_line
from boxwood.columns.read.from_duckdb import relation_batches
from boxwood.columns.read.from_file import check_path, offline_connection, open_file, reading

__all__ = ["BatchReader", "FileReader", "IterableReader", "RelationReader", "is_pattern"]

_PATTERN = "*?["
_PARQUET = (".parquet", ".pq")


class BatchReader(Protocol):
    """Gives a table in batches, as often as it is asked unless `once`."""

    name: str
    once: bool

    def n_rows(self) -> int | None:
        """Return how many rows there are, where that takes no pass over them."""

    def place(self, number: int) -> str:
        """Return what to call the batch of a number, from 0."""

    def batches(self, n_rows: int) -> Iterator[Any]:
        """Return the batches, tables that `read_columns` takes; `n_rows` is a wish."""


def is_pattern(path: str) -> bool:
    """Return whether a path is a pattern of several files; a file that exists is itself."""
    return any(sign in path for sign in _PATTERN) and not os.path.exists(path)


class FileReader:
    """A CSV, JSON-lines or Parquet file, or all files that a pattern fits, in the order of their names."""

    once = False

    def __init__(self, path: str | os.PathLike[Any], missing_values: Sequence[str] | None = None) -> None:
        self.name = os.fsdecode(path)
        self._missing_values = missing_values
        self._now = self.name
        self._paths = sorted(glob.glob(self.name)) if is_pattern(self.name) else [self.name]
        if not self._paths:
            raise FileNotFoundError(f"no file fits {self.name!r}")
        for one in self._paths:
            check_path(one)

    def n_rows(self) -> int | None:
        """Return the sum of what Parquet files say of themselves; None of other files."""
        if any(Path(one).suffix.lower() not in _PARQUET for one in self._paths):
            return None
        return sum(self._n_rows(one) for one in self._paths)

    def place(self, number: int) -> str:
        """Return the file that is being read."""
        return repr(self._now)

    def batches(self, n_rows: int) -> Iterator[Columns]:
        """Return the rows in batches; ValueError where a file is not what it was when the first was read."""
        before = {one: _state(one) for one in self._paths}
        for one in self._paths:
            self._now = one
            with closing(offline_connection()) as connection, reading(one), self._naming(one):
                # Rows come in order from one thread; others would run ahead and keep what they have read.
                connection.execute("SET threads = 1")
                yield from relation_batches(open_file(connection, one, self._missing_values), n_rows)
            if _state(one) != before[one]:
                raise ValueError(f"{one!r} changed while it was read. Read it again when it is complete.")

    @contextmanager
    def _naming(self, path: str) -> Iterator[None]:
        """Have errors about a value say in which of several files it is."""
        try:
            yield
        except (TypeError, ValueError) as error:
            if len(self._paths) == 1:
                raise
            raise type(error)(f"{path!r}: {error}") from error

    def _n_rows(self, path: str) -> int:
        with closing(offline_connection()) as connection, reading(path):
            return int(open_file(connection, path).aggregate("count(*)").fetchall()[0][0])


def _state(path: str) -> tuple[int, int, int]:
    try:
        found = os.stat(path)
    except OSError as error:
        raise ValueError(f"{path!r} vanished while it was read: {error.strerror}.") from error
    return found.st_ino, found.st_size, found.st_mtime_ns


class RelationReader:
    """A relation of DuckDB, whose query runs once a pass."""

    name = "the DuckDB relation"
    once = False

    def __init__(self, relation: Any) -> None:
        self._relation = relation

    def n_rows(self) -> None:
        """Return None: counting is a pass of its own."""
        return

    def place(self, number: int) -> str:
        """Return the relation's name."""
        return self.name

    def batches(self, n_rows: int) -> Iterator[Columns]:
        """Return the rows in batches."""
        import duckdb

        try:
            yield from relation_batches(self._relation, n_rows)
        except duckdb.Error as error:
            raise ValueError(f"{self.name} could not be read: {first_line(error)}") from error


class IterableReader:
    """Batches that Python gives: of a list, of an iterator (once), of a function that makes one of these."""

    name = "the batches"

    def __init__(self, made: Iterable[Any] | Callable[[], Iterable[Any]]) -> None:
        self.once = not callable(made) and iter(made) is made
        self._made = made

    def n_rows(self) -> int | None:
        """Return the sum of the batches' lengths where they are all there."""
        if isinstance(self._made, list | tuple) and all(hasattr(batch, "__len__") for batch in self._made):
            return sum(map(_length, self._made))
        return None

    def place(self, number: int) -> str:
        """Return the number of the batch."""
        return f"batch {number}"

    def batches(self, n_rows: int) -> Iterator[Any]:
        """Return the batches as they are."""
        yield from self._made() if callable(self._made) else self._made


def _length(batch: Any) -> int:
    if isinstance(batch, Columns):
        return batch.n_rows
    if isinstance(batch, dict):
        return len(next(iter(batch.values()), ()))
    return len(batch)
