"""Which rows are held out: by content and weight, so that neither their order nor repetition matters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv as folds_of

from boxwood.parameters import MOST, Integer, shown
from boxwood.randomness import generator

__all__ = ["Fold", "check_cv", "given_folds", "shuffled_folds", "validation_fold"]

Weights = NDArray[np.float64]
Fold = tuple[Weights, Weights]
"""Weights of all rows in training, and held out."""


def check_cv(where: str, cv: object) -> None:
    """Raise unless the parameter ``cv`` is a number of folds, a splitter or an iterable of folds."""
    if cv is None or isinstance(cv, str):
        raise TypeError(f"{where} must be a number, a splitter or an iterable; got {shown(cv)}.")
    if not hasattr(cv, "split") and not isinstance(cv, Iterable):
        Integer(2, MOST).check(where, cv)


def shuffled_folds(
    points: NDArray[np.float64], weights: Weights | None, n_folds: int, seed: int
) -> list[Fold]:
    """Deal the rows to folds, one after another, in a random order of their values.

    A row of weight 3 is three rows, assigned to three folds: the folds of a weighted table are those of the
    table with its rows repeated.
    """
    folds = _WeightedFolds(points, weights, seed)
    n_folds = min(n_folds, int(np.ceil(folds.total)))
    return [folds.fold(_fold_part(k, n_folds)) for k in range(n_folds)] if n_folds > 1 else []


def validation_fold(
    points: NDArray[np.float64], weights: Weights | None, fraction: float, seed: int
) -> list[Fold]:
    """Hold out a fraction of the rows, at least one row and not all."""
    folds = _WeightedFolds(points, weights, seed)
    if folds.total <= 1.0:
        return []
    n_held = min(max(1.0, np.floor(fraction * folds.total)), np.ceil(folds.total) - 1.0)
    return [folds.fold(lambda upto: np.minimum(upto, n_held))]


def given_folds(cv: Any, n_rows: int, weights: Weights | None) -> list[Fold]:
    """Read the folds of a scikit-learn splitter or of an iterable of (training rows, held-out rows)."""
    own = np.ones(n_rows) if weights is None else weights
    folds = []
    for parts in folds_of(cv).split(np.empty((n_rows, 1))):
        train, held = (np.bincount(np.arange(n_rows)[rows], minlength=n_rows) * own for rows in parts)
        if not (train.any() and held.any()):
            raise ValueError("cv: a fold has no rows to train on, or none to test on.")
        folds.append((train, held))
    return folds


class _WeightedFolds:
    """The distinct rows of a table in random order, each as often as it weighs."""

    def __init__(self, points: NDArray[np.float64], weights: Weights | None, seed: int) -> None:
        self.n_rows = len(points)
        order = np.lexsort(points.T)
        ranked = points[order]
        starts = np.flatnonzero(np.r_[True, (ranked[1:] != ranked[:-1]).any(axis=1)])
        own = np.ones(len(points)) if weights is None else weights
        self.first = order[starts]
        self.weight = np.add.reduceat(own[order], starts)
        self.shuffle = generator(seed).permutation(len(starts))
        self.upper = np.cumsum(self.weight[self.shuffle])
        self.total = float(self.upper[-1])

    def fold(self, held_upto: Any) -> Fold:
        """Hold out by a function that says how much of the deck's first t is held out."""
        held = np.empty(len(self.first))
        held[self.shuffle] = np.diff(held_upto(self.upper), prepend=0.0)
        return self._rows(self.weight - held), self._rows(held)

    def _rows(self, weight: Weights) -> Weights:
        rows = np.zeros(self.n_rows)
        rows[self.first] = weight
        return rows


def _fold_part(k: int, n_folds: int) -> Any:
    def held_upto(upto: Weights) -> Weights:
        whole = np.floor(upto)
        before = np.floor((whole + (n_folds - 1 - k)) / n_folds)  # whole rows assigned to this fold so far
        return before + np.where(whole % n_folds == k, upto - whole, 0.0)

    return held_upto
