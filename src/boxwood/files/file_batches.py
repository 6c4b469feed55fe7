"""Batches of an open table file, for what reads sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boxwood.files.table_file import TableFile

__all__ = ["FileBatches"]


class FileBatches:
    """The rows of an open `TableFile` as typed columns, batch by batch (see `boxwood.stream.readers`).

    Parameters
    ----------
    file : TableFile
    """

    once = False

    def __init__(self, file: TableFile) -> None:
        self.name = file.name
        self._file = file

    def n_rows(self) -> int | None:
        """Return how many rows there are, where that takes no pass over the data."""
        return self._file.n_rows()

    def place(self, number: int) -> str:
        """Return the file's name."""
        return repr(self.name)

    def batches(self, n_rows: int) -> Iterator[Any]:
        """Return the rows in batches."""
        yield from self._file.typed_batches(n_rows)
