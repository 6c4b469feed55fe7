"""A column as an array of pyarrow."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxwood.columns.column import Column
from boxwood.columns.kind import Kind
from boxwood.columns.source import TypeName
from boxwood.columns.types.pyarrow_types import pyarrow_type
from boxwood.columns.write.parts import (
    decimals,
    holds,
    known_codes,
    missing_mask,
    numbers_of,
    one_type,
    plain,
    plain_objects,
    ticks,
    whole_numbers,
)

__all__ = ["pyarrow_array", "typed_pyarrow_array"]


def pyarrow_array(column: Column, dtype: TypeName) -> Any:
    """Return a column as an array of the type that it came in, else of the type that its kind suggests."""
    return typed_pyarrow_array(column, dtype) if holds(dtype, column) else _by_kind(column)


def typed_pyarrow_array(column: Column, dtype: TypeName) -> Any:
    """Return a column as an array of a type that holds it."""
    import pyarrow as pa

    word, native = dtype[0], pyarrow_type(dtype)
    if word == "null":
        return pa.nulls(len(column.values))
    if word == "decimal":
        return pa.array(decimals(column, dtype[2]), type=native)
    if word in ("string", "large_string", "string_view", "dictionary"):
        return _coded(column, native)
    missing = missing_mask(column)
    if word in ("datetime", "duration"):
        return pa.array(ticks(column, dtype[1]), mask=missing).cast(native)
    if word == "date":
        days = ticks(column, "D")
        return pa.array(days.astype(np.int32) if dtype[1] == 32 else days * 86_400_000, mask=missing).cast(
            native
        )
    if word.startswith("float"):
        numbers = numbers_of(column)
        assert numbers is not None
        return pa.array(numbers.astype(word), mask=missing, type=native)
    return pa.array(whole_numbers(column, word), mask=missing, type=native)


def _coded(column: Column, native: Any) -> Any:
    import pyarrow as pa

    if not pa.types.is_dictionary(native):
        return pa.array(plain_objects(column), type=native)
    labels = pa.array(list(column.field.categories), type=native.value_type)
    indices = _indices(column).cast(native.index_type)
    return pa.DictionaryArray.from_arrays(indices, labels, ordered=native.ordered)


def _indices(column: Column) -> Any:
    import pyarrow as pa

    return pa.array(known_codes(column), mask=missing_mask(column))


def _by_kind(column: Column) -> Any:
    import pyarrow as pa

    if column.kind in (Kind.CATEGORICAL, Kind.ORDINAL):
        values = pa.array(one_type(column), type=None if column.field.categories else pa.string())
        return pa.DictionaryArray.from_arrays(_indices(column), values, ordered=column.kind is Kind.ORDINAL)
    if column.kind is Kind.NUMERIC:
        return pa.array(column.values, from_pandas=True)
    dtype = {Kind.INTEGER: pa.int64(), Kind.BOOLEAN: pa.bool_()}.get(column.kind)
    return pa.array(plain(column), type=dtype)
