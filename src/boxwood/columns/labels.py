"""Category labels: plain values that every container and a model file can hold."""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from boxwood.columns.column import Label

__all__ = ["as_label", "first_invalid_text", "is_missing", "sorted_labels"]

_MISSING_TYPES = ("NAType", "NaTType")
"""Types of pandas' NA and NaT, told by name so that pandas need not be imported."""


def is_missing(value: Any) -> bool:
    """True for None, NaN, NaT and pandas' NA."""
    if value is None:
        return True
    if isinstance(value, decimal.Decimal):
        return value.is_nan()  # comparing a signalling NaN raises
    if isinstance(value, float | np.floating | np.datetime64 | np.timedelta64):
        return bool(value != value)
    return type(value).__name__ in _MISSING_TYPES


def as_label(value: Any) -> Label:
    """Return a category as a string, a boolean, an integer or a finite float; all else as its ``str``.

    Examples
    --------
    >>> import numpy as np
    >>> as_label(np.int8(3)), as_label(-0.0), as_label(float("inf"))
    (3, 0.0, 'inf')
    """
    if type(value) is str:
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return str.__str__(value)  # a subclass, such as a StrEnum
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value) + 0.0  # −0.0 and 0.0 are one label
    return str(value)


def sorted_labels(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Sort distinct labels of any mix of types, so that the order of the rows does not matter."""
    listed = list(labels)
    if all(type(label) is str for label in listed):
        return tuple(sorted(listed))
    return tuple(sorted(listed, key=_sort_key))


def first_invalid_text(labels: Iterable[Label]) -> str | None:
    """Return a string that no file can hold (half of a surrogate pair), None where there is none."""
    texts = [label for label in labels if isinstance(label, str)]
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return next(text for text in texts if not _is_valid(text))
    return None


def _sort_key(label: Label) -> tuple[str, Any]:
    if isinstance(label, str):
        return "string", label
    # Booleans sort before numbers; 1 and 1.0 are one label, so integers and floats sort together.
    return ("boolean", label) if isinstance(label, bool) else ("number", label)


def _is_valid(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
