"""Points of the cube as normal scores: where regressions and rotations work."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

__all__ = ["log_derivative", "normal_scores", "points_of_scores"]

NEAREST_TO_EDGE = 1e-15
"""Normal scores are taken no closer to 0 and 1 than this: ±7.9 deviations."""

LOG_ROOT_2PI = 0.5 * np.log(2.0 * np.pi)


def normal_scores(u: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the normal deviates that have these probabilities below them."""
    return np.asarray(ndtri(np.clip(u, NEAREST_TO_EDGE, 1.0 - NEAREST_TO_EDGE)), dtype=np.float64)


def points_of_scores(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points of the cube that have these scores, none beyond those that `normal_scores` gives."""
    return np.clip(ndtr(scores), NEAREST_TO_EDGE, 1.0 - NEAREST_TO_EDGE)


def log_derivative(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the Jacobian of `normal_scores` at each row, without columns that are NaN."""
    log_jacobian = np.zeros(len(scores))
    # Column by column: a sum along rows may add in another order where there is only one.
    for column in scores.T:
        log_jacobian += np.where(np.isnan(column), 0.0, 0.5 * column**2 + LOG_ROOT_2PI)
    return log_jacobian
