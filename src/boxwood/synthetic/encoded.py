"""Rows as numbers on one scale: ranks of numbers among the real ones, indicators of categories and gaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.column import Column

__all__ = ["RealScale", "features_of", "sampled", "without_empty"]

MOST_CATEGORIES = 30
"""Categories of a column that get an indicator; the others share one."""


def sampled(columns: Columns, n_rows: int, rng: np.random.Generator) -> Columns:
    """Return at most so many rows, chosen at random."""
    if columns.n_rows <= n_rows:
        return columns
    return columns.take(np.sort(rng.choice(columns.n_rows, n_rows, replace=False)))


@dataclass(frozen=True, eq=False)
class RealScale:
    """What distances between rows are measured by: the real table's values.

    A column contributes at most 1: the difference of ranks of two numbers, 1 for different categories, 1 for
    a gap and a value. Sums over columns are Gower's distance by ranks.
    """

    real: Columns

    def encode(self, columns: Columns) -> NDArray[np.float64]:
        """Return rows as points whose Manhattan distances are those of the rows."""
        parts = [_encoded(of_real, column) for of_real, column in zip(self.real, columns, strict=True)]
        return np.concatenate(parts, axis=1)


def _encoded(real: Column, column: Column) -> NDArray[np.float64]:
    gap = column.missing()
    if column.kind.is_number:
        known = np.sort(real.values[~real.missing()])
        low, high = (np.searchsorted(known, column.values, side) for side in ("left", "right"))
        ranks = np.where(gap, 0.5, 0.5 * (low + high) / max(1, len(known)))
        return np.stack([ranks, 0.5 * gap], axis=1)
    codes = np.where(gap, -1, column.values)
    common = _commonest(real)
    indicators = [codes == code for code in common] + [~np.isin(codes, common)]
    return 0.5 * np.stack(indicators, axis=1)


def _commonest(real: Column) -> NDArray[np.int64]:
    values, counts = np.unique(np.where(real.missing(), -1, real.values), return_counts=True)
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
