"""Numbers and dates as people write them."""

from __future__ import annotations

import math

import numpy as np

from boxwood.columns import Kind
from boxwood.columns.dates import FIRST_MICROSECOND, LAST_MICROSECOND
from boxwood.mixture.inspect.number_bins import NumberBins

__all__ = ["as_date", "as_text", "significant"]

FINEST = 1e-4
"""Numbers are rounded to about this fraction of their column's range."""

_UNITS = (("D", 86_400e6), ("m", 60e6), ("s", 1e6), ("ms", 1e3), ("us", 1.0))


def as_text(column: NumberBins, value: float, decimals: int | None = None) -> str:
    """Return a value of a column as text.

    Parameters
    ----------
    column : NumberCells
    value : float
    decimals : int, optional
        Without it, as many as a lattice has or as tell apart ten thousandths of the column's range. Of
        dates: ignored, and as fine as the range needs.
    """
    span, lattice = column.margin.span, column.margin.lattice
    if not math.isfinite(value):
        return str(value)
    if column.field.kind is Kind.DATETIME:
        return _date_text(value, span)
    if column.field.kind is Kind.INTEGER:
        return f"{value:.0f}"
    if decimals is None and lattice is not None:
        decimals = lattice.decimals
    if decimals is None:
        if not 1e-6 < span < 1e9:
            return f"{value:.6g}"
        decimals = max(0, -math.floor(math.log10(span * FINEST)))
    text = f"{value:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def as_date(value: float) -> np.datetime64:
    """Return microseconds since 1970 as a date, at most the first or last that a table can hold."""
    if math.isnan(value):
        return np.datetime64("NaT", "us")
    return np.datetime64(int(min(max(value, FIRST_MICROSECOND), LAST_MICROSECOND)), "us")


def significant(value: float) -> str:
    """Return a number with three digits.

    Examples
    --------
    >>> significant(0.03412), significant(1234.0), significant(1.23456e-7)
    ('0.0341', '1230', '1.23e-07')
    """
    text = f"{value:.3g}"
    return f"{float(text):.0f}" if "e+" in text and abs(value) < 1e6 else text


def _date_text(value: float, span: float) -> str:
    # The coarsest unit that moves the date by less than the rounding of numbers would.
    for unit, length in _UNITS:
        rounded = math.ceil(value / length) * length
        if rounded - value <= FINEST * span or unit == "us":
            return str(as_date(rounded).astype(f"datetime64[{unit}]")).replace("T", " ")
    raise AssertionError
