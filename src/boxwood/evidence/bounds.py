"""Bounds of columns that the user gives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from boxwood.columns import BaseMeasure, ColumnMeasure, Columns
from boxwood.evidence.weights import Evidence
from boxwood.parameters import shown

__all__ = ["check_bounds", "with_bounds"]


def check_bounds(where: str, bounds: object) -> None:
    """Check that bounds are None or map columns to pairs (low, high), None for an open end."""
    if bounds is None:
        return
    if not isinstance(bounds, Mapping):
        raise TypeError(f"{where} must map columns to (low, high); got {shown(bounds)}.")
    for column, pair in bounds.items():
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ValueError(f"{where}[{column!r}] must be a pair (low, high); got {shown(pair)}.")
        low, high = (_end(where, column, end, side) for end, side in zip(pair, (-1.0, 1.0), strict=True))
        if not low < high:
            raise ValueError(f"{where}[{column!r}]: low must be below high; got {shown(pair)}.")


def with_bounds(evidence: Evidence, given: Columns, bounds: Mapping[Any, Any] | None) -> Evidence:
    """Return the evidence with bounds in the measure of its columns.

    Parameters
    ----------
    evidence : Evidence
    given : Columns
        The rows as they were given, which errors name.
    bounds : mapping of column to (low, high), or None
        Columns by name or position. They replace the bounds that a column's sign sets.
    """
    if not bounds:
        return evidence
    measures = list(evidence.discrete.measures)
    for column, pair in bounds.items():
        j = _position(given, column)
        low, high = (_end("bounds", column, end, side) for end, side in zip(pair, (-1.0, 1.0), strict=True))
        _check_rows(given, j, low, high)
        measures[j] = replace(measures[j], bounds=(low, high))
    return _with_measures(evidence, measures)


def _with_measures(evidence: Evidence, measures: list[ColumnMeasure]) -> Evidence:
    whole = None if evidence.columns.measure is None else evidence.columns.measure.whole
    columns = evidence.columns.with_measure(BaseMeasure(partial(list, measures), whole))
    return replace(evidence, columns=columns, discrete=replace(evidence.discrete, measures=measures))


def _end(where: str, column: Any, value: Any, side: float) -> float:
    if value is None:
        return side * math.inf
    number = value if isinstance(value, int | float | np.integer | np.floating) else math.nan
    if isinstance(value, bool) or math.isnan(number):
        raise ValueError(f"{where}[{column!r}] must hold numbers or None; got {shown(value)}.")
    return float(number)


def _position(columns: Columns, column: Any) -> int:
    names = [field.name for field in columns.schema.fields]
    if column in names:
        j = names.index(column)
    elif isinstance(column, int | np.integer) and not isinstance(column, bool) and 0 <= column < len(names):
        j = int(column)
    else:
        raise ValueError(f"bounds names the column {column!r}, which the table does not have: {names}.")
    if not columns.schema.fields[j].kind.is_number:
        raise ValueError(
            f"bounds names the column {names[j]!r}, which holds {columns.schema.fields[j].kind} values: only "
            "numbers have bounds."
        )
    return j


def _check_rows(columns: Columns, j: int, low: float, high: float) -> None:
    values = columns[j].values
    outside = np.flatnonzero((values < low) | (values > high))
    if len(outside):
        row = int(outside[0])
        raise ValueError(
            f"column {columns[j].name!r}, row {row}: {values[row]:g} lies outside its bounds "
            f"({low:g}, {high:g}). Leave such rows out, or widen the bounds."
        )
