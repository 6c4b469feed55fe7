"""Column names, by one rule for every container."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from boxwood.columns.errors import at
from boxwood.columns.labels import first_invalid_text

__all__ = ["default_names", "numbers_as_names", "read_names"]


def default_names(n_columns: int) -> list[str]:
    """Name columns that came without names as scikit-learn does: x0, x1, …"""
    return [f"x{j}" for j in range(n_columns)]


def read_names(names: Iterable[Any]) -> tuple[list[str], bool]:
    """Return the columns' names, and whether they came with the table.

    Names that are all strings stay. Where none is a string (the numbers 0, 1, … of a plain pandas
    frame) the columns count as unnamed.

    Raises
    ------
    ValueError
        For a name that stands twice.
    TypeError
        Where some names are strings and others not, and for the tuples of a MultiIndex.

    Examples
    --------
    >>> read_names(["age", "city"]), read_names([0, 1])
    ((['age', 'city'], True), (['x0', 'x1'], False))
    """
    listed = list(names)
    seen: set[Any] = set()
    for name in listed:
        if name in seen:
            raise ValueError(f"{at(name)} stands twice in the table: column names must differ.")
        seen.add(name)
    strings = [isinstance(name, str) for name in listed]
    if all(strings):
        invalid = first_invalid_text(listed)
        if invalid is not None:
            raise ValueError(f"{at(invalid)}: the name is not valid Unicode.")
        return [str(name) for name in listed], bool(listed)
    if any(strings):
        types = sorted({type(name).__name__ for name in listed})
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {types} as column name types: {at(listed[strings.index(False)])} is not a string. "
            "Convert them all to strings."
        )
    tuples = [isinstance(name, tuple) for name in listed]
    if any(tuples):
        raise TypeError(
            f"{at(listed[tuples.index(True)])} has a name of several levels (a MultiIndex). Join them to "
            'one string, for example by X.columns = ["_".join(map(str, name)) for name in X.columns].'
        )
    return default_names(len(listed)), False


def numbers_as_names(names: Iterable[Any]) -> tuple[int, ...]:
    """Return the names where all are integers, as those of a plain pandas frame, else nothing."""
    listed = list(names)
    whole = all(isinstance(name, int | np.integer) and not isinstance(name, bool) for name in listed)
    return tuple(map(int, listed)) if whole else ()
