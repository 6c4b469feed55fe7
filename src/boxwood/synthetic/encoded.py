"""Rows as numbers on one scale: ranks of numbers among the real ones, indicators of categories and gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.column import Column

__all__ = ["RealScale", "features_of", "sampled", "without_empty"]

MOST_CATEGORIES = 30
"""Categories of a column that get an indicator; the others share one."""

MOST_PLACES = 33
"""Values of a column whose ranks are known; those of others lie straight between them."""


def sampled(columns: Columns, n_rows: int, rng: np.random.Generator) -> Columns:
    """Return at most so many rows, chosen at random."""
    if columns.n_rows <= n_rows:
        return columns
    return columns.take(np.sort(rng.choice(columns.n_rows, n_rows, replace=False)))


@dataclass(frozen=True, eq=False)
class RealScale:
    """What distances between rows are measured by: the values of one or more tables of real rows.

    A column contributes at most 1: the difference of ranks of two numbers, 1 for different categories, 1 for
    a gap and a value. Sums over columns are Gower's distance by ranks.

    Rows that are compared with each other must have the same part in the scale, or one side looks nearer:
    rows that it was made of lie at its steps, others between them. So ranks go straight between few places,
    which no single row moves.
    """

    real: tuple[Columns, ...]

    def encode(self, columns: Columns) -> NDArray[np.float64]:
        """Return rows as points whose Manhattan distances are those of the rows."""
        parts = [_encoded([table[j] for table in self.real], column) for j, column in enumerate(columns)]
        return np.concatenate(parts, axis=1)


def _encoded(real: Sequence[Column], column: Column) -> NDArray[np.float64]:
    gap = column.missing()
    if column.kind.is_number:
        known = np.concatenate([part.values[~part.missing()] for part in real])
        ranks = np.where(gap, 0.5, _ranks(known, column.values)) if len(known) else np.full(len(gap), 0.5)
        return np.stack([ranks, 0.5 * gap], axis=1)
    codes = np.where(gap, -1, column.values)
    common = _commonest(real)
    indicators = [codes == code for code in common] + [~np.isin(codes, common)]
    return 0.5 * np.stack(indicators, axis=1)


def _ranks(known: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the fraction of known values below others, half of equal ones; straight between few places.

    Examples
    --------
    >>> _ranks(np.array([0.0, 0.0, 1.0, 3.0]), np.array([0.0, 1.0, 2.0, 9.0]))
    array([0.25 , 0.625, 0.75 , 0.875])
    """
    known = np.sort(known)
    places = np.unique(known)
    if len(places) > MOST_PLACES:
        places = np.unique(np.quantile(known, np.linspace(0.0, 1.0, MOST_PLACES)))
    low, high = (np.searchsorted(known, places, side) for side in ("left", "right"))
    return np.interp(values, places, 0.5 * (low + high) / len(known))


def _commonest(real: Sequence[Column]) -> NDArray[np.int64]:
    codes = np.concatenate([np.where(part.missing(), -1, part.values) for part in real])
    values, counts = np.unique(codes, return_counts=True)
    return values[np.argsort(-counts, kind="stable")[:MOST_CATEGORIES]].astype(np.int64)


def features_of(columns: Columns) -> tuple[NDArray[np.float64], list[bool]]:
    """Return a table as gradient boosting takes it: numbers and codes, gaps NaN; which are categories.

    Columns of more categories than gradient boosting has bins for are taken as numbers.
    """
    parts, categorical = [], []
    for column in columns:
        values = np.where(column.missing(), np.nan, column.values.astype(np.float64))
        few = not column.kind.is_number and len(column.field.categories) <= 250
        parts.append(values)
        categorical.append(few)
    return np.stack(parts, axis=1), categorical


def without_empty(X: NDArray[np.float64], train: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return features with a constant in place of those without any value in the training rows.

    Gradient boosting finds no bins for them.
    """
    empty = np.isnan(X[train]).all(axis=0)
    return np.where(empty, 0.0, X) if empty.any() else X
