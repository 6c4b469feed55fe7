"""The weights of a mixture of densities that are there already."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from boxwood import _core

__all__ = ["best_weights", "cross_fitted_weights", "evened", "is_positive", "mixed", "worth_keeping"]

PRIOR_ROWS = 1.0
"""What every component is given beside the held-out rows that it explains."""

LEAST_WEIGHT = 0.03
"""Components of less weight are left out: they cost time and explain nothing."""

SMALL_WEIGHT, LEAST_WORTH = 0.1, 0.005
"""A component of a small weight is left out, too, where the mixture loses fewer nats a row without it. Others
stay: components that are alike on few rows may differ on new ones, by 0.4 nats on 400 rows of categories."""


def best_weights(
    log_densities: NDArray[np.float64], weights: NDArray[np.float64] | None, n_steps: int = 1000
) -> NDArray[np.float64]:
    """Return the weights of a mixture that make held-out rows most likely (expectation–maximisation).

    Parameters
    ----------
    log_densities : ndarray of shape (n_rows, n_components)
    weights : ndarray of shape (n_rows,), optional
        Of the rows.
    n_steps : int, default=1000
        Steps of expectation–maximisation at most.

    Examples
    --------
    >>> best_weights(np.log([[0.9, 0.1]] * 98), None).round(2)
    array([0.99, 0.01])
    """
    n_rows, k = log_densities.shape
    highest = log_densities.max(axis=1, keepdims=True, initial=-np.inf)
    possible = highest[:, 0] > -np.inf  # rows that are impossible under all components say nothing
    rows = (np.ones(n_rows) if weights is None else weights)[possible]
    if not len(rows) or not k:
        return np.full(k, 1.0 / max(1, k))
    density = np.ascontiguousarray(np.exp(log_densities[possible] - highest[possible]).T)
    return _core.mixture_weights(density, rows, PRIOR_ROWS, n_steps)


def evened(weights: NDArray[np.float64], alike: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the weights with those of components that are alike half-way to their mean.

    Networks in other orders of the columns are alike before any row is seen, and what 500 held-out rows say
    of them is half chance: unseen rows of ten tables, two seeds each, gain from −0.004 to 0.004 nats by it
    (0.0002 in the mean), those of arms, whose networks are as good as each other, 0.001.

    Examples
    --------
    >>> evened(np.array([0.5, 0.1, 0.4]), np.array([True, True, False]))
    array([0.4, 0.2, 0.4])
    """
    mean = weights[..., alike].mean(axis=-1, keepdims=True) if alike.any() else 0.0
    return np.where(alike, 0.5 * (weights + mean), weights)


def cross_fitted_weights(
    log_densities: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    groups: NDArray[np.intp] | None = None,
) -> NDArray[np.float64]:
    """Return for each row the weights that the other half of the rows would choose: (n_rows, n_components).

    What rows score under these is free of the choice of weights. Rows of a group are in the same half.
    """
    found = np.empty_like(log_densities)
    half_of = (np.arange(len(found)) if groups is None else groups) % 2
    for half in (0, 1):
        others = half_of != half
        own = None if weights is None else weights[others]
        found[~others] = best_weights(log_densities[others], own)
    return found


def worth_keeping(
    log_densities: NDArray[np.float64], weights: NDArray[np.float64], of_rows: NDArray[np.float64] | None
) -> NDArray[np.bool_]:
    """Return which components a mixture needs: small ones of least worth are given up one by one."""
    kept = weights >= min(LEAST_WEIGHT, weights.max())

    def value(parts: NDArray[np.bool_]) -> float:
        found = mixed(log_densities[:, parts], weights[parts] / weights[parts].sum())
        return float(np.average(found, weights=of_rows))

    while (kept & (weights < SMALL_WEIGHT)).any() and kept.sum() > 1:
        small = np.flatnonzero(kept & (weights < SMALL_WEIGHT))
        without = [kept & (np.arange(len(kept)) != k) for k in small]
        best = max(without, key=value)
        if not value(best) > value(kept) - LEAST_WORTH:
            break
        kept = best
    return kept


def mixed(log_densities: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log-density of each row under a mixture."""
    if len(weights) == 1:
        return log_densities[:, 0].copy()
    return np.asarray(logsumexp(log_densities + np.log(weights), axis=1), dtype=np.float64)


def is_positive(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None, n_errors: float = 2.0
) -> bool:
    """Return whether the mean is above 0 by more than so many of its standard errors."""
    own = np.ones(len(values)) if weights is None else weights
    mean = np.average(values, weights=own)
    variance = np.average((values - mean) ** 2, weights=own) / own.sum()  # weights are frequencies
    return bool(mean > n_errors * np.sqrt(variance))
