"""Weights of classes: the parameter, and what it makes of the weights of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import column_or_1d
from sklearn.utils.class_weight import compute_sample_weight

from boxwood.columns.weights import read_weights
from boxwood.parameters import Choice, Parameter, Unchecked

__all__ = ["CLASS_WEIGHT", "class_weighted"]

CLASS_WEIGHT = Parameter(
    "class_weight",
    Unchecked("dict") | Choice(None, "balanced"),
    'What the rows of each class weigh; "balanced" gives all classes the same weight in sum.',
)


def class_weighted(class_weight: Any, y: Any, n_rows: int, sample_weight: Any) -> Any:
    """Return row weights times class weights; "balanced" gives all classes the same weight in sum."""
    if class_weight is None:
        return sample_weight
    given = read_weights(sample_weight, n_rows)
    if given is not None and isinstance(class_weight, str) and class_weight == "balanced":
        # scikit-learn's counts rows here; weight 2 must be the row twice.
        _, codes = np.unique(column_or_1d(y), return_inverse=True)
        totals = np.bincount(codes, given)
        return given * (given.sum() / (np.count_nonzero(totals) * np.where(totals > 0.0, totals, 1.0)))[codes]
    by_class = compute_sample_weight(class_weight, column_or_1d(y))
    return by_class if given is None else by_class * given
