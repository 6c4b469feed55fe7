"""What cross-validation of a density found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["CrossValidation", "Optimistic", "mean_of", "variance_of"]


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """What cross-validation found; log-likelihoods are nats per row.

    Attributes
    ----------
    test_scores : ndarray of shape (n_folds,)
        Mean log-likelihood of each fold's rows under the model that was fitted without them. Where single
        rows were left out: of each row.
    train_scores : ndarray of shape (n_folds,)
        The same of the rows that the model was fitted to. Where single rows were left out: one number, of
        all rows under the model of all.
    floor : float
        Rows below it counted as it; −inf where there was none.
    n_floored : int
        How many test rows that were.
    weights : ndarray of shape (n_folds,) or None
        What each test score counts for, where single rows with weights were left out.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(200, 2))
    >>> found = bw.cross_val_log_likelihood(bw.GaussianDensity(), rows)
    >>> found.test_scores.shape
    (5,)
    """

    test_scores: NDArray[np.float64]
    train_scores: NDArray[np.float64]
    floor: float
    n_floored: int
    weights: NDArray[np.float64] | None = None

    @property
    def mean(self) -> float:
        """Mean of the test scores."""
        return mean_of(self.test_scores, self.weights)

    @property
    def std(self) -> float:
        """Standard deviation of the test scores over the folds, n − 1 in its denominator; NaN of one fold."""
        return float(np.sqrt(self.variance))

    @property
    def variance(self) -> float:
        """Variance of the test scores over the folds; NaN of one fold."""
        return variance_of(self.test_scores, self.weights)

    @property
    def optimism(self) -> float:
        """How much better the model looks on its own rows: mean training score less mean test score."""
        return float(self.train_scores.mean()) - self.mean

    def __repr__(self) -> str:
        folds = "1 fold" if len(self.test_scores) == 1 else f"{len(self.test_scores)} folds"
        return (
            f"log-likelihood {self.mean:.4g} ± {self.std:.2g} over {folds}, "
            f"in training {self.train_scores.mean():.4g} (optimism {self.optimism:.3g})"
        )


class Optimistic:
    """A validation with errors on held-out rows and on the model's own."""

    @property
    def error(self) -> float:
        """The error on held-out rows."""
        raise NotImplementedError

    @property
    def train_error(self) -> float:
        """The error on the rows of the fit."""
        raise NotImplementedError

    @property
    def optimism(self) -> float:
        """How much better the model looks on its own rows: held-out error less training error."""
        return self.error - self.train_error


def mean_of(values: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> float:
    """Return the mean over folds."""
    return float(np.average(values, weights=weights))


def variance_of(values: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> float:
    """Return the variance over folds, weights counting as repetitions; NaN where there is one."""
    total = float(len(values)) if weights is None else float(weights.sum())
    if total <= 1.0:
        return float("nan")
    with np.errstate(invalid="ignore"):  # of −inf
        squares = (values - mean_of(values, weights)) ** 2
    return float(np.sum(squares if weights is None else squares * weights) / (total - 1.0))
