"""Tables through a function of their batches, from a file to a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from boxwood.cli.console import progress

__all__ = ["transform"]


def transform(
    source: str,
    output: str,
    function: Callable[[Any], Any],
    *,
    keep: bool,
    sql: str | None = None,
    missing: Sequence[str] | None = None,
    format: str | None = None,
    whole: bool = False,
    memory_limit: str | None = None,
) -> None:
    """Write what a function says about each batch of a table, beside the batch where that is kept.

    Memory is that of a batch, unless the function needs the whole table, which is mapped where it is large.
    """
    from boxwood.columns import read_columns, to_native
    from boxwood.columns.columns import beside
    from boxwood.files import TableFile, TableWriter
    from boxwood.mapped_memory import MappedMemory

    with (
        MappedMemory(memory_limit) as memory,
        TableFile(source, sql, missing) as file,
        TableWriter(output, format) as writer,
    ):
        if whole:
            writer.write(function(file.read(memory)))
            return
        n_batches = 0
        with progress("rows", file.n_rows()) as advance:
            for batch in file.batches(_rows_of_batch(memory.limit)):
                found = function(batch)
                read = read_columns(found)
                writer.write(to_native(beside(read_columns(batch), read), "pyarrow") if keep else found)
                advance(read.n_rows)
                n_batches += 1
        if not n_batches:
            raise ValueError(f"{file.name!r} has no rows.")


def _rows_of_batch(memory_limit: int) -> int:
    """Return how many rows are read at a time: about fifty columns of them, and what is said of them, fit."""
    from boxwood.files.table_file import BATCH

    return max(256, min(BATCH, memory_limit // 16_384))
