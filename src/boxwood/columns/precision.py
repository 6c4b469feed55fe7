"""How finely a column's values are given: decimals of numbers, units of dates and durations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import Column, Field
from boxwood.columns.columns import Columns
from boxwood.columns.kind import Kind
from boxwood.columns.source import TIME_UNITS, leaf_of, limits_of

__all__ = ["MOST_DECIMALS", "decimals_of", "rounded_to_source", "unit_of"]

MOST_DECIMALS = 9
_FIRST_CHUNK, _CHUNK = 64, 16_384
# Of numbers this large in units of the last decimal every one would look rounded: 2**50 leaves a double three
# bits below the decimal point, and the narrower types as many.
_LARGEST = {8: 2.0**50, 4: 2.0**21, 2: 2.0**8}


def decimals_of(values: NDArray[np.float64], dtype: Any = np.float64) -> int | None:
    """Return the least number of decimals that all values have; None where it is more than nine.

    Parameters
    ----------
    values : ndarray of float64, NaN where missing
    dtype : numpy dtype of floats, default=float64
        The type that the numbers had: as a float32, 0.1 has one decimal.

    Examples
    --------
    >>> decimals_of(np.array([1.5, np.nan, 2.25])), decimals_of(np.array([1 / 3]))
    (2, None)
    """
    dtype = np.dtype(dtype)
    largest = _LARGEST.get(dtype.itemsize, _LARGEST[8])
    decimals, seen = 0, False
    for chunk in _present(values):
        size = float(np.max(np.abs(chunk)))
        while size * 10.0**decimals >= largest or not _have_decimals(chunk, decimals, dtype):
            decimals += 1
            if decimals > MOST_DECIMALS or size * 10.0**decimals >= largest:
                return None
        seen = True
    return decimals if seen else None


def unit_of(values: NDArray[np.float64], micros: float = 1.0, coarsest: str = "D") -> str | None:
    """Return the coarsest unit that all values are whole in; None where none is, or no value is there.

    Parameters
    ----------
    values : ndarray of float64, NaN where missing
    micros : float, default=1.0
        How many microseconds a number stands for: 1 for dates, 10⁶ for durations.
    coarsest : str, default="D"
        Where a day has a time zone it does not begin where that of the numbers does: then "h".

    Examples
    --------
    >>> unit_of(np.array([0.0, np.nan, 7.2e9]))
    'h'
    """
    units = list(TIME_UNITS)[list(TIME_UNITS).index(coarsest) :]
    seen = False
    for start, stop in _ranges(len(values)):
        chunk = values[start:stop]
        while not _same_but_for_gaps(_to_unit(chunk, TIME_UNITS[units[0]], micros), chunk):
            units = units[1:]
            if not units:
                return None
        seen = seen or not np.isnan(chunk).all()
    return units[0] if seen else None


def rounded_to_source(columns: Columns) -> Columns:
    """Return drawn values as finely as the fitted table gave them, and inside what its types can hold."""
    rounded = [_rounded(column, field) for column, field in zip(columns, columns.schema.fields, strict=True)]
    if all(after is before for after, before in zip(rounded, columns, strict=True)):
        return columns
    return Columns(columns.schema, columns.n_rows, columns=rounded, weights=columns.weights)


def _ranges(n: int) -> Iterator[tuple[int, int]]:
    # A few values first: most columns are as fine as their type, and these show it. Then what a cache holds.
    return pairwise([0, *range(_FIRST_CHUNK, n, _CHUNK), n])


def _present(values: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    for start, stop in _ranges(len(values)):
        chunk = values[start:stop]
        present = ~np.isnan(chunk)
        if not present.all():
            chunk = chunk[present]
        if len(chunk):
            yield chunk


def _same_but_for_gaps(rounded: NDArray[np.float64], values: NDArray[np.float64]) -> bool:
    n_different = int(np.count_nonzero(rounded != values))
    return not n_different or n_different == int(np.count_nonzero(np.isnan(values)))


def _have_decimals(values: NDArray[np.float64], decimals: int, dtype: Any) -> bool:
    # A quotient of two exact doubles is the double nearest to the decimal number, which is what was read.
    scale = 10.0**decimals
    nearest = np.rint(values * scale) / scale
    if dtype.itemsize < 8:
        nearest = nearest.astype(dtype).astype(np.float64)
    return bool(np.array_equal(nearest, values))


def _rounded(column: Column, field: Field) -> Column:
    source = field.source
    if source is None or not field.kind.is_number:
        return column
    values = column.values
    if source.unit is not None:
        values = _to_unit(values, TIME_UNITS[source.unit], 1.0 if field.kind is Kind.DATETIME else 1e6)
    elif source.decimals is not None and field.kind is Kind.NUMERIC:
        values = np.round(values, source.decimals)
    limits = limits_of(source.dtype)
    if limits is not None:
        values = np.clip(values, *limits)
    if leaf_of(source.dtype)[:1] in (("float32",), ("float16",)):
        values = values.astype(leaf_of(source.dtype)[0]).astype(np.float64)
    return column if values is column.values else Column(column.field, values, column.n_missing)


def _to_unit(values: NDArray[np.float64], step: int, micros: float) -> NDArray[np.float64]:
    """Round numbers of which one is `micros` microseconds to whole steps."""
    # By a product, which is four times as fast as a quotient and as near to the whole number.
    rounded = np.multiply(values, micros / step)
    np.rint(rounded, out=rounded)
    rounded *= step
    if micros != 1.0:
        rounded /= micros
    return rounded
