"""The one table of a database that needs no query."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["only_table"]


def only_table(tables: Sequence[str], path: str) -> str:
    """Return the quoted name of a database's table; where there are none or several, say which there are."""
    if len(tables) != 1:
        listed = ", ".join(map(repr, tables)) or "none"
        raise ValueError(f"{path!r} has the tables {listed}: say by an SQL query (--sql) which one to read.")
    quoted = str(tables[0]).replace('"', '""')
    return f'"{quoted}"'
