"""Types of a CSV file's columns: by all rows at once, or by the first rows and a pass over the rest."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from typing import Any

__all__ = ["LARGE", "by_first_rows", "read_csv"]

ALL_ROWS = -1

N_FIRST = 100_000
"""Rows whose types are taken to be those of the file, until the file says otherwise."""

LARGE = 16 << 20
"""Bytes of a file whose text should not be in memory as a whole: DuckDB keeps it while it looks at all rows."""

BUFFER = 4 << 20
"""Bytes that are read at a time, in place of 32 MB; a line may have half of it."""


def read_csv(connection: Any, name: str, missing: Sequence[str], n_sniffed: int = ALL_ROWS) -> Any:
    """Return a CSV file as a relation whose types fit some of its first rows, by default all."""
    buffer = "" if n_sniffed == ALL_ROWS else f", buffer_size = {BUFFER}"
    # hive_partitioning would add a column for a folder that is called year=2020.
    return connection.sql(
        "SELECT * FROM read_csv($path, nullstr = $missing, sample_size = $n_sniffed, "
        f"hive_partitioning = false{buffer})",
        params={"path": glob.escape(name), "missing": list(missing), "n_sniffed": n_sniffed},
    )


def by_first_rows(connection: Any, name: str, missing: Sequence[str]) -> Any | None:
    """Return a CSV file as a relation with the types of its first rows, if these are the types of all rows.

    A pass over the file, in constant memory, tells: every value must fit, and a column of text must have
    shown some text. Else the answer is None, and all rows have to be looked at together.
    """
    import duckdb

    connection.execute("SET threads = 1")  # others run ahead and keep what they read: 40 MB a million rows
    try:
        relation = read_csv(connection, name, missing, N_FIRST)
        if len(relation.columns) > 1 and _shows_its_text(relation):
            relation.aggregate(_counts(relation.columns)).fetchall()
            return relation
    except duckdb.Error:
        pass  # a value that does not fit; where the file itself is wrong, it will be said
    connection.execute("RESET threads")
    return None


def _shows_its_text(relation: Any) -> bool:
    # A column that begins with nothing but gaps is called text, whatever comes behind them.
    texts = [
        name
        for name, kind in zip(relation.columns, relation.types, strict=True)
        if str(kind) == "VARCHAR"
    ]
    return not texts or all(relation.limit(N_FIRST).aggregate(_counts(texts)).fetchall()[0])


def _counts(columns: Sequence[str]) -> str:
    quoted = [column.replace('"', '""') for column in columns]
    return ", ".join(f'count("{column}")' for column in quoted)
