"""Leave-one-out scores by formula: each row's log-density without it, from one fit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.density.gaussian import GaussianDensity
from boxwood.density.grid import GridHistogram
from boxwood.density.histogram import Histogram
from boxwood.density.product import ProductDensity
from boxwood.evidence import Evidence
from boxwood.gaussian.normal_held_out import held_out_log_density

__all__ = ["left_out_scores"]


def left_out_scores(model: Any, evidence: Evidence) -> NDArray[np.float64] | None:
    """Return the log-density of every distinct row under the fit without one observation of it.

    Parameters
    ----------
    model : density
        Fitted to the rows that the evidence is of.
    evidence : Evidence

    Returns
    -------
    ndarray of shape (n_rows,) or None
        None where there is no exact formula. Bins that a rule chose, and the amount of shrinkage, are held
        fixed.
    """
    columns = evidence.columns
    if isinstance(model, Histogram):
        return model.held_out_log_density(columns)
    if isinstance(model, GridHistogram):
        return model.grid_.log_density(columns, left_out=1.0)
    if isinstance(model, GaussianDensity):
        return _of_gaussian(model, evidence)
    if isinstance(model, ProductDensity) and model.rotation_ is None:
        return _of_product(model, evidence)
    return None


def _of_gaussian(model: GaussianDensity, evidence: Evidence) -> NDArray[np.float64] | None:
    columns = evidence.columns
    if columns.n_missing:  # the formula is close there, not exact
        return None
    removed = evidence.removed_weights
    return held_out_log_density(
        model.normal_, columns.matrix(), columns.weights, model.covariance_type, removed
    )


def _of_product(model: ProductDensity, evidence: Evidence) -> NDArray[np.float64] | None:
    total, columns = np.zeros(evidence.n_rows), evidence.columns
    for j, marginal in enumerate(model.marginals_):
        part = Columns(marginal.schema_, columns.n_rows, columns=[columns[j]], weights=columns.weights)
        scores = left_out_scores(marginal, replace(evidence, columns=part))
        if scores is None:
            return None
        total += scores
    return total
