"""A column as an array for a frame of pandas."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import Column
from boxwood.columns.kind import Kind
from boxwood.columns.source import TypeName, leaf_of
from boxwood.columns.types.pandas_types import pandas_type, zone_is_known
from boxwood.columns.write.objects import object_array
from boxwood.columns.write.parts import (
    holds,
    known_codes,
    missing_mask,
    numbers_of,
    plain,
    plain_objects,
    ticks,
    whole_numbers,
)
from boxwood.columns.write.to_pyarrow import typed_pyarrow_array

__all__ = ["pandas_array"]

_TEXTS = ("object", "string", "large_string", "string_view")


def pandas_array(column: Column, dtype: TypeName) -> Any:
    """Return a column as an array of the type that it came in, else of the type that its kind suggests."""
    import pandas as pd

    if not holds(dtype, column, nullable=_has_gaps(dtype)):
        return _by_kind(column)
    word, *arguments = dtype
    if word in ("masked", "sparse", "arrow"):
        return _wrapped(column, word, *arguments)
    if word == "object":
        return pd.Series(object_array(column, dtype), dtype=object)  # of a bare array pandas guesses the type
    if word == "string":
        return _strings(column, *arguments)
    if word == "category":
        return _categories(column, *arguments)
    if word in ("datetime", "duration"):
        return _times(column, *dtype)
    return _numbers(column, word)


def _has_gaps(dtype: TypeName) -> bool:
    """Return whether a type has a mark for what is missing; plain integers and booleans have none."""
    while dtype and dtype[0] == "sparse":
        dtype = dtype[1]
    return not dtype or not dtype[0].startswith(("int", "uint", "bool"))


def _numbers(column: Column, word: str) -> NDArray[Any]:
    if not word.startswith("float"):
        return whole_numbers(column, word)
    numbers = numbers_of(column)
    assert numbers is not None
    return numbers.astype(word)


def _wrapped(column: Column, word: str, inner: TypeName, *arguments: Any) -> Any:
    import pandas as pd

    if word == "arrow":
        return pd.arrays.ArrowExtensionArray(typed_pyarrow_array(column, inner))
    numbers = _numbers(column, inner[0])
    if word == "sparse":
        fill = np.nan if arguments[0] is None else numbers.dtype.type(float(arguments[0]))
        return pd.arrays.SparseArray(numbers, dtype=pd.SparseDtype(numbers.dtype, fill))
    missing = missing_mask(column)
    if numbers.dtype.kind == "b":
        return pd.arrays.BooleanArray(numbers, missing)
    make = pd.arrays.FloatingArray if numbers.dtype.kind == "f" else pd.arrays.IntegerArray
    return make(np.where(missing, np.zeros(1, numbers.dtype), numbers), missing)


def _strings(column: Column, storage: str, missing: str) -> Any:
    import pandas as pd

    labels = np.array([*column.field.categories, None], dtype=object)
    return pd.array(labels[known_codes(column)], dtype=pandas_type(("string", storage, missing)))


def _categories(column: Column, inner: TypeName, ordered: bool) -> Any:
    import pandas as pd

    labels = pd.Index(list(column.field.categories), dtype=object)
    # Labels that later rows brought along may be of another type than those that the table declared.
    alike = leaf_of(inner)[0] in _TEXTS or not any(isinstance(label, str) for label in labels)
    index = labels.astype(pandas_type(inner)) if alike else labels
    return pd.Categorical.from_codes(known_codes(column), index, ordered=ordered)


def _times(column: Column, word: str, unit: str, zone: str | None = None) -> Any:
    import pandas as pd

    values = ticks(column, unit).view(f"{'M8' if word == 'datetime' else 'm8'}[{unit}]")
    values[column.missing()] = np.array("NaT", dtype=values.dtype)
    if zone is None:
        return values
    there = zone if zone_is_known(zone) else "UTC"  # the zones that are known differ by machine
    return pd.Series(values).dt.tz_localize("UTC").dt.tz_convert(there).array


def _by_kind(column: Column) -> Any:
    import pandas as pd

    if column.kind in (Kind.CATEGORICAL, Kind.ORDINAL):
        ordered = column.kind is Kind.ORDINAL
        return pd.Categorical.from_codes(known_codes(column), list(column.field.categories), ordered=ordered)
    if column.n_missing and column.kind is Kind.INTEGER:
        return pd.array(plain_objects(column), dtype="Int64")
    if column.n_missing and column.kind is Kind.BOOLEAN:
        return pd.array(plain_objects(column), dtype="boolean")
    return plain(column)
