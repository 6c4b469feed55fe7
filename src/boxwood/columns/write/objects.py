"""A column as the Python objects that it came as."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import Column
from boxwood.columns.kind import Kind
from boxwood.columns.source import TypeName
from boxwood.columns.types.object_types import known_zone, zone_named
from boxwood.columns.write.parts import datetimes, decimals, numbers_of, plain_objects

__all__ = ["object_array"]


def object_array(column: Column, name: TypeName) -> NDArray[Any]:
    """Return a column as an array of objects of the sort that `name_of_objects` told; None where missing."""
    values = np.empty(len(column.values), dtype=object)
    values[:] = _objects(column, *name[1:])
    return values


def _objects(column: Column, held: str, *arguments: Any) -> list[Any]:
    if held == "date":
        return list(datetimes(column).astype("datetime64[D]").tolist())
    if held in ("datetime", "Timestamp"):
        return _stamps(held, _zoned(datetimes(column).tolist(), *arguments))
    if held == "decimal":
        return list(decimals(column, *arguments))
    if held in ("timedelta", "Timedelta"):
        return _stamps(held, _durations(column))
    if held in ("integer", "float") and column.kind is not (
        Kind.INTEGER if held == "integer" else Kind.NUMERIC
    ):
        numbers = numbers_of(column)
        assert numbers is not None
        make = int if held == "integer" and not (numbers % 1 > 0).any() else float
        return [None if x != x else make(x) for x in numbers.tolist()]
    return plain_objects(column)


def _zoned(stamps: list[datetime.datetime | None], zone: str | None) -> list[datetime.datetime | None]:
    if zone is None:
        return stamps
    there = zone_named(known_zone(zone))
    return [stamp and stamp.replace(tzinfo=datetime.UTC).astimezone(there) for stamp in stamps]


def _durations(column: Column) -> list[datetime.timedelta | None]:
    return [None if x != x else datetime.timedelta(seconds=x) for x in column.numbers().tolist()]


def _stamps(held: str, values: list[Any]) -> list[Any]:
    """Return dates and durations as pandas' own where they were, else as Python's."""
    if held[0].islower():
        return values
    import pandas as pd

    make = getattr(pd, held)
    return [None if value is None else make(value) for value in values]
