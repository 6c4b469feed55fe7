"""Rules for the width of bins, and the scores that others minimise.

N is the weight of all rows, h the width, counts those of all bins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.histogram.estimate import masses_left_out
from boxwood.histogram.sorted_sample import SortedSample

__all__ = [
    "RULES",
    "SEARCHED",
    "Scoring",
    "cv_error",
    "left_out_loss",
    "loo_error",
    "shimazaki_cost",
    "width_of",
]

SCOTT = 3.49083
"""(24·√π)^(1/3)."""

SEARCHED = ("shimazaki", "loo", "loo_likelihood", "cv")
"""Rules that compare candidates; the others are formulas."""

RULES = ("scott", "fd", *SEARCHED)


@dataclass(frozen=True)
class Scoring:
    """Parameters that scores use besides the counts.

    Attributes
    ----------
    alpha : float
        α of the smoothed estimate (N_m + α − 1)/(N + Bα − B), which the leave-one-out likelihood uses,
        whatever estimate the heights have. With maximum likelihood instead, a bin of one row would have
        density 0 without that row, and far too few bins would be chosen. α up to 1 does not smooth.
    """

    alpha: float = 2.0


def width_of(rule: str, sample: SortedSample) -> float:
    """Return the width of a formula; 0 where the column has no spread that it sees.

    Freedman and Diaconis's rule sees none where half of the rows share a value: then Scott's stands in.
    """
    root = float(np.cbrt(sample.total))
    if rule == "fd":
        width = 2.0 * (sample.quantile(0.75) - sample.quantile(0.25)) / root
        if width > 0.0:
            return width
    return SCOTT * sample.standard_deviation() / root


def loo_error(counts: NDArray[np.float64], h: float, scoring: Scoring | None = None) -> float:
    """Return the leave-one-out estimate of the integrated squared error, up to a constant."""
    n = counts.sum()
    fractions = counts / n
    return float((2.0 - (n + 1.0) * (fractions @ fractions)) / ((n - 1.0) * h))


def shimazaki_cost(counts: NDArray[np.float64], h: float, scoring: Scoring | None = None) -> float:
    """Return Shimazaki and Shinomoto's cost (2·mean − variance)/h² of the counts."""
    return float((2.0 * counts.mean() - counts.var()) / h / h)  # h² may overflow


def loo_loss(counts: NDArray[np.float64], h: float, scoring: Scoring) -> float:
    """Return minus the leave-one-out log-likelihood."""
    held = counts > 0.0
    left = masses_left_out(counts, np.ones(len(counts)), "map", max(scoring.alpha, 1.0))[held]
    with np.errstate(divide="ignore"):
        return float(-(counts[held] @ np.log(left)) + counts.sum() * np.log(h))


def left_out_loss(sample: SortedSample, edges: NDArray[np.float64]) -> float:
    """Return minus the leave-one-out log-likelihood of bins of equal width, with one row more in each bin.

    It tells whether a comb of heaped points is known well enough to pay: a squared error likes any comb.
    """
    low, high, n_bins = float(edges[0]), float(edges[-1]), len(edges) - 1
    return loo_loss(sample.counts(low, high, n_bins), (high - low) / n_bins, Scoring(2.0))


def cv_error(folds: list[NDArray[np.float64]], h: float) -> float:
    """Return the mean error of the folds, each predicted from all others; infinite without any."""
    if not folds:
        return np.inf
    total = np.sum(folds, axis=0)
    errors = []
    for held_out in folds:
        rest = total - held_out
        fractions, tested = rest / rest.sum(), held_out / held_out.sum()
        errors.append(float(fractions @ fractions - 2.0 * (fractions @ tested)) / h)
    return float(np.mean(errors))


SCORES: dict[str, Callable[[NDArray[np.float64], float, Scoring], float]] = {
    "shimazaki": shimazaki_cost,
    "loo": loo_error,
    "loo_likelihood": loo_loss,
}
