"""What users say of bins, ranges and priors: for all columns at once, or column by column."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field, Kind, Schema
from boxwood.columns.errors import at
from boxwood.histogram.column import LARGEST
from boxwood.histogram.rules import RULES
from boxwood.parameters import shown

__all__ = ["check_bins", "edges_of", "limits_of", "per_column"]


def per_column(
    value: Any, schema: Schema, name: str, default: Any, is_one: Callable[[Any], bool]
) -> list[Any]:
    """Return a parameter's value for each column.

    Parameters
    ----------
    value : object
        One value for all columns (`is_one` tells), a sequence with one for each, or a mapping of column
        names or positions; columns that it does not name get the default.
    """
    if isinstance(value, Mapping):
        return _of_mapping(value, schema, name, default)
    if is_one(value):
        return [value] * len(schema)
    if len(value) != len(schema):
        raise ValueError(f"{name} has {len(value)} entries for {len(schema)} columns.")
    return [default if entry is None else entry for entry in value]


def is_one_bins(value: Any) -> bool:
    """Distinguish a rule, a number or edges from a sequence with one of these for each column."""
    if not isinstance(value, list | tuple):
        return True
    return not any(entry is None or isinstance(entry, str | list | tuple | np.ndarray) for entry in value)


def is_one_range(value: Any) -> bool:
    """Distinguish a pair of ends from a sequence with one for each column."""
    if value is None:
        return True
    return len(value) == 2 and all(entry is not None and np.ndim(entry) == 0 for entry in value)


def check_bins(value: Any, name: str, rules: Sequence[str] = RULES) -> None:
    """Raise for what can be no bins of any column."""
    if isinstance(value, str):
        if value not in rules:
            listed = ", ".join(repr(rule) for rule in rules)
            raise ValueError(f"{name} must be a number of bins, edges or one of {listed}; got {value!r}.")
    elif isinstance(value, bool) or value is None:
        raise TypeError(f"{name} must be a rule, a number of bins or edges; got {shown(value)}.")
    elif isinstance(value, numbers.Number):
        if not isinstance(value, numbers.Integral) or not 1 <= int(value) <= 10**8:
            raise ValueError(f"{name} must be an integer from 1 to 1e8; got {shown(value)}.")
    elif not _is_flat(value) or len(value) < 2:
        raise ValueError(f"{name}: edges must be a sequence of two or more; got {shown(value)}.")


def edges_of(value: Any, field: Field, name: str) -> NDArray[np.float64]:
    """Return the edges that a user gave for a column.

    Those of integers move to half way between two of them: [0, 5, 10] are the bins 0–4 and 5–10.
    """
    edges = _numbers(value, field, name)
    if field.kind is Kind.INTEGER:
        edges = np.append(np.ceil(edges[:-1]), np.floor(edges[-1]) + 1.0) - 0.5
    if not np.all(edges[1:] > edges[:-1]):
        what = " (each bin must hold an integer)" if field.kind is Kind.INTEGER else ""
        raise ValueError(f"{at(field.name)}: the edges in {name} must ascend{what}; got {shown(value)}.")
    return edges


def limits_of(value: Any, field: Field) -> tuple[float, float] | None:
    """Return the range that a user gave for a column of numbers."""
    if value is None or not field.kind.is_number:
        return None
    low, high = _numbers(value, field, "range")
    if not low < high:
        raise ValueError(f"{at(field.name)}: range must be a lower and an upper end; got {shown(value)}.")
    return float(low), float(high)


def _is_flat(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim == 1
    return isinstance(value, Sequence) and not any(
        isinstance(entry, list | tuple | np.ndarray) for entry in value
    )


def _numbers(value: Any, field: Field, name: str) -> NDArray[np.float64]:
    array = np.asarray(value)
    if field.kind is Kind.DATETIME and array.dtype.kind not in "iuf":
        try:
            array = array.astype("datetime64[us]").astype(np.int64)
        except (ValueError, TypeError):
            raise TypeError(f"{at(field.name)}: {name} must hold dates; got {shown(value)}.") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{at(field.name)}: {name} must hold numbers; got {shown(value)}.")
    floats = array.astype(np.float64)
    if not np.all(np.abs(floats) < LARGEST):
        raise ValueError(f"{at(field.name)}: {name} must hold finite numbers; got {shown(value)}.")
    return floats


def _of_mapping(value: Mapping[Any, Any], schema: Schema, name: str, default: Any) -> list[Any]:
    values = [default] * len(schema)
    for key, entry in value.items():
        if isinstance(key, str) and key in schema.names:
            values[schema.index(key)] = entry
        elif isinstance(key, int) and not isinstance(key, bool) and 0 <= key < len(schema):
            values[key] = entry
        else:
            raise ValueError(f"{name} names the column {key!r}; the table has {list(schema.names)}.")
    return values
