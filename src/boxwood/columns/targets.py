"""Targets that cannot be: missing, infinite or no numbers, told by their row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.labels import is_missing

__all__ = ["check_labels_there", "check_numbers", "check_values_finite"]


def check_numbers(y: Any) -> None:
    """Raise for targets of a regression that are dates, durations or words.

    As numbers dates would be counts of whatever unit they have.

    Examples
    --------
    >>> check_numbers([1.5, "two"])
    Traceback (most recent call last):
    ...
    ValueError: y, row 1: 'two' is no number, and a regressor takes numbers.
    """
    values = np.asarray(y)
    if values.dtype.kind in "mM":
        held = "dates" if values.dtype.kind == "M" else "durations"
        raise TypeError(
            f"y holds {held}, and a regressor takes numbers. Convert them, for example to days; "
            "TableModel.fit(table, target=…) predicts columns as they are."
        )
    if values.dtype.kind not in "OSU":
        return
    given = np.asarray(y, dtype=object)  # a list of numbers and words would be all words
    for place, value in np.ndenumerate(given):
        if not is_missing(value) and not _is_number(value):
            column = f", column {place[1]}" if len(place) > 1 else ""
            raise ValueError(
                f"y, row {place[0]}{column}: {value!r} is no number, and a regressor takes numbers."
            )


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def check_values_finite(values: NDArray[np.float64]) -> None:
    """Raise ValueError for a missing or infinite value, naming its row and, of several columns, its column.

    Examples
    --------
    >>> import numpy as np
    >>> check_values_finite(np.array([1.0, np.nan]))
    Traceback (most recent call last):
    ...
    ValueError: y, row 1: nan is no value to learn; leave the row out. Input y contains NaN.
    """
    finite = np.isfinite(values)
    if finite.all():
        return
    place = np.unravel_index(int(np.argmin(finite)), values.shape)
    column = f", column {place[1]}" if values.ndim > 1 else ""
    raise ValueError(
        f"y, row {place[0]}{column}: {values[place]} is no value to learn; leave the row out. "
        f"{_words(values[place])}"
    )


def check_labels_there(labels: NDArray[Any]) -> None:
    """Raise ValueError for a label that is missing or infinite, naming its row."""
    if labels.dtype.kind == "f":
        bad = ~np.isfinite(labels)
    elif labels.dtype.kind in "mM":
        bad = np.isnat(labels)
    elif labels.dtype.kind == "O" and set(map(type, listed := labels.tolist())) != {str}:
        bad = np.array([is_missing(label) for label in listed], dtype=bool)
    else:
        return
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"y, row {row}: {labels[row]} is no class; leave the row out. {_words(labels[row])}")


def _words(value: Any) -> str:
    """Return scikit-learn's sentence, which its users know."""
    if is_missing(value):
        return "Input y contains NaN."
    return "Input y contains infinity or a value too large for dtype('float64')."
