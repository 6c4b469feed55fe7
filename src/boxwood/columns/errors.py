"""How the gate says what is wrong: always the column, and the first row where there is one."""

from __future__ import annotations

from typing import Any

__all__ = ["at", "oversized_error", "shape_error"]

LARGEST_NUMBER = 2.0**997


def at(column: object, row: int | None = None) -> str:
    """Name a place in a table, as error messages begin.

    Examples
    --------
    >>> at("age", 3)
    "column 'age', row 3"
    """
    place = f"column {column!r}"
    return place if row is None else f"{place}, row {row}"


def oversized_error(column: object, row: int, value: float) -> ValueError:
    """Give the error for ±inf and for numbers too large to calculate with."""
    if value in (float("inf"), float("-inf")):
        return ValueError(
            f"{at(column, row)}: the value is infinity ({value}); boxwood takes finite numbers. "
            "Replace it, or mark it as missing (NaN)."
        )
    return ValueError(
        f"{at(column, row)}: {value:.6g} is too large to calculate with (numbers must stay below "
        f"{LARGEST_NUMBER:.3g} in size). Rescale the column."
    )


def shape_error(X: Any, ndim: int) -> ValueError:
    """Give the error for an input that is not a table, in scikit-learn's words."""
    if ndim < 2:
        return ValueError(
            f"Expected 2D array, got {ndim}D array instead ({type(X).__name__}). Reshape your data "
            "either using array.reshape(-1, 1) if your data has a single feature or "
            "array.reshape(1, -1) if it contains a single sample."
        )
    return ValueError(f"Expected a table with 2 dimensions (rows, columns); found array with dim {ndim}.")
