"""Balls of any norm: their volume, and points inside them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

__all__ = ["draw_in_balls", "log_ball_volume"]


def log_ball_volume(n_dims: int, p: float = 2.0) -> float:
    """Return the logarithm of the volume of the unit ball of Minkowski's norm; finite in any dimension.

    Examples
    --------
    >>> round(math.exp(log_ball_volume(2)), 5), math.exp(log_ball_volume(3, math.inf))
    (3.14159, 7.999999999999998)
    >>> round(log_ball_volume(500), 1)
    -847.9
    """
    if math.isinf(p):
        return n_dims * math.log(2.0)
    return float(n_dims * (math.log(2.0) + gammaln(1.0 / p + 1.0)) - gammaln(n_dims / p + 1.0))


def draw_in_balls(
    centres: NDArray[np.float64], radii: NDArray[np.float64], p: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw a point uniformly from each ball.

    For a finite p: coordinates of density ∝ exp(−|x|^p) and one more exponential variable, all divided by
    the p-th root of their sum (Barthe et al. 2005).
    """
    shape = centres.shape
    if math.isinf(p):
        return centres + radii[:, None] * rng.uniform(-1.0, 1.0, shape)
    powers = rng.gamma(1.0 / p, size=shape)
    total = powers.sum(axis=1, keepdims=True) + rng.exponential(size=(len(centres), 1))
    signs = rng.choice([-1.0, 1.0], size=shape)
    return centres + radii[:, None] * signs * (powers / total) ** (1.0 / p)
