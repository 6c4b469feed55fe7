"""Which rows are odd: the oddest, or those that a false discovery rate allows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["discoveries", "oddest"]


def oddest(scores: NDArray[np.float64], n: int) -> NDArray[np.intp]:
    """Return the positions of the n lowest scores, lowest first.

    Examples
    --------
    >>> oddest(np.array([-1.0, -9.0, -3.0]), 2)
    array([1, 2])
    """
    return np.argsort(scores, kind="stable")[:n]


def discoveries(p_values: NDArray[np.float64], fdr: float) -> NDArray[np.intp]:
    """Return the positions of small p-values among which a fraction of at most `fdr` is expected to be false.

    By the step-up procedure of Benjamini and Hochberg (1995); smallest first.

    Examples
    --------
    >>> discoveries(np.array([0.9, 0.001, 0.04, 0.012]), 0.05)
    array([1, 3])
    """
    order = np.argsort(p_values, kind="stable")
    allowed = fdr * np.arange(1, len(order) + 1) / max(len(order), 1)
    below = np.flatnonzero(p_values[order] <= allowed)
    return order[: below[-1] + 1] if len(below) else order[:0]
