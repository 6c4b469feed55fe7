"""What margins say of rows that they have not seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.evidence import Evidence, shuffled_folds, without_single_categories
from boxwood.margins.margins import Margins, fit_margins

__all__ = ["left_out_log_derivative"]

FOLDS = ((2_000.0, 10), (20_000.0, 5))
"""Folds of tables worth up to so many rows. A margin knows a row that it has seen better by about its number
of free pieces over the number of rows, which in larger tables is nothing beside the spread of scores."""

SEED = 0
"""Of the folds: margins do not depend on a random state."""


def left_out_log_derivative(
    evidence: Evidence, margins: Margins, kind: str, missing: str, n_jobs: int | None = None
) -> NDArray[np.float64]:
    """Return the log-derivative of each distinct row under margins that were fitted without it.

    Parameters
    ----------
    evidence : Evidence
    margins : Margins
        Of all rows, which serve where leaving out makes no difference.
    kind : {"smooth", "linear"}
    missing : {"marginal", "event"}
    n_jobs : int, optional
    """
    columns = without_single_categories(evidence)
    n_folds = next((folds for rows, folds in FOLDS if evidence.n <= rows), 0)
    folds = shuffled_folds(evidence, n_folds, SEED) if n_folds else []
    if not folds:
        return margins.log_derivative(columns, missing, n_jobs)
    total = np.zeros(columns.n_rows)
    for fold in folds:
        fitted = fit_margins(evidence.part(fold.train).columns, kind, n_jobs)
        rows = np.flatnonzero(fold.held)
        total[rows] += fold.held[rows] * fitted.log_derivative(columns.take(rows), missing, n_jobs)
    return total / evidence.weights
