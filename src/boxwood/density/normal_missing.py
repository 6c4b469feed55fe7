"""Normal distributions of rows with missing values: marginal densities, and fitting by EM."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boxwood.density.normal import Normal, fit_normal
from boxwood.moments import Moments

__all__ = ["fit_normal_by_em", "log_density_of_observed", "patterns"]


def patterns(X: NDArray[np.float64]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Give, for each set of observed columns that occurs, its columns and its rows."""
    observed = ~np.isnan(X)
    packed = np.packbits(observed, axis=1)
    _, first, inverse = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    ends = np.cumsum(np.bincount(inverse.ravel(), minlength=len(first)))
    for k, row in enumerate(first):
        start = 0 if k == 0 else ends[k - 1]
        yield np.flatnonzero(observed[row]), order[start : ends[k]]


def log_density_of_observed(normal: Normal, X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the log-density of what each row shows; of nothing it is 0."""
    scores = np.zeros(len(X))
    for columns, rows in patterns(X):
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

    Returns
    -------
    normal, moments, n_iter
        The moments are the expected ones of the completed rows.
    """
    w = np.ones(len(X)) if weights is None else weights
    moments = _available_moments(X, w)
    normal = fit_normal(moments, "diag", None)
    groups = list(patterns(X))
    previous = -np.inf
    n_iter = 0
    while n_iter < max_iter:
        n_iter += 1
        moments = _expected_moments(normal, X, w, groups)
        normal = fit_normal(moments, covariance_type, shrinkage)
        likelihood = float(np.average(log_density_of_observed(normal, X), weights=w))
        if abs(likelihood - previous) <= tol * max(1.0, abs(likelihood)):
            break
        previous = likelihood
    return normal, moments, n_iter


def _available_moments(X: NDArray[np.float64], w: NDArray[np.float64]) -> Moments:
    """Mean and variance of each column's own observed values; 0 and 1 where there are none."""
    observed = ~np.isnan(X)
    total = w @ observed
    known = total > 0.0
    safe = np.where(known, total, 1.0)
    mean = w @ np.where(observed, X, 0.0) / safe
    variance = w @ np.where(observed, X - mean, 0.0) ** 2 / safe
    variance = np.where(known, variance, 1.0)
    return Moments(float(w.sum()), mean, np.diag(variance) * w.sum())


def _expected_moments(
    normal: Normal,
    X: NDArray[np.float64],
    w: NDArray[np.float64],
    groups: list[tuple[NDArray[np.intp], NDArray[np.intp]]],
) -> Moments:
    completed = np.array(X)
    uncertainty = np.zeros_like(normal.covariance)
    for columns, rows in groups:
        missing = np.setdiff1d(np.arange(X.shape[1]), columns)
        if not len(missing):
            continue
        block = np.ix_(missing, missing)
        spare = normal.covariance[block]
        filled = np.broadcast_to(normal.mean[missing], (len(rows), len(missing)))
        if len(columns):
            marginal = normal.marginal(columns)
            inverse = marginal.whitening @ marginal.whitening.T
            slope = normal.covariance[np.ix_(missing, columns)] @ inverse
            filled = filled + (X[np.ix_(rows, columns)] - marginal.mean) @ slope.T
            spare = spare - slope @ normal.covariance[np.ix_(columns, missing)]
        completed[np.ix_(rows, missing)] = filled
        uncertainty[block] += w[rows].sum() * spare
    moments = Moments.of_rows(completed, w)
    return Moments(moments.weight, moments.mean, moments.scatter + uncertainty)
