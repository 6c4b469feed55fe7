"""Checks of estimator parameters; each error names the estimator, the parameter and what it may be."""

from __future__ import annotations

import math
import numbers
import reprlib
from collections.abc import Sequence
from typing import Any

__all__ = ["check_choice", "check_integer", "check_number", "shown"]


def check_choice(estimator: Any, name: str, choices: Sequence[object]) -> None:
    """Raise ValueError unless the parameter is one of `choices`."""
    value = getattr(estimator, name)
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        listed = ", ".join(repr(choice) for choice in choices)
        raise ValueError(f"{_of(estimator, name)} must be one of {listed}; got {shown(value)}.")


def check_number(
    estimator: Any, name: str, low: float = -math.inf, high: float = math.inf, *, open_low: bool = False
) -> None:
    """Raise unless the parameter is a finite number from `low` to `high`."""
    value = getattr(estimator, name)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{_of(estimator, name)} must be a number; got {shown(value)}.")
    number = _as_float(value)
    if not low <= number <= high or (open_low and number == low) or math.isinf(number):
        bracket = "(" if open_low else "["
        end = f"{high:g}]" if math.isfinite(high) else "∞)"
        raise ValueError(f"{_of(estimator, name)} must lie in {bracket}{low:g}, {end}; got {shown(value)}.")


def check_integer(estimator: Any, name: str, low: int, high: float = math.inf) -> None:
    """Raise unless the parameter is an integer from `low` to `high`."""
    value = getattr(estimator, name)
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{_of(estimator, name)} must be an integer; got {shown(value)}.")
    if not low <= int(value) <= high:
        limits = f"at least {low}" if math.isinf(high) else f"from {low} to {high}"
        raise ValueError(f"{_of(estimator, name)} must be {limits}; got {shown(value)}.")


def _as_float(value: numbers.Real) -> float:
    try:
        return float(value)
    except OverflowError:  # an integer of 400 digits
        return math.inf


def shown(value: object) -> str:
    """Return a short repr for an error message: what a user passed, or a file holds, may be of any size.

    Examples
    --------
    >>> shown("a" * 1000)
    "'aaaaaaaaaaaa...aaaaaaaaaaaaa'"
    """
    try:
        return reprlib.repr(value)
    except ValueError:  # an integer of more digits than Python prints
        return f"a huge {type(value).__name__}"


def _of(estimator: Any, name: str) -> str:
    return f"{type(estimator).__name__}: {name}"
