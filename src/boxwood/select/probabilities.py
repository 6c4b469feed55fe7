"""Scores of class probabilities: log-loss, Brier score, calibration."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["SMALLEST_PROBABILITY", "brier_scores", "calibration_error", "log_losses"]

SMALLEST_PROBABILITY = float(np.finfo(np.float64).eps)
"""A class of probability zero counts as this likely in the log-loss, as scikit-learn has it: 36 nats."""

N_BINS = 10


def log_losses(probabilities: NDArray[np.float64], codes: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return −log of the probability that each row's own class was given."""
    own = probabilities[np.arange(len(codes)), codes]
    return -np.log(np.clip(own, SMALLEST_PROBABILITY, 1.0))


def brier_scores(probabilities: NDArray[np.float64], codes: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return Σ_k (p_k − [the class is k])² of each row: from 0 to 2."""
    truth = np.zeros_like(probabilities)
    truth[np.arange(len(codes)), codes] = 1.0
    return np.asarray(((probabilities - truth) ** 2).sum(axis=1), dtype=np.float64)


def calibration_error(
    probabilities: NDArray[np.float64],
    codes: NDArray[np.intp],
    weights: NDArray[np.float64] | None = None,
    n_bins: int = N_BINS,
) -> float:
    """Return how far the probability of the told class lies from how often it is right, on average.

    Rows are sorted by the probability of the most probable class into bins of equal weight; of each bin the
    mean probability is compared with the fraction of right answers, and the differences' sizes are averaged.
    Rows of equal probability share their answers, so that their order does not matter.

    Examples
    --------
    >>> sure = np.tile([0.9, 0.1], (10, 1))
    >>> half = np.repeat([0, 1], 5)
    >>> calibration_error(sure, half).__round__(3)  # told with 0.9, right in half of the cases
    0.4
    """
    predicted = probabilities.argmax(axis=1)
    confidence = probabilities[np.arange(len(predicted)), predicted]
    distinct, group = np.unique(confidence, return_inverse=True)
    w = np.ones(len(predicted)) if weights is None else weights
    weight = np.bincount(group, w, minlength=len(distinct))
    gap = np.bincount(group, w * (confidence - (predicted == codes)), minlength=len(distinct))
    # Bins end at weights total·b/n; a group that reaches across an end is parted in proportion.
    upper = np.concatenate([[0.0], np.cumsum(weight)])
    ends = np.linspace(0.0, upper[-1], n_bins + 1)
    summed = np.interp(ends, upper, np.concatenate([[0.0], np.cumsum(gap)]))
    return float(np.abs(np.diff(summed)).sum() / upper[-1])
