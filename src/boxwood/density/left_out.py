"""Scores of rows by densities that were fitted without them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from boxwood.columns import Columns
from boxwood.evidence import shuffled_folds

__all__ = ["cross_fitted_scores", "left_out_scores"]

FOLDS = 5
SEED = 0
"""Of the folds, which depend on the rows' content alone."""


def cross_fitted_scores(density: Any, columns: Columns) -> NDArray[np.float64]:
    """Return the log-density of each row by fits to the other folds; NaN where the rows are too few.

    Parameters
    ----------
    density : DensityEstimator
        Not fitted; it is cloned.
    columns : Columns
        With the weights that were given, if any.

    Returns
    -------
    ndarray of shape (n_rows,)
    """
    evidence = density._weigh(columns)
    total, weight = np.zeros(evidence.n_rows), np.zeros(evidence.n_rows)
    rows = evidence.columns.without_weights()
    if evidence.n < FOLDS:
        return np.full(columns.n_rows, np.nan)
    for fold in shuffled_folds(evidence, FOLDS, SEED):
        fitted = clone(density).fit(evidence.part(fold.train).columns)
        held = np.flatnonzero(fold.held)
        total[held] += fold.held[held] * fitted._score_table(rows.take(held))
        weight[held] += fold.held[held]
    with np.errstate(invalid="ignore"):
        return evidence.of_given_rows(total / weight)


def left_out_scores(density: Any) -> NDArray[np.float64] | None:
    """Return the scores of the rows of a fit by parts that have not seen them, where there are any."""
    of_forest = getattr(density, "oob_log_density_", None)
    return getattr(density, "left_out_log_density_", None) if of_forest is None else of_forest
