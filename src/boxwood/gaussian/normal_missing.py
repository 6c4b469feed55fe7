"""Normal distributions of rows with missing values: marginal densities, and fitting by EM."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from boxwood.gaussian.moments import Moments
from boxwood.gaussian.normal import Normal, fit_normal

__all__ = ["Pattern", "fit_normal_by_em", "log_density_of_observed", "patterns"]

Pattern = tuple[NDArray[np.intp], NDArray[np.intp]]
"""The columns that are observed, and the rows in which it is these."""


def patterns(X: NDArray[np.float64]) -> list[Pattern]:
    """Return, for each set of observed columns that occurs, its columns and its rows.

    Examples
    --------
    >>> for columns, rows in patterns(np.array([[1.0, np.nan], [2.0, 3.0], [4.0, np.nan]])):
    ...     print(columns, rows)
    [0] [0 2]
    [0 1] [1]
    """
    observed = ~np.isnan(X)
    packed = np.packbits(observed, axis=1)
    _, first, inverse = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    inverse = inverse.ravel()  # numpy 2.0 gives it two dimensions
    rows = np.split(np.argsort(inverse, kind="stable"), np.cumsum(np.bincount(inverse))[:-1])
    return [(np.flatnonzero(observed[row]), rows[k]) for k, row in enumerate(first)]


def log_density_of_observed(
    normal: Normal, X: NDArray[np.float64], groups: list[Pattern] | None = None
) -> NDArray[np.float64]:
    """Return the log-density of what each row shows; of nothing it is 0."""
    scores = np.zeros(len(X))
    for columns, rows in patterns(X) if groups is None else groups:
        if len(columns) == X.shape[1]:
            scores[rows] = normal.log_density(X[rows])
        elif len(columns):
            scores[rows] = normal.marginal(columns).log_density(X[np.ix_(rows, columns)])
    return scores


def fit_normal_by_em(
    X: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    covariance_type: str,
    shrinkage: float | str | None,
    tol: float,
    max_iter: int,
) -> tuple[Normal, Moments, int]:
    """Fit by expectation-maximisation: missing values enter by their conditional mean and covariance.

    A column without any value gets mean 0 and variance 1.

    Returns
    -------
    normal, moments, n_iter
        The moments are the expected ones of the completed rows.
    """
    w = np.ones(len(X)) if weights is None else weights
    fractions = w / w.sum()
    groups = patterns(X)
    normal = fit_normal(_available_moments(X, w), "diag", None)
    previous = -np.inf
    for n_iter in range(1, max_iter + 1):
        moments = _expected_moments(normal, X, w, groups)
        normal = fit_normal(moments, covariance_type, shrinkage)
        likelihood = float(fractions @ log_density_of_observed(normal, X, groups))
        if abs(likelihood - previous) <= tol * max(1.0, abs(likelihood)):
            return normal, moments, n_iter
        previous = likelihood
    _warn_of_no_convergence(max_iter)
    return normal, moments, max_iter


def _warn_of_no_convergence(max_iter: int) -> None:
    from sklearn.exceptions import ConvergenceWarning

    warnings.warn(
        f"EM did not converge in {max_iter} iterations; increase max_iter or tol.",
        ConvergenceWarning,
        stacklevel=4,
    )


def _available_moments(X: NDArray[np.float64], w: NDArray[np.float64]) -> Moments:
    """Mean and variance of each column's own observed values; 0 and 1 where there are none."""
    mean, variance = np.zeros(X.shape[1]), np.ones(X.shape[1])
    for j in range(X.shape[1]):
        observed = ~np.isnan(X[:, j])
        if observed.any():
            moments = Moments.of_rows(X[observed, j : j + 1], w[observed])
            mean[j], variance[j] = moments.mean[0], moments.covariance[0, 0]
    return Moments(float(w.sum()), mean, np.diag(variance))


def _expected_moments(
    normal: Normal, X: NDArray[np.float64], w: NDArray[np.float64], groups: list[Pattern]
) -> Moments:
    completed = np.array(X)
    uncertainty = np.zeros_like(normal.covariance)
    for columns, rows in groups:
        missing = np.setdiff1d(np.arange(X.shape[1]), columns)
        if len(missing):
            filled, spare = _conditional(normal, columns, missing, X[np.ix_(rows, columns)])
            completed[np.ix_(rows, missing)] = filled
            uncertainty[np.ix_(missing, missing)] += (w[rows].sum() / w.sum()) * spare
    moments = Moments.of_rows(completed, w)
    return Moments(moments.weight, moments.mean, moments.covariance + (uncertainty + uncertainty.T) / 2.0)


def _conditional(
    normal: Normal, columns: NDArray[np.intp], missing: NDArray[np.intp], observed: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean, a row each, and covariance of the missing columns given the observed ones."""
    mean, spare = normal.mean[missing], normal.covariance[np.ix_(missing, missing)]
    if not len(columns):
        return np.broadcast_to(mean, (len(observed), len(missing))), spare
    marginal = normal.marginal(columns)
    slope = normal.covariance[np.ix_(missing, columns)] @ marginal.whitening @ marginal.whitening.T
    filled = mean + (observed - marginal.mean) @ slope.T
    return filled, spare - slope @ normal.covariance[np.ix_(columns, missing)]
