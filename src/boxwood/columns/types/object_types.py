"""What the Python objects of a column are, in words, and objects of that sort back."""

from __future__ import annotations

import datetime
import decimal
import re
import zoneinfo
from collections.abc import Iterable, Sequence
from typing import Any

from boxwood.columns.kind import Kind
from boxwood.columns.labels import is_missing
from boxwood.columns.source import TypeName

__all__ = ["known_zone", "name_of_objects", "scale_of", "zone_named"]

_OFFSET = re.compile(r"UTC([+-]\d\d):(\d\d)")
_HELD = {Kind.CATEGORICAL: "string", Kind.BOOLEAN: "boolean", Kind.INTEGER: "integer"}


def name_of_objects(values: Iterable[Any], kind: Kind) -> TypeName:
    """Return what Python objects that were read as a column of this kind are.

    Examples
    --------
    >>> name_of_objects([decimal.Decimal("1.50"), None], Kind.NUMERIC)
    ('object', 'decimal', 2)
    """
    if kind in _HELD:  # read from objects of one family only, so that none needs a look
        return ("object", _HELD[kind])
    present = [value for value in values if not is_missing(value)]
    types = set(map(type, present))
    if kind is Kind.DATETIME:
        return ("object", *_date_name(present, types))
    if types == {decimal.Decimal}:
        return ("object", "decimal", scale_of(present))
    if types and all(issubclass(one, datetime.timedelta) for one in types):
        return ("object", "timedelta" if types == {datetime.timedelta} else "Timedelta")
    return ("object", "float")


def scale_of(values: Sequence[decimal.Decimal]) -> int:
    """Return how many decimals the values are written with."""
    exponents = (value.as_tuple().exponent for value in values)
    return max((-exponent for exponent in exponents if isinstance(exponent, int)), default=0)


def zone_named(name: str) -> datetime.tzinfo:
    """Return the time zone of a name such as Europe/Berlin, UTC or UTC+01:00; ValueError for others."""
    offset = _OFFSET.fullmatch(name)
    if offset:
        hours, minutes = int(offset[1]), int(offset[2])
        return datetime.timezone(datetime.timedelta(hours=hours, minutes=-minutes if hours < 0 else minutes))
    if name == "UTC":
        return datetime.UTC
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"the time zone {name!r} is not known here.") from error


def _date_name(present: list[Any], types: set[type]) -> tuple[Any, ...]:
    if types == {datetime.date}:
        return ("date",)
    if not all(issubclass(one, datetime.datetime) for one in types):
        return ("datetime", None)
    zones = {str(value.tzinfo) for value in present}
    zone = zones.pop() if len(zones) == 1 else "UTC"
    held = "datetime" if types == {datetime.datetime} else "Timestamp"
    return (held, None if zone == "None" else known_zone(zone))


def known_zone(zone: str) -> str:
    """Return a zone's name, or UTC where it is not known here: zones differ by machine.

    Examples
    --------
    >>> known_zone("Mars/Olympus")
    'UTC'
    """
    try:
        zone_named(zone)
    except ValueError:
        return "UTC"
    return zone
