"""Distances: which norm, in which coordinates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.parameters import shown

__all__ = ["METRICS", "Metric", "read_metric", "spread_scale"]

_NORMS = {
    "euclidean": "euclidean",
    "l2": "euclidean",
    "nan_euclidean": "euclidean",
    "manhattan": "manhattan",
    "cityblock": "manhattan",
    "l1": "manhattan",
    "chebyshev": "chebyshev",
    "infinity": "chebyshev",
}

METRICS = (*_NORMS, "minkowski", "seuclidean", "mahalanobis", "precomputed")
"""Metrics with a search of their own; others go through scikit-learn's pairwise distances."""


@dataclass(frozen=True, eq=False)
class Metric:
    """A distance: a norm of differences after a linear map, or a function of two tables.

    Attributes
    ----------
    norm : {"euclidean", "manhattan", "chebyshev", "minkowski"} or None
        None where `function` tells distances.
    p : float
        Of Minkowski's norm.
    scale : ndarray of shape (n_features,) or None
        Columns are multiplied by it.
    matrix : ndarray of shape (n_features, n_components) or None
        Rows are multiplied by it, after the scale.
    function : str, callable, DistanceMetric or None
        What scikit-learn's ``pairwise_distances`` takes.
    parameters : dict
        Of the function.
    """

    norm: str | None
    p: float = 2.0
    scale: NDArray[np.float64] | None = None
    matrix: NDArray[np.float64] | None = None
    function: Any = None
    parameters: dict[str, Any] | None = None

    def map(self, rows: Any) -> Any:
        """Return the coordinates in which the norm measures; a sparse table as it is."""
        if not isinstance(rows, np.ndarray):
            return rows
        if self.scale is not None:
            rows = rows * self.scale
        return rows if self.matrix is None else np.ascontiguousarray(rows @ self.matrix)

    def scaled(self, scale: NDArray[np.float64] | None) -> Metric:
        """Return the metric of columns that are multiplied by `scale` first."""
        if scale is None:
            return self
        own = scale if self.scale is None else self.scale * scale
        return Metric(self.norm, self.p, own, self.matrix, self.function, self.parameters)


def read_metric(
    name: Any, p: float, parameters: dict[str, Any] | None, rows: Any = None, weights: Any = None
) -> Metric:
    """Return the metric of a name.

    Parameters
    ----------
    name : str, callable or DistanceMetric
    p : float
        Of "minkowski"; `parameters` may hold another.
    parameters : dict, optional
        ``w`` of "minkowski", ``V`` of "seuclidean", ``V`` or ``VI`` of "mahalanobis".
    rows : ndarray of shape (n_samples, n_features), optional
        From which "seuclidean" and "mahalanobis" take variances that are not given.
    weights : ndarray of shape (n_samples,), optional

    Raises
    ------
    ValueError
        For a name that nobody knows, or a p that is not positive.

    Examples
    --------
    >>> read_metric("minkowski", 1, None).norm
    'manhattan'
    """
    given = dict(parameters or {})
    if not isinstance(name, str):
        if not callable(name) and not hasattr(name, "pairwise"):
            raise ValueError(f"metric must be a name or a function of two rows; got {shown(name)}.")
        return Metric(None, function=name, parameters=given)
    if name in _NORMS:
        return Metric(_NORMS[name], scale=_scale_of(given.pop("w", None), _p_of_norm(_NORMS[name])))
    if name == "minkowski":
        return _minkowski(given.get("p", p), given.get("w"))
    if name == "seuclidean":
        return _seuclidean(given.get("V"), rows, weights)
    if name == "mahalanobis":
        return _mahalanobis(given.get("VI"), given.get("V"), rows, weights)
    from sklearn.neighbors import VALID_METRICS

    if (
        name != "precomputed"
        and name not in VALID_METRICS["brute"]
        and name not in VALID_METRICS["ball_tree"]
    ):
        raise ValueError(f"metric must be one of {', '.join(METRICS)} or a function; got {shown(name)}.")
    return Metric(None, function=name, parameters=given)


def _p_of_norm(norm: str) -> float:
    return {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": math.inf}[norm]


def _minkowski(p: Any, w: Any) -> Metric:
    if isinstance(p, bool) or not isinstance(p, int | float | np.integer | np.floating) or not p > 0:
        raise ValueError(f"p must be a positive number; got {shown(p)}.")
    norm = {1.0: "manhattan", 2.0: "euclidean", math.inf: "chebyshev"}.get(float(p), "minkowski")
    return Metric(norm, float(p) if norm == "minkowski" else 2.0, scale=_scale_of(w, float(p)))


def _scale_of(w: Any, p: float) -> NDArray[np.float64] | None:
    """Return the scale of columns by which Σ w·|d|^p is a plain sum; Chebyshev's takes w·|d|."""
    if w is None:
        return None
    weights = np.asarray(w, dtype=np.float64)
    if weights.ndim != 1 or not np.isfinite(weights).all() or (weights < 0.0).any():
        raise ValueError("metric_params: w must hold one weight a column, none of them negative.")
    return weights if math.isinf(p) else weights ** (1.0 / p)


def _seuclidean(V: Any, rows: Any, weights: Any) -> Metric:
    if V is None:
        mean = np.average(rows, axis=0, weights=weights)
        total = len(rows) if weights is None else float(np.sum(weights))
        V = np.average((rows - mean) ** 2, axis=0, weights=weights) * total / max(total - 1.0, 1.0)
    variances = np.asarray(V, dtype=np.float64)
    with np.errstate(divide="ignore"):
        scale = np.where(variances > 0.0, 1.0 / np.sqrt(variances), 0.0)  # a constant column tells nothing
    return Metric("euclidean", scale=scale)


def _mahalanobis(VI: Any, V: Any, rows: Any, weights: Any) -> Metric:
    """(x − y)ᵀ·VI·(x − y) is Euclid's after a map by any root of VI."""
    if VI is None:
        covariance = np.cov(rows, rowvar=False, aweights=weights) if V is None else np.asarray(V)
        VI = np.linalg.pinv(np.atleast_2d(covariance), hermitian=True)
    VI = np.asarray(VI, dtype=np.float64)
    values, vectors = np.linalg.eigh((VI + VI.T) / 2.0)
    if values.min() < -1e-10 * max(values.max(), 0.0) or not np.isfinite(values).all():
        raise ValueError("metric_params: VI must be a positive semi-definite matrix.")
    return Metric("euclidean", matrix=vectors * np.sqrt(values.clip(min=0.0)))


def spread_scale(rows: NDArray[np.float64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return 1/σ of each column, of what is not missing; 1 for columns without spread.

    Examples
    --------
    >>> spread_scale(np.array([[1.0, 5.0], [3.0, 5.0], [np.nan, 5.0]]), None)
    array([1., 1.])
    """
    every = np.ones(len(rows)) if weights is None else weights
    present = np.where(np.isnan(rows), 0.0, every[:, None])
    total = np.maximum(present.sum(axis=0), 5e-324)
    mean = np.nansum(present * rows, axis=0) / total
    spread = np.sqrt(np.nansum(present * (rows - mean) ** 2, axis=0) / total)
    flat = spread <= 1e-14 * np.abs(mean)
    return np.where(flat, 1.0, 1.0 / np.where(flat, 1.0, spread))
