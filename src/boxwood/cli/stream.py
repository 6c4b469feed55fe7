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
) -> None:
    """Write what a function says about each batch of a table, beside the batch where that is kept.

    Memory is that of a batch, unless the function needs the whole table.
    """
    from boxwood.columns import read_columns, to_native
    from boxwood.columns.columns import beside
    from boxwood.files import TableFile, TableWriter

    with TableFile(source, sql, missing) as file, TableWriter(output, format) as writer:
        if whole:
            writer.write(function(file.read()))
            return
        n_batches = 0
        with progress("rows", file.n_rows()) as advance:
            for batch in file.batches():
                found = function(batch)
                read = read_columns(found)
                writer.write(to_native(beside(read_columns(batch), read), "pyarrow") if keep else found)
                advance(read.n_rows)
                n_batches += 1
        if not n_batches:
            raise ValueError(f"{file.name!r} has no rows.")
