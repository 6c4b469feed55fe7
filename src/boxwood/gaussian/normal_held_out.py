"""Each row's log-density under the normal fit without it, without fitting again.

With n the total weight, r the weight taken away (that of one observation) and δ the
row less the mean, the rest has the mean μ − k·δ, k = r/(n − r), hence the distance (1 + k)·δ, and the
covariance (1 + k)·(S − k·δδᵀ). The amount of shrinkage and raised spreads are held fixed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.gaussian.normal import Normal, log_density_of_squares
from boxwood.gaussian.normal_missing import patterns

__all__ = ["held_out_log_density"]

_SMALLEST_LEFT = 1e-12
"""A row that alone holds up a direction leaves this fraction of its variance behind, not none."""

_EXACT_BELOW = 1000.0
"""Total weight up to which shrunk covariances are taken apart exactly; beyond, one term of a series in k
is within 1e-4 nats for all but extreme rows, and costs no matrix a row."""

_BLOCK_BYTES = 2**24


def held_out_log_density(
    normal: Normal,
    X: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    covariance_type: str,
    removed: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return each row's log-density under the fit without it.

    `removed` is the weight that leaves with each row; without it one copy's, its weight but 1 at most.

    Exact for complete tables. Where values are missing, a row is taken as one of a table of its observed
    columns that is as heavy as the least observed of them: close, not exact.
    """
    w = np.ones(len(X)) if weights is None else weights
    removed = np.minimum(w, 1.0) if removed is None else removed
    observed = ~np.isnan(X)
    if observed.all():
        return _of_complete(normal, X, removed, float(w.sum()), covariance_type)
    totals = w @ observed
    scores = np.zeros(len(X))
    for columns, rows in patterns(X):
        if len(columns):
            part = X[np.ix_(rows, columns)]
            total = float(totals[columns].min())
            of_rows = _of_complete(normal.marginal(columns), part, removed[rows], total, covariance_type)
            scores[rows] = of_rows
    return scores


def _of_complete(
    normal: Normal,
    X: NDArray[np.float64],
    removed: NDArray[np.float64],
    total: float,
    covariance_type: str,
) -> NDArray[np.float64]:
    rest = total - removed
    alone = rest <= 1e-9 * total  # without its only row there is no fit: the row's own has to do
    k = removed / np.where(alone, 1.0, rest)
    squares, log_change = _without_row(normal, X - normal.mean, k, covariance_type)
    d = X.shape[1]
    grown = 1.0 + k
    scores = log_density_of_squares(grown * squares + d * np.log(grown) + log_change, normal.log_det, d)
    return np.where(alone, normal.log_density(X), scores) if alone.any() else scores


def _without_row(
    normal: Normal, deltas: NDArray[np.float64], k: NDArray[np.float64], covariance_type: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Squared distances under S − k·δδᵀ, as the model shapes it, and the change of its log-determinant."""
    e = deltas / np.sqrt(normal.covariance.diagonal())
    if covariance_type == "spherical":
        d = e.shape[1]
        left = _left(k * np.einsum("ij,ij->i", e, e) / d)
        return np.einsum("ij,ij->i", e, e) / left, d * np.log(left)
    if covariance_type == "diag" or normal.shrinkage == 1.0:
        lefts = _left(k[:, None] * e**2)
        return (e**2 / lefts).sum(axis=1), np.log(lefts).sum(axis=1)
    if normal.shrinkage == 0.0:
        z = deltas @ normal.whitening
        squares, log_change = np.einsum("ij,ij->i", z, z), np.zeros(len(e))
    else:
        squares, log_change = _without_variances(normal, e, k)
    left = _left((1.0 - normal.shrinkage) * k * squares)
    return squares / left, log_change + np.log(left)


def _left(taken: NDArray[np.float64]) -> NDArray[np.float64]:
    return (1.0 - taken).clip(min=_SMALLEST_LEFT)


def _without_variances(
    normal: Normal, e: NDArray[np.float64], k: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Squared distances under R − s·k·diag(e²), s the shrinkage, and the change of its log-determinant.

    Shrinkage scales what lies off the diagonal, so that the row's own fraction of the variances stays a
    diagonal of its own. R is the correlation matrix, e the row in standard deviations.
    """
    spread = np.sqrt(normal.covariance.diagonal())
    R = normal.covariance / spread[:, None] / spread
    taken = np.minimum(normal.shrinkage * k[:, None] * e**2, 1.0 - _SMALLEST_LEFT)
    if k.max() * _EXACT_BELOW > 1.0:
        return _without_diagonal(R, e, taken)
    inverse = np.linalg.inv(R)
    u = e @ inverse
    return (u * e).sum(axis=1) + (taken * u**2).sum(axis=1), -taken @ inverse.diagonal()


def _without_diagonal(
    R: NDArray[np.float64], e: NDArray[np.float64], taken: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    d = len(R)
    squares, log_dets = np.empty(len(e)), np.empty(len(e))
    step = max(1, _BLOCK_BYTES // (8 * d * d))
    for start in range(0, len(e), step):
        rows = slice(start, start + step)
        values, vectors = np.linalg.eigh(R - taken[rows, :, None] * np.eye(d))
        values = values.clip(min=_SMALLEST_LEFT)
        z = (vectors.transpose(0, 2, 1) @ e[rows, :, None])[:, :, 0]
        squares[rows] = (z**2 / values).sum(axis=1)
        log_dets[rows] = np.log(values).sum(axis=1)
    return squares, log_dets - np.linalg.slogdet(R)[1]
