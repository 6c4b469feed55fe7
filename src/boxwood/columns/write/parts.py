"""What every library's series are made of, and whether a type holds a column's values."""

from __future__ import annotations

import decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Column
from boxwood.columns.kind import Kind
from boxwood.columns.source import FIRST_MICROSECOND, LAST_MICROSECOND, TypeName, leaf_of, limits_of

__all__ = [
    "datetimes",
    "decimals",
    "holds",
    "known_codes",
    "missing_mask",
    "numbers_of",
    "one_type",
    "plain",
    "plain_objects",
    "ticks",
    "whole_numbers",
]

_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_COARSE = {"D": 86_400_000_000, "s": 1_000_000, "ms": 1_000}
_CODED = ("string", "large_string", "string_view", "category", "categorical", "enum", "dictionary")


def holds(dtype: TypeName, column: Column, *, nullable: bool = True) -> bool:
    """Return whether a type takes all values of a column unchanged.

    A column may have been read as another kind than its type says, and that of a new table may hold what the
    fitted one's type cannot.
    """
    leaf = leaf_of(dtype)
    if not leaf or (column.n_missing and not nullable):
        return False
    name = leaf[0]
    if name == "object":
        return _objects_hold(leaf, column)
    if name == "null":
        return column.n_missing == len(column.values)
    if name in _CODED:
        texts = name in ("enum", "categorical") or name.endswith(("string", "view"))
        return column.kind in (Kind.CATEGORICAL, Kind.ORDINAL) and (not texts or _all_text(column))
    if name in ("datetime", "date"):
        return column.kind is Kind.DATETIME and _inside(
            column.values, dtype, "D" if name == "date" else leaf[1]
        )
    numbers = numbers_of(column)
    if numbers is None:
        return False
    if name == "bool":
        return bool(np.isin(numbers, (0.0, 1.0, np.nan)).all() if column.kind is not Kind.BOOLEAN else True)
    whole = name.startswith(("int", "uint"))
    return _inside(numbers, dtype, "whole" if whole else "")


def numbers_of(column: Column) -> NDArray[np.float64] | None:
    """Return the values as float64, also of categories that are numbers; None where they are text."""
    if column.kind.is_number or column.kind is Kind.BOOLEAN:
        return column.numbers()
    if _has_text(column):
        return None
    table = np.array([*map(float, column.field.categories), np.nan])
    return np.asarray(table[known_codes(column)])  # index −1 is the last entry


def whole_numbers(column: Column, dtype: Any = np.int64) -> NDArray[Any]:
    """Return numbers as integers, zero where missing."""
    numbers = numbers_of(column)
    assert numbers is not None
    return np.where(np.isnan(numbers), 0.0, numbers).astype(dtype)


def ticks(column: Column, unit: str) -> NDArray[np.int64]:
    """Return dates or durations as integers of a unit (D, s, ms, us, ns), zero where missing."""
    values = np.where(column.missing(), 0.0, column.numbers())
    if column.kind is not Kind.DATETIME:
        return np.rint(values * _PER_SECOND[unit]).astype(np.int64)
    # The last microsecond of 9999 rounds up to the year 10000 as a float64.
    micros = np.clip(values.astype(np.int64), FIRST_MICROSECOND, LAST_MICROSECOND)
    if unit == "ns":
        return np.asarray(micros * 1000)
    return np.asarray(micros // _COARSE.get(unit, 1))


def decimals(column: Column, scale: int) -> list[decimal.Decimal | None]:
    """Return numbers as decimals with so many digits after the point, None where missing."""
    numbers = numbers_of(column)
    assert numbers is not None
    return [None if x != x else decimal.Decimal(f"{x:.{scale}f}") for x in numbers.tolist()]


def datetimes(column: Column) -> NDArray[Any]:
    """Return dates as numpy's, in microseconds."""
    micros = ticks(column, "us").astype("datetime64[us]")
    micros[column.missing()] = np.datetime64("NaT", "us")
    return micros


def plain(column: Column) -> NDArray[Any]:
    """Return a column in the dtype that says most, as objects where numpy has no missing value."""
    if column.kind is Kind.DATETIME:
        return datetimes(column)
    if column.kind is Kind.NUMERIC:
        return column.values
    if column.n_missing == 0 and column.kind is Kind.INTEGER:
        return column.values.astype(np.int64)
    if column.n_missing == 0 and column.kind is Kind.BOOLEAN:
        return column.values.astype(bool)
    values = np.empty(len(column.values), dtype=object)
    values[:] = plain_objects(column)
    return values


def plain_objects(column: Column) -> list[Any]:
    """Return a column as Python objects, None where missing."""
    if column.kind is Kind.DATETIME:
        return list(datetimes(column).tolist())
    if column.kind.is_number:
        whole = column.kind is Kind.INTEGER
        return [None if x != x else (int(x) if whole else x) for x in column.values.tolist()]
    labels = (*column.field.categories, None, None)  # unknown, missing
    return [labels[code] for code in column.values.tolist()]


def known_codes(column: Column) -> NDArray[Any]:
    """Return codes with unknown categories as missing."""
    return np.where(column.values >= len(column.field.categories), MISSING_CODE, column.values)


def missing_mask(column: Column) -> NDArray[np.bool_]:
    """Return the mask of what is missing, unknown categories among it."""
    return column.missing() if column.kind.is_number else known_codes(column) == MISSING_CODE


def one_type(column: Column) -> list[Any]:
    """Return the categories as values of one type: their own, or numbers, or strings where any is text."""
    labels = list(column.field.categories)
    if len({type(label) for label in labels}) < 2:
        return labels
    return list(map(str if _has_text(column) else float, labels))


def _has_text(column: Column) -> bool:
    return any(isinstance(label, str) for label in column.field.categories)


def _all_text(column: Column) -> bool:
    return all(isinstance(label, str) for label in column.field.categories)


def _objects_hold(leaf: TypeName, column: Column) -> bool:
    held = leaf[1] if len(leaf) > 1 else "string"
    if held in ("date", "datetime", "Timestamp"):
        return column.kind is Kind.DATETIME and (held != "date" or _inside(column.values, ("date",), "D"))
    if column.kind is Kind.DATETIME:
        return False
    if held == "boolean":
        return column.kind is Kind.BOOLEAN
    return held == "string" or numbers_of(column) is not None


def _inside(numbers: NDArray[np.float64], dtype: TypeName, unit: str) -> bool:
    present = numbers[~np.isnan(numbers)]
    steps = 1 if unit == "whole" else _COARSE.get(unit, 0)
    if steps and bool((present % steps).any()):
        return False
    limits = limits_of(dtype)
    return (
        limits is None or not len(present) or bool(limits[0] <= present.min() <= present.max() <= limits[1])
    )
