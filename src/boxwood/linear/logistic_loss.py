"""The logistic loss of two classes and of many: value, gradient and Hessian, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.linear.products import BLOCK

__all__ = ["LogisticLoss"]


class LogisticLoss:
    """Mean log-loss of a linear model plus half the ridge times the squared coefficients.

    Parameters are a matrix of one row for two classes (the second against the first) or a row a class, with
    the intercept in the last column where there is one; it is not penalised. Columns are shifted by `centre`,
    which only moves the intercept, so that digits are kept far from zero.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n_rows, n_columns)
    codes : ndarray of shape (n_rows,)
        Classes from 0 on.
    n_classes : int
    weights : ndarray of shape (n_rows,), optional
    centre : ndarray of shape (n_columns,), optional
        None: no intercept.
    ridge : float
    """

    def __init__(
        self,
        X: Any,
        codes: NDArray[np.uint32],
        n_classes: int,
        weights: NDArray[np.float64] | None,
        centre: NDArray[np.float64] | None,
        ridge: float,
    ) -> None:
        self.X = X
        self.codes = codes
        self.weights = weights
        self.centre = centre
        self.ridge = ridge
        self.n_classes = n_classes
        self.total = float(X.shape[0]) if weights is None else float(weights.sum())

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of the parameters."""
        n_scores = 1 if self.n_classes == 2 else self.n_classes
        return n_scores, self.X.shape[1] + (self.centre is not None)

    def sample(self, rows: NDArray[np.intp]) -> LogisticLoss:
        """Return the loss of some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        return LogisticLoss(self.X[rows], self.codes[rows], self.n_classes, weights, self.centre, self.ridge)

    def value_and_gradient(self, theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return the penalised mean loss and its gradient."""
        coef, level = self._split(theta)
        value, gradient = 0.0, np.zeros_like(theta)
        for rows, block in self._blocks():
            scores = self._scores(block, coef, level)
            loss, residuals = self._loss(scores, rows)
            value += loss
            self._add_product(gradient, residuals, block)
        if self.centre is not None:
            gradient[:, :-1] -= np.outer(gradient[:, -1], self.centre)
        value /= self.total
        gradient /= self.total
        if self.ridge > 0.0:
            gradient[:, : coef.shape[1]] += self.ridge * coef
            with np.errstate(over="ignore"):  # infinite for a step too far, which is then shortened
                value += 0.5 * self.ridge * float(np.sum(coef**2))
        return value, gradient

    def hessian(self, theta: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the matrix of second derivatives, of the parameters row after row."""
        coef, level = self._split(theta)
        k, width = self.shape
        found = np.zeros((k, width, k, width))
        for rows, block in self._blocks():
            fractions = self._fractions(self._scores(block, coef, level))
            design = self._design(block)
            for a in range(k):
                for b in range(a + 1):
                    curvature = fractions[a] * ((1.0 if a == b else 0.0) - fractions[b])
                    if self.weights is not None:
                        curvature = curvature * self.weights[rows]
                    found[a, :, b] += _weighted_gram(design, curvature)
        for a in range(k):
            for b in range(a):
                found[b, :, a] = found[a, :, b].T
        matrix = found.reshape(k * width, k * width) / self.total
        matrix[np.diag_indices_from(matrix)] += np.tile(self._penalised(), k) * self.ridge
        return matrix

    def block_hessians(self, theta: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the second derivatives within each row of the parameters alone."""
        coef, level = self._split(theta)
        k, width = self.shape
        found = np.zeros((k, width, width))
        for rows, block in self._blocks():
            fractions = self._fractions(self._scores(block, coef, level))
            design = self._design(block)
            for a in range(k):
                curvature = fractions[a] * (1.0 - fractions[a])
                if self.weights is not None:
                    curvature = curvature * self.weights[rows]
                found[a] += _weighted_gram(design, curvature)
        found /= self.total
        found[:, np.arange(width), np.arange(width)] += self._penalised() * self.ridge
        return found

    def diagonal(self) -> NDArray[np.float64]:
        """Return an upper bound of the second derivatives, one a parameter."""
        fractions = None if self.weights is None else self.weights / self.total
        if isinstance(self.X, np.ndarray):
            centre = 0.0 if self.centre is None else self.centre
            squares = np.average((self.X - centre) ** 2, axis=0, weights=fractions)
        else:
            squared = self.X.multiply(self.X)
            ones = np.full(self.X.shape[0], 1.0 / self.X.shape[0]) if fractions is None else fractions
            squares = np.asarray(squared.T @ ones).ravel()
            if self.centre is not None:
                squares = squares - 2.0 * self.centre * np.asarray(self.X.T @ ones).ravel() + self.centre**2
        bound = 0.25 * squares + self.ridge
        if self.centre is not None:
            bound = np.append(bound, 0.25)
        return np.tile(bound, (self.shape[0], 1))

    def _split(self, theta: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the coefficients, and the score of a row of zeros."""
        if self.centre is None:
            return theta, np.zeros(len(theta))
        coef = theta[:, :-1]
        return coef, theta[:, -1] - coef @ self.centre

    def _blocks(self) -> Iterator[tuple[slice, Any]]:
        if not isinstance(self.X, np.ndarray):
            yield slice(None), self.X
            return
        for begin in range(0, len(self.X), BLOCK):
            rows = slice(begin, begin + BLOCK)
            yield rows, self.X[rows]

    def _design(self, block: Any) -> NDArray[np.float64]:
        """Return the centred rows with their ones, dense."""
        dense = block if isinstance(block, np.ndarray) else block.toarray()
        if self.centre is None:
            return dense
        design = np.empty((len(dense), dense.shape[1] + 1))
        np.subtract(dense, self.centre, out=design[:, :-1])
        design[:, -1] = 1.0
        return design

    def _penalised(self) -> NDArray[np.float64]:
        flags = np.ones(self.shape[1])
        if self.centre is not None:
            flags[-1] = 0.0
        return flags

    @staticmethod
    def _scores(block: Any, coef: NDArray[np.float64], level: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the linear scores, one row a row of the parameters: sums over so long an axis are fast."""
        if isinstance(block, np.ndarray):
            return coef @ block.T + level[:, None]
        return np.ascontiguousarray(np.asarray(block @ coef.T).T) + level[:, None]

    def _loss(self, scores: NDArray[np.float64], rows: slice) -> tuple[float, NDArray[np.float64]]:
        """Return the weighted sum of losses, and its derivatives by the scores."""
        codes = self.codes[rows]
        if len(scores) == 1:
            z = scores[0]
            small = np.exp(-np.abs(z))
            losses = np.log1p(small) + np.maximum(z, 0.0) - z * codes
            residuals = (np.where(z >= 0.0, 1.0, small) / (1.0 + small) - codes)[None]
        else:
            at = (codes, np.arange(len(codes)))
            largest = scores.max(axis=0)
            residuals = np.exp(scores - largest)
            sums = residuals.sum(axis=0)
            losses = np.log(sums) + largest - scores[at]
            residuals /= sums
            residuals[at] -= 1.0
        if self.weights is None:
            return float(losses.sum()), residuals
        weights = self.weights[rows]
        return float(weights @ losses), residuals * weights

    @staticmethod
    def _fractions(scores: NDArray[np.float64]) -> NDArray[np.float64]:
        if len(scores) == 1:
            z = scores[0]
            small = np.exp(-np.abs(z))
            return (np.where(z >= 0.0, 1.0, small) / (1.0 + small))[None]
        fractions = np.exp(scores - scores.max(axis=0))
        return fractions / fractions.sum(axis=0)

    def _add_product(self, gradient: NDArray[np.float64], residuals: NDArray[np.float64], block: Any) -> None:
        d = block.shape[1]
        if isinstance(block, np.ndarray):
            gradient[:, :d] += residuals @ block
        else:
            gradient[:, :d] += np.asarray(block.T @ residuals.T).T
        if self.centre is not None:
            gradient[:, -1] += residuals.sum(axis=1)


def _weighted_gram(design: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    if np.all(weights >= 0.0):
        scaled = design * np.sqrt(weights)[:, None]
        return scaled.T @ scaled
    return design.T @ (design * weights[:, None])
