"""Which rows are held out: folds, one part, or one row at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    check_cv,
)

from boxwood.parameters import shown
from boxwood.randomness import seed_of

__all__ = ["Fold", "checked_fraction", "is_leave_one_out", "make_folds"]

Fold = tuple[NDArray[np.intp], NDArray[np.intp]]
"""The rows to fit, and those to score."""


def make_folds(
    cv: Any,
    n_rows: int,
    y: NDArray[Any] | None,
    random_state: Any,
    kept: NDArray[np.bool_] | None = None,
) -> list[Fold]:
    """Return the folds that a parameter ``cv`` asks for.

    Parameters
    ----------
    cv : int, float, "loo", cross-validation generator or iterable
        An integer makes that many folds of shuffled rows, a fraction in (0, 1) holds out one part of that
        size, "loo" each row in turn; all else is as scikit-learn takes it.
    n_rows : int
    y : ndarray of shape (n_rows,) or None
        Classes; folds have their fractions.
    random_state : int, RandomState or None
        Shuffles the rows where `cv` is a number.
    kept : mask of `n_rows` true entries, optional
        Where rows of weight zero were left out: which were not. Folds that are given as row numbers count
        all rows, those that are made the ones that were kept.

    Examples
    --------
    >>> [test.tolist() for _, test in make_folds("loo", 3, None, 0)]
    [[0], [1], [2]]
    """
    if kept is not None and not isinstance(cv, str) and _is_given(cv):
        return _kept_folds(list(cv), kept)
    folds = _splitter(cv, y, random_state).split(np.empty((n_rows, 1)), y)
    return [(np.asarray(train), np.asarray(test)) for train, test in folds]


def _is_given(cv: Any) -> bool:
    """Return whether folds are row numbers, not a way to make them."""
    return isinstance(cv, Iterable) and not hasattr(cv, "split")


def _kept_folds(folds: list[Any], kept: NDArray[np.bool_]) -> list[Fold]:
    place = np.where(kept, np.cumsum(kept) - 1, -1)
    moved = [(place[np.asarray(train)], place[np.asarray(test)]) for train, test in folds]
    return [(train[train >= 0], test[test >= 0]) for train, test in moved]


def is_leave_one_out(cv: Any) -> bool:
    """Return whether every row is to be held out by itself."""
    return isinstance(cv, LeaveOneOut) or (isinstance(cv, str) and cv == "loo")


def _splitter(cv: Any, y: Any, random_state: Any) -> Any:
    if is_leave_one_out(cv):
        return LeaveOneOut()
    if isinstance(cv, bool | str):
        raise ValueError(f'cv must be a number, "loo", a splitter or an iterable; got {shown(cv)}.')
    seed = seed_of(random_state) % 2**32
    if isinstance(cv, int | np.integer):
        folds = KFold if y is None else StratifiedKFold
        return folds(int(cv), shuffle=True, random_state=seed)
    if isinstance(cv, float | np.floating):
        part = ShuffleSplit if y is None else StratifiedShuffleSplit
        return part(1, test_size=checked_fraction(cv), random_state=seed)
    return check_cv(cv, y, classifier=y is not None)


def checked_fraction(cv: Any) -> float:
    """Return the fraction of rows to hold out; ValueError unless it is one."""
    if not 0.0 < cv < 1.0:
        raise ValueError(f"cv: the fraction of rows to hold out must lie in (0, 1); got {shown(cv)}.")
    return float(cv)
