"""What is expected of a column given the rest of each row, as codes or numbers of the column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Field, Kind
from boxwood.columns.dates import date_column, dates_of
from boxwood.columns.source import Source
from boxwood.query.dates import zone_name

__all__ = ["HOW", "expected_values", "own_column", "own_values"]

HOW = ("median", "mean", "mode", "draw")

_FRACTIONS = (np.arange(64) + 0.5) / 64
_WINDOW = 16
"""The mode of numbers is looked for in the shortest interval with a quarter of the probability."""

_FEW = 2
"""Quantiles that are equal by the width of their steps: more tell how probable a whole number is."""


def expected_values(
    conditionals: Any, column: int, field: Field, how: str, rng: Any = None
) -> NDArray[np.float64]:
    """Return one value for each row: the median, mean, mode or a draw of a column given the rest of the row.

    Categories without an order have neither mean nor median: their most probable one is returned.
    """
    if how == "draw":
        values = conditionals.draws(column, 1, rng)[:, 0]
    elif not field.kind.is_number and (how != "median" or field.kind is not Kind.ORDINAL):
        values = np.argmax(conditionals.category_probabilities(column), axis=1)
    elif how == "mean":
        values = conditionals.means(column)
    elif how == "median":
        values = conditionals.medians(column)
    else:
        values = _modes(conditionals.quantiles(column, _FRACTIONS), field.kind is Kind.INTEGER)
    values = np.asarray(values, dtype=np.float64)
    return values if field.kind is Kind.NUMERIC else np.round(values)


def _modes(quantiles: NDArray[np.float64], whole: bool = False) -> NDArray[np.float64]:
    """Return the most probable of values that repeat, else the middle of the shortest interval, of each row.

    Several values may have a quarter of the probability each: all their intervals are points.

    Examples
    --------
    >>> _modes(np.repeat([[0.0, 1.0, 2.0]], [18, 30, 16], axis=1))
    array([1.])
    """
    rows = np.arange(len(quantiles))
    widths = quantiles[:, _WINDOW:] - quantiles[:, :-_WINDOW]
    first = np.argmin(widths, axis=1)
    run, longest = np.ones(len(rows), dtype=np.intp), np.ones(len(rows), dtype=np.intp)
    value = quantiles[:, 0].copy()
    for k in range(1, quantiles.shape[1]):
        run = np.where(quantiles[:, k] == quantiles[:, k - 1], run + 1, 1)
        value = np.where(run > longest, quantiles[:, k], value)
        longest = np.maximum(longest, run)
    repeats = longest > (_FEW if whole else _WINDOW)
    return np.where(repeats, value, quantiles[rows, first + _WINDOW // 2])


def own_values(field: Field, values: NDArray[np.float64]) -> NDArray[Any]:
    """Return codes or numbers as what the column's values are: labels, dates, integers.

    Examples
    --------
    >>> own_values(Field("city", Kind.CATEGORICAL, ("Bonn", "Ulm")), np.array([1.0, 0.0])).tolist()
    ['Ulm', 'Bonn']
    """
    if field.kind is Kind.DATETIME:
        found: NDArray[Any] = dates_of(values)
        found[np.isnan(values)] = np.datetime64("NaT")
        return found
    if field.kind.is_number:
        return values
    labels = np.empty(len(field.categories) + 1, dtype=object)  # the last one, None, where there is none
    labels[:-1] = field.categories
    chosen = labels[np.where(np.isnan(values), -1.0, values).astype(np.intp)]
    return chosen.astype(np.bool_) if field.kind is Kind.BOOLEAN and not np.isnan(values).any() else chosen


def own_column(name: str, field: Field, values: NDArray[np.float64]) -> Column | NDArray[Any]:
    """Return `own_values` for a frame: dates of a column with a time zone as a column of that zone."""
    own = own_values(field, values)
    zone = zone_name(field)
    return own if zone is None else date_column(name, own).with_source(Source(("datetime", "us", zone)))
