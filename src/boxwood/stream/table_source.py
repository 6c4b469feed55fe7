"""A table that is read in batches, and may be larger than memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from boxwood.columns.columns import Columns
from boxwood.columns.errors import first_line, rows_from
from boxwood.columns.input_validation import read_part
from boxwood.columns.read.sources import with_sources
from boxwood.columns.read.whole_floats import warn_of_integers
from boxwood.mapped_memory import MappedMemory, memory_bytes
from boxwood.stream.growing_table import GrowingTable
from boxwood.stream.readers import BatchReader

__all__ = ["BATCH", "TableSource"]

BATCH = 65_536
"""Rows of a batch: 5 MB of ten columns of numbers."""

COPIES = 8
"""A fit has up to so many times the bytes of its table in use: the peak of a forest's on ten columns."""


class TableSource:
    """A table in batches, which `fit` and the methods that go row by row take in place of a table.

    Made by :func:`boxwood.open_table`. A fit reads all batches once, into columns that are mapped files where
    the fit would not stay within the limit.

    Parameters
    ----------
    reader : BatchReader
        What gives the batches.
    memory_limit : int, str or None, default=None
        Bytes that a fit is to stay within, as a number or as "4GB".
    folder : str or path-like, default=None
        Where mapped files go; None is the system's folder of temporary files.
    batch_rows : int, default=65536
        Rows of a batch, where the source has none of its own.

    Attributes
    ----------
    name : str
        What it is read from, as messages call it.
    n_rows : int or None
        How many rows it has, where the source knows.

    Examples
    --------
    >>> import boxwood as bw
    >>> source = bw.open_table([{"a": [1.0, 2.0]}, {"a": [3.0]}])
    >>> bw.read_columns(source).n_rows
    3
    """

    def __init__(
        self,
        reader: BatchReader,
        memory_limit: int | str | None = None,
        folder: str | os.PathLike[str] | None = None,
        batch_rows: int = BATCH,
    ) -> None:
        self._reader = reader
        self._folder = folder
        self._is_read = False
        self.name = reader.name
        self.memory_limit = memory_bytes(memory_limit)
        self.batch_rows = batch_rows
        self.n_rows = reader.n_rows()

    def __repr__(self) -> str:
        rows = "rows" if self.n_rows is None else f"{self.n_rows:,} rows"
        return f"TableSource({self.name}: {rows}, memory_limit={self.memory_limit:,})"

    def memory(self) -> MappedMemory:
        """Return the memory within which a call is to stay."""
        return MappedMemory(self.memory_limit, self._folder)

    def batches(self) -> Iterator[Columns]:
        """Return tables of some rows each; the categories of each are those that it shows.

        Raises
        ------
        ValueError, TypeError
            Where a batch cannot be read: with its number, the column and the row.
        """
        for _, columns in self._named(sources=False):
            yield columns

    def read(self, memory: MappedMemory, progress: Callable[[int], None] | None = None) -> Columns:
        """Return the whole table as columns of one schema, those that it would have had in memory.

        Parameters
        ----------
        memory : MappedMemory
            Entered. Mapping is started where the table, or a fit of it, passes its limit.
        progress : callable, optional
            Called with the number of rows of each batch.
        """
        table = GrowingTable(self.n_rows or 0)
        for name, batch in self._named(sources=True):
            expected = 8 * len(batch) * max(self.n_rows or 0, table.n_rows + batch.n_rows)
            if COPIES * expected > memory.limit:
                memory.start()
            table.append(batch, name)
            if progress is not None:
                progress(batch.n_rows)
        if not table.n_rows:
            raise ValueError(
                f"Found array with 0 sample(s): {self.name} has no rows, and a minimum of 1 is required."
            )
        if self.n_rows is not None and table.n_rows != self.n_rows:
            raise ValueError(
                f"{self.name} changed while it was read: {table.n_rows} rows came, {self.n_rows} were there "
                "at the beginning."
            )
        whole = table.whole_floats()
        if whole:
            warn_of_integers(whole, f"the column as Float64: astype({{{whole[0]!r}: 'Float64'}})")
        return table.finish()

    def _named(self, sources: bool) -> Iterator[tuple[str, Columns]]:
        """Return the batches that have rows, each with what errors call it."""
        if self._is_read and self._reader.once:
            raise ValueError(
                f"{self.name} can be read once only, and were. Give a list, or a function that returns them."
            )
        self._is_read = True
        n_rows = 0
        for number, batch in enumerate(self._reader.batches(self.batch_rows)):
            with self._reading(number, n_rows):
                columns = _read_batch(batch, sources)
            if columns.n_rows:
                yield self._reader.place(number), columns
            n_rows += columns.n_rows

    @contextmanager
    def _reading(self, number: int, first_row: int) -> Iterator[None]:
        """Have errors say which batch they are about."""
        try:
            with rows_from(first_row):
                yield
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self._reader.place(number)}: {first_line(error)}") from error


def _read_batch(batch: Any, sources: bool) -> Columns:
    """Return a batch as typed columns; with their types and precisions where a table is made of them."""
    columns = read_part(batch, sources)
    known = columns.schema.container == "numpy" or all(field.source for field in columns.schema.fields)
    return with_sources(columns) if sources and not known else columns
