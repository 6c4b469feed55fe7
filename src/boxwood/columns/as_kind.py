"""Columns read as another kind than the table declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from boxwood.columns.column import MISSING_CODE, Column, Field
from boxwood.columns.columns import Columns
from boxwood.columns.errors import at, integer_error
from boxwood.columns.kind import Kind
from boxwood.columns.read.from_codes import BOOLEANS, column_from_codes
from boxwood.columns.read.from_numbers import LARGEST_INTEGER
from boxwood.columns.schema import Schema, all_missing

__all__ = ["as_kind", "with_kinds"]


def with_kinds(columns: Columns, kinds: Mapping[str, str]) -> Columns:
    """Return the table with some columns read as another kind."""
    if not isinstance(kinds, Mapping):
        raise TypeError(f"kinds must map column names to kinds, it is a {type(kinds).__name__}.")
    unknown = [name for name in kinds if name not in columns.schema.names]
    if unknown:
        raise ValueError(
            f"kinds names {unknown}, but the table has the columns {list(columns.schema.names)}."
        )
    wanted = {name: _kind(name, kind) for name, kind in kinds.items()}
    changed = [
        as_kind(column, wanted.get(column.name, column.kind)).with_source(column.field.source)
        for column in columns
    ]
    schema = replace(columns.schema, fields=tuple(column.field for column in changed))
    return Columns(schema, columns.n_rows, columns=changed, weights=columns.weights)


def as_kind(column: Column, kind: Kind) -> Column:
    """Read a column as another kind; ValueError names the first row where that cannot be.

    Examples
    --------
    >>> from boxwood.columns.read.from_numbers import integer_column
    >>> column = as_kind(integer_column("stars", np.array([5, 1, 5])), Kind.ORDINAL)
    >>> column.field.categories, column.values
    ((1, 5), array([1, 0, 1], dtype=int32))
    """
    if column.kind is kind:
        return column
    if column.n_missing == len(column.values):
        return all_missing(
            Field(column.name, kind, BOOLEANS if kind is Kind.BOOLEAN else ()), len(column.values)
        )
    if Kind.DATETIME in (kind, column.kind):
        raise _kind_error(column, kind)
    if kind.is_number:
        return _as_numbers(column, kind)
    if kind is Kind.BOOLEAN:
        return Schema((Field(column.name, kind, BOOLEANS),)).match(column, 0)
    return _as_categories(column, kind)


def _kind(name: str, kind: str) -> Kind:
    try:
        return Kind(kind)
    except ValueError:
        known = ", ".join(known.value for known in Kind)
        raise ValueError(f"{at(name)}: kinds gives {kind!r}, which is not one of {known}.") from None


def _as_numbers(column: Column, kind: Kind) -> Column:
    if column.kind in (Kind.CATEGORICAL, Kind.ORDINAL):
        raise _kind_error(column, kind)
    numbers = column.numbers()
    if kind is Kind.INTEGER:
        _check_whole(column.name, numbers)
    return Column(Field(column.name, kind), numbers, column.n_missing)


def _check_whole(name: str, numbers: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    fractional = ~(np.isnan(numbers) | (numbers == np.floor(numbers)))
    if fractional.any():
        row = int(np.argmax(fractional))
        raise ValueError(f"{at(name, row)}: {numbers[row]:.6g} is not an integer.")
    outside = np.abs(numbers) > LARGEST_INTEGER
    if outside.any():
        row = int(np.argmax(outside))
        raise integer_error(name, row, int(numbers[row]))


def _as_categories(column: Column, kind: Kind) -> Column:
    if not column.kind.is_number:
        return Column(Field(column.name, kind, column.field.categories), column.values, column.n_missing)
    distinct, codes = np.unique(column.values, return_inverse=True)
    codes[column.missing()] = MISSING_CODE
    present = distinct[~np.isnan(distinct)].tolist()
    labels = [int(number) for number in present] if column.kind is Kind.INTEGER else present
    return column_from_codes(column.name, codes, labels, kind)


def _kind_error(column: Column, kind: Kind) -> ValueError:
    row = int(np.argmin(column.missing()))
    return ValueError(f"{at(column.name, row)}: a {column.kind} column cannot be read as {kind}.")
