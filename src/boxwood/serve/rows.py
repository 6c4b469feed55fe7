"""Rows between JSON and a fitted table's columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns, Field, Kind, Schema
from boxwood.columns.dates import dates_of
from boxwood.columns.errors import at
from boxwood.parameters import shown
from boxwood.query.dates import microseconds
from boxwood.query.errors import nearest
from boxwood.serve.plain_json import plain
from boxwood.serve.refusal import RefusedError

__all__ = ["cells_of", "read_rows", "rows_of"]

Row = Mapping[str, Any]

LARGEST = 1e300
"""Numbers of rows in absolute value: far beyond any table, and sums of them stay finite."""


def read_rows(schema: Schema, rows: Sequence[Row]) -> Columns:
    """Return rows as columns of a fitted table; what a row leaves out is missing.

    Examples
    --------
    >>> import boxwood as bw
    >>> schema = bw.read_columns({"age": [31, 44], "city": ["Bonn", "Ulm"]}).schema
    >>> table = read_rows(schema, [{"age": 40, "city": "Ulm"}, {"city": "Rom"}])
    >>> table["age"].values, table["city"].values
    (array([40., nan]), array([1, 2], dtype=int32))
    """
    known = set(schema.names)
    for k, row in enumerate(rows):
        if not row.keys() <= known:
            name = next(name for name in row if name not in known)
            similar = nearest(name, schema.names)
            hint = f" Did you mean {similar!r}?" if similar else ""
            raise RefusedError("invalid", f"row {k}: the table has no column {shown(name)}.{hint}")
    parts = [_column(field, [row.get(field.name) for row in rows]) for field in schema.fields]
    return Columns(schema, len(rows), columns=parts)


def _column(field: Field, values: list[Any]) -> Column:
    if field.kind.is_number:
        read = _date if field.kind is Kind.DATETIME else _number
        numbers = np.array([read(field, k, value) for k, value in enumerate(values)], dtype=np.float64)
        return Column(field, numbers, int(np.isnan(numbers).sum()))
    codes = _codes(field, values)
    return Column(field, codes, int((codes < 0).sum()))


def _number(field: Field, k: int, value: Any) -> float:
    if value is None:
        return np.nan
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise RefusedError("invalid", f"row {k}: {at(field.name)} holds numbers; got {shown(value)}.")
    return float(value)


def _date(field: Field, k: int, value: Any) -> float:
    if value is None:
        return np.nan
    if not isinstance(value, str):
        raise RefusedError("invalid", f"row {k}: {at(field.name)} holds dates as text; got {shown(value)}.")
    return microseconds(field, value)


def _codes(field: Field, values: list[Any]) -> NDArray[np.int32]:
    text = any(isinstance(label, str) for label in field.categories)
    for k, value in enumerate(values):
        if value is not None and (isinstance(value, list | dict) or isinstance(value, str) != text):
            wanted = "text" if text else "no text"
            raise RefusedError("invalid", f"row {k}: {at(field.name)} holds {wanted}; got {shown(value)}.")
    code_of = _code_of(field.categories)
    unseen = len(code_of)
    return np.array([-1 if v is None else code_of.get(v, unseen) for v in values], dtype=np.int32)


@lru_cache(maxsize=1024)
def _code_of(categories: tuple[Any, ...]) -> dict[Any, int]:
    """Return the codes of categories; kept, since a request is often about one row."""
    return {label: code for code, label in enumerate(categories)}


def rows_of(columns: Columns) -> list[dict[str, Any]]:
    """Return the rows of columns as JSON objects; a category that the table does not have is missing.

    Examples
    --------
    >>> import boxwood as bw
    >>> rows_of(bw.read_columns({"age": [31, None], "city": ["Bonn", "Ulm"]}))
    [{'age': 31, 'city': 'Bonn'}, {'age': None, 'city': 'Ulm'}]
    """
    names = columns.schema.names
    return [dict(zip(names, cells, strict=True)) for cells in zip(*map(cells_of, columns), strict=True)]


def cells_of(column: Column) -> list[Any]:
    """Return a column's values as JSON has them."""
    if not column.kind.is_number:
        labels = [*map(plain, column.field.categories), None, None]  # unseen, and −1
        return [labels[code] for code in column.values.tolist()]
    missing = column.missing()
    if column.kind is Kind.DATETIME:
        shown_dates = [str(date) for date in dates_of(np.where(missing, 0.0, column.values))]
        return [None if gap else date for gap, date in zip(missing, shown_dates, strict=True)]
    whole = column.kind is Kind.INTEGER
    values = column.values.tolist()
    return [
        None if gap else int(value) if whole and value.is_integer() else plain(value)
        for gap, value in zip(missing, values, strict=True)
    ]
