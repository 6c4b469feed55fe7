"""Floats of pandas that are whole, with gaps: integers, as a file of the same values says."""

from __future__ import annotations

import warnings
from collections.abc import Container, Sequence
from dataclasses import replace

from boxwood.columns.column import Column, Field
from boxwood.columns.columns import Columns
from boxwood.columns.kind import Kind

__all__ = ["is_whole_with_gaps", "warn_of_integers", "whole_floats_as_integers"]

_FLOATS = ("float16", "float32", "float64")


def whole_floats_as_integers(columns: Columns, stated: Container[str]) -> Columns:
    """Return a pandas frame's columns with whole floats that have gaps as integers, and warn that they are.

    Plain integers of pandas have no gaps: where one is missing, pandas makes the column floats. Columns of a
    declared type (Float64, Arrow's) and those whose kind the caller stated stay as they are.
    """
    whole = [
        column.name not in stated and is_whole_with_gaps(column.field, column.n_missing) for column in columns
    ]
    if not any(whole):
        return columns
    names = [column.name for column, is_whole in zip(columns, whole, strict=True) if is_whole]
    warn_of_integers(
        names, f"boxwood.read_columns(X, kinds={{{names[0]!r}: 'numeric'}}) in place of the frame X"
    )
    read = [_as_integer(column) if whole[j] else column for j, column in enumerate(columns)]
    fields: tuple[Field, ...] = tuple(column.field for column in read)
    return Columns(
        replace(columns.schema, fields=fields), columns.n_rows, columns=read, weights=columns.weights
    )


def warn_of_integers(names: Sequence[str], instead: str) -> None:
    """Say which columns were read as integers, and what to pass `instead` where they are none."""
    warnings.warn(
        "read as integers, because their values are whole and pandas keeps integers with gaps as floats: "
        f"{', '.join(map(repr, names[:5]))}{', …' if len(names) > 5 else ''}. To keep floats, pass "
        f"{instead}.",
        stacklevel=4,
    )


def is_whole_with_gaps(field: Field, n_missing: int) -> bool:
    """Return whether a pandas column of floats holds integers, of which some are missing."""
    source = field.source
    if source is None or field.kind is not Kind.NUMERIC or not n_missing:
        return False
    return source.decimals == 0 and len(source.dtype) == 1 and source.dtype[0] in _FLOATS


def _as_integer(column: Column) -> Column:
    return Column(replace(column.field, kind=Kind.INTEGER), column.values, column.n_missing)
