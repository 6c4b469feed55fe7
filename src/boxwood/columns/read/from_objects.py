"""One column from Python objects, by what they are."""

from __future__ import annotations

import datetime
import decimal
import fractions
import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Column
from boxwood.columns.dates import date_column, duration_seconds
from boxwood.columns.errors import at, integer_error
from boxwood.columns.kind import Kind
from boxwood.columns.labels import is_missing
from boxwood.columns.read.from_codes import boolean_column, coded_column
from boxwood.columns.read.from_numbers import LARGEST_INTEGER, number_column

__all__ = ["column_from_objects"]

_FAMILIES: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("duration", (datetime.timedelta, np.timedelta64)),  # first: numpy's is a subclass of its integers
    ("boolean", (bool, np.bool_)),
    ("integer", (int, np.integer)),
    ("numeric", (float, np.floating, decimal.Decimal, fractions.Fraction)),
    ("string", (str,)),
    ("date", (datetime.date, np.datetime64)),
    ("complex", (complex, np.complexfloating)),
)
_NUMBERS = {"boolean", "integer", "numeric"}


def column_from_objects(name: str, values: NDArray[Any]) -> Column:
    """Make the typed column of Python objects, which must be of one family (numbers may mix)."""
    listed = values.tolist()
    if set(map(type, listed)) <= {str, type(None)} and any(value is not None for value in listed):
        return coded_column(name, listed)  # the common case, without a look at every row
    present = [not is_missing(value) for value in listed]
    families = {
        _family(kind) for kind in {type(v) for v, there in zip(listed, present, strict=True) if there}
    }
    if not families:
        return number_column(name, np.full(len(listed), np.nan))
    if "" in families:
        row = _first(listed, present, {""})
        raise TypeError(
            f"{at(name, row)}: argument must be a string, a number, a boolean or a date, "
            f"not {type(listed[row]).__name__}."
        )
    if "complex" in families:
        raise ValueError(f"{at(name, _first(listed, present, {'complex'}))}: Complex data not supported.")
    if families == {"boolean"}:
        codes = [int(v) if there else MISSING_CODE for v, there in zip(listed, present, strict=True)]
        return boolean_column(name, np.array(codes))
    if families <= _NUMBERS:
        whole = "numeric" not in families
        return number_column(name, _floats(name, listed, present), Kind.INTEGER if whole else Kind.NUMERIC)
    if len(families) > 1:
        raise _mixture_error(name, listed, present)
    if families == {"string"}:
        return coded_column(name, [v if there else None for v, there in zip(listed, present, strict=True)])
    if families == {"duration"}:
        return number_column(name, _durations(name, listed, present))
    return _dates(name, listed, present)


def _family(kind: type) -> str:
    return next((family for family, types in _FAMILIES if issubclass(kind, types)), "")


def _first(listed: list[Any], present: list[bool], families: set[str]) -> int:
    return next(i for i, there in enumerate(present) if there and _family(type(listed[i])) in families)


def _floats(name: str, listed: list[Any], present: list[bool]) -> NDArray[np.float64]:
    result = np.full(len(listed), np.nan)
    for row, value in enumerate(listed):
        if not present[row]:
            continue
        if isinstance(value, numbers.Integral) and abs(int(value)) > LARGEST_INTEGER:
            raise integer_error(name, row, int(value))
        try:
            result[row] = float(value)
        except (OverflowError, ValueError, ArithmeticError):
            raise ValueError(
                f"{at(name, row)}: the {type(value).__name__} is too large to calculate with."
            ) from None
    return result


def _durations(name: str, listed: list[Any], present: list[bool]) -> NDArray[np.float64]:
    # One by one: units differ from value to value, and numpy would round them all to one.
    result = np.full(len(listed), np.nan)
    for row, value in enumerate(listed):
        if present[row] and isinstance(value, np.timedelta64):
            result[row] = duration_seconds(name, np.array([value]))[0]
        elif present[row]:
            result[row] = value.total_seconds()
    return result


def _dates(name: str, listed: list[Any], present: list[bool]) -> Column:
    rows = [row for row, there in enumerate(present) if there]
    aware = {row: getattr(listed[row], "tzinfo", None) is not None for row in rows}
    odd = next((row for row in rows if aware[row] != aware[rows[0]]), None)
    if odd is not None:
        raise ValueError(f"{at(name, odd)}: dates with and without a time zone are mixed in this column.")
    micros = np.full(len(listed), np.datetime64("NaT", "us"), dtype="datetime64[us]")
    for row in rows:
        try:
            micros[row] = _date(name, listed[row])
        except OverflowError:
            raise ValueError(
                f"{at(name, row)}: the date lies outside the years 1 to 9999 when converted to UTC."
            ) from None
    return date_column(name, micros)


def _date(name: str, value: Any) -> Any:
    if isinstance(value, np.datetime64):
        micros = date_column(name, np.array([value])).values[0]
        return np.datetime64(int(micros), "us")
    if getattr(value, "tzinfo", None) is not None:
        value = value.astimezone(datetime.UTC).replace(tzinfo=None)
    return np.datetime64(value, "us")


def _mixture_error(name: str, listed: list[Any], present: list[bool]) -> TypeError:
    first = present.index(True)
    family = _family(type(listed[first]))
    alike = _NUMBERS if family in _NUMBERS else {family}
    row = _first(listed, present, {known for known, _ in _FAMILIES} - alike)
    return TypeError(
        f"{at(name, row)}: the column mixes types, {type(listed[first]).__name__} in row {first} and "
        f"{type(listed[row]).__name__} here. Cast it to one type (for example to strings)."
    )
