"""How input validation says what is wrong: always the column, and the first row where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

__all__ = ["at", "first_line", "integer_error", "oversized_error", "rows_from", "shape_error", "type_error"]

LARGEST_NUMBER = 2.0**997

_FIRST_ROW: ContextVar[int] = ContextVar("first_row", default=0)


def at(column: object, row: int | None = None) -> str:
    """Name a place in a table, as error messages begin.

    Examples
    --------
    >>> at("age", 3)
    "column 'age', row 3"
    """
    place = f"column {column!r}"
    return place if row is None else f"{place}, row {_FIRST_ROW.get() + row}"


@contextmanager
def rows_from(first: int) -> Iterator[None]:
    """Have messages count rows from another number than 0: a batch's first row in its table.

    Examples
    --------
    >>> with rows_from(65536):
    ...     at("age", 3)
    "column 'age', row 65539"
    """
    token = _FIRST_ROW.set(first)
    try:
        yield
    finally:
        _FIRST_ROW.reset(token)


def oversized_error(column: object, row: int, value: float) -> ValueError:
    """Return the error for ±inf and for numbers too large to calculate with."""
    if value in (float("inf"), float("-inf")):
        return ValueError(
            f"{at(column, row)}: the value is infinity ({value}); boxwood takes finite numbers. "
            "Replace it, or mark it as missing (NaN)."
        )
    return ValueError(
        f"{at(column, row)}: {value:.6g} is too large to calculate with (numbers must stay below "
        f"{LARGEST_NUMBER:.3g} in size). Rescale the column."
    )


def integer_error(column: object, row: int, value: int | None = None) -> ValueError:
    """Return the error for an integer that a float64 cannot hold exactly."""
    shown = "the integer" if value is None or value.bit_length() > 200 else str(value)
    return ValueError(
        f"{at(column, row)}: {shown} does not fit a 64-bit float exactly (the limit is 2**53). Cast the "
        "column to float if it is a quantity, to string if it is a label."
    )


def type_error(column: object, kind: object, row: int | None = None) -> TypeError:
    """Return the error for a container's own type that is neither number, text, boolean nor date."""
    return TypeError(
        f"{at(column, row)} has the type {kind}, which boxwood does not take. Convert it to numbers, "
        "strings, booleans or dates, or drop it."
    )


def first_line(error: BaseException) -> str:
    """Return the first line of another library's message."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def shape_error(X: Any, ndim: int) -> ValueError:
    """Return the error for an input that is not a table, in scikit-learn's words."""
    if ndim < 2:
        return ValueError(
            f"Expected 2D array, got {ndim}D array instead ({type(X).__name__}). Reshape your data "
            "either using array.reshape(-1, 1) if your data has a single feature or "
            "array.reshape(1, -1) if it contains a single sample."
        )
    return ValueError(f"Found array with dim {ndim}. Expected a table with 2 dimensions (rows, columns).")
