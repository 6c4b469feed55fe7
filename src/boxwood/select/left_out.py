"""Leave-one-out scores by formula: each row's log-density without it, from one fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.density.gaussian import GaussianDensity
from boxwood.density.grid import GridHistogram
from boxwood.density.histogram import Histogram
from boxwood.density.product import ProductDensity
from boxwood.gaussian.normal_held_out import held_out_log_density

__all__ = ["left_out_scores"]


def left_out_scores(model: Any, columns: Columns) -> NDArray[np.float64] | None:
    """Return the log-density of every training row under the fit without one copy of it.

    Parameters
    ----------
    model : density
        Fitted to `columns`.
    columns : Columns

    Returns
    -------
    ndarray of shape (n_rows,) or None
        None where there is no exact formula. Bins that a rule chose, and the amount of shrinkage, are held
        fixed.
    """
    if isinstance(model, Histogram):
        return model.held_out_log_density(columns)
    if isinstance(model, GridHistogram):
        return model.grid_.log_density(columns, left_out=1.0)
    if isinstance(model, GaussianDensity):
        return _of_gaussian(model, columns)
    if isinstance(model, ProductDensity) and model.rotation_ is None:
        return _of_product(model, columns)
    return None


def _of_gaussian(model: GaussianDensity, columns: Columns) -> NDArray[np.float64] | None:
    if columns.n_missing:  # the formula is close there, not exact
        return None
    rows = columns.matrix()
    return held_out_log_density(model.normal_, rows, columns.weights, model.covariance_type)


def _of_product(model: ProductDensity, columns: Columns) -> NDArray[np.float64] | None:
    total = np.zeros(columns.n_rows)
    for j, marginal in enumerate(model.marginals_):
        column = columns[j]
        part = Columns(marginal.schema_, columns.n_rows, columns=[column], weights=columns.weights)
        scores = left_out_scores(marginal, part)
        if scores is None:
            return None
        total += scores
    return total
