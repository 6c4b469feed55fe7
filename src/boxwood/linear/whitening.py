"""Coordinates in which a covariance is the identity; directions without spread are left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Whitening", "whiten_covariance", "whiten_rows"]


@dataclass(frozen=True, eq=False)
class Whitening:
    """The map z = x @ matrix and the way back, x = z @ colouring, within the directions that have spread.

    The matrix times its transpose is the pseudo-inverse of the covariance in units of the columns' spreads.
    """

    matrix: NDArray[np.float64]
    colouring: NDArray[np.float64]

    @property
    def rank(self) -> int:
        """How many directions have spread."""
        return int(self.matrix.shape[1])


def whiten_covariance(covariance: NDArray[np.float64], tol: float) -> Whitening:
    """Whiten by the eigenvectors of the correlation matrix whose eigenvalues exceed tol².

    Examples
    --------
    >>> whiten_covariance(np.array([[4.0, 2.0], [2.0, 1.0]]), 1e-4).rank
    1
    """
    spread = _spread(covariance.diagonal())
    values, vectors = np.linalg.eigh(covariance / spread[:, None] / spread)
    kept = values > max(tol**2, len(values) * np.finfo(float).eps * max(values[-1], 0.0))
    return _whitening(np.sqrt(values[kept])[::-1], vectors[:, kept][:, ::-1], spread)


def whiten_rows(rows: NDArray[np.float64], tol: float) -> Whitening:
    """Whiten the covariance rows.T @ rows without forming it: for tables wider than long."""
    spread = _spread(np.einsum("ij,ij->j", rows, rows))
    scaled = rows / spread
    # Products of all pairs of rows: far fewer numbers than columns, and digits enough above `tol`.
    values, vectors = np.linalg.eigh(scaled @ scaled.T)
    kept = values > max(tol**2, max(rows.shape) * np.finfo(float).eps * max(values[-1], 0.0))
    roots = np.sqrt(values[kept])[::-1]
    return _whitening(roots, scaled.T @ (vectors[:, kept][:, ::-1] / roots), spread)


def _whitening(
    roots: NDArray[np.float64], vectors: NDArray[np.float64], spread: NDArray[np.float64]
) -> Whitening:
    return Whitening(vectors / roots / spread[:, None], (vectors * roots).T * spread)


def _spread(variances: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.sqrt(np.where(variances > 0.0, variances, 1.0))
