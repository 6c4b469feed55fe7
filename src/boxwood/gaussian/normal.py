"""The multivariate normal distribution, kept away from singular covariances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.as_numbers import LARGEST_SQUARABLE
from boxwood.gaussian.moments import Moments

__all__ = [
    "Normal",
    "fit_normal",
    "log_density_of_squares",
    "normal_of_covariance",
    "oas_shrinkage",
    "why_no_covariance",
]

SMALLEST_SPREAD = 1e-13
"""A column is constant if its standard deviation is a smaller fraction of its mean; then it gets this one
(of 1 where the mean is 0). Data at 1e9 ± 1 must pass; rounding of a mean makes 1e-16."""

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
    colouring : ndarray of shape (d, d)
        The way back: x = mean + z @ colouring.
    log_det : float
        Logarithm of the covariance's determinant.
    shrinkage : float
        The fraction of the off-diagonal that was taken away.
    n_raised : int
        How many spreads and eigenvalues had to be raised.
    """

    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]
    whitening: NDArray[np.float64]
    colouring: NDArray[np.float64]
    log_det: float
    shrinkage: float = 0.0
    n_raised: int = 0

    def log_density(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the log-density of complete rows; −inf where it is too small for a float."""
        with np.errstate(over="ignore", invalid="ignore"):
            z = (X - self.mean) @ self.whitening
            squares = np.einsum("ij,ij->i", z, z)
        # Rows are finite: a NaN is inf − inf, of a row beyond all measure.
        squares = np.where(np.isnan(squares), np.inf, squares)
        return log_density_of_squares(squares, self.log_det, len(self.mean))

    def marginal(self, columns: NDArray[np.intp]) -> Normal:
        """Return the distribution of some of the columns."""
        part = self.covariance[np.ix_(columns, columns)]
        return normal_of_covariance(self.mean[columns], part, self.shrinkage)

    def sample(self, n_samples: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw rows."""
        return self.mean + rng.standard_normal((n_samples, len(self.mean))) @ self.colouring


def log_density_of_squares(
    squares: NDArray[np.float64], log_det: float | NDArray[np.float64], d: int
) -> NDArray[np.float64]:
    """Return the log-density at squared Mahalanobis distances."""
    return -0.5 * (squares + (log_det + d * LOG_TWO_PI))


def fit_normal(moments: Moments, covariance_type: str, shrinkage: float | str | None) -> Normal:
    """Return the normal distribution of maximum likelihood, shrunk and kept regular.

    Shrinkage pulls correlations towards 0 and leaves the variances alone, so that it does not depend
    on the columns' units.
    """
    variances = moments.covariance.diagonal()
    if covariance_type == "full":
        amount = oas_shrinkage(moments) if shrinkage == "auto" else float(shrinkage or 0.0)
        covariance = (1.0 - amount) * moments.covariance
        np.fill_diagonal(covariance, variances)
        return normal_of_covariance(moments.mean, covariance, amount)
    if covariance_type == "spherical":
        variances = np.full(len(variances), variances.mean())
    return normal_of_covariance(moments.mean, np.diag(variances))


def normal_of_covariance(
    mean: NDArray[np.float64], covariance: NDArray[np.float64], shrinkage: float = 0.0
) -> Normal:
    """Return the normal distribution of a covariance, after raising spreads and eigenvalues that are 0."""
    spread = np.sqrt(covariance.diagonal().clip(min=0.0))
    smallest = _smallest_spread(mean, spread)
    raised = spread < smallest
    spread = np.where(raised, smallest, spread)
    correlation = _correlation(covariance, spread)
    values, vectors = np.linalg.eigh(correlation)
    low = values < SMALLEST_EIGENVALUE
    values = np.where(low, SMALLEST_EIGENVALUE, values)
    if low.any():
        correlation = (vectors * values) @ vectors.T
        correlation = (correlation + correlation.T) / 2.0
    return Normal(
        mean=mean,
        covariance=correlation * spread[:, None] * spread,
        whitening=vectors / np.sqrt(values) / spread[:, None],
        colouring=(vectors * np.sqrt(values)).T * spread,
        log_det=float(2.0 * np.log(spread).sum() + np.log(values).sum()),
        shrinkage=shrinkage,
        n_raised=int(raised.sum() + low.sum()),
    )


def _smallest_spread(mean: NDArray[np.float64], spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """The spread below which a column counts as constant, and which it then gets."""
    smallest = np.maximum(SMALLEST_SPREAD * np.abs(mean), 1.0 / LARGEST_SQUARABLE)
    return np.where((mean == 0.0) & (spread == 0.0), SMALLEST_SPREAD, smallest)


def _correlation(covariance: NDArray[np.float64], spread: NDArray[np.float64]) -> NDArray[np.float64]:
    correlation = covariance / spread[:, None] / spread  # one by one: the product could underflow
    correlation = (correlation + correlation.T) / 2.0
    np.fill_diagonal(correlation, 1.0)
    return correlation


def oas_shrinkage(moments: Moments) -> float:
    """Return the oracle-approximating shrinkage of the correlation matrix (Chen et al. 2010)."""
    d = len(moments.mean)
    if d == 1:
        return 0.0
    variances = moments.covariance.diagonal()
    spread = np.sqrt(np.where(variances > 0.0, variances, 1.0))
    correlation = moments.covariance / spread[:, None] / spread
    squares = float(np.sum(correlation**2))
    trace = float(np.trace(correlation))
    excess = (moments.weight + 1.0 - 2.0 / d) * (squares - trace**2 / d)
    wanted = (1.0 - 2.0 / d) * squares + trace**2
    return 1.0 if excess <= wanted else wanted / excess


def why_no_covariance(matrix: NDArray[np.float64]) -> str | None:
    """Describe why a finite square matrix is no covariance; None where it is one, to rounding.

    Examples
    --------
    >>> why_no_covariance(np.array([[1.0, 2.0], [2.0, 1.0]]))
    'is indefinite'
    """
    variances = matrix.diagonal()
    if variances.min() < 0.0:
        return "is negative on its diagonal"
    spread = np.sqrt(np.where(variances > 0.0, variances, 1.0))
    with np.errstate(over="ignore"):
        correlation = matrix / spread[:, None] / spread
    if not np.isfinite(correlation).all() or np.abs(correlation - correlation.T).max() > 1e-6:
        return "is not symmetric"
    if np.linalg.eigvalsh(correlation).min() < -1e-6:
        return "is indefinite"
    return None
