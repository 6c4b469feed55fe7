"""What linear discriminant analysis keeps of its rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.as_numbers import LARGEST_SQUARABLE
from boxwood.gaussian.class_moments import PooledMoments
from boxwood.gaussian.normal import why_no_covariance
from boxwood.linear.whitening import Whitening
from boxwood.model_file import State

__all__ = ["WIDEST", "LinearMoments", "covariance_of_state", "moments_of_state"]

WIDEST = 3000
"""Tables of more columns than this and than rows keep no covariance: it would have more numbers than they."""


@dataclass(frozen=True, eq=False)
class LinearMoments:
    """Weights and means of the classes, and what is known of the covariance within them.

    Attributes
    ----------
    weights : ndarray of shape (n_classes,)
    means : ndarray of shape (n_classes, n_columns)
    pooled : PooledMoments, optional
        What merges; not there for tables of very many columns.
    covariance : ndarray of shape (n_columns, n_columns), optional
        In the place of the pooled one, where it needed the rows.
    whitening : Whitening, optional
        In the place of any covariance, for tables wider than long.
    """

    weights: NDArray[np.float64]
    means: NDArray[np.float64]
    pooled: PooledMoments | None = None
    covariance: NDArray[np.float64] | None = None
    whitening: Whitening | None = None

    def merge(self, other: LinearMoments) -> LinearMoments:
        """Return the moments of both sets of rows."""
        if self.pooled is None or other.pooled is None:
            raise ValueError(f"tables of more than {WIDEST} columns keep no moments that merge; use fit.")
        return LinearMoments.of_pooled(self.pooled.merge(other.pooled))

    @classmethod
    def of_pooled(cls, pooled: PooledMoments) -> LinearMoments:
        """Return moments that merge."""
        return cls(pooled.weights, pooled.means, pooled)


def moments_of_state(state: State, k: int, d: int, covariance: NDArray[np.float64] | None) -> LinearMoments:
    """Read the moments of a model file, after checking them."""
    weights = state.array("weights", np.float64, (k,), low=0.0)
    if not 0.0 < weights.sum() < np.inf:
        raise state.error("weights", "do not add up to a weight")
    largest = LARGEST_SQUARABLE
    means = state.array("means", np.float64, (k, d), low=-largest, high=largest)
    pooled = covariance_of_state(state, "pooled", d)
    return LinearMoments(
        weights, means, None if pooled is None else PooledMoments(weights, means, pooled), covariance
    )


def covariance_of_state(state: State, name: str, d: int) -> NDArray[np.float64] | None:
    """Read a covariance of a model file; None where it has none of this name."""
    if name not in state:
        return None
    largest = (2.0 * LARGEST_SQUARABLE) ** 2
    covariance = state.array(name, np.float64, (d, d), low=-largest, high=largest)
    wrong = why_no_covariance(covariance)
    if wrong:
        raise state.error(name, wrong)
    return covariance
