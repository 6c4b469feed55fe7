"""From counts to probabilities: maximum likelihood, maximum a posteriori, posterior mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["ESTIMATES", "masses", "masses_left_out", "smallest_alpha", "standard_errors"]

ESTIMATES = ("ml", "map", "bayes")

Alpha = float | NDArray[np.float64]


def masses(
    counts: NDArray[np.float64], widths: NDArray[np.float64], estimate: str, alpha: Alpha
) -> NDArray[np.float64]:
    """Return the probability of each bin.

    Parameters
    ----------
    counts : ndarray of shape (n_bins,)
    widths : ndarray of shape (n_bins,)
        Where nothing was counted, and the prior adds nothing, a bin's probability is its fraction of these.
    estimate : {"ml", "map", "bayes"}
    alpha : float or ndarray of shape (n_bins,)
        Parameters of the Dirichlet prior; "ml" has none.

    Examples
    --------
    >>> counts, widths = np.array([3.0, 1.0]), np.ones(2)
    >>> masses(counts, widths, "ml", 2.0), masses(counts, widths, "bayes", 2.0)
    (array([0.75, 0.25]), array([0.625, 0.375]))
    """
    raised = counts + _virtual(estimate, alpha)
    total = raised.sum()
    return raised / total if total > 0.0 else widths / widths.sum()


def masses_left_out(
    counts: NDArray[np.float64],
    widths: NDArray[np.float64],
    estimate: str,
    alpha: Alpha,
    as_new: bool = False,
) -> NDArray[np.float64]:
    """Return the probability that each bin would have if one row of it had not been there.

    With `as_new` the row still counts in the total.
    """
    virtual = _virtual(estimate, alpha)
    total = counts.sum() - (0.0 if as_new else 1.0) + np.broadcast_to(virtual, counts.shape).sum()
    if total <= 0.0:
        return widths / widths.sum()
    return np.maximum(counts - 1.0 + virtual, 0.0) / total


def standard_errors(mass: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    """Return the binomial standard error of each probability, √(P(1 − P)/N); NaN without rows."""
    if total <= 0.0:
        return np.full(len(mass), np.nan)
    return np.sqrt(mass * (1.0 - mass) / total)


def smallest_alpha(estimate: str) -> float:
    """Return the least parameter of the prior: below 1 the mode lies outside the probabilities."""
    return 1.0 if estimate == "map" else 0.0


def _virtual(estimate: str, alpha: Alpha) -> Alpha:
    """Return the rows that the prior adds to each bin."""
    return {"ml": 0.0, "map": alpha - 1.0, "bayes": alpha}[estimate]
