"""Scores of rows by trees that have not seen them, as if there were as many as a new row has."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["unseen_scores"]

Scores = NDArray[np.float64]


def unseen_scores(unseen: Scores, n_trees: int, weights: Scores | None) -> Scores:
    """Return log-densities on the cube by the trees that did not see a row; NaN where all did.

    The logarithm of a mean over m trees grows with m, and a new row has all trees. What halves and quarters
    of the trees say tells how much each doubling of their number adds, and by which factor that falls from
    one doubling to the next: ½ where trees differ little, 1 where the best of them decides.

    Parameters
    ----------
    unseen : ndarray of shape (n_rows, 4)
        How many trees did not see a row, and its log-density by them: all, by halves and by quarters.
    n_trees : int
        Of the forest.
    weights : ndarray of shape (n_rows,), optional

    Examples
    --------
    >>> unseen_scores(np.array([[20.0, -2.0, -2.5, -3.5]]), 80, None)
    array([-1.625])
    """
    number, scores, halves, quarters = unseen.T
    with np.errstate(invalid="ignore"):
        last, before = scores - halves, halves - quarters
    known = np.isfinite(last) & np.isfinite(before)
    if not known.any():
        return scores
    own = None if weights is None else weights[known]
    last_mean, before_mean = (float(np.average(gain[known], weights=own)) for gain in (last, before))
    factor = min(max(last_mean / before_mean, 0.5), 1.0) if before_mean > 0.0 else 0.5
    doublings = np.log2(np.maximum(n_trees / np.maximum(number, 1.0), 1.0))
    if factor < 1.0:
        doublings = factor * (1.0 - factor**doublings) / (1.0 - factor)
    return np.asarray(np.where(np.isnan(scores), np.nan, scores + last_mean * doublings))
