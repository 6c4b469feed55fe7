"""A table written in batches: to a file that appears whole or not at all, or to standard output."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Self

from boxwood.columns import read_columns, to_native

__all__ = ["FORMATS", "STDOUT", "TableWriter"]

STDOUT = "-"

FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
"""Formats by the endings of files."""


class TableWriter:
    """Writes tables of the same columns one after the other.

    Use it in a ``with`` statement: the file takes its name when that ends without an error.

    Parameters
    ----------
    path : str or path-like
        "-" is standard output.
    format : {"csv", "tsv", "jsonl", "parquet"}, optional
        By default the ending tells; of standard output "csv".

    Examples
    --------
    >>> with TableWriter("-") as writer:
    ...     writer.write({"name": ["a", "b"], "size": [1.5, None]})
    name,size
    a,1.5
    b,
    """

    def __init__(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        self.path = os.fspath(path)
        if format is not None and format not in FORMATS.values():
            raise ValueError(f"format must be csv, tsv, jsonl or parquet; got {format!r}.")
        self.format = format or self._format_of_path()
        self._stack = ExitStack()
        self._writer: Any = None  # of Parquet
        self._has_header = False

    def _format_of_path(self) -> str:
        if self.path == STDOUT:
            return "csv"
        ending = Path(self.path).suffix.lower()
        if ending not in FORMATS:
            raise ValueError(f"{self.path!r}: the ending must be one of {', '.join(FORMATS)}.")
        return FORMATS[ending]

    def __enter__(self) -> Self:
        if self.path == STDOUT:
            self._file: Any = getattr(sys.stdout, "buffer", None) or _Encoded(sys.stdout)
            return self
        folder = Path(self.path).parent
        if not folder.is_dir():
            raise FileNotFoundError(f"there is no folder {str(folder)!r} to write {self.path!r} to.")
        self._partial = Path(f"{self.path}.part")
        try:
            self._file = self._stack.enter_context(open(self._partial, "wb"))
        except BaseException:  # an interrupt just after it was made
            self._partial.unlink(missing_ok=True)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        try:
            if self._writer is not None:
                self._writer.close()
            if kind is None:
                self._file.flush()
            self._stack.close()
            if kind is None and self.path != STDOUT:
                os.replace(self._partial, self.path)
        finally:
            self._stack.close()
            if self.path != STDOUT:
                with suppress(FileNotFoundError):
                    self._partial.unlink()

    def write(self, table: Any) -> None:
        """Write a table of any kind that `read_columns` takes, or a frame without rows."""
        columns = _arrow_table(table)
        if self.format == "jsonl":
            self._write_lines(columns)
        elif self.format == "parquet":
            self._write_parquet(columns)
        else:
            self._write_csv(columns)

    def _write_parquet(self, table: Any) -> None:
        import pyarrow.parquet

        if self._writer is None:
            self._writer = pyarrow.parquet.ParquetWriter(self._file, table.schema)
        self._writer.write_table(table.cast(self._writer.schema))

    def _write_csv(self, table: Any) -> None:
        """Write rows by Python's library: pyarrow's quotes all text and all names."""
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter="\t" if self.format == "tsv" else ",", lineterminator="\n")
        if not self._has_header:
            writer.writerow(table.column_names)
            self._has_header = True
        writer.writerows(zip(*(column.to_pylist() for column in table.columns), strict=True))
        self._file.write(text.getvalue().encode())

    def _write_lines(self, table: Any) -> None:
        lines = [json.dumps(row, default=str, ensure_ascii=False) for row in table.to_pylist()]
        self._file.write("".join(f"{line}\n" for line in lines).encode())


def _arrow_table(table: Any) -> Any:
    import narwhals as nw
    import pyarrow as pa

    if isinstance(table, pa.Table):
        return table
    frame = nw.from_native(table, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame) and not len(frame):
        return frame.to_arrow()  # nothing was found: that is no table to learn from, but one to write
    return to_native(read_columns(table), "pyarrow")


class _Encoded:
    """A text stream as one of bytes, where standard output was replaced."""

    def __init__(self, text: Any) -> None:
        self._text = text

    def write(self, data: Any) -> int:
        """Write bytes as text."""
        self._text.write(bytes(data).decode())
        return len(data)

    def flush(self) -> None:
        """Flush the text."""
        self._text.flush()
