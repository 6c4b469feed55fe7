"""Checks of a single parameter, for those that hang on others; the error names estimator and parameter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from boxwood.parameters.kind import Choice
from boxwood.parameters.number import Integer, Real
from boxwood.parameters.parameter import Parameter
from boxwood.parameters.shown import shown

__all__ = ["check_choice", "check_count", "check_integer", "check_number", "checked_names"]


def check_choice(estimator: Any, name: str, choices: Sequence[object]) -> None:
    """Raise ValueError unless the parameter is one of `choices`."""
    Parameter(name, Choice(*choices), "").check(estimator)


def check_count(name: str, value: object) -> None:
    """Raise ValueError unless an argument of a method is a positive integer."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"{name} must be a positive integer; got {shown(value)}.")


def check_number(
    estimator: Any, name: str, low: float = -math.inf, high: float = math.inf, *, open_low: bool = False
) -> None:
    """Raise unless the parameter is a finite number from `low` to `high`."""
    Parameter(name, Real(low, high, open_low), "").check(estimator)


def check_integer(estimator: Any, name: str, low: int, high: float = math.inf) -> None:
    """Raise unless the parameter is an integer from `low` to `high`."""
    Parameter(name, Integer(low, high), "").check(estimator)


def checked_names(name: str, names: Sequence[str], n: int) -> list[str]:
    """Return names as strings, or raise unless there are as many as are needed.

    Examples
    --------
    >>> checked_names("feature_names", ["a", "b"], 2)
    ['a', 'b']
    """
    found = [str(one) for one in names] if not isinstance(names, str) else []
    if len(found) != n:
        given = "a string" if isinstance(names, str) else f"{len(found)}"
        raise ValueError(f"{name} must be a sequence of {n} names; got {given}.")
    return found
