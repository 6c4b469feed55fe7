"""One column from a 1-D numpy array of any dtype."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from boxwood.columns.column import Column
from boxwood.columns.dates import date_column, duration_seconds
from boxwood.columns.errors import at
from boxwood.columns.read.from_codes import boolean_column, coded_column
from boxwood.columns.read.from_numbers import as_float64, integer_column, number_column
from boxwood.columns.read.from_objects import column_from_objects

__all__ = ["column_from_values"]


def column_from_values(name: str, values: NDArray[Any]) -> Column:
    """Make the typed column of an array, by its dtype; an object array by what it holds.

    Examples
    --------
    >>> import numpy as np
    >>> column = column_from_values("size", np.array(["S", None, "L"], dtype=object))
    >>> column.kind.value, column.field.categories, column.values
    ('categorical', ('L', 'S'), array([ 1, -1,  0], dtype=int32))
    """
    kind = values.dtype.kind
    if kind == "f":
        return number_column(name, as_float64(values))
    if kind in "iu":
        return integer_column(name, values)
    if kind == "b":
        return boolean_column(name, values, n_missing=0)
    if kind == "M":
        return date_column(name, values)
    if kind == "m":
        return number_column(name, duration_seconds(name, values))
    if kind == "U":
        return coded_column(name, values.tolist())
    if kind == "S":
        return coded_column(name, _decoded(name, values))
    if kind == "c":
        raise ValueError(f"{at(name, 0)}: Complex data not supported.")
    if kind in "OT":  # T: numpy's strings of any length
        return column_from_objects(name, values.astype(object))
    raise TypeError(f"{at(name)} has the dtype {values.dtype}, which boxwood does not take.")


def _decoded(name: str, values: NDArray[Any]) -> list[str]:
    texts = []
    for row, value in enumerate(values.tolist()):
        try:
            texts.append(value.decode())
        except UnicodeDecodeError:
            raise ValueError(f"{at(name, row)}: the bytes {value[:40]!r} are not UTF-8 text.") from None
    return texts
