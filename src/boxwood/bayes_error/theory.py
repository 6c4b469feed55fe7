"""Cover and Hart's bounds: what the 1-NN error says of the Bayes error, and the other way round."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood.parameters import shown

__all__ = ["LocalErrors", "bayes_range", "local_errors", "nn_error_bounds"]


def nn_error_bounds(bayes_error: float, n_classes: int = 2, n_neighbors: int = 1) -> tuple[float, float]:
    """Bound the error of K-NN with infinitely many rows by the Bayes error.

    For one neighbour (Cover and Hart) ε* ≤ ε ≤ ε*·(2 − R/(R − 1)·ε*), with R classes. For K of them
    ε ≤ ε* + ε₁/√(c·K), ε₁ the bound for one, c = 4 for two classes and an odd K, else 1.

    Parameters
    ----------
    bayes_error : float
        ε*, from 0 to (R − 1)/R.
    n_classes : int, default=2
        How many classes there are.
    n_neighbors : int, default=1
        Of how many neighbours the error is known.

    Returns
    -------
    lower, upper : float

    Examples
    --------
    >>> low, high = nn_error_bounds(0.2)
    >>> round(low, 4), round(high, 4)
    (0.2, 0.32)
    """
    worst = _worst_error(n_classes)
    error = float(bayes_error)
    if not 0.0 <= error <= worst + 1e-12:
        raise ValueError(
            f"bayes_error must lie between 0 and {worst:g}, the error of guessing among {n_classes} classes; "
            f"got {shown(bayes_error)}."
        )
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors must be positive; got {n_neighbors}.")
    one = error * (2.0 - error / worst)
    if n_neighbors == 1:
        return error, one
    c = 4.0 if n_classes == 2 and n_neighbors % 2 == 1 else 1.0
    return error, min(worst, error + one / math.sqrt(c * n_neighbors))


def bayes_range(nn_error: float, n_classes: int) -> tuple[float, float]:
    """Bound the Bayes error by the error of 1-NN with infinitely many rows.

    Examples
    --------
    >>> low, high = bayes_range(0.32, 2)
    >>> round(low, 4), high
    (0.2, 0.32)
    """
    worst = _worst_error(n_classes)
    error = min(float(nn_error), worst)
    return worst * (1.0 - math.sqrt(max(0.0, 1.0 - error / worst))), error


def _worst_error(n_classes: int) -> float:
    if n_classes < 2:
        raise ValueError(f"n_classes must be at least 2; got {n_classes}.")
    return (n_classes - 1.0) / n_classes


class LocalErrors(NamedTuple):
    """Errors at each row: of the Bayes rule, and of 1-NN with infinitely many training rows.

    Attributes
    ----------
    bayes : ndarray of shape (n_samples,)
        1 less the probability of the most probable class.
    nearest : ndarray of shape (n_samples,)
        The probability that the row and its nearest neighbour are of different classes.

    Examples
    --------
    >>> import boxwood as bw
    >>> errors = bw.local_errors([[0.75, 0.25]])
    >>> errors.bayes, errors.nearest
    (array([0.25]), array([0.375]))
    """

    bayes: NDArray[np.float64]
    nearest: NDArray[np.float64]


def local_errors(probabilities: Any) -> LocalErrors:
    """Return the local errors that class probabilities imply.

    The Bayes rule errs with 1 − max p; 1-NN, whose neighbour has the same probabilities and an independent
    class, with 1 − Σp².

    Parameters
    ----------
    probabilities : array-like of shape (n_samples, n_classes)
        As any classifier's ``predict_proba`` gives them.

    Returns
    -------
    LocalErrors
        ``bayes`` and ``nearest``, of shape (n_samples,) each.

    Examples
    --------
    >>> errors = local_errors([[0.8, 0.2]])
    >>> errors.bayes.round(2), errors.nearest.round(2)
    (array([0.2]), array([0.32]))
    """
    fractions = np.asarray(probabilities, dtype=np.float64)
    if fractions.ndim != 2:
        raise ValueError(f"probabilities must be a table with one column a class; got {fractions.ndim}D.")
    wrong = ~((fractions >= 0.0).all(axis=1) & (np.abs(fractions.sum(axis=1) - 1.0) < 1e-6))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"probabilities, row {row}: {shown(fractions[row].tolist())} do not add up to 1.")
    return LocalErrors(1.0 - fractions.max(axis=1), 1.0 - (fractions**2).sum(axis=1))
