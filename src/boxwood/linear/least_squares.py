"""Least squares by four decompositions; of dependent columns the solution of least norm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.linalg import lapack

__all__ = ["Solution", "is_well_conditioned", "solve_gram", "solve_rows"]

_ROUNDING = float(np.finfo(np.float64).eps)

_WELL_CONDITIONED = 1e-7
"""Reciprocal condition of the columns' correlation matrix above which the normal equations serve: their
relative error is then about 1e-9."""


@dataclass(frozen=True, eq=False)
class Solution:
    """Coefficients, and a root of the (pseudo-)inverse of the gram matrix.

    Attributes
    ----------
    coef : ndarray of shape (n_columns, n_targets)
    root : ndarray of shape (n_columns, rank)
        Times its own transpose it inverts X.T @ X; of standard errors and leverages.
    rank : int
    """

    coef: NDArray[np.float64]
    root: NDArray[np.float64]
    rank: int


def is_well_conditioned(gram: NDArray[np.float64]) -> bool:
    """Return whether the normal equations are accurate, whatever the columns' units."""
    scaled, _ = _scaled(gram)
    _, _, condition = _factor(scaled)
    return condition > _WELL_CONDITIONED


def solve_gram(gram: NDArray[np.float64], sides: NDArray[np.float64], solver: str) -> Solution:
    """Solve the normal equations gram @ coef = sides by "cholesky" or "pinv".

    Examples
    --------
    >>> solve_gram(np.array([[2.0, 2.0], [2.0, 2.0]]), np.array([[2.0], [2.0]]), "pinv").coef.ravel()
    array([0.5, 0.5])
    """
    scaled, units = _scaled(gram)
    if solver == "cholesky":
        factor, ok, condition = _factor(scaled)
        if ok and condition > 10.0 * len(gram) * _ROUNDING:
            coef = linalg.cho_solve((factor, True), sides / units[:, None]) / units[:, None]
            root = linalg.solve_triangular(factor, np.eye(len(gram)), lower=True).T / units[:, None]
            return Solution(coef, root, len(gram))
    values, vectors = np.linalg.eigh(scaled)
    kept = values > 10.0 * len(gram) * _ROUNDING * max(values[-1], 0.0)
    root = vectors[:, kept] / np.sqrt(values[kept]) / units[:, None]
    return _least_norm(Solution(root @ (root.T @ sides), root, int(kept.sum())), vectors[:, ~kept], units)


def solve_rows(rows: NDArray[np.float64], targets: NDArray[np.float64], solver: str) -> Solution:
    """Solve rows @ coef ≈ targets by "qr" (with pivots) or "svd"."""
    if rows.shape[0] < rows.shape[1]:
        return _solve_wide(rows, targets)
    units = _spread(np.einsum("ij,ij->j", rows, rows))
    decompose = _solve_qr if solver == "qr" else _solve_svd
    solution, null = decompose(rows / units, targets)
    scaled = Solution(solution.coef / units[:, None], solution.root / units[:, None], solution.rank)
    return _least_norm(scaled, null, units)


def _solve_svd(
    rows: NDArray[np.float64], targets: NDArray[np.float64]
) -> tuple[Solution, NDArray[np.float64]]:
    left, values, vectors = linalg.svd(rows, full_matrices=False)
    kept = values > max(rows.shape) * _ROUNDING * values[0]
    root = vectors[kept].T / values[kept]
    return Solution(root @ (left[:, kept].T @ targets), root, int(kept.sum())), vectors[~kept].T


def _solve_qr(
    rows: NDArray[np.float64], targets: NDArray[np.float64]
) -> tuple[Solution, NDArray[np.float64]]:
    basis, triangle, pivots = linalg.qr(rows, mode="economic", pivoting=True)
    diagonal = np.abs(triangle.diagonal())
    rank = int(np.sum(diagonal > max(rows.shape) * _ROUNDING * diagonal[0]))
    d = rows.shape[1]
    corner = triangle[:rank, :rank]
    root, coef = np.zeros((d, rank)), np.zeros((d, targets.shape[1]))
    root[pivots[:rank]] = linalg.solve_triangular(corner, np.eye(rank))
    coef[pivots[:rank]] = linalg.solve_triangular(corner, basis[:, :rank].T @ targets)
    null = np.zeros((d, d - rank))
    null[pivots[:rank]] = -linalg.solve_triangular(corner, triangle[:rank, rank:])
    null[pivots[rank:]] = np.eye(d - rank)
    return Solution(coef, root, rank), null


def _solve_wide(rows: NDArray[np.float64], targets: NDArray[np.float64]) -> Solution:
    """Solve with more columns than rows, in the columns' own units: the null space is too large to hold."""
    values, vectors = np.linalg.eigh(rows @ rows.T)
    kept = values > max(rows.shape) * _ROUNDING * max(values[-1], 0.0)
    directions = rows.T @ (vectors[:, kept] / values[kept])
    coef = directions @ (vectors[:, kept].T @ targets)
    # One step against the error of the squared condition.
    coef += directions @ (vectors[:, kept].T @ (targets - rows @ coef))
    return Solution(coef, directions / np.sqrt(values[kept]) if kept.any() else directions, int(kept.sum()))


def _least_norm(solution: Solution, null: NDArray[np.float64], units: NDArray[np.float64]) -> Solution:
    """Take the directions that change no prediction out of the coefficients; they come in scaled units."""
    if null.shape[1] == 0:
        return solution
    basis, _ = np.linalg.qr(null / units[:, None])
    project = [part - basis @ (basis.T @ part) for part in (solution.coef, solution.root)]
    return Solution(project[0], project[1], solution.rank)


def _scaled(gram: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    units = _spread(gram.diagonal())
    return gram / units[:, None] / units, units


def _spread(squares: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.sqrt(np.where(squares > 0.0, squares, 1.0))


def _factor(scaled: NDArray[np.float64]) -> tuple[NDArray[np.float64], bool, float]:
    """Return the Cholesky factor, whether there is one, and the reciprocal condition."""
    factor, info = lapack.dpotrf(scaled, lower=True, clean=True)
    if info != 0:
        return factor, False, 0.0
    condition, _ = lapack.dpocon(factor, np.abs(scaled).sum(axis=0).max(), uplo="L")
    return factor, True, float(condition)
