"""Linear maps z = W·(x − centre) of a table of numbers: principal and independent components."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from boxwood.gaussian.moments import Moments
from boxwood.model_file import State
from boxwood.randomness import generator

__all__ = ["ROTATIONS", "Rotation", "fit_rotation"]

ROTATIONS = ("pca", "ica")

SMALLEST_SPREAD = 1e-10
"""Columns are linearly dependent where a direction of the standardised table has less variance than this."""


@dataclass(frozen=True, eq=False)
class Rotation:
    """The map, its inverse and the logarithm of its determinant's size.

    Attributes
    ----------
    centre : ndarray of shape (n_features,)
    matrix : ndarray of shape (n_features, n_features)
        W, one row a component.
    """

    centre: NDArray[np.float64]
    matrix: NDArray[np.float64]

    @property
    def log_determinant(self) -> float:
        """Log |det W|, which a density of z needs to be one of x."""
        return float(np.linalg.slogdet(self.matrix)[1])

    def apply(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the components of rows."""
        return (X - self.centre) @ self.matrix.T

    def invert(self, Z: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the rows of components."""
        return np.linalg.solve(self.matrix, Z.T).T + self.centre

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"centre": self.centre, "matrix": self.matrix}

    @classmethod
    def from_state(cls, state: State, d: int) -> Self:
        """Read what `to_state` gave; the matrix must have an inverse."""
        rotation = cls(state.array("centre", np.float64, (d,)), state.array("matrix", np.float64, (d, d)))
        if not np.isfinite(rotation.log_determinant):
            raise state.error("matrix", "has no inverse")
        return rotation


def fit_rotation(
    X: NDArray[np.float64], weights: NDArray[np.float64] | None, kind: str, random_state: Any
) -> Rotation:
    """Fit the components of a table.

    Columns are standardised first, so that their units do not matter. "pca" then turns the axes to the
    principal ones; "ica" looks for directions that are as independent as they can be.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0], [3.0, 7.0]])
    >>> Z = fit_rotation(X, None, "pca", 0).apply(X)
    >>> bool(abs(np.cov(Z.T)[0, 1]) < 1e-12)
    True
    """
    moments = Moments.of_rows(X, weights)
    spread = np.sqrt(np.diag(moments.covariance))
    spread[spread == 0.0] = 1.0
    variances, vectors = np.linalg.eigh(moments.covariance / np.outer(spread, spread))
    # The largest variance first; signs so that the largest entry of each direction is positive.
    variances, directions = variances[::-1], vectors.T[::-1]
    directions = directions * _signs(directions)[:, None]
    dependent = bool(np.any(variances < SMALLEST_SPREAD))
    if kind == "pca":
        if dependent:
            warnings.warn(
                "columns are constant or depend on each other linearly: some components have no spread.",
                stacklevel=3,
            )
        return Rotation(moments.mean, directions / spread)
    if dependent:
        raise ValueError(
            "rotation='ica' needs columns that are not constant and do not depend on each other linearly. "
            "Drop the superfluous ones, or use rotation='pca'."
        )
    whitening = directions / np.sqrt(variances)[:, None] / spread
    unmixing = _independent((X - moments.mean) @ whitening.T, weights, random_state)
    return Rotation(moments.mean, unmixing @ whitening)


def _independent(
    Z: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    random_state: Any,
    tol: float = 1e-6,
    max_iter: int = 500,
) -> NDArray[np.float64]:
    """Turn white rows to independent directions: FastICA, all at once, with tanh and weights."""
    n, d = Z.shape
    fractions = np.full(n, 1.0 / n) if weights is None else weights / weights.sum()
    W = _orthogonal(generator(random_state).normal(size=(d, d)))
    for _ in range(max_iter):
        G = np.tanh(Z @ W.T)
        rotated = _orthogonal((G * fractions[:, None]).T @ Z - (fractions @ (1.0 - G**2))[:, None] * W)
        change = np.max(np.abs(np.abs(np.sum(rotated * W, axis=1)) - 1.0))
        W = rotated
        if change < tol:
            break
    else:
        warnings.warn(
            f"the independent components were still turning after {max_iter} steps: there may be none "
            "(Gaussian columns have none).",
            ConvergenceWarning,
            stacklevel=4,
        )
    return W * _signs(W)[:, None]


def _orthogonal(W: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the orthogonal matrix closest to W."""
    U, _, V = np.linalg.svd(W)
    return np.asarray(U @ V, dtype=np.float64)


def _signs(W: NDArray[np.float64]) -> NDArray[np.float64]:
    largest = np.argmax(np.abs(W), axis=1)
    return np.where(W[np.arange(len(W)), largest] < 0.0, -1.0, 1.0)
