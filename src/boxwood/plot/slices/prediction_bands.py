"""How uncertain predictions are: standard errors, or intervals of a predicted distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.plot.slices.predictor_slice import PredictorSlice
from boxwood.regress.linear import LinearRegression
from boxwood.regress.tree import DecisionTreeRegressor

__all__ = ["band_of"]

LEVEL = 0.9
"""Probability of the interval of a predicted distribution."""


def band_of(source: PredictorSlice) -> tuple[NDArray[np.float64] | None, str]:
    """Return the ends of a band around the predictions over one column, and the band's name.

    Returns
    -------
    band : ndarray of shape (n_x, n_outputs, 2) or None
        None if the regressor does not know how uncertain it is.
    name : str
    """
    model = source.estimator
    if hasattr(model, "predict_interval"):

        def interval(rows: Any) -> Any:
            return np.asarray(model.predict_interval(rows, LEVEL))[:, None, :]

        return source.predict(interval), f"{LEVEL:.0%} interval"
    if isinstance(model, LinearRegression) and getattr(model, "_root", None) is not None:
        return _around(source, lambda rows: _linear_errors(model, rows)), "± standard error"
    if isinstance(model, DecisionTreeRegressor):
        return _around(source, lambda rows: _tree_errors(model, rows)), "± standard error"
    return None, ""


def _around(source: PredictorSlice, errors: Any) -> NDArray[np.float64] | None:
    def predict(rows: Any) -> NDArray[np.float64]:
        found = np.asarray(source.estimator.predict(rows), dtype=np.float64)
        return found.reshape(len(found), -1)

    of_cells, at = source.predict(errors), source.predict(predict)
    if not np.isfinite(of_cells).any():
        return None
    of_cells = np.nan_to_num(of_cells)
    return np.stack([at - of_cells, at + of_cells], axis=-1)


def _linear_errors(model: LinearRegression, rows: Any) -> NDArray[np.float64]:
    """Return the standard errors of the expected targets: σ̂·√h, h the leverage of each row."""
    variances = np.atleast_1d(np.asarray(model.residual_variance_, dtype=np.float64))
    return np.sqrt(np.multiply.outer(model.leverage(rows), variances))


def _tree_errors(model: DecisionTreeRegressor, rows: Any) -> NDArray[np.float64]:
    """Return the standard error of each row's leaf: √(variance/rows).

    A tree of several outputs knows only the mean of their variances, and has no band.
    """
    if model.n_outputs_ > 1:
        return np.full((len(model.apply(rows)), model.n_outputs_), np.nan)
    leaves = model.apply(rows)
    count = model.trees_.count[leaves]
    variance = model.trees_.impurity[leaves] / count
    return np.sqrt(variance.clip(min=0.0) / count)[:, None]
