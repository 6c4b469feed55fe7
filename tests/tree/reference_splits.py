"""The obvious way to split a node: try everything. The oracle of the core's split finder."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np


def impurity(kind: str, targets: np.ndarray, weights: np.ndarray) -> float:
    """Return weight times impurity of some rows."""
    total = weights.sum()
    if total == 0.0:
        return 0.0
    if kind == "squared_error":
        mean = np.average(targets, weights=weights)
        return float((weights * (targets - mean) ** 2).sum())
    fractions = np.array([weights[targets == c].sum() for c in np.unique(targets)]) / total
    fractions = fractions[fractions > 0.0]
    if kind == "gini":
        return float(total * (1.0 - (fractions**2).sum()))
    return float(-total * (fractions * np.log2(fractions)).sum())


def left_sides(column: np.ndarray, coded: bool):
    """Return every set of rows that a split of a column may send left. NaN is missing."""
    missing = np.isnan(column)
    values = np.unique(column[~missing])
    if coded:
        bins = [column == value for value in values] + ([missing] if missing.any() else [])
        for size in range(1, len(bins) // 2 + 1):
            for chosen in combinations(bins, size):
                yield np.any(chosen, axis=0)
        return
    for low, high in pairwise(values):
        yield column < (low + high) / 2.0
        yield (column < (low + high) / 2.0) | missing
    if missing.any() and len(values):
        yield ~missing


def best_gain(
    kind: str, table: np.ndarray, coded: list[bool], targets: np.ndarray, weights: np.ndarray, smallest: float
) -> float:
    """Return the largest gain of any split whose sides both have enough weight; −∞ where there is none."""
    integer = impurity(kind, targets, weights)
    best = -np.inf
    for j, is_coded in enumerate(coded):
        for left in left_sides(table[:, j], is_coded):
            if min(weights[left].sum(), weights[~left].sum()) < smallest:
                continue
            parts = impurity(kind, targets[left], weights[left]) + impurity(
                kind, targets[~left], weights[~left]
            )
            best = max(best, integer - parts)
    return best


def rows_of_nodes(model, X) -> np.ndarray:
    """Return which rows pass each node: shape (n_nodes, n_rows)."""
    return model.decision_path(X).toarray().astype(bool).T
