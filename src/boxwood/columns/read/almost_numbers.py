"""Columns of a text file that would be numbers but for a few words, decimal commas or plus signs."""

from __future__ import annotations

import re
import warnings

from boxwood.columns.columns import Columns
from boxwood.columns.errors import at
from boxwood.columns.kind import Kind
from boxwood.parameters import shown

__all__ = ["tell_almost_numbers"]

LEAST_VALUES = 10
"""Different values: fewer may well be names, such as 1, 2, 3 and other."""

LEAST_FRACTION = 0.8
"""Of the different values that are numbers."""

_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
_LEADING_ZERO = re.compile(r"\s*[+-]?0\d.*")
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*")


def tell_almost_numbers(columns: Columns) -> Columns:
    """Warn of columns that are categories since not all of their values are numbers; return the table.

    Examples
    --------
    >>> import boxwood as bw
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     _ = tell_almost_numbers(bw.read_columns({"a": [*map(str, range(20)), "?"]}))
    >>> print(told[0].message)
    column 'a': 20 of 21 different values are numbers, but '?' is none: all are read as categories. ...
    """
    for column in columns:
        known = column.field.categories if column.field.kind is Kind.CATEGORICAL else ()
        labels = [label for label in known if isinstance(label, str)]
        if len(labels) < max(LEAST_VALUES, len(known)):
            continue
        words = [label for label in labels if not _NUMBER.fullmatch(label)]
        if words and len(words) <= (1.0 - LEAST_FRACTION) * len(labels):
            numbers = f"{len(labels) - len(words):,} of {len(labels):,} different values are numbers"
            remedy = "A gap of a CSV file is named by missing_values=[…], or --missing in a shell."
            text = f"{numbers}, but {shown(words[0])} is none: all are read as categories. {remedy}"
            warnings.warn(f"{at(column.name)}: {text}", stacklevel=3)
        elif all(_DECIMAL_COMMA.fullmatch(label) for label in words) and words:
            text = f"values such as {shown(words[0])} have a decimal comma: they are read as categories."
            warnings.warn(f"{at(column.name)}: {text} Write a point for them to be numbers.", stacklevel=3)
        elif not words and _some_have_a_plus(labels):
            plus = next(label for label in labels if label.strip().startswith("+"))
            text = f"values such as {shown(plus)} have a plus sign: all are read as categories."
            warnings.warn(f"{at(column.name)}: {text} Leave it out for them to be numbers.", stacklevel=3)
    return columns


def _some_have_a_plus(labels: list[str]) -> bool:
    """Return whether plus signs alone make text of numbers: labels such as 007 stay text without them."""
    signed = [label.strip().startswith("+") for label in labels]
    return any(signed) and not all(signed) and not any(_LEADING_ZERO.fullmatch(label) for label in labels)
