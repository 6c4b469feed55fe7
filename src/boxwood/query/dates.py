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

__all__ = ["in_own_zone", "is_date", "microseconds", "zone_name", "zone_of"]

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_MICROSECOND = datetime.timedelta(microseconds=1)


def is_date(value: Any) -> bool:
    """Return whether a value is a date of Python, numpy or pandas."""
    return isinstance(value, datetime.date | np.datetime64)


def zone_name(field: Field) -> str | None:
    """Return the name of a date column's time zone, None where its dates have none."""
    dtype = () if field.source is None else leaf_of(field.source.dtype)
    zoned = len(dtype) == 3 and dtype[0] in ("datetime", "object") and isinstance(dtype[2], str)
    return dtype[2] if zoned else None


def zone_of(field: Field) -> datetime.tzinfo | None:
    """Return the time zone of a date column, None where its dates have none."""
    name = zone_name(field)
    if name is None:
        return None
    try:
        return zone_named(name)
    except ValueError as error:
        raise QueryError(f"{at(field.name)}: {error}") from None


def in_own_zone(field: Field, value: np.datetime64) -> datetime.datetime | np.datetime64:
    """Return a date in UTC as one of the column's own zone, unchanged where its dates have none.

    Examples
    --------
    >>> from boxwood.columns import Kind
    >>> from boxwood.columns.source import Source
    >>> day = Field("day", Kind.DATETIME, source=Source(("datetime", "us", "Europe/Berlin")))
    >>> str(in_own_zone(day, np.datetime64("2024-07-01T12:00")))
    '2024-07-01 14:00:00+02:00'
    """
    if zone_name(field) is None or np.isnat(value):
        return value
    date: datetime.datetime = value.astype("datetime64[us]").item().replace(tzinfo=datetime.UTC)
    try:
        return date.astimezone(zone_of(field))
    except (OverflowError, QueryError):  # the first and last hours of the years 1 to 9999; an unknown zone
        return date


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
