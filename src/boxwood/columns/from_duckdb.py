"""A table from a DuckDB relation, or from a file that DuckDB reads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Column, Field
from boxwood.columns.columns import Columns
from boxwood.columns.errors import at
from boxwood.columns.from_values import BOOLEANS, coded_column, integer_column, number_column
from boxwood.columns.kind import Kind
from boxwood.columns.schema import Schema

__all__ = ["MISSING_STRINGS", "columns_from_file", "columns_from_relation", "is_relation"]

MISSING_STRINGS = ("", "NA", "N/A", "NaN", "nan", "NULL", "null")
"""Cells of a CSV file that are read as missing unless other strings are given."""

_INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
_FLOATS = {"FLOAT", "DOUBLE", "UBIGINT", "HUGEINT", "UHUGEINT"}
_TEXTS = {"VARCHAR", "UUID"}


def is_relation(X: Any) -> bool:
    """True for a DuckDB relation, told without importing DuckDB."""
    return type(X).__name__ == "DuckDBPyRelation"


def columns_from_file(path: str | os.PathLike[str], missing_values: Sequence[str] | None = None) -> Columns:
    """Read a CSV, JSON-lines or Parquet file, by its ending; ``.gz`` and ``.zst`` may follow.

    Nothing is downloaded: DuckDB's extensions stay off, and so do addresses on a network.
    """
    import duckdb

    name = os.fspath(path)
    if "://" in name:
        raise ValueError(f"{name!r} is an address: boxwood reads local files only. Download it first.")
    if not Path(name).is_file():
        raise FileNotFoundError(f"there is no file {name!r}")
    with duckdb.connect(":memory:") as connection:
        connection.execute("SET autoinstall_known_extensions = false")
        connection.execute("SET autoload_known_extensions = false")
        try:
            return columns_from_relation(_open(connection, name, missing_values))
        except duckdb.Error as error:
            first_line = str(error).splitlines()[0]
            raise ValueError(f"{name!r} could not be read: {first_line}") from None


def _open(connection: Any, name: str, missing_values: Sequence[str] | None) -> Any:
    endings = [ending.lower() for ending in Path(name).suffixes]
    if endings and endings[-1] in (".gz", ".zst"):
        endings.pop()
    ending = endings[-1] if endings else ""
    if ending in (".csv", ".tsv", ".txt"):
        missing = list(MISSING_STRINGS if missing_values is None else missing_values)
        return connection.sql(
            "SELECT * FROM read_csv($path, nullstr = $missing, sample_size = -1)",
            params={"path": name, "missing": missing},
        )
    if ending in (".jsonl", ".ndjson", ".json"):
        layout = "auto" if ending == ".json" else "newline_delimited"
        return connection.sql(
            "SELECT * FROM read_json($path, format = $layout, sample_size = -1)",
            params={"path": name, "layout": layout},
        )
    if ending in (".parquet", ".pq"):
        return connection.sql("SELECT * FROM read_parquet($path)", params={"path": name})
    raise ValueError(
        f"{name!r}: the ending does not tell the format. boxwood reads .csv, .tsv, .txt, .json, "
        ".jsonl, .ndjson, .parquet and .pq (.gz and .zst may follow)."
    )


def columns_from_relation(relation: Any) -> Columns:
    """Read a DuckDB relation."""
    names = list(relation.columns)
    if not names:
        return Columns(Schema((), "frame", named=True), 0, columns=[])
    types = [str(kind) for kind in relation.types]
    selected = [_selected(name, kind) for name, kind in zip(names, types, strict=True)]
    fetched = relation.project(", ".join(selected)).fetchnumpy()
    columns = [
        _column(name, kind, values) for name, kind, values in zip(names, types, fetched.values(), strict=True)
    ]
    schema = Schema(tuple(column.field for column in columns), "frame", named=True)
    return Columns(schema, len(columns[0].values), columns=columns)


def _selected(name: str, kind: str) -> str:
    """Give the SQL that turns a column into a type that numpy has."""
    quoted = '"' + name.replace('"', '""') + '"'
    if kind in _INTEGERS or kind in _FLOATS - {"HUGEINT", "UHUGEINT"}:
        return quoted
    if kind in ("HUGEINT", "UHUGEINT") or kind.startswith("DECIMAL"):
        return f"{quoted}::DOUBLE AS {quoted}"
    if kind == "BOOLEAN":
        return f"{quoted}::TINYINT AS {quoted}"
    if kind in _TEXTS or kind.startswith("ENUM"):
        return f"{quoted}::VARCHAR AS {quoted}"
    if kind == "DATE" or kind.startswith("TIMESTAMP"):
        return f"epoch_us({quoted}) AS {quoted}"
    if kind == "INTERVAL":
        return f"epoch({quoted})::DOUBLE AS {quoted}"
    if kind == '"NULL"' or kind == "NULL":
        return f"NULL::DOUBLE AS {quoted}"
    raise TypeError(
        f"{at(name)} has the DuckDB type {kind}, which boxwood does not take. Convert it to numbers, "
        "strings, booleans or dates, or drop it."
    )


def _column(name: str, kind: str, fetched: Any) -> Column:
    missing = np.ma.getmaskarray(fetched)
    values = np.ma.getdata(fetched)
    if kind in _TEXTS or kind.startswith("ENUM"):
        texts = [None if gone else text for text, gone in zip(values.tolist(), missing.tolist(), strict=True)]
        return coded_column(name, texts)
    if kind == "BOOLEAN":
        codes = np.where(missing, MISSING_CODE, values).astype(np.int32)
        return Column(Field(name, Kind.BOOLEAN, BOOLEANS), codes, int(missing.sum()))
    if kind in _INTEGERS or kind == "UBIGINT":
        column = integer_column(name, np.where(missing, np.zeros(1, values.dtype), values))
        return number_column(name, _with_nan(column.values, missing), Kind.INTEGER)
    numbers = _with_nan(values.astype(np.float64), missing)
    is_date = kind == "DATE" or kind.startswith("TIMESTAMP")
    return number_column(name, numbers, Kind.DATETIME if is_date else Kind.NUMERIC)


def _with_nan(values: NDArray[Any], missing: NDArray[np.bool_]) -> NDArray[np.float64]:
    if missing.any():
        values = values.copy()
        values[missing] = np.nan
    return np.ascontiguousarray(values, dtype=np.float64)
