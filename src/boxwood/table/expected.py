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
        values = _modes(conditionals.quantiles(column, _FRACTIONS))
    values = np.asarray(values, dtype=np.float64)
    return values if field.kind is Kind.NUMERIC else np.round(values)


def _modes(quantiles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the middle of the shortest interval between quantiles of each row."""
    widths = quantiles[:, _WINDOW:] - quantiles[:, :-_WINDOW]
    first = np.argmin(widths, axis=1)
    return quantiles[np.arange(len(quantiles)), first + _WINDOW // 2]


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
