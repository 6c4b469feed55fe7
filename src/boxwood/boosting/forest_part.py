"""The forest of a boosted density: as good as `DensityForest`, and scores of the rows that weigh it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.fit_steps import StageReport
from boxwood.evidence import Evidence
from boxwood.margins import Margins, left_out_log_derivative
from boxwood.mixture import Mixture
from boxwood.tree.density.forest import FittedForest, ForestParameters, fit_forest
from boxwood.tree.density.unseen import unseen_scores

__all__ = ["MARGINS", "ForestPart", "fit_forest_part", "without_forest"]

MARGINS = 1
"""The step that comes before the trees."""

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
        The log-density of each row by trees and margins that did not see it, without what rules add; None
        where the forest was grown without the rows held out.
    """

    margins: Margins
    forest: Mixture | None
    gains: NDArray[np.float64]
    unseen: NDArray[np.float64] | None


def fit_forest_part(
    margins: Margins,
    evidence: Evidence,
    train: Evidence,
    held_out: Evidence,
    parameters: ForestParameters,
    seed: int,
    report: StageReport,
) -> ForestPart:
    """Grow the forest, on all rows where its trees are enough to score those held out.

    Parameters
    ----------
    margins : Margins
        Of the chains, which serve where no trees are wanted.
    evidence, train, held_out : Evidence
        All rows, and the two parts of them.
    parameters : ForestParameters
    seed : int
    report : StageReport
        Counts margins and trees.
    """
    n_trees = parameters.n_estimators
    report(MARGINS, n_trees)
    if not n_trees:
        return without_forest(margins)

    def grow(rows: Evidence, score: bool) -> FittedForest:
        def progress(n_done: int) -> None:
            report(MARGINS + n_done, n_trees - n_done)

        fitted = fit_forest(rows, parameters, seed, progress, score=score)
        # The core reports now and then: on a busy machine a short fit ends without any report.
        report(MARGINS + n_trees, 0)
        return fitted

    if held_out.n_rows and n_trees >= ENOUGH_TREES:
        fitted = grow(evidence, score=True)
        unseen = _unseen(evidence, fitted, parameters)
        if not np.isnan(unseen).any():
            return _part(fitted, unseen)
    return _part(grow(train, score=False), None)


def without_forest(margins: Margins) -> ForestPart:
    """Return the part where no trees are wanted."""
    return ForestPart(margins, None, np.zeros(len(margins.schema)), None)


def _part(fitted: FittedForest, unseen: NDArray[np.float64] | None) -> ForestPart:
    total = float(fitted.gains.sum())
    gains = fitted.gains / total if total > 0.0 else fitted.gains
    return ForestPart(fitted.margins, Mixture.of_native(fitted.mixture), gains, unseen)


def _unseen(evidence: Evidence, fitted: FittedForest, parameters: ForestParameters) -> NDArray[np.float64]:
    weights = evidence.columns.weights
    on_cube = unseen_scores(fitted.unseen.reshape(-1, 4), parameters.n_estimators, weights)
    if np.isnan(on_cube).any():
        return on_cube
    kind, missing = parameters.margins, "event" if parameters.missing == "event" else "marginal"
    derivative = left_out_log_derivative(evidence, fitted.margins, kind, missing, parameters.n_jobs)
    return np.asarray(on_cube + derivative)
