"""Types of a CSV file's columns: by all rows at once, or by the first rows and a pass over the rest."""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["LARGE", "by_first_rows", "read_csv"]

N_FIRST = 100_000
"""Rows whose types are taken to be those of the file, until the file says otherwise."""

LARGE = 16 << 20
"""Bytes of a file that should not be in memory as a whole: DuckDB keeps the text that it looks at."""

BUFFER = 4 << 20
"""Bytes that are read at a time, in place of 32 MB; a line may have half of it."""

_NOTHING = "(empty)"

_COMMAS = {"decimal_separator": ","}
"""As spreadsheets of many countries write numbers, with semicolons between them. It is the file's way where
fewer columns are text so, and none that is not otherwise."""

_FITS = {
    "BIGINT": "regexp_full_match(trim({0}), '[+-]?[0-9]+') AND try_cast({0} AS BIGINT) IS NOT NULL",
    "BOOLEAN": "lower(trim({0})) IN ('true', 'false')",
    "DATE": "length(trim({0})) <= 10 AND try_cast({0} AS DATE) IS NOT NULL",
    "VARCHAR": "{0} NOT LIKE '''%'''",
}
"""What a text of a type looks like, where reading it as that type would take more: 7.5 would be the number
8, and later quotes may be other ones."""


def read_csv(connection: Any, name: str, missing: Sequence[str], delimiter: str | None = None) -> Any:
    """Return a CSV file as a relation; DuckDB looks at all of its rows, and for the delimiter if need be."""
    dialect = _dialect(delimiter)
    relation = _read_all(connection, name, missing, dialect)
    texts = _of_type("VARCHAR", _types_of(relation))
    if delimiter == ";" and texts:
        commas = _read_all(connection, name, missing, dialect | _COMMAS)
        if _of_type("VARCHAR", _types_of(commas)) < texts:
            relation, dialect = commas, dialect | _COMMAS
    switches = _of_type("BOOLEAN", _types_of(relation))
    if not switches:
        return relation
    # DuckDB calls yes and no, t and f truth values, too; they are words, which come back as they were.
    as_text = _read_all(connection, name, missing, {**dialect, "types": dict.fromkeys(switches, "VARCHAR")})
    words = [column for column in switches if not _all_fit(as_text, {column: "BOOLEAN"})]
    if len(words) in (0, len(switches)):
        return as_text if words else relation
    return _read_all(connection, name, missing, {**dialect, "types": dict.fromkeys(words, "VARCHAR")})


def _dialect(delimiter: str | None) -> dict[str, str]:
    return {} if delimiter is None else {"delim": delimiter}


def _types_of(relation: Any) -> dict[str, str]:
    return dict(zip(relation.columns, map(str, relation.types), strict=True))


def _of_type(wanted: str, types: Mapping[str, str]) -> set[str]:
    return {column for column, kind in types.items() if kind == wanted}


def _read_all(connection: Any, name: str, missing: Sequence[str], known: Mapping[str, Any]) -> Any:
    # hive_partitioning would add a column for a folder that is called year=2020.
    return connection.sql(
        "SELECT * FROM read_csv($path, nullstr = $missing, sample_size = -1, hive_partitioning = false"
        f"{_as_options(known)})",
        params={"path": glob.escape(name), "missing": list(missing), **known},
    )


def _as_options(known: Mapping[str, Any]) -> str:
    return "".join(f", {key} = ${key}" for key in known)


def by_first_rows(
    connection: Any, name: str, missing: Sequence[str], delimiter: str | None = None
) -> Any | None:
    """Return a CSV file as a relation with the types of its first rows, if these are the types of all rows.

    A pass over the file, in constant memory, tells: every value must fit, and a column of text must have
    shown some text. Else the answer is None, and all rows have to be looked at together.
    """
    import duckdb

    connection.execute("SET threads = 1")  # others run ahead and keep what they read: 40 MB a million rows
    try:
        options = _sniffed(connection, name, missing, _dialect(delimiter))
        texts = _of_type("VARCHAR", options["columns"])
        if delimiter == ";" and texts:
            commas = _sniffed(connection, name, missing, _dialect(delimiter) | _COMMAS)
            if _of_type("VARCHAR", commas["columns"]) < texts:
                options = commas | _COMMAS
        types = options["columns"]
        shown = {column: "VARCHAR" if kind in _FITS else kind for column, kind in types.items()}
        plain = options["comment"] == "" and len(types) > 1
        if plain and _all_fit(_with_options(connection, options | {"columns": shown}), types):
            return _with_options(connection, options)
    except duckdb.Error:
        pass  # a value that does not fit; where the file itself is wrong, that will be said
    connection.execute("RESET threads")
    return None


def _sniffed(
    connection: Any, name: str, missing: Sequence[str], dialect: Mapping[str, str]
) -> dict[str, Any]:
    """Return what the first rows say of a file, as options of DuckDB's reader."""
    path = glob.escape(name)
    relation = connection.sql(
        f"SELECT * FROM sniff_csv($path, nullstr = $missing, sample_size = $n{_as_options(dialect)})",
        params={"path": path, "missing": list(missing), "n": N_FIRST, **dialect},
    )
    found = dict(zip(relation.columns, relation.fetchall()[0], strict=True))
    text: dict[str, Any] = {key: "" if value == _NOTHING else value for key, value in found.items()}
    options = {
        "path": path,
        "nullstr": list(missing),
        "delim": text["Delimiter"],
        # Where the first rows have no quotes, later ones may.
        "quote": text["Quote"] or '"',
        "escape": text["Escape"] or '"',
        "new_line": text["NewLineDelimiter"],
        "comment": text["Comment"],
        "skip": text["SkipRows"],
        "header": text["HasHeader"],
        "columns": {column["name"]: column["type"] for column in text["Columns"]},
        "buffer_size": BUFFER,
    }
    dates = {"dateformat": text["DateFormat"], "timestampformat": text["TimestampFormat"]}
    return options | {key: value for key, value in dates.items() if value}


def _with_options(connection: Any, options: Mapping[str, Any]) -> Any:
    named = ", ".join(f"{key} = ${key}" for key in options if key != "path")
    return connection.sql(
        f"SELECT * FROM read_csv($path, auto_detect = false, hive_partitioning = false, {named})",
        params=dict(options),
    )


def _all_fit(shown: Any, types: Mapping[str, str]) -> bool:
    """Return whether all values fit their types; those that a type takes too readily are shown as text."""
    texts = [f"count({_quoted(column)})" for column, kind in types.items() if kind == "VARCHAR"]
    # A column that begins with nothing but gaps is called text, whatever comes behind them.
    if texts and not all(shown.limit(N_FIRST).aggregate(", ".join(texts)).fetchall()[0]):
        return False
    misfits = []
    for column, kind in types.items():
        fits = _FITS.get(kind, "{0} IS NOT NULL").format(_quoted(column))
        misfits.append(f"count({_quoted(column)}) FILTER (NOT ({fits}))")
    return not any(shown.aggregate(", ".join(misfits)).fetchall()[0])


def _quoted(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'
