"""One column from a 1-D numpy array of any dtype."""

from __future__ import annotations

import datetime
import decimal
import fractions
import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns.column import MISSING_CODE, Column, Field, Label
from boxwood.columns.errors import at, oversized_error
from boxwood.columns.kind import Kind

__all__ = ["coded_column", "column_from_values", "number_column", "sorted_labels"]

LARGEST_INTEGER = 2**53
BOOLEANS: tuple[Label, ...] = (False, True)


def column_from_values(name: str, values: NDArray[Any]) -> Column:
    """Make the typed column of an array, by its dtype; an object array by what it holds.

    Examples
    --------
    >>> column = column_from_values("size", np.array(["S", None, "L"], dtype=object))
    >>> column.kind.value, column.field.categories, column.values
    ('categorical', ('L', 'S'), array([ 1, -1,  0], dtype=int32))
    """
    kind = values.dtype.kind
    if kind == "f":
        with np.errstate(over="ignore"):  # a long double may overflow: the scan reports it
            return number_column(name, values.astype(np.float64, copy=False))
    if kind in "iu":
        return integer_column(name, values)
    if kind == "b":
        return Column(Field(name, Kind.BOOLEAN, BOOLEANS), values.astype(np.int32), 0)
    if kind == "M":
        return datetime_column(name, values)
    if kind == "m":
        return number_column(name, seconds(values))
    if kind in "US":
        return coded_column(name, values.astype(str).tolist())
    if kind == "c":
        raise ValueError(f"{at(name)}: Complex data not supported.")
    if kind == "O":
        return column_from_objects(name, values)
    raise TypeError(f"{at(name)} has the dtype {values.dtype}, which boxwood does not take.")


def number_column(name: str, values: NDArray[np.float64], kind: Kind = Kind.NUMERIC) -> Column:
    """Make a column of float64 values, NaN where missing; ±inf and oversized numbers are refused."""
    n_missing, _, oversized = _core.scan_values(values)
    if oversized >= 0:
        raise oversized_error(name, oversized, float(values[oversized]))
    return Column(Field(name, kind), values, n_missing)


def integer_column(name: str, values: NDArray[Any]) -> Column:
    """Make a column of whole numbers, which must fit a float64 exactly."""
    if values.dtype.itemsize == 8 and len(values):
        for extreme in (values.max(), values.min()):
            if abs(int(extreme)) > LARGEST_INTEGER:
                raise _integer_error(name, int(np.argmax(values == extreme)), int(extreme))
    return Column(Field(name, Kind.INTEGER), values.astype(np.float64), 0)


def datetime_column(name: str, values: NDArray[Any]) -> Column:
    """Make a column of microseconds since 1970 from datetime64 values."""
    missing = np.isnat(values)
    try:
        micros = values.astype("datetime64[us]").astype(np.int64).astype(np.float64)
    except (OverflowError, ValueError) as error:
        raise ValueError(f"{at(name)}: {error}") from None
    micros[missing] = np.nan
    return Column(Field(name, Kind.DATETIME), micros, int(missing.sum()))


def seconds(values: NDArray[Any]) -> NDArray[np.float64]:
    """Give timedelta64 values as seconds, NaT as NaN."""
    result = values / np.timedelta64(1, "s")
    return np.asarray(result, dtype=np.float64)


def coded_column(
    name: str,
    values: Iterable[Any],
    categories: Iterable[Any] | None = None,
    kind: Kind = Kind.CATEGORICAL,
) -> Column:
    """Make a column of category codes; without given categories these are the sorted labels."""
    listed = list(values)
    # Every step that costs Python time runs once per distinct value, the rows only look codes up.
    label_of = {value: None if is_missing(value) else as_label(value) for value in set(listed)}
    if categories is None:
        known = sorted_labels({label for label in label_of.values() if label is not None})
    else:
        known = tuple(as_label(category) for category in categories)
    code_of: dict[Label | None, int] = {label: code for code, label in enumerate(known)}
    code_of[None] = MISSING_CODE
    position = {value: code_of[label] for value, label in label_of.items()}
    codes = np.fromiter(map(position.__getitem__, listed), np.int32, len(listed))
    return Column(Field(name, kind, known), codes, int((codes == MISSING_CODE).sum()))


def sorted_labels(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Sort labels of any mix of types, so that the order of the rows does not matter."""
    return tuple(sorted(labels, key=lambda label: (type(label).__name__, label)))


def as_label(value: Any) -> Label:
    """Give a category as a plain Python value that a model file can hold."""
    if isinstance(value, np.generic):
        value = value.item()
    return value if isinstance(value, str | int | float) else str(value)


def is_missing(value: Any) -> bool:
    """True for None, NaN, NaT and pandas' NA."""
    if value is None:
        return True
    if isinstance(value, float | np.floating | np.datetime64 | np.timedelta64 | decimal.Decimal):
        return bool(value != value)
    return type(value).__name__ in ("NAType", "NaTType")


_FAMILIES: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("boolean", (bool, np.bool_)),
    ("integer", (int, np.integer)),
    ("numeric", (float, np.floating, decimal.Decimal, fractions.Fraction)),
    ("string", (str,)),
    ("duration", (datetime.timedelta, np.timedelta64)),
    ("date", (datetime.date, np.datetime64)),
    ("complex", (complex, np.complexfloating)),
)
_NUMBERS = {"boolean", "integer", "numeric"}


def column_from_objects(name: str, values: NDArray[Any]) -> Column:
    """Make the typed column of Python objects, which must be of one family (numbers may mix)."""
    present = _present(values)
    types = {type(v) for v, there in zip(values.tolist(), present, strict=True) if there}
    families = {_family(kind) for kind in types}
    if not families:
        return number_column(name, np.full(len(values), np.nan))
    if "" in families:
        row = _first(values, present, {""})
        raise TypeError(
            f"{at(name, row)}: argument must be a string, a number, a boolean or a date, "
            f"not {type(values[row]).__name__}."
        )
    if "complex" in families:
        raise ValueError(f"{at(name, _first(values, present, {'complex'}))}: Complex data not supported.")
    if families <= _NUMBERS:
        return _objects_to_numbers(name, values, present, families)
    if len(families) > 1:
        raise _mixture_error(name, values, present)
    if families == {"string"}:
        return coded_column(name, values)
    if families == {"duration"}:
        return number_column(name, seconds(_filled(values, present, np.timedelta64("NaT"), "m8[us]")))
    return _objects_to_dates(name, values, present)


def _present(values: NDArray[Any]) -> list[bool]:
    listed = values.tolist()
    if any(kind.__name__ == "NAType" or _family(kind) == "" for kind in set(map(type, listed))):
        return [not is_missing(value) for value in listed]
    return [value is not None and value == value for value in listed]  # NaN and NaT differ from themselves


def _family(kind: type) -> str:
    return next((family for family, types in _FAMILIES if issubclass(kind, types)), "")


def _first(values: NDArray[Any], present: list[bool], families: set[str]) -> int:
    return next(i for i, there in enumerate(present) if there and _family(type(values[i])) in families)


def _objects_to_numbers(name: str, values: NDArray[Any], present: list[bool], families: set[str]) -> Column:
    if families == {"boolean"}:
        codes = [int(v) if there else MISSING_CODE for v, there in zip(values, present, strict=True)]
        field = Field(name, Kind.BOOLEAN, BOOLEANS)
        return Column(field, np.array(codes, dtype=np.int32), len(present) - sum(present))
    result = np.full(len(values), np.nan)
    whole = "numeric" not in families
    for row, value in enumerate(values.tolist()):
        if not present[row]:
            continue
        if isinstance(value, numbers.Integral) and abs(int(value)) > LARGEST_INTEGER:
            raise _integer_error(name, row, int(value))
        try:
            result[row] = float(value)
        except (OverflowError, ValueError, ArithmeticError) as error:
            raise ValueError(f"{at(name, row)}: {value!r} is not a number: {error}") from None
    return number_column(name, result, Kind.INTEGER if whole else Kind.NUMERIC)


def _objects_to_dates(name: str, values: NDArray[Any], present: list[bool]) -> Column:
    aware = [
        there and getattr(v, "tzinfo", None) is not None for v, there in zip(values, present, strict=True)
    ]
    if any(aware) and aware != present:
        row = next(i for i, there in enumerate(present) if there and aware[i] != aware[present.index(True)])
        raise ValueError(f"{at(name, row)}: dates with and without a time zone are mixed in this column.")
    if any(aware):
        values = np.array(
            [
                v.astimezone(datetime.UTC).replace(tzinfo=None) if there else None
                for v, there in zip(values, present, strict=True)
            ],
            dtype=object,
        )
    try:
        return datetime_column(name, _filled(values, present, np.datetime64("NaT"), "M8[us]"))
    except (OverflowError, TypeError, ValueError) as error:
        raise ValueError(f"{at(name)}: the dates could not be read: {error}") from None


def _filled(values: NDArray[Any], present: list[bool], missing: Any, dtype: str) -> NDArray[Any]:
    filled = [v if there else missing for v, there in zip(values, present, strict=True)]
    return np.array(filled, dtype=dtype)


def _mixture_error(name: str, values: NDArray[Any], present: list[bool]) -> TypeError:
    first = present.index(True)
    family = _family(type(values[first]))
    alike = _NUMBERS if family in _NUMBERS else {family}
    others = {known for known, _ in _FAMILIES} - alike
    row = _first(values, present, others)
    return TypeError(
        f"{at(name, row)}: the column mixes types, {type(values[first]).__name__} in row {first} and "
        f"{type(values[row]).__name__} here. Cast it to one type (for example to strings)."
    )


def _integer_error(name: str, row: int, value: int) -> ValueError:
    shown = str(value) if value.bit_length() < 200 else f"an integer of {value.bit_length()} bits"
    return ValueError(
        f"{at(name, row)}: {shown} does not fit a 64-bit float exactly (the limit is 2**53). Cast the "
        "column to float if it is a quantity, to string if it is a label."
    )
