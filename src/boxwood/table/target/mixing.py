"""Weights of a mixture of given densities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood import _core

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
    rows = np.ones(len(densities)) if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    return _core.mixture_weights(np.ascontiguousarray(densities.T, dtype=np.float64), rows, 0.0, N_STEPS)
