"""Weights of a mixture of given densities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["mixture_weights"]

N_STEPS = 100

Numbers = NDArray[np.float64]


def mixture_weights(densities: Numbers, weights: Numbers | None = None) -> Numbers:
    """Return the weights of components with the largest likelihood, by expectation maximisation.

    Parameters
    ----------
    densities : ndarray of shape (n_rows, n_components)
        Of rows that no component has seen.
    weights : ndarray of shape (n_rows,), optional

    Examples
    --------
    >>> mixture_weights(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])).round(3)
    array([0.667, 0.333])
    """
    found = np.full(densities.shape[1], 1.0 / densities.shape[1])
    for _ in range(N_STEPS):
        fractions = densities * found
        fractions /= np.maximum(fractions.sum(axis=1, keepdims=True), 1e-300)
        found = np.average(fractions, axis=0, weights=weights)
        found /= found.sum()
    return found
