"""The forest of a boosted density: as good as `DensityForest`, and scores of the rows that weigh it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.evidence import Evidence
from boxwood.margins import Margins, left_out_log_derivative
from boxwood.mixture import Mixture
from boxwood.tree.density.forest import FittedForest, ForestParameters, fit_forest
from boxwood.tree.density.unseen import unseen_scores

__all__ = ["ForestPart", "fit_forest_part"]

ENOUGH_TREES = 50
"""From so many on, about ten do not see a row: they weigh a forest of all rows. Fewer trees are grown without
the rows held out."""


@dataclass(frozen=True, eq=False)
class ForestPart:
    """A forest under margins of its own.

    Attributes
    ----------
    margins : Margins
    forest : Mixture or None
    gains : ndarray of shape (n_columns,)
        Each column's fraction of what cuts gained.
    unseen : ndarray or None
        The log-density of each held-out row by trees and margins that did not see it, without what rules
        add; None where the whole forest has not seen any.
    """

    margins: Margins
    forest: Mixture | None
    gains: NDArray[np.float64]
    unseen: NDArray[np.float64] | None


def fit_forest_part(
    evidence: Evidence,
    train: Evidence,
    held: NDArray[np.intp],
    parameters: ForestParameters,
    seed: int,
    progress: Callable[[int], None],
) -> ForestPart:
    """Grow the forest, on all rows where its trees are enough to score those held out.

    Parameters
    ----------
    evidence : Evidence
        All rows.
    train : Evidence
        Those that are not held out.
    held : ndarray of int
        The places of the others in `evidence`.
    parameters : ForestParameters
    seed : int
    progress : callable
        Called with how many trees are done.
    """
    if len(held) and parameters.n_estimators >= ENOUGH_TREES:
        fitted = fit_forest(evidence, parameters, seed, progress, score=True)
        unseen = _unseen(evidence, held, fitted, parameters)
        if not np.isnan(unseen).any():
            return _part(fitted, unseen)
    return _part(fit_forest(train, parameters, seed, progress, score=False), None)


def _part(fitted: FittedForest, unseen: NDArray[np.float64] | None) -> ForestPart:
    total = float(fitted.gains.sum())
    gains = fitted.gains / total if total > 0.0 else fitted.gains
    return ForestPart(fitted.margins, Mixture.of_native(fitted.mixture), gains, unseen)


def _unseen(
    evidence: Evidence, held: NDArray[np.intp], fitted: FittedForest, parameters: ForestParameters
) -> NDArray[np.float64]:
    weights = evidence.columns.weights
    on_cube = unseen_scores(fitted.unseen.reshape(-1, 4), parameters.n_estimators, weights)
    if np.isnan(on_cube[held]).any():
        return on_cube[held]
    kind, missing = parameters.margins, "event" if parameters.missing == "event" else "marginal"
    derivative = left_out_log_derivative(evidence, fitted.margins, kind, missing, parameters.n_jobs)
    return np.asarray((on_cube + derivative)[held])
