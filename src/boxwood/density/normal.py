"""The multivariate normal distribution, kept away from singular covariances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.moments import Moments

__all__ = ["Normal", "fit_normal", "oas_shrinkage"]

SMALLEST_SPREAD = 1e-8
"""A constant column gets this share of its size (or of 1) as standard deviation."""

SMALLEST_EIGENVALUE = 1e-10
"""Eigenvalues of the correlation matrix are raised to this, so that dependent columns have a density."""

LOG_TWO_PI = float(np.log(2.0 * np.pi))


@dataclass(frozen=True, eq=False)
class Normal:
    """A normal distribution by its mean and a matrix that whitens: z = (x − mean) @ whitening.

    Attributes
    ----------
    mean : ndarray of shape (d,)
    covariance : ndarray of shape (d, d)
    whitening : ndarray of shape (d, d)
        Its product with its own transpose is the inverse of the covariance.
    log_det : float
        Logarithm of the covariance's determinant.
    shrinkage : float
        The share of the off-diagonal that was taken away.
    n_raised : int
        How many spreads and eigenvalues had to be raised.
    """

    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]
    whitening: NDArray[np.float64]
    log_det: float
    shrinkage: float = 0.0
    n_raised: int = 0

    def whiten(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the rows in coordinates in which the distribution is standard normal."""
        return (X - self.mean) @ self.whitening

    def log_density(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the log-density of complete rows."""
        z = self.whiten(X)
        return log_density_of_squares(np.einsum("ij,ij->i", z, z), self.log_det, len(self.mean))

    def marginal(self, columns: NDArray[np.intp]) -> Normal:
        """Give the distribution of some of the columns."""
        return normal_of_covariance(self.mean[columns], self.covariance[np.ix_(columns, columns)])

    def sample(self, n_samples: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw rows."""
        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(values.clip(min=0.0))
        return self.mean + rng.standard_normal((n_samples, len(self.mean))) @ root.T


def log_density_of_squares(squares: NDArray[np.float64], log_det: float, d: int) -> NDArray[np.float64]:
    """Give the log-density at squared Mahalanobis distances."""
    return -0.5 * (squares + (log_det + d * LOG_TWO_PI))


def fit_normal(moments: Moments, covariance_type: str, shrinkage: float | str | None) -> Normal:
    """Give the normal distribution of maximum likelihood, shrunk and kept regular.

    Shrinkage pulls correlations towards 0 and leaves the variances alone, so that it does not depend
    on the columns' units.
    """
    covariance = moments.covariance()
    variances = covariance.diagonal()
    if covariance_type == "spherical":
        variances = np.full(len(variances), variances.mean())
    if covariance_type == "full":
        amount = oas_shrinkage(moments) if shrinkage == "auto" else float(shrinkage or 0.0)
        covariance = (1.0 - amount) * covariance
        np.fill_diagonal(covariance, variances)
    else:
        amount = 0.0
        covariance = np.diag(variances)
    return normal_of_covariance(moments.mean, covariance, amount)


def normal_of_covariance(
    mean: NDArray[np.float64], covariance: NDArray[np.float64], shrinkage: float = 0.0
) -> Normal:
    """Give the normal distribution of a covariance, after raising spreads and eigenvalues that are 0."""
    size = np.where(mean == 0.0, 1.0, np.abs(mean))
    spread = np.sqrt(covariance.diagonal().clip(min=0.0))
    raised = spread < SMALLEST_SPREAD * size
    spread = np.where(raised, SMALLEST_SPREAD * size, spread)
    correlation = covariance / np.outer(spread, spread)
    np.fill_diagonal(correlation, 1.0)
    values, vectors = np.linalg.eigh(correlation)
    low = values < SMALLEST_EIGENVALUE
    values = np.where(low, SMALLEST_EIGENVALUE, values)
    whitening = vectors / np.sqrt(values) / spread[:, None]
    if low.any():
        correlation = (vectors * values) @ vectors.T
    return Normal(
        mean=mean,
        covariance=correlation * np.outer(spread, spread),
        whitening=whitening,
        log_det=float(2.0 * np.log(spread).sum() + np.log(values).sum()),
        shrinkage=shrinkage,
        n_raised=int(raised.sum() + low.sum()),
    )


def oas_shrinkage(moments: Moments) -> float:
    """Give the oracle-approximating shrinkage of the correlation matrix (Chen et al. 2010)."""
    d = len(moments.mean)
    if d == 1:
        return 0.0
    covariance = moments.covariance()
    spread = np.sqrt(np.where(covariance.diagonal() > 0.0, covariance.diagonal(), 1.0))
    correlation = covariance / np.outer(spread, spread)
    squares = float(np.sum(correlation**2))
    trace = float(np.trace(correlation))
    excess = (moments.weight + 1.0 - 2.0 / d) * (squares - trace**2 / d)
    wanted = (1.0 - 2.0 / d) * squares + trace**2
    return 1.0 if excess <= wanted else wanted / excess
