"""How much each neighbour counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["distance_weights", "frequencies"]


def distance_weights(distances: NDArray[np.float64], weights: Any) -> NDArray[np.float64] | None:
    """Return the weight of each neighbour by its distance; None where all count alike.

    Where a neighbour is at distance 0, "distance" leaves the others out.

    Examples
    --------
    >>> distance_weights(np.array([[1.0, 2.0], [0.0, 3.0]]), "distance")
    array([[1. , 0.5],
           [1. , 0. ]])
    """
    if weights in (None, "uniform"):
        return None
    if callable(weights):
        return np.asarray(weights(distances), dtype=np.float64)
    with np.errstate(divide="ignore"):
        inverse = 1.0 / distances
    exact = np.isinf(inverse)
    return np.where(exact.any(axis=1, keepdims=True), exact.astype(np.float64), inverse)


def frequencies(weights: NDArray[np.float64], places: float) -> NDArray[np.float64]:
    """Return how many of the places each neighbour takes, where one of weight 2 stands there twice.

    Parameters
    ----------
    weights : ndarray of shape (n_queries, k)
        Of the neighbours, nearest first.
    places : float
        K; the last neighbour takes what is left.

    Examples
    --------
    >>> frequencies(np.array([[1.0, 2.0, 1.0]]), 2)
    array([[1., 1., 0.]])
    """
    before = np.cumsum(weights, axis=1) - weights
    return np.minimum(weights, (places - before).clip(min=0.0))
