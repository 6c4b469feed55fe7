"""A value that is asked for, as a set of the column's values: equal to it, below it, above it."""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
import warnings
from operator import ge, gt, le, lt
from typing import Any

import numpy as np

from boxwood.columns.column import Field, Label
from boxwood.columns.errors import at
from boxwood.columns.kind import Kind
from boxwood.columns.labels import as_label, is_missing
from boxwood.query.column_set import CategorySet, ColumnSet, NumberSet, everything, missing_values
from boxwood.query.dates import is_date, microseconds
from boxwood.query.errors import QueryError, UnseenCategoryWarning, nearest, shown
from boxwood.query.interval import Interval

__all__ = ["COMPARISONS", "compared", "one_of", "present_values"]

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")

MOST_WARNINGS = 3
"""Of a list of unseen categories so many are told: looking for the nearest one takes up to 0.1 seconds."""

_ORDERS = {"<": lt, "<=": le, ">": gt, ">=": ge}

_NUMBERS = (int, float, np.integer, np.floating, decimal.Decimal, fractions.Fraction)


def compared(field: Field, operator: str, value: Any) -> ColumnSet:
    """Return the set of a column's values that compare so with a value; none of them is missing.

    Examples
    --------
    >>> compared(Field("age", Kind.INTEGER), ">", 40).intervals
    (Interval(low=41.0, high=inf, low_closed=True, high_closed=False),)
    """
    if operator in ("==", "!="):
        equal = one_of(field, [value])
        return equal if operator == "==" else present_values(field) & ~equal  # type: ignore[operator]
    if field.kind.is_number:
        return NumberSet((_half_line(operator, _number(field, value)),), whole=field.kind is Kind.INTEGER)
    return _ranked(field, operator, value)


def one_of(field: Field, values: list[Any]) -> ColumnSet:
    """Return the set of some values of a column; None and NaN stand for a missing one.

    Examples
    --------
    >>> one_of(Field("city", Kind.CATEGORICAL, ("Bonn", "Ulm")), ["Ulm", None])
    CategorySet(codes=frozenset({1}), unseen=False, missing=True, n_categories=2, boolean=False)
    """
    present = [value for value in values if not is_missing(value)]
    found: ColumnSet
    if field.kind.is_number:
        numbers = [_number(field, value) for value in present]
        found = NumberSet.of_values(numbers, whole=field.kind is Kind.INTEGER)
    else:
        found = _categories(field, present)
    if len(present) < len(values):
        return found | missing_values(field)  # type: ignore[operator]
    return found


def present_values(field: Field) -> ColumnSet:
    """Return the set of all values of a column that are not missing."""
    return everything(field) & ~missing_values(field)  # type: ignore[operator]


def _half_line(operator: str, number: float) -> Interval:
    if operator in ("<", "<="):
        return Interval(-math.inf, number, False, operator == "<=")
    return Interval(number, math.inf, operator == ">=", False)


def _number(field: Field, value: Any) -> float:
    if field.kind is Kind.DATETIME:
        if not isinstance(value, str) and not is_date(value):
            raise QueryError(
                f"{at(field.name)} holds dates, and {shown(value)} is not one. Write dates as '2024-12-31'."
            )
        try:
            return microseconds(field, value)
        except OverflowError:
            raise QueryError(f"{at(field.name)}: {shown(value)} lies outside the years 1 to 9999.") from None
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()  # durations are columns of seconds
    if isinstance(value, bool | np.bool_ | np.timedelta64) or not isinstance(value, _NUMBERS):
        raise QueryError(f"{at(field.name)} holds numbers, and {shown(value)} is not one.{_unquoted(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise QueryError(f"{at(field.name)}: {shown(value)} is too large to calculate with.")
    return number


def _unquoted(value: Any) -> str:
    try:
        float(value)
    except (TypeError, ValueError):
        return ""
    return " Write the number without quotes." if isinstance(value, str) else ""


def _categories(field: Field, values: list[Any]) -> CategorySet:
    position = {label: code for code, label in enumerate(field.categories)}
    labels = [_label(field, value) for value in values]
    unseen = [label for label in labels if label not in position]
    for label in unseen[:MOST_WARNINGS]:
        _warn_of_unseen(field, label)
    codes = frozenset(position[label] for label in labels if label in position)
    boolean = field.kind is Kind.BOOLEAN
    return CategorySet(codes, bool(unseen), False, len(field.categories), boolean)


def _label(field: Field, value: Any) -> Label:
    if field.kind is Kind.BOOLEAN:
        if isinstance(value, str) or value not in (0, 1):
            raise QueryError(f"{at(field.name)} holds true and false, and {shown(value)} is neither.")
        return bool(value)
    if not isinstance(value, str | bool | np.bool_ | int | float | np.integer | np.floating):
        raise QueryError(
            f"{at(field.name)} holds categories such as {shown(_example(field))}, and {shown(value)} is of "
            f"the type {type(value).__name__}."
        )
    label = as_label(value)
    if field.categories and not any(_family(label) == _family(known) for known in field.categories):
        raise QueryError(
            f"{at(field.name)} holds categories such as {shown(_example(field))}, and {shown(label)} is "
            f"{'text' if isinstance(label, str) else 'not text'}."
        )
    return label


def _example(field: Field) -> Label:
    return field.categories[0] if field.categories else "..."


def _family(label: Label) -> str:
    if isinstance(label, str | bool):
        return type(label).__name__
    return "number"


def _warn_of_unseen(field: Field, label: Label) -> None:
    warnings.warn(
        f"{at(field.name)}: the fitted table has no category {shown(label)}; it counts as unseen."
        f"{_suggested(field, label)}",
        UnseenCategoryWarning,
        stacklevel=2,
    )


def _suggested(field: Field, label: Label) -> str:
    if not isinstance(label, str):
        return ""
    known = nearest(label, (one for one in field.categories if isinstance(one, str)))
    return "" if known is None else f" Did you mean {shown(known)}?"


def _ranked(field: Field, operator: str, value: Any) -> CategorySet:
    if field.kind is not Kind.ORDINAL:
        raise QueryError(
            f"{at(field.name)} is {field.kind}, and its values have no order. Compare them by ==, != or in."
        )
    label = _label(field, value)
    ranks = _numeric_ranks(field)
    if label in field.categories:
        rank: Any = field.categories.index(label)
        places: list[Any] = list(range(len(field.categories)))
    elif ranks is not None:
        rank, places = label, ranks
    else:
        raise QueryError(
            f"{at(field.name)} has no category {shown(label)} to compare with.{_suggested(field, label)}"
        )
    codes = frozenset(code for code, place in enumerate(places) if _ORDERS[operator](place, rank))
    return CategorySet(codes, False, False, len(field.categories))


def _numeric_ranks(field: Field) -> list[float] | None:
    """Return ordinal categories that are ascending numbers, so that any number can be compared with them."""
    if any(isinstance(label, str | bool) for label in field.categories):
        return None
    numbers = [float(label) for label in field.categories]
    return numbers if numbers == sorted(numbers) else None
