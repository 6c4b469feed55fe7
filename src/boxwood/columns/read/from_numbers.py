"""One column of numbers, from a numeric numpy array."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns.column import Column, Field
from boxwood.columns.errors import integer_error, oversized_error
from boxwood.columns.kind import Kind

__all__ = ["LARGEST_INTEGER", "as_float64", "integer_column", "number_column"]

LARGEST_INTEGER = 2**53


def as_float64(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return floats of any width and byte order as float64."""
    # A long double may become infinite, which the scan reports, or be a bit pattern that is no number.
    with np.errstate(over="ignore", invalid="ignore"):
        return values.astype(np.float64, copy=False)


def number_column(name: str, values: NDArray[np.float64], kind: Kind = Kind.NUMERIC) -> Column:
    """Make a column of float64 values, NaN where missing; ±inf and oversized numbers are refused."""
    if not values.flags.aligned or values.strides[0] % values.itemsize:
        values = values.copy()  # a field of a packed record, where the core cannot step
    n_missing, _, oversized = _core.scan_values(values)
    if oversized >= 0:
        raise oversized_error(name, oversized, float(values[oversized]))
    return Column(Field(name, kind), values, n_missing)


def integer_column(name: str, values: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> Column:
    """Make a column of integers, which must fit a float64 exactly."""
    if values.dtype.itemsize == 8 and len(values):
        if missing is not None:
            values = np.where(missing, np.zeros(1, values.dtype), values)
        if max(int(values.max()), -int(values.min())) > LARGEST_INTEGER:
            outside = values > LARGEST_INTEGER
            if values.dtype.kind == "i":
                outside |= values < -LARGEST_INTEGER
            row = int(np.argmax(outside))
            raise integer_error(name, row, int(values[row]))
    numbers = values.astype(np.float64)
    if missing is None:
        return Column(Field(name, Kind.INTEGER), numbers, 0)
    numbers[missing] = np.nan
    return Column(Field(name, Kind.INTEGER), numbers, int(np.count_nonzero(missing)))
