"""A column in cells: their probabilities under a model, and how often a new table has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Kind

__all__ = ["ColumnCells", "column_cells"]

Numbers = NDArray[np.float64]

N_CELLS = 64
"""Cells of a column of numbers, between quantiles of the model."""


@dataclass(frozen=True, eq=False)
class ColumnCells:
    """What a model expects of a column and what a table has: in cells, the last of them that of gaps.

    Attributes
    ----------
    expected : ndarray of shape (n_cells,)
        Probabilities under the model.
    found : ndarray of shape (n_cells,)
        Fractions of the table's rows.
    ordered : bool
        Whether cells but the last ascend.
    unseen : float
        Fraction of rows with a category that training did not show.
    """

    expected: Numbers
    found: Numbers
    ordered: bool
    unseen: float = 0.0

    @property
    def keeps_unseen(self) -> bool:
        """Whether the cells are categories of a model that has a probability for unseen ones."""
        return not self.ordered and bool(self.expected[-2] > 0.0 and self.expected[:-2].any())

    def distance(self, found: Numbers, expected: Numbers) -> Numbers:
        """Return the distance of fractions from others, along the last axis.

        The largest difference that an event has: x <= value or a gap where cells are ordered, any set of
        cells where they are not.
        """
        difference = found - expected
        if not self.ordered:
            return np.asarray(0.5 * np.abs(difference).sum(axis=-1))
        steps = np.cumsum(difference[..., :-1], axis=-1)
        return np.asarray(np.maximum(np.abs(steps).max(axis=-1), np.abs(difference[..., -1])))


def column_cells(query: Any, j: int, column: Column, weights: Numbers) -> ColumnCells:
    """Return a column of a new table in cells, and what a model's query expects of them."""
    if column.field.kind.is_number:
        return _of_numbers(query, j, column, weights)
    return _of_categories(query, j, column, weights)


def _of_numbers(query: Any, j: int, column: Column, weights: Numbers) -> ColumnCells:
    missing = float(query.missing_probability(j))
    if missing >= 1.0:
        cuts, below = np.zeros(1), np.ones(1)
    else:
        quantiles = query.quantile(j, np.arange(1, N_CELLS) / N_CELLS)
        below = np.asarray(query.cdf(j, quantiles), dtype=np.float64)
        if column.field.kind is Kind.DATETIME:
            quantiles = quantiles.astype("datetime64[us]").astype(np.int64)
        cuts, first = np.unique(np.asarray(quantiles, dtype=np.float64), return_index=True)
        below = below[first]
    there = ~column.missing()
    at = np.where(there, np.searchsorted(cuts, column.values, side="left"), len(cuts) + 1)
    found = np.bincount(at, weights, minlength=len(cuts) + 2) / weights.sum()
    expected = np.append(np.diff(below, prepend=0.0, append=1.0) * (1.0 - missing), missing)
    return ColumnCells(expected, found, ordered=True)


def _of_categories(query: Any, j: int, column: Column, weights: Numbers) -> ColumnCells:
    probabilities = list(query.probabilities_of(j).values())
    missing, n = float(query.missing_probability(j)), len(probabilities)
    unseen = max(1.0 - missing - sum(probabilities), 0.0)
    codes = np.where(column.missing(), n + 1, np.minimum(column.values, n))
    found = np.bincount(codes, weights, minlength=n + 2) / weights.sum()
    ordered = column.field.kind is Kind.ORDINAL
    return ColumnCells(np.array([*probabilities, unseen, missing]), found, ordered, float(found[n]))
