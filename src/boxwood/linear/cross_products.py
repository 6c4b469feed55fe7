"""Sums over rows that least squares needs: one pass, shifted only where digits would be lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.linear.products import BLOCK

__all__ = ["CrossProducts", "cross_products"]

_FARTHEST = 30.0
"""Columns whose mean is more standard deviations from zero are shifted. At 30, three digits of 16 go."""

_SAMPLE = 256
"""Rows looked at to tell whether a shift is due."""


@dataclass(frozen=True, eq=False)
class CrossProducts:
    """Products of columns with columns and with targets, about the means (or about zero, uncentred).

    Attributes
    ----------
    weight : float
    mean : ndarray of shape (n_columns,)
    targets_mean : ndarray of shape (n_targets,)
    gram : ndarray of shape (n_columns, n_columns)
    with_targets : ndarray of shape (n_columns, n_targets)
    of_targets : ndarray of shape (n_targets,)
        Sums of squares of the targets.
    """

    weight: float
    mean: NDArray[np.float64]
    targets_mean: NDArray[np.float64]
    gram: NDArray[np.float64]
    with_targets: NDArray[np.float64]
    of_targets: NDArray[np.float64]

    def merge(self, other: CrossProducts) -> CrossProducts:
        """Return the products of both sets of rows, which are both centred or both not.

        About zero the means are zero, and so is what lies between them.
        """
        weight = self.weight + other.weight
        between = self.weight * (other.weight / weight)
        delta, of_target = other.mean - self.mean, other.targets_mean - self.targets_mean
        fraction = other.weight / weight
        return CrossProducts(
            weight,
            self.mean + fraction * delta,
            self.targets_mean + fraction * of_target,
            self.gram + other.gram + between * np.outer(delta, delta),
            self.with_targets + other.with_targets + between * np.outer(delta, of_target),
            self.of_targets + other.of_targets + between * of_target**2,
        )


def cross_products(
    X: Any, Y: NDArray[np.float64], weights: NDArray[np.float64] | None, *, centred: bool
) -> CrossProducts:
    """Sum over the rows of a matrix, which may be sparse, and targets."""
    weight = float(len(Y)) if weights is None else float(weights.sum())
    targets_mean = np.average(Y, axis=0, weights=weights) if centred else np.zeros(Y.shape[1])
    rest = Y - targets_mean
    weighted = rest if weights is None else rest * weights[:, None]
    of_targets = np.einsum("ij,ij->j", weighted, rest)
    if not isinstance(X, np.ndarray):
        sums = _sparse_sums(X, weighted, weights)
        shift = np.zeros(X.shape[1])
    else:
        shift = _shift(X[:: max(1, len(X) // _SAMPLE)]) if centred else np.zeros(X.shape[1])
        sums = _dense_sums(X, weighted, weights, shift)
        if centred and _is_far(sums, weight):
            shift = X[0].copy()
            sums = _dense_sums(X, weighted, weights, shift)
    gram, with_targets, total = sums
    if not centred:
        return CrossProducts(weight, shift, targets_mean, gram, with_targets, of_targets)
    offset = total / weight
    gram = gram - np.outer(total, offset)
    np.fill_diagonal(gram, gram.diagonal().clip(min=0.0))
    # The targets sum to zero but for rounding, which the mean of a column would magnify.
    with_targets = with_targets - np.outer(offset, weighted.sum(axis=0))
    return CrossProducts(weight, shift + offset, targets_mean, gram, with_targets, of_targets)


def _shift(sample: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where to put the columns' zero: at 0, or at a row of the table."""
    # A number that is not finite shows in the sums.
    with np.errstate(invalid="ignore", over="ignore"):
        far = np.abs(sample.mean(axis=0)) > _FARTHEST * sample.std(axis=0)
    return sample[0].copy() if far.any() else np.zeros(sample.shape[1])


def _is_far(
    sums: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]], weight: float
) -> bool:
    """Return whether the sample deceived: a mean is too far from zero after all."""
    gram, _, total = sums
    with np.errstate(invalid="ignore", over="ignore"):
        square = (total / weight) ** 2
        return bool(np.any(square > (2.0 * _FARTHEST) ** 2 * (gram.diagonal() / weight - square)))


def _dense_sums(
    X: NDArray[np.float64],
    Y: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    shift: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return sums of products of columns, of columns and (weighted) targets, and of columns."""
    n_columns, n_targets = X.shape[1], Y.shape[1]
    gram = np.zeros((n_columns, n_columns))
    sides = np.zeros((n_targets + 1, n_columns))
    left = np.ones((n_targets + 1, BLOCK))
    shifted = shift.any()
    with np.errstate(invalid="ignore", over="ignore"):
        for begin in range(0, len(X), BLOCK):
            rows = slice(begin, begin + BLOCK)
            block = X[rows] - shift if shifted else X[rows]
            side = left[:, : len(block)]
            side[:-1] = Y[rows].T
            if weights is None:
                gram += block.T @ block
            else:
                side[-1] = weights[rows]
                scaled = block * np.sqrt(weights[rows])[:, None]
                gram += scaled.T @ scaled
            sides += side @ block
    return gram, sides[:-1].T, sides[-1]


def _sparse_sums(
    X: Any, Y: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    scaled = X if weights is None else X.multiply(weights[:, None]).tocsr()
    gram = np.asarray((X.T @ scaled).toarray(), dtype=np.float64)
    return gram, np.asarray(X.T @ Y), np.asarray(scaled.sum(axis=0)).ravel()
