"""Dates in questions: text and Python's dates as the microseconds that a date column holds."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from boxwood.columns.column import Field
from boxwood.columns.dates import date_column
from boxwood.columns.errors import at
from boxwood.columns.source import leaf_of
from boxwood.columns.types.object_types import zone_named
from boxwood.query.errors import QueryError, shown

__all__ = ["is_date", "microseconds", "zone_of"]

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_MICROSECOND = datetime.timedelta(microseconds=1)


def is_date(value: Any) -> bool:
    """Return whether a value is a date of Python, numpy or pandas."""
    return isinstance(value, datetime.date | np.datetime64)


def zone_of(field: Field) -> datetime.tzinfo | None:
    """Return the time zone of a date column, None where its dates have none."""
    dtype = () if field.source is None else leaf_of(field.source.dtype)
    if len(dtype) != 3 or dtype[0] not in ("datetime", "object") or not isinstance(dtype[2], str):
        return None
    try:
        return zone_named(dtype[2])
    except ValueError as error:
        raise QueryError(f"{at(field.name)}: {error}") from None


def microseconds(field: Field, value: Any) -> float:
    """Return a date as microseconds since 1970 in UTC.

    Text is read as ISO 8601. A date without a zone is in the column's own zone; a date with a zone fits a
    column with one alone.

    Examples
    --------
    >>> from boxwood.columns import Kind
    >>> microseconds(Field("day", Kind.DATETIME), "1970-01-02")
    86400000000.0
    """
    if isinstance(value, str):
        value = _from_text(field, value)
    if isinstance(value, np.datetime64):
        return float(date_column(field.name, np.array([value])).values[0])
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    zone = zone_of(field)
    if value.tzinfo is None:
        value = value.replace(tzinfo=zone or datetime.UTC)
    elif zone is None:
        raise QueryError(
            f"{at(field.name)}: {shown(str(value))} has a time zone, and the dates of the column have none."
        )
    return float((value - _EPOCH) // _MICROSECOND)


def _from_text(field: Field, text: str) -> datetime.datetime:
    try:
        return datetime.datetime.fromisoformat(text.strip())
    except ValueError:
        raise QueryError(
            f"{at(field.name)} holds dates, and {shown(text)} is not one. Write dates as '2024-12-31' or "
            "'2024-12-31 23:59:59'."
        ) from None
