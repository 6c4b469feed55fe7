"""Covariances that need the rows of a class: shrunk by Ledoit and Wolf, or by an estimator given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from boxwood.gaussian.moments import Moments
from boxwood.parameters import Checked, Parameter, Real, shown

__all__ = [
    "COVARIANCE_ESTIMATOR",
    "SHRINKAGE",
    "check_covariance_parameters",
    "needs_rows",
    "row_covariance",
    "shrunk",
]


def _check_estimator(where: str, value: object) -> None:
    if not hasattr(value, "fit"):
        raise TypeError(f"{where} must have a method fit; got {shown(value)}.")


SHRINKAGE = Parameter(
    "shrinkage",
    Real(0.0, 1.0) | "auto" | None,
    'How far a covariance is pulled towards the mean variance times the identity; "auto" is the amount of '
    "Ledoit and Wolf for the standardised columns of each class.",
)

COVARIANCE_ESTIMATOR = Parameter(
    "covariance_estimator",
    Checked("estimator", _check_estimator) | None,
    "One whose ``fit`` gives a ``covariance_``, in the place of the empirical one of each class.",
)


def check_covariance_parameters(estimator: Any) -> None:
    """Raise for a shrinkage beside a covariance estimator."""
    if estimator.covariance_estimator is not None and estimator.shrinkage not in (None, 0):
        raise ValueError(
            "covariance_estimator and shrinkage parameters are not None. Only one of the two can be set."
        )


def needs_rows(estimator: Any) -> bool:
    """Return whether moments do not suffice for the covariance."""
    return bool(estimator.shrinkage == "auto") or estimator.covariance_estimator is not None


def row_covariance(
    estimator: Any, X: NDArray[np.float64], weights: NDArray[np.float64] | None, moments: Moments
) -> NDArray[np.float64]:
    """Return the covariance of rows as the parameters `shrinkage` and `covariance_estimator` want it."""
    if estimator.covariance_estimator is None:
        return _ledoit_wolf(X, weights, moments)
    if weights is not None:
        raise ValueError("sample_weight is not supported with covariance_estimator.")
    # Clones are for estimators of scikit-learn's kind; anything else with a fit is taken as it is.
    given = estimator.covariance_estimator
    fitted = clone(given) if hasattr(given, "get_params") else given
    fitted.fit(X)
    if not hasattr(fitted, "covariance_"):
        raise ValueError(f"{type(fitted).__name__} does not have a covariance_ attribute")
    return np.atleast_2d(np.asarray(fitted.covariance_, dtype=np.float64))


def shrunk(covariance: NDArray[np.float64], amount: float) -> NDArray[np.float64]:
    """Pull a covariance towards the mean variance times the identity."""
    if amount == 0.0:
        return covariance
    d = len(covariance)
    return (1.0 - amount) * covariance + amount * (np.trace(covariance) / d) * np.eye(d)


def _ledoit_wolf(
    X: NDArray[np.float64], weights: NDArray[np.float64] | None, moments: Moments
) -> NDArray[np.float64]:
    """Shrink the covariance of standardised columns by the amount of Ledoit and Wolf (2004)."""
    d = X.shape[1]
    variances = moments.covariance.diagonal()
    spread = np.sqrt(np.where(variances > 0.0, variances, 1.0))
    correlation = moments.covariance / spread[:, None] / spread
    lengths = np.einsum("ij->i", ((X - moments.mean) / spread) ** 2)
    fourth = float(np.average(lengths**2, weights=weights))
    squares = float(np.sum(correlation**2))
    mean = float(np.trace(correlation)) / d
    distance = squares - d * mean**2
    noise = min((fourth - squares) / moments.weight, distance)
    amount = 0.0 if noise <= 0.0 else noise / distance
    return shrunk(correlation, amount) * spread[:, None] * spread
