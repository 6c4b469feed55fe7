"""A table on disk, or what an SQL query says about it: read whole, or in batches of bounded memory."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, Self

from boxwood.columns import Columns, read_columns
from boxwood.columns.read.from_duckdb import record_batches, relation_batches
from boxwood.columns.read.from_file import check_path, offline_connection, open_file, read_whole, reading
from boxwood.files.file_batches import FileBatches
from boxwood.files.only_table import only_table
from boxwood.files.sqlite_table import is_sqlite, sqlite_batches
from boxwood.mapped_memory import MappedMemory
from boxwood.stream.opening import LARGEST_RATIO
from boxwood.stream.table_source import TableSource

__all__ = ["BATCH", "STDIN", "TableFile"]

BATCH = 65_536
"""Rows of a batch: 5 MB of ten columns of numbers."""

STDIN = "-"

_DUCKDB_MARK = b"DUCK"
_PARQUET_MARK = b"PAR1"


class TableFile:
    """A table in a CSV, JSON-lines, Parquet, DuckDB or SQLite file, or on standard input.

    Use it in a ``with`` statement: it holds a connection and, of standard input, a copy on disk.

    Parameters
    ----------
    path : str or path-like
        "-" is standard input: CSV, JSON lines or Parquet, told by its beginning.
    sql : str, optional
        What to read: of a database any query, of other files one that calls the file ``input``. A database
        of one table needs none.
    missing_values : sequence of str, optional
        Strings of a CSV file that stand for missing values.

    Examples
    --------
    >>> with TableFile("examples/penguins.csv", sql="SELECT species, year FROM input LIMIT 3") as file:
    ...     print(file.read().n_rows, [len(batch) for batch in file.batches(2)])
    3 [2, 1]
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        sql: str | None = None,
        missing_values: Sequence[str] | None = None,
    ) -> None:
        self.name = "standard input" if os.fspath(path) == STDIN else os.fspath(path)
        self._path, self._sql, self._missing_values = os.fspath(path), sql, missing_values
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as opened:
            if self._path == STDIN:
                self._path = str(_spooled(sys.stdin.buffer, opened))
            check_path(self._path)
            self._is_sqlite = is_sqlite(self._path)
            if not self._is_sqlite:
                self._connection = opened.enter_context(self._connect())
            self._stack = opened.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def read(
        self, memory: MappedMemory | None = None, progress: Callable[[int], None] | None = None
    ) -> Columns:
        """Return the whole table.

        Parameters
        ----------
        memory : MappedMemory, optional
            Entered: a file that is large beside its limit is read in batches, into mapped columns.
        progress : callable, optional
            Called with the number of rows of each batch, where there are batches.
        """
        if memory is not None and not self._is_small(memory):
            return TableSource(FileBatches(self), memory.limit).read(memory, progress)
        if self._is_sqlite:
            [whole] = sqlite_batches(self._path, self._sql, None)
            return read_columns(whole)
        with reading(self.name):
            return read_whole(self._relation(), self._path)

    def batches(self, n_rows: int = BATCH) -> Iterator[Any]:
        """Return the table in batches, each a table of at most so many rows that `read_columns` takes."""
        if self._is_sqlite:
            yield from sqlite_batches(self._path, self._sql, n_rows)
            return
        with reading(self.name):
            import pyarrow as pa

            for batch in record_batches(self._relation(in_batches=True), n_rows):
                yield pa.Table.from_batches([batch])

    def typed_batches(self, n_rows: int = BATCH) -> Iterator[Columns]:
        """Return batches of typed columns, the same as those of `read` but for their categories."""
        if self._is_sqlite:
            yield from map(read_columns, sqlite_batches(self._path, self._sql, n_rows))
            return
        with reading(self.name):
            yield from relation_batches(self._relation(), n_rows)

    def n_rows(self) -> int | None:
        """Return how many rows there are, where that takes no pass over the data; else None."""
        if self._is_sqlite or self._sql is not None or _starts_with(self._path, _PARQUET_MARK) is False:
            return None
        with reading(self.name):
            return int(self._relation().aggregate("count(*)").fetchall()[0][0])

    def _is_small(self, memory: MappedMemory) -> bool:
        return LARGEST_RATIO * os.path.getsize(self._path) < memory.limit

    def _connect(self) -> Any:
        if not _starts_with(self._path, _DUCKDB_MARK, offset=8):
            return offline_connection()
        with reading(self.name):
            return offline_connection(self._path, read_only=True)

    def _relation(self, *, in_batches: bool = False) -> Any:
        connection = self._connection
        if not _starts_with(self._path, _DUCKDB_MARK, offset=8):
            relation = open_file(connection, self._path, self._missing_values, in_batches=in_batches)
            return relation if self._sql is None else relation.query("input", self._sql)
        return connection.sql(self._sql or f"SELECT * FROM {_only_table(connection, self.name)}")


def _only_table(connection: Any, name: str) -> str:
    found = connection.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall()
    return only_table([row[0] for row in found], name)


def _starts_with(path: str, mark: bytes, offset: int = 0) -> bool:
    with open(path, "rb") as file:
        return file.read(offset + len(mark))[offset:] == mark


def _spooled(stream: BinaryIO, stack: ExitStack) -> Path:
    """Copy a stream to a file that goes with the stack: types are found by a look at all rows."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boxwood-")))
    begin = stream.read(4)
    ending = ".parquet" if begin == _PARQUET_MARK else ".jsonl" if begin.lstrip()[:1] == b"{" else ".csv"
    path = folder / f"input{ending}"
    with path.open("wb") as copy:
        copy.write(begin)
        shutil.copyfileobj(stream, copy, 1 << 20)
    return path
