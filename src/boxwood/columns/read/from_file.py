"""A table from a CSV, JSON or Parquet file, which DuckDB reads."""

from __future__ import annotations

import glob
import gzip
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from boxwood.columns.columns import Columns
from boxwood.columns.read.almost_numbers import tell_almost_numbers
from boxwood.columns.read.csv_types import LARGE, by_first_rows, read_csv
from boxwood.columns.read.from_duckdb import read_relation

__all__ = [
    "MISSING_STRINGS",
    "check_path",
    "columns_from_file",
    "offline_connection",
    "open_file",
    "read_whole",
    "reading",
]

MISSING_STRINGS = ("", "NA", "N/A", "NaN", "nan", "NULL", "null")
"""Cells of a CSV file that are read as missing unless other strings are given."""

_AS_UTF8 = (
    "Save text as UTF-8, for instance by `iconv -f LATIN1 -t UTF-8` with its own encoding, and read that."
)

_CSV = (".csv", ".tsv", ".txt")

_DELIMITERS = ",;\t|"


def columns_from_file(path: str | os.PathLike[Any], missing_values: Sequence[str] | None = None) -> Columns:
    """Read a CSV, JSON-lines or Parquet file, by its ending; ``.gz`` and ``.zst`` may follow.

    Nothing is downloaded: DuckDB's extensions stay off, and so do addresses on a network.
    """
    name = os.fsdecode(path)
    check_path(name)
    with offline_connection() as connection, reading(name):
        return read_whole(open_file(connection, name, missing_values), name)


def read_whole(relation: Any, name: str) -> Columns:
    """Return what a file holds; a CSV file's types are guessed, so columns of almost numbers are told."""
    columns = read_relation(relation)
    return tell_almost_numbers(columns) if _ending(name) in _CSV else columns


def offline_connection(database: str = ":memory:", read_only: bool = False) -> Any:
    """Return a DuckDB connection that downloads nothing."""
    import duckdb

    connection = duckdb.connect(database, read_only=read_only)
    connection.execute("SET autoinstall_known_extensions = false")
    connection.execute("SET autoload_known_extensions = false")
    # After two seconds it would be drawn into standard output, where the answer goes.
    connection.execute("SET enable_progress_bar = false")
    return connection


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn what DuckDB says is wrong with a file into a ValueError that names it."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        reason = _reason(error)
        remedy = f" {_AS_UTF8}" if "not utf-8" in reason else ""
        raise ValueError(f"{name!r} could not be read: {reason}{remedy}") from error


def check_path(name: str) -> None:
    """Raise unless there is a local file of that name with something in it."""
    if "://" in name:
        raise ValueError(f"{name!r} is an address: boxwood reads local files only. Download it first.")
    if os.path.isdir(name):
        raise ValueError(f"{name!r} is a directory: give the path of one file.")
    if not os.path.isfile(name):
        raise FileNotFoundError(f"there is no file {name!r}.")
    if os.path.getsize(name) == 0:
        raise ValueError(f"{name!r} is empty: a table needs at least one column and one row.")


def open_file(
    connection: Any, name: str, missing_values: Sequence[str] | None = None, *, in_batches: bool = False
) -> Any:
    """Return a file as a DuckDB relation.

    With `in_batches` a large CSV file is never in memory as a whole, for another pass over it.
    """
    ending = _ending(name)
    path = glob.escape(name)  # else DuckDB takes * and ? as patterns and reads other files too
    if ending in _CSV:
        return _open_csv(connection, name, missing_values, in_batches)
    if ending in (".jsonl", ".ndjson", ".json"):
        layout = "auto" if ending == ".json" else "newline_delimited"
        return connection.sql(
            "SELECT * FROM read_json($path, format = $layout, sample_size = -1, hive_partitioning = false)",
            params={"path": path, "layout": layout},
        )
    if ending in (".parquet", ".pq"):
        return connection.sql(
            "SELECT * FROM read_parquet($path, hive_partitioning = false)", params={"path": path}
        )
    raise ValueError(
        f"{name!r}: the ending does not tell the format. boxwood reads .csv, .tsv, .txt, .json, "
        ".jsonl, .ndjson, .parquet and .pq (.gz and .zst may follow)."
    )


def _ending(name: str) -> str:
    """Return the ending of a file's name that tells its format."""
    endings = [ending.lower() for ending in Path(name).suffixes]
    if endings and endings[-1] in (".gz", ".zst"):
        endings.pop()
    return endings[-1] if endings else ""


def _open_csv(connection: Any, name: str, missing_values: Sequence[str] | None, in_batches: bool) -> Any:
    import duckdb

    _check_text(name)
    missing, delimiter = _missing_strings(missing_values), _delimiter_of(_first_line(name))
    if in_batches and os.path.getsize(name) > LARGE:
        relation = by_first_rows(connection, name, missing, delimiter)
        if relation is not None:
            return relation
    try:
        relation = read_csv(connection, name, missing, delimiter)
    except duckdb.Error:
        _check_rows(connection, name)  # says which line is broken, where the sniffer only gives up
        raise
    if len(relation.columns) == 1:  # so the sniffer takes a file with broken rows, for one wide column
        _check_rows(connection, name)
    return relation


def _check_text(name: str) -> None:
    """Raise for what is no text: DuckDB would list all the dialects that it tried."""
    if name.lower().endswith((".gz", ".zst")):
        return
    with open(name, "rb") as file:
        if b"\0" in file.read(8192):
            raise ValueError(
                f"{name!r} could not be read: it is a binary file, or text in UTF-16, not UTF-8. {_AS_UTF8}"
            )


def _check_rows(connection: Any, name: str) -> None:
    """Read the file by the delimiter of its first line, so that DuckDB names the row that differs."""
    header = _first_line(name)
    delimiter = next((sign for sign in _DELIMITERS if sign in header), None)
    if delimiter is None or '"' in header:
        return
    aliases = [f"c{j}" for j in range(header.count(delimiter) + 1)]
    counts = ", ".join(f"count({alias})" for alias in aliases)
    connection.execute(
        f"SELECT {counts} FROM read_csv($path, auto_detect = false, header = true, delim = $delimiter, "
        "quote = '\"', escape = '\"', columns = $columns)",
        {"path": glob.escape(name), "delimiter": delimiter, "columns": dict.fromkeys(aliases, "VARCHAR")},
    )


def _delimiter_of(header: str) -> str | None:
    """Return a semicolon where it alone parts names: DuckDB may take decimal commas for delimiters."""
    signs = [sign for sign in _DELIMITERS if sign in header]
    return ";" if signs == [";"] and '"' not in header else None


def _first_line(name: str) -> str:
    if name.lower().endswith(".zst"):  # Python 3.11 cannot read it
        return ""
    opener: Any = gzip.open if name.lower().endswith(".gz") else open
    try:
        with opener(name, "rt", encoding="utf-8", errors="replace") as file:
            return str(file.readline(100_000)).rstrip("\r\n")
    except (OSError, EOFError, zlib.error):  # a broken archive: DuckDB says so itself
        return ""


def _missing_strings(missing_values: Sequence[str] | None) -> list[str]:
    if missing_values is None:
        return list(MISSING_STRINGS)
    listed = [missing_values] if isinstance(missing_values, str) else list(missing_values)
    if not all(isinstance(text, str) for text in listed):
        raise TypeError(f"missing_values must be strings, not {listed!r}.")
    return listed


def _reason(error: Exception) -> str:
    """Return what DuckDB says is wrong, without its list of settings and its advice on them."""
    lines = str(error).strip().split("\n\n")[0].splitlines()
    return "; ".join(line for line in lines if line and not line.startswith(("Possible", "* ")))[:500]
