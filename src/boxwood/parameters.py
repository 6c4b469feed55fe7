"""Checks of estimator parameters; each error names the estimator, the parameter and what it may be."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

__all__ = ["check_choice", "check_integer", "check_number"]


def check_choice(estimator: Any, name: str, choices: Sequence[object]) -> None:
    """Raise ValueError unless the parameter is one of `choices`."""
    value = getattr(estimator, name)
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        shown = ", ".join(repr(choice) for choice in choices)
        raise ValueError(f"{_of(estimator, name)} must be one of {shown}; got {value!r}.")


def check_number(
    estimator: Any, name: str, low: float = -math.inf, high: float = math.inf, *, open_low: bool = False
) -> None:
    """Raise unless the parameter is a number from `low` to `high`."""
    value = getattr(estimator, name)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{_of(estimator, name)} must be a number; got {value!r}.")
    if not low <= float(value) <= high or (open_low and float(value) == low):
        bracket = "(" if open_low else "["
        raise ValueError(f"{_of(estimator, name)} must lie in {bracket}{low:g}, {high:g}]; got {value!r}.")


def check_integer(estimator: Any, name: str, low: int, high: float = math.inf) -> None:
    """Raise unless the parameter is a whole number from `low` to `high`."""
    value = getattr(estimator, name)
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{_of(estimator, name)} must be a whole number; got {value!r}.")
    if not low <= int(value) <= high:
        raise ValueError(f"{_of(estimator, name)} must be at least {low}; got {value!r}.")


def _of(estimator: Any, name: str) -> str:
    return f"{type(estimator).__name__}: {name}"
