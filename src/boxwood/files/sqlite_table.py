"""Tables of SQLite files, by Python's own library: DuckDB's extension for them would be downloaded."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from boxwood.files.only_table import only_table

__all__ = ["is_sqlite", "sqlite_batches"]

_MARK = b"SQLite format 3\0"


def is_sqlite(path: str) -> bool:
    """Return whether a file is an SQLite database."""
    with open(path, "rb") as file:
        return file.read(len(_MARK)) == _MARK


def sqlite_batches(path: str, sql: str | None, n_rows: int | None) -> Iterator[dict[str, list[Any]]]:
    """Return what a query says in batches of at most so many rows, as lists of values by column.

    Parameters
    ----------
    path : str
    sql : str or None
        A database of one table needs none.
    n_rows : int or None
        Without it all rows are one batch, which may be empty.
    """
    try:
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as connection:
            cursor = connection.execute(sql or f"SELECT * FROM {_only_table(connection, path)}")
            names = [part[0] for part in cursor.description]
            if n_rows is None:
                yield _columns(names, cursor.fetchall())
                return
            while rows := cursor.fetchmany(n_rows):
                yield _columns(names, rows)
    except sqlite3.Error as error:
        raise ValueError(f"{path!r} could not be read: {error}.") from error


def _only_table(connection: sqlite3.Connection, path: str) -> str:
    found = connection.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
    )
    return only_table([row[0] for row in found], path)


def _columns(names: list[str], rows: list[tuple[Any, ...]]) -> dict[str, list[Any]]:
    return {name: [row[j] for row in rows] for j, name in enumerate(names)}
