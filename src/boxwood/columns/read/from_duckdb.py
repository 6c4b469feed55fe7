"""A table from a DuckDB relation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Column
from boxwood.columns.columns import Columns
from boxwood.columns.dates import checked_dates
from boxwood.columns.errors import first_line, integer_error, rows_from, type_error
from boxwood.columns.kind import Kind
from boxwood.columns.names import read_names
from boxwood.columns.read.from_codes import boolean_column, coded_column, column_from_codes
from boxwood.columns.read.from_numbers import LARGEST_INTEGER, integer_column, number_column
from boxwood.columns.read.native_codes import codes_of_arrow
from boxwood.columns.schema import Schema
from boxwood.columns.source import Source

__all__ = ["columns_from_relation", "is_relation", "read_relation", "record_batches", "relation_batches"]

_INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"}
_WIDE_INTEGERS = {"HUGEINT", "UHUGEINT", "BIGNUM", "VARINT"}
_FLOATS = {"FLOAT", "DOUBLE"}
_TEXTS = {"VARCHAR", "UUID"}
_NULLS = {'"NULL"', "NULL"}
_ZONED = {"TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ", "TIMESTAMPTZ_NS"}
_INSTANTS = Source(("datetime", "us", "UTC"))
"""DuckDB keeps the instants of dates with a zone, and not which zone it was."""
MOST_CELLS = 262_144
"""Of a batch: 2 MB of numbers, however many columns there are."""
_BEYOND_DATES = np.iinfo(np.int64).max


def is_relation(X: Any) -> bool:
    """True for a DuckDB relation, told without importing DuckDB."""
    return type(X).__name__ == "DuckDBPyRelation"


def columns_from_relation(relation: Any) -> Columns:
    """Read a DuckDB relation."""
    import duckdb

    try:
        return read_relation(relation)
    except duckdb.Error as error:
        raise ValueError(f"the DuckDB relation could not be read: {first_line(error)}") from error


def read_relation(relation: Any) -> Columns:
    """Read a relation; DuckDB's own errors pass."""
    names, types, selected = _as_numbers(relation)
    if not names:
        return Columns(Schema((), "frame", named=True), 0, columns=[])
    return _table(
        _column(name, kind, values)
        for name, kind, values in zip(names, types, selected.fetchnumpy().values(), strict=True)
    )


def relation_batches(relation: Any, n_rows: int) -> Iterator[Columns]:
    """Read a relation in tables of at most so many rows; the categories of each are those that it shows.

    DuckDB's own errors pass.
    """
    names, types, selected = _as_numbers(relation)
    if not names:
        return
    first = 0
    for batch in record_batches(selected, max(1, min(n_rows, MOST_CELLS // max(len(names), 1)))):
        with rows_from(first):
            table = _table(
                _column_of_arrow(name, kind, values)
                for name, kind, values in zip(names, types, batch.columns, strict=True)
            )
        yield table
        first += table.n_rows


def record_batches(relation: Any, n_rows: int) -> Iterator[Any]:
    """Return what a relation holds as pyarrow's record batches; DuckDB makes them one at a time."""
    # The name since DuckDB 1.4; the older one warns there.
    make = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
    for batch in make(n_rows):
        if batch.num_rows:
            yield batch


def _as_numbers(relation: Any) -> tuple[list[str], list[Any], Any]:
    """Return names, types, and the relation with its columns in types that numpy has."""
    names, _ = read_names(relation.columns)
    types = list(relation.types)
    # Columns are renamed by position: SQL cannot tell "a" from "A".
    aliases = [f"c{j}" for j in range(len(names))]
    selected = ", ".join(
        f"{_selected(name, str(kind), alias)} AS {alias}"
        for name, kind, alias in zip(names, types, aliases, strict=True)
    )
    query = f"SELECT {selected} FROM boxwood_input AS boxwood_table({', '.join(aliases)})"
    return names, types, relation.query("boxwood_input", query) if names else None


def _table(made: Iterable[Column]) -> Columns:
    columns = list(made)
    schema = Schema(tuple(column.field for column in columns), "frame", named=True)
    return Columns(schema, len(columns[0].values), columns=columns)


def _is_date(kind: str) -> bool:
    return kind == "DATE" or kind.startswith("TIMESTAMP")


def _selected(name: str, kind: str, alias: str) -> str:
    """Return the SQL that turns a column into a type that numpy has."""
    if kind in _INTEGERS or kind in _FLOATS:
        return alias
    if kind in _TEXTS or kind.startswith("ENUM"):
        return f"{alias}::VARCHAR"
    if kind in _WIDE_INTEGERS:  # compared here: as a float64 2**53 + 1 is 2**53
        inside = f"{alias} BETWEEN -{LARGEST_INTEGER}::HUGEINT AND {LARGEST_INTEGER}::HUGEINT"
        return f"CASE WHEN {inside} THEN {alias}::DOUBLE WHEN {alias} IS NOT NULL THEN 'inf'::DOUBLE END"
    if kind.startswith("DECIMAL"):
        return f"{alias}::DOUBLE"
    if kind == "BOOLEAN":
        return f"{alias}::TINYINT"
    if _is_date(kind):  # epoch_us of an infinite date is NULL, which would read as missing
        # DuckDB 2 has neither function of nanoseconds with a zone, which Parquet files of pandas hold
        date = f"{alias}::TIMESTAMPTZ" if kind == "TIMESTAMPTZ_NS" else alias
        return f"CASE WHEN isinf({date}) THEN {_BEYOND_DATES} ELSE epoch_us({date}) END"
    if kind == "INTERVAL":
        return f"epoch({alias})::DOUBLE"
    if kind in _NULLS:
        return "NULL::DOUBLE"
    raise type_error(name, kind)


def _column(name: str, type_: Any, fetched: Any) -> Column:
    kind = str(type_)
    missing = np.ma.getmaskarray(fetched)
    values = np.ma.getdata(fetched)
    if kind in _TEXTS:
        return coded_column(name, _texts(values, missing))
    if kind.startswith("ENUM"):
        return _enum_column(name, type_, _texts(values, missing))
    if kind == "BOOLEAN":
        return boolean_column(name, np.where(missing, MISSING_CODE, values))
    if kind in _INTEGERS:
        return integer_column(name, values, missing if missing.any() else None)
    numbers = values.astype(np.float64)
    numbers[missing] = np.nan
    if _is_date(kind):
        dates = checked_dates(name, numbers, int(np.count_nonzero(missing)))
        return dates.with_source(_INSTANTS) if kind in _ZONED else dates
    if kind in _WIDE_INTEGERS:
        outside = np.isinf(numbers)
        if outside.any():
            raise integer_error(name, int(np.argmax(outside)))
        return number_column(name, numbers, Kind.INTEGER)
    return number_column(name, numbers)


def _column_of_arrow(name: str, type_: Any, array: Any) -> Column:
    """Make the column of an array of pyarrow's: the same as `_column` of the array that DuckDB would make."""
    kind = str(type_)
    if kind in _TEXTS:
        codes, labels = codes_of_arrow(array)
        return column_from_codes(name, codes, labels)
    if kind.startswith("ENUM"):
        return _enum_column(name, type_, array.to_pylist())
    missing = array.is_null().to_numpy(zero_copy_only=False)
    values = array.fill_null(0).to_numpy(zero_copy_only=False)
    return _column(name, type_, np.ma.MaskedArray(values, missing))


def _texts(values: NDArray[Any], missing: NDArray[np.bool_]) -> list[str | None]:
    texts = values.astype(object)
    texts[missing] = None
    return list(texts.tolist())


def _enum_column(name: str, type_: Any, texts: list[str | None]) -> Column:
    labels = dict(type_.children)["values"]
    position: dict[str | None, int] = {label: code for code, label in enumerate(labels)}
    position[None] = MISSING_CODE
    codes = np.fromiter(map(position.__getitem__, texts), np.int64, len(texts))
    return column_from_codes(name, codes, labels, Kind.ORDINAL)
