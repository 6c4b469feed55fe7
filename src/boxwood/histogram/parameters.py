"""Parameters that histograms, grids and their classifier share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from boxwood.evidence.support import SUPPORT
from boxwood.histogram.estimate import ESTIMATES
from boxwood.histogram.rules import SEARCHED
from boxwood.histogram.selection import check_candidates
from boxwood.histogram.spec import check_bins, is_one_bins
from boxwood.histogram.unseen import UNSEEN
from boxwood.parameters import Checked, Choice, Effect, Integer, Parameter, Unchecked, declare

__all__ = [
    "ALPHA",
    "AUTO",
    "BINNING",
    "BINS",
    "BY_BINS",
    "ESTIMATE",
    "GRID_BINS",
    "RANGE",
    "SEARCH",
    "SUPPORT_OF_BINS",
    "UNSEEN_VALUES",
    "WITH_PRIOR",
]


def _entries(estimator: Any) -> list[Any]:
    """Return the bins that are given for the columns. None is the default rule."""
    bins = estimator.bins
    if isinstance(bins, Mapping):
        return [*bins.values(), None]  # columns that are not named have the default
    return [bins] if is_one_bins(bins) else list(bins)


def _by_search(estimator: Any) -> bool:
    return any(one is None or (isinstance(one, str) and one in SEARCHED) for one in _entries(estimator))


def _by_cv(estimator: Any) -> bool:
    return any(isinstance(one, str) and one == "cv" for one in _entries(estimator))


def _by_range(estimator: Any) -> bool:
    return any(one is None or isinstance(one, int | np.integer | str) for one in _entries(estimator))


def _with_prior(estimator: Any) -> bool:
    by_likelihood = any(isinstance(one, str) and one == "loo_likelihood" for one in _entries(estimator))
    return estimator.estimate != "ml" or by_likelihood


def _by_bins(estimator: Any) -> bool:
    is_for_all = estimator.support is not None and not isinstance(estimator.support, Mapping)
    return not (is_for_all and isinstance(estimator.bins, str))


BY_BINS = Effect(_by_bins, "a column without a support, or a number of bins")

BY_SEARCH = Effect(_by_search, f"one of the rules {', '.join(SEARCHED)} in bins")

BY_CV = Effect(_by_cv, 'bins="cv"')

BY_RANGE = Effect(_by_range, "a rule or a number in bins")

WITH_PRIOR = Effect(_with_prior, 'estimate="map" or "bayes", or bins="loo_likelihood"')

AUTO = "auto"
"""The default rule of grids."""


def _check_bins(where: str, bins: object) -> None:
    """Raise for what can be no bins; what is given column by column waits for the table."""
    if is_one_bins(bins) and not isinstance(bins, dict):
        check_bins(bins, where)


def _check_grid_bins(where: str, bins: object) -> None:
    if not (isinstance(bins, str) and bins == AUTO):
        _check_bins(where, bins)


BINS = Parameter(
    "bins",
    Checked("str, int, array of edges, or one of these per column", _check_bins),
    "The rule by which the width is chosen, the number of bins, or the edges. A list whose entries are not "
    "all numbers has one entry a column; a dictionary gives columns by name or position, and columns that it "
    "does not name are given the default.\n"
    "\n"
    '- "scott": width 3.49083·σ·N^(−1/3); "fd": 2·IQR·N^(−1/3), to the nearest integer of bins;\n'
    '- "shimazaki": least (2·mean − variance)/h² of the counts;\n'
    '- "loo": least leave-one-out integrated squared error;\n'
    '- "loo_likelihood": largest leave-one-out likelihood of the estimate (N_m + α − 1)/(N + Σα − B), '
    "whatever `estimate` is;\n"
    '- "cv": least K-fold integrated squared error.\n'
    "\n"
    "The last four give each value a bin of its own if the column lies on a lattice (whole numbers, or other "
    "equal steps) whose range has at most 3·N^(1/3) points: the faces of a die from nine throws on.",
)

GRID_BINS = BINS.but(
    "As in `Histogram`, and two rules for D columns together.\n"
    "\n"
    '- "scott": width 3.49083·σ·N^(−1/(2+D)), with fewer bins if the grid would be refused;\n'
    '- "auto": the same with at most one cell a row. A column on a lattice (whole numbers, or other equal '
    "steps) whose range has at most 3·N^(1/3) points has a bin for each value, if the rows can fill them.",
    Checked("str, int, array of edges, or one of these per column", _check_grid_bins),
)

ESTIMATE = Parameter(
    "estimate",
    Choice(*ESTIMATES),
    "A bin's probability: N_m/N, or with a Dirichlet prior its mode or its mean.",
)

ALPHA = Parameter(
    "alpha",
    Unchecked('float, array with one entry a bin, "loo", or a dictionary of these per column,') | None,
    'The Dirichlet prior\'s parameters: (N_m + α − 1)/(N + Σα − B) for the estimate "map", '
    '(N_m + α)/(N + Σα) for "bayes". The rule "loo_likelihood" judges bins by the former. Without it 2.\n'
    "\n"
    'With "loo" (for the estimate "bayes") the leave-one-out likelihood chooses the prior\'s total. The bins '
    "share it by a Student's t distribution with the rows' mean and variance, which the prior then keeps. "
    'The rule "loo_likelihood" then chooses the number of bins together with the total.',
)

RANGE = Parameter(
    "range",
    Unchecked("(low, high), or one per column,") | None,
    "What bins made by a number or a rule span; without it the column's own range.",
    BY_RANGE,
)

UNSEEN_VALUES = Parameter(
    "unseen",
    Choice(*UNSEEN),
    "What a value has that lies in no bin with rows, or in a category that the fitted table did not have: "
    'density 0, of which a score warns; or, with "smooth", a part of the probability that a new row is such '
    "a one, (n₁ + 1)/(n + 2) with n₁ the number of bins with one row. Among numbers that is spread by a tail "
    "that reaches any distance.",
)

SEARCH = declare(
    Parameter(
        "candidates",
        Checked("int or array of int", check_candidates) | None,
        "How many numbers of bins (from 1 to the lesser of N and 10·√N) a rule compares, or which. "
        "Without it 200.",
        BY_SEARCH,
    ),
    Parameter(
        "n_origins",
        Integer(1, 1000),
        "How many places of the first edge, within one width, a rule compares for each number of bins.",
        BY_SEARCH,
    ),
    Parameter("n_folds", Integer(2) | None, "Folds of the held-out errors. None is 5.", BY_CV),
)
"""How rules that compare bins look for them."""

SUPPORT_OF_BINS = SUPPORT.but(SUPPORT.sentence + " Every listed value has a bin of its own.")

BINNING = declare(
    BINS.but(effect=BY_BINS), ESTIMATE, ALPHA.but(effect=WITH_PRIOR), RANGE, SUPPORT_OF_BINS, UNSEEN_VALUES
)
"""What a histogram is made of."""
