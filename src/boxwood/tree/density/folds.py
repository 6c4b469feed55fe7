"""Folds that a user gives: a number, a scikit-learn splitter or an iterable."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from boxwood.evidence import Evidence, Fold
from boxwood.parameters import MOST, Integer, shown

__all__ = ["check_cv", "given_folds"]


def check_cv(where: str, cv: object) -> None:
    """Raise unless the parameter ``cv`` is a number of folds, a splitter or an iterable of folds."""
    if cv is None or isinstance(cv, str):
        raise TypeError(f"{where} must be a number, a splitter or an iterable; got {shown(cv)}.")
    if not hasattr(cv, "split") and not isinstance(cv, Iterable):
        Integer(2, MOST).check(where, cv)


def given_folds(cv: Any, evidence: Evidence) -> list[Fold]:
    """Read the folds of a scikit-learn splitter or of an iterable of (training rows, held-out rows).

    These are rows as they were given; a distinct row is in a part by the fraction of its weight.
    """
    from sklearn.model_selection import check_cv as folds_of  # half a second, for few callers

    n_rows, own = len(evidence.number), evidence.given_weights
    scale = evidence.weights / np.bincount(evidence.number, own, evidence.n_rows)
    folds = []
    for parts in folds_of(cv).split(np.empty((n_rows, 1))):
        times = (np.bincount(np.arange(n_rows)[rows], minlength=n_rows) for rows in parts)
        train, held = (np.bincount(evidence.number, t * own, evidence.n_rows) * scale for t in times)
        if not (train.any() and held.any()):
            raise ValueError("cv: a fold has no rows to train on, or none to test on.")
        folds.append(Fold(train, held))
    return folds
