"""Dates as microseconds since 1970 and durations as seconds, from numpy's datetime64 and timedelta64."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import Column, Field
from boxwood.columns.errors import at
from boxwood.columns.kind import Kind
from boxwood.columns.source import FIRST_MICROSECOND, LAST_MICROSECOND

__all__ = [
    "FIRST_MICROSECOND",
    "LAST_MICROSECOND",
    "checked_dates",
    "date_column",
    "dates_of",
    "duration_seconds",
]

_MICROSECONDS = {
    "W": 604_800e6,
    "D": 86_400e6,
    "h": 3_600e6,
    "m": 60e6,
    "s": 1e6,
    "ms": 1e3,
    "us": 1.0,
}
_PER_MICROSECOND = {"ns": 10**3, "ps": 10**6, "fs": 10**9, "as": 10**12}
_NOT_A_TIME = np.iinfo(np.int64).min


def date_column(name: str, values: NDArray[Any]) -> Column:
    """Make a date column of datetime64 values of any unit; finer ones are cut to microseconds."""
    micros = _microseconds(values)
    missing = np.isnat(values)
    n_missing = int(np.count_nonzero(missing))
    if n_missing:
        micros[missing] = np.nan
    return checked_dates(name, micros, n_missing)


def checked_dates(name: str, micros: NDArray[np.float64], n_missing: int) -> Column:
    """Make a date column of microseconds, NaN where missing; refuse years outside 1 to 9999."""
    with np.errstate(invalid="ignore"):
        outside = (micros < FIRST_MICROSECOND) | (micros > LAST_MICROSECOND)
    if outside.any():
        row = int(np.argmax(outside))
        raise ValueError(
            f"{at(name, row)}: the date lies outside the years 1 to 9999. Correct it, mark it as missing, "
            "or give the column as numbers."
        )
    return Column(Field(name, Kind.DATETIME), micros, n_missing)


def dates_of(micros: Any) -> Any:
    """Return microseconds since 1970 as datetime64 in the years 1 to 9999; tails may reach beyond.

    Examples
    --------
    >>> dates_of(np.array([1.0e6, 1e30]))
    array(['1970-01-01T00:00:01.000000', '9999-12-31T23:59:59.999999'],
          dtype='datetime64[us]')
    """
    inside = np.nan_to_num(np.round(micros), nan=0.0, posinf=1e300, neginf=-1e300)
    low, high = float(FIRST_MICROSECOND), float(LAST_MICROSECOND)
    whole = np.clip(inside, low, high).astype(np.int64)
    # The last microsecond of 9999 rounds up to the year 10000 as a float64.
    return np.minimum(whole, LAST_MICROSECOND).astype("datetime64[us]")


def duration_seconds(name: str, values: NDArray[Any]) -> NDArray[np.float64]:
    """Return timedelta64 values as seconds, NaT as NaN."""
    unit, step = np.datetime_data(values.dtype)
    missing = np.isnat(values)
    if unit in ("Y", "M") and not missing.all():
        row = int(np.argmin(missing))
        raise ValueError(
            f"{at(name, row)}: a duration in {'years' if unit == 'Y' else 'months'} has no fixed length. "
            "Convert the column to days or seconds."
        )
    if missing.all():
        return np.full(len(values), np.nan)
    # Not by numpy's own division, which overflows between distant units.
    numbers = _ticks(values).astype(np.float64)
    if unit in _PER_MICROSECOND:
        numbers *= step
        numbers /= _PER_MICROSECOND[unit] * 1e6
    elif unit != "generic":  # a bare number of something: read as seconds, as numpy divides it
        numbers *= step * _MICROSECONDS[unit]
        numbers /= 1e6
    numbers[missing] = np.nan
    return numbers


def _ticks(values: NDArray[Any]) -> NDArray[np.int64]:
    native = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))
    return native.view(np.int64)


def _microseconds(values: NDArray[Any]) -> NDArray[np.float64]:
    # numpy wraps around in silence when it converts between units: whole units are scaled as floats,
    # which cannot wrap, and finer ones are divided.
    unit, step = np.datetime_data(values.dtype)
    if unit == "generic":
        return np.zeros(len(values))  # without a unit there is only NaT
    if unit in ("Y", "M"):
        return _microseconds_of_months(values, step * (12 if unit == "Y" else 1))
    ticks = _ticks(values)
    if unit in _PER_MICROSECOND:
        divisor = _PER_MICROSECOND[unit]
        if step == 1:
            return np.floor_divide(ticks, divisor).astype(np.float64)
        return np.floor(ticks.astype(np.float64) * step / divisor)
    scale = _MICROSECONDS[unit] * step
    return ticks.astype(np.float64) * scale


def _microseconds_of_months(values: NDArray[Any], months: int) -> NDArray[np.float64]:
    ticks = _ticks(values)
    elapsed = np.where(ticks == _NOT_A_TIME, 0.0, ticks.astype(np.float64)) * months
    bounded = np.clip(elapsed, -30_000.0, 120_000.0)  # beyond these the year is refused anyway
    days = bounded.astype(np.int64).astype("datetime64[M]").astype("datetime64[D]")
    return days.view(np.int64) * _MICROSECONDS["D"]
