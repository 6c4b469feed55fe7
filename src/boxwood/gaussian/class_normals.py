"""One normal density a class, scored together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.gaussian.moments import Moments
from boxwood.gaussian.normal import Normal, log_density_of_squares

__all__ = ["ClassNormals"]

_BLOCK = 4096
"""Rows a block: what is made of them on the way stays in cache."""

_SMALLEST_SPREAD = 1e-6
"""Least spread of a class in any direction, in units of the columns' pooled spreads within classes. It is the
same for all classes, so that a direction in which none has any tells nothing."""

_FARTHEST = 1e4
"""A class is centred at another's mean where that is closer than so many of its standard deviations: at most
8 of the 16 digits of a squared distance are then lost."""

_MOST_APART = 1e6
"""Two classes share one product where the variances of neither are more than this times the other's."""


@dataclass(frozen=True, eq=False)
class _Shared:
    """Coordinates z = (x − centre) @ matrix in which the covariances of one or two classes are diagonal.

    Of each class: its number, its mean there, and what its coordinates are multiplied by (None: 1).
    """

    centre: NDArray[np.float64]
    matrix: NDArray[np.float64]
    classes: list[tuple[int, NDArray[np.float64], NDArray[np.float64] | None]]

    def write_squares(self, block: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Write the squared distances of rows to each class's mean into its column."""
        z = (block - self.centre) @ self.matrix
        for k, mean, scale in self.classes:
            y = z - mean if mean.any() else z
            if scale is not None:
                y *= scale
            np.einsum("ij,ij->i", y, y, out=out[:, k])


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
        self._shared = _in_pairs(self.normals)

    @classmethod
    def of_moments(
        cls, moments: Sequence[Moments], covariances: Sequence[NDArray[np.float64]]
    ) -> ClassNormals:
        """Return the densities of covariances at the means of the moments."""
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
        """Return the log-density of each row under each class."""
        squares = np.empty((len(X), len(self.normals)))
        for begin in range(0, len(X), _BLOCK):
            with np.errstate(over="ignore", invalid="ignore"):
                for shared in self._shared:
                    shared.write_squares(X[begin : begin + _BLOCK], squares[begin : begin + _BLOCK])
        # Rows are finite: a NaN is inf − inf, of a row beyond all measure.
        squares[np.isnan(squares)] = np.inf
        log_dets = np.array([normal.log_det for normal in self.normals])
        return log_density_of_squares(squares, log_dets, X.shape[1])

    def draw(self, codes: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw a row of each of these classes."""
        rows = np.empty((len(codes), len(self.normals[0].mean)))
        for k, normal in enumerate(self.normals):
            there = codes == k
            rows[there] = normal.sample(int(there.sum()), rng)
        return rows


def _in_pairs(normals: Sequence[Normal]) -> list[_Shared]:
    """Return coordinates for two classes at a time: two quadratic forms have axes in common, up to scale."""
    shared = []
    for k in range(0, len(normals), 2):
        pair = _pair(normals, k) if k + 1 < len(normals) else None
        if pair is not None:
            shared.append(pair)
            continue
        for one in range(k, min(k + 2, len(normals))):
            normal = normals[one]
            shared.append(_Shared(normal.mean, normal.whitening, [(one, np.zeros(len(normal.mean)), None)]))
    return shared


def _pair(normals: Sequence[Normal], k: int) -> _Shared | None:
    """Return the axes that the classes k and k + 1 share; None where digits would be lost."""
    one, two = normals[k], normals[k + 1]
    with np.errstate(over="ignore", invalid="ignore"):
        seen = one.whitening.T @ two.covariance @ one.whitening
        if not np.isfinite(seen).all():
            return None
        values, vectors = np.linalg.eigh((seen + seen.T) / 2.0)
        matrix = one.whitening @ vectors
        mean = (two.mean - one.mean) @ matrix
    if not (values[0] > 1.0 / _MOST_APART and values[-1] < _MOST_APART):
        return None
    if not np.abs(mean / np.sqrt(values)).max() < _FARTHEST:
        return None
    return _Shared(one.mean, matrix, [(k, np.zeros(len(mean)), None), (k + 1, mean, 1.0 / np.sqrt(values))])


def _units(moments: Sequence[Moments]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return a unit of each column, and whether it is constant in the whole table.

    The unit is the pooled spread within classes; of a column that is constant in each of them, the spread
    between them.
    """
    weights = np.array([part.weight for part in moments])
    fractions = (weights / weights.sum())[:, None]
    means = np.array([part.mean for part in moments])
    variances = np.array([part.covariance.diagonal() for part in moments])
    centre = np.sum(fractions * means, axis=0)
    within = np.sqrt(np.sum(fractions * variances, axis=0))
    between = np.sqrt(np.sum(fractions * (means - centre) ** 2, axis=0))
    rounding = 1e-13 * np.abs(centre)
    units = np.where(within > rounding, within, np.where(between > rounding, between, 1.0))
    return units, (within <= rounding) & (between <= rounding)


def _normal(
    mean: NDArray[np.float64],
    covariance: NDArray[np.float64],
    units: NDArray[np.float64],
    constant: NDArray[np.bool_],
) -> Normal:
    """Return the normal distribution of a covariance whose spreads are kept from vanishing."""
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
