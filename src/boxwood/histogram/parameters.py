"""Parameters that histograms, grids and their classifier share."""

from __future__ import annotations

from boxwood.histogram.estimate import ESTIMATES
from boxwood.histogram.spec import check_bins, is_one_bins
from boxwood.histogram.unseen import UNSEEN
from boxwood.parameters import Checked, Choice, Parameter, Unchecked

__all__ = ["ALPHA", "BINS", "ESTIMATE", "RANGE", "UNSEEN_VALUES"]


def _check_bins(where: str, bins: object) -> None:
    """Raise for what can be no bins; what is given column by column waits for the table."""
    if is_one_bins(bins) and not isinstance(bins, dict):
        check_bins(bins, where)


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
)

UNSEEN_VALUES = Parameter(
    "unseen",
    Choice(*UNSEEN),
    "What a value has that lies in no bin with rows, or in a category that the fitted table did not have: "
    'density 0, of which a score warns; or, with "smooth", a part of the probability that a new row is such '
    "a one, (n₁ + 1)/(n + 2) with n₁ the number of bins with one row. Among numbers that is spread by a tail "
    "that reaches any distance.",
)
