"""Ridge regressions of several targets on the same features, with what each row gets from the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, solve_triangular

__all__ = ["Ridge", "evenly"]

ROWS_LEFT_OUT = 2000
"""By which a penalty is chosen, at equal distances."""
ROWS_AT_ONCE = 2000
"""Whose leverage is found together, which bounds the memory."""
LEAST_SQUARE = 1e-8
"""Added to squares, in units of the target's variance. Their geometric mean is what counts: log-likelihood is
lost and won by factors, and a few outliers must not decide."""
LEAST_FREEDOM = 1e-6
"""A row that is fitted whatever its target is has no residual; it is taken as so much less than fitted."""

Numbers = NDArray[np.float64]


def evenly(n: int, most: int) -> NDArray[np.intp]:
    """Return the numbers of so many of n rows at the most, at equal distances.

    Examples
    --------
    >>> evenly(9, 3)
    array([0, 4, 8])
    """
    return np.linspace(0, n - 1, min(n, most)).astype(np.intp)


@dataclass(frozen=True, eq=False)
class Ridge:
    """Features of rows and their products.

    Rows are multiplied by the roots of their weights, and features have a weighted mean of 0. Penalties are
    tried by a Cholesky factor each: with many features that takes a tenth of the time of eigenvectors.

    Attributes
    ----------
    roots : ndarray of shape (n_rows,)
    features : ndarray of shape (n_rows, n_features)
    means : ndarray of shape (n_features,)
    products : ndarray of shape (n_features, n_features)
    """

    roots: Numbers
    features: Numbers
    means: Numbers
    products: Numbers

    @classmethod
    def of(cls, features: Numbers, weights: Numbers | None) -> Self:
        """Take features of rows; weights are frequencies."""
        roots = np.ones(len(features)) if weights is None else np.sqrt(weights)
        centred, means = _centred(features, roots)
        return cls(roots, centred, means, centred.T @ centred)

    def with_more(self, features: Numbers) -> Self:
        """Take further features; products of those that are there are not made again."""
        centred, means = _centred(features, self.roots)
        cross = self.features.T @ centred
        return type(self)(
            self.roots,
            np.hstack([self.features, centred]),
            np.concatenate([self.means, means]),
            np.block([[self.products, cross], [cross.T, centred.T @ centred]]),
        )

    def best_penalty(self, target: Numbers, fractions: Numbers) -> tuple[float, float]:
        """Choose a penalty by leaving rows out, one at a time.

        Generalised cross-validation would be cheaper, but is too hopeful where a few rows have most of the
        leverage: it saw half of the variance that was left on new rows.

        Parameters
        ----------
        target : ndarray of shape (n_rows,)
        fractions : ndarray
            Candidates, as fractions of the total weight.

        Returns
        -------
        penalty : float
        left : float
            What is left of the target: the geometric mean of squared residuals over that of squares.
        """
        y, _ = self._scaled(target)
        rows = evenly(len(y), ROWS_LEFT_OUT)
        weights, total = self.roots[rows] ** 2, float(self.roots @ self.roots)
        least = LEAST_SQUARE * max(float(y @ y) / total, 1e-300)

        def typical_square(residual: Numbers) -> float:
            return float(np.exp(np.average(np.log(residual**2 / weights + least), weights=weights)))

        moments = self.features.T @ y
        penalties = (total * fractions).tolist()
        squares = [typical_square(self._left_out_residual(y, moments, p, rows)) for p in penalties]
        best = int(np.argmin(squares))
        return penalties[best], squares[best] / typical_square(y[rows])

    def mean(self, target: Numbers) -> float:
        """Return the weighted mean of a target."""
        return float(np.average(target, weights=self.roots**2))

    def solve(self, target: Numbers, penalty: float) -> tuple[Numbers, float]:
        """Return the coefficients and the constant of a regression."""
        y, mean = self._scaled(target)
        factor = self._factor(penalty)
        half = solve_triangular(factor, self.features.T @ y, lower=True)
        coefficients = solve_triangular(factor, half, lower=True, trans=1)
        return coefficients, mean - float(self.means @ coefficients)

    def left_out(self, target: Numbers, penalty: float) -> Numbers:
        """Predict each row by a regression on all the others, in closed form."""
        y, _ = self._scaled(target)
        return (
            target - self._left_out_residual(y, self.features.T @ y, penalty, np.arange(len(y))) / self.roots
        )

    def _left_out_residual(
        self, y: Numbers, moments: Numbers, penalty: float, rows: NDArray[np.intp]
    ) -> Numbers:
        factor = self._factor(penalty)
        half = solve_triangular(factor, moments, lower=True, check_finite=False)
        total = float(self.roots @ self.roots)
        residuals = []
        for begin in range(0, len(rows), ROWS_AT_ONCE):
            some = rows[begin : begin + ROWS_AT_ONCE]
            rotated = solve_triangular(factor, self.features[some].T, lower=True, check_finite=False)
            leverage = np.einsum("ij,ij->j", rotated, rotated) + self.roots[some] ** 2 / total
            residuals.append((y[some] - half @ rotated) / np.maximum(1.0 - leverage, LEAST_FREEDOM))
        return np.concatenate(residuals)

    def _factor(self, penalty: float) -> Numbers:
        penalised = self.products.copy()
        penalised.flat[:: len(penalised) + 1] += penalty
        return np.asarray(cholesky(penalised, lower=True, overwrite_a=True, check_finite=False))

    def _scaled(self, target: Numbers) -> tuple[Numbers, float]:
        scaled, mean = _centred(target[:, None], self.roots)
        return scaled[:, 0], float(mean[0])


def _centred(columns: Numbers, roots: Numbers) -> tuple[Numbers, Numbers]:
    means = roots**2 @ columns / (roots @ roots)
    return (columns - means) * roots[:, None], means
