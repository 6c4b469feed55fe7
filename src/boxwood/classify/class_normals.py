"""One normal density a class, scored together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boxwood.density.normal import Normal, log_density_of_squares
from boxwood.moments import Moments

__all__ = ["ClassNormals"]

_BLOCK_SIZE = 2**19
"""Numbers a block of rows may hold for all classes together: 4 MB stay in cache."""

_SMALLEST_SPREAD = 1e-6
"""Least spread of a class in any direction, in units of the columns' pooled spreads within classes. It is the
same for all classes, so that a direction in which none has any tells nothing."""

_FARTHEST = 1e4
"""Classes whose means are closer than so many standard deviations are centred together: then one product
serves all, and at most 8 of the 16 digits of a squared distance are lost."""


class ClassNormals:
    """The normal densities of some classes.

    Attributes
    ----------
    normals : list of Normal
    n_raised : int
        How many spreads and eigenvalues had to be raised.
    """

    def __init__(self, normals: Sequence[Normal]) -> None:
        self.normals = list(normals)
        self.n_raised = sum(normal.n_raised for normal in self.normals)
        self._centre = self.means.mean(axis=0)
        self._whitening = np.hstack([normal.whitening for normal in self.normals])
        self._offset = np.hstack([(normal.mean - self._centre) @ normal.whitening for normal in self.normals])

    @classmethod
    def of_moments(
        cls, moments: Sequence[Moments], covariances: Sequence[NDArray[np.float64]]
    ) -> ClassNormals:
        """Give the densities of covariances at the means of the moments."""
        units, constant = _units(moments)
        return cls(
            [
                _normal(part.mean, covariance if part.weight > 0.0 else np.diag(units**2), units, constant)
                for part, covariance in zip(moments, covariances, strict=True)
            ]
        )

    @property
    def means(self) -> NDArray[np.float64]:
        """The mean of each class."""
        return np.array([normal.mean for normal in self.normals])

    @property
    def covariances(self) -> list[NDArray[np.float64]]:
        """The covariance of each class."""
        return [normal.covariance for normal in self.normals]

    def log_density(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the log-density of each row under each class."""
        n_classes, d = len(self.normals), X.shape[1]
        squares = np.empty((len(X), n_classes))
        near = bool(np.abs(self._offset).max() < _FARTHEST)
        size = max(64, _BLOCK_SIZE // (n_classes * d))
        for begin in range(0, len(X), size):
            block = X[begin : begin + size]
            out = squares[begin : begin + size]
            with np.errstate(over="ignore", invalid="ignore"):
                if near:
                    z = (block - self._centre) @ self._whitening
                    z -= self._offset
                    z = z.reshape(len(block), n_classes, d)
                    np.einsum("ikj,ikj->ik", z, z, out=out)
                else:
                    for k, normal in enumerate(self.normals):
                        z = (block - normal.mean) @ normal.whitening
                        np.einsum("ij,ij->i", z, z, out=out[:, k])
        # Rows are finite: a NaN is inf − inf, of a row beyond all measure.
        squares[np.isnan(squares)] = np.inf
        log_dets = np.array([normal.log_det for normal in self.normals])
        return log_density_of_squares(squares, log_dets, d)

    def draw(self, codes: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw a row of each of these classes."""
        rows = np.empty((len(codes), len(self._centre)))
        for k, normal in enumerate(self.normals):
            there = codes == k
            rows[there] = normal.sample(int(there.sum()), rng)
        return rows


def _units(moments: Sequence[Moments]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Give a unit of each column, and whether it is constant in the whole table.

    The unit is the pooled spread within classes; of a column that is constant in each of them, the spread
    between them.
    """
    weights = np.array([part.weight for part in moments])
    shares = (weights / weights.sum())[:, None]
    means = np.array([part.mean for part in moments])
    variances = np.array([part.covariance.diagonal() for part in moments])
    centre = np.sum(shares * means, axis=0)
    within = np.sqrt(np.sum(shares * variances, axis=0))
    between = np.sqrt(np.sum(shares * (means - centre) ** 2, axis=0))
    rounding = 1e-13 * np.abs(centre)
    units = np.where(within > rounding, within, np.where(between > rounding, between, 1.0))
    return units, (within <= rounding) & (between <= rounding)


def _normal(
    mean: NDArray[np.float64],
    covariance: NDArray[np.float64],
    units: NDArray[np.float64],
    constant: NDArray[np.bool_],
) -> Normal:
    """Give the normal distribution of a covariance whose spreads are kept from vanishing."""
    scaled = covariance / units[:, None] / units
    scaled[constant, constant] = 1.0
    values, vectors = np.linalg.eigh(scaled)
    low = values < _SMALLEST_SPREAD**2
    values = np.where(low, _SMALLEST_SPREAD**2, values)
    if low.any() or constant.any():
        scaled = (vectors * values) @ vectors.T
        covariance = (scaled + scaled.T) / 2.0 * units[:, None] * units
    return Normal(
        mean=mean,
        covariance=covariance,
        whitening=vectors / np.sqrt(values) / units[:, None],
        colouring=(vectors * np.sqrt(values)).T * units,
        log_det=float(2.0 * np.log(units).sum() + np.log(values).sum()),
        n_raised=int(low.sum() + constant.sum()),
    )
