"""How many Gaussians, and of which scores: the search that rows left out decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.gaussian_scores import GaussianScores, begin_gaussians, independent_normals
from boxwood.boosting.normal_scores import log_derivative, normal_scores
from boxwood.boosting.standard_scores import StandardScores
from boxwood.boosting.weights import is_positive
from boxwood.columns import Columns
from boxwood.evidence import Evidence
from boxwood.margins import Margins

__all__ = ["FittedGaussians", "Split", "fit_gaussians", "refit_gaussians"]

NUMBERS = (1, 2, 3, 4, 6, 8, 12, 20, 30)
"""Of components; the search ends after `PATIENCE` of them that rows left out do not like better."""

INDEPENDENT = 0
"""The number that stands for one Gaussian of independent columns."""

PATIENCE = 3

PRIORS = (1.0, 0.1)
"""Rows a column that components have beside their own, to be tried with every number of them."""

N_PILOT = 3
"""Numbers that both kinds of scores try; the better kind goes on."""

N_ERRORS = 1.0
"""Standard errors that more components must gain: fewer are as good on new rows, or better."""

MOST_ROWS = 2_000
"""To search by; of larger tables trees know more, and one beginning and one prior must do."""

MOST_ROWS_IN_THE_END = 10_000

MOST_COLUMNS = 40

LEAST_ROWS_A_COLUMN = 5

MOST_INDEPENDENT_COLUMNS = 1024
"""Of independent columns: a model file keeps the square of their number."""

FAR_AWAY = 10.0
"""Deviations of a column from its outermost values to its bound, from which on no Gaussian notices it."""

N_STARTS, N_FIRST_STEPS = 3, 5
"""Beginnings of a mixture, and steps of expectation–maximisation that show which is the best."""

N_MORE_STEPS = 10
"""Of expectation–maximisation when rows that were held out are added."""

Points = NDArray[np.float64]


class Split(NamedTuple):
    """Rows to fit to, rows left out and the margins of the former."""

    train: Evidence
    held: Evidence
    margins: Margins

    def scores(self, standard: StandardScores | None, columns: Columns) -> tuple[Points, Points]:
        """Return scores of a table and the logarithm of their Jacobian."""
        if standard is not None:
            scores = standard.scores(columns)
            return scores, standard.log_derivative(scores)
        scores = normal_scores(self.margins.encode(columns))
        return scores, log_derivative(scores) + self.margins.log_derivative(columns)


class FittedGaussians(NamedTuple):
    """A mixture, and the log-densities of the rows left out of each split by one that has not seen them."""

    mixture: GaussianScores
    unseen: list[NDArray[np.float64]]


class _Task(NamedTuple):
    """Scores of a split."""

    standard: StandardScores | None
    scores: Points
    weights: NDArray[np.float64]
    held: Points
    held_derivative: NDArray[np.float64]
    held_weights: NDArray[np.float64]

    @classmethod
    def of(cls, split: Split, is_standard: bool, rng: np.random.Generator) -> _Task | None:
        standard = StandardScores.of(split.train.columns) if is_standard else None
        if is_standard and standard is None:
            return None
        some = _some_rows(split.train.columns, rng)
        scores, _ = split.scores(standard, some)
        held = split.scores(standard, split.held.columns)
        return cls(standard, scores, some.row_weights, *held, split.held.columns.row_weights)

    def fitted(self, k: int, prior_rows: float, rng: np.random.Generator) -> GaussianScores:
        if k == INDEPENDENT and self.standard is not None:
            return independent_normals(self.standard)
        rows = self.scores, self.weights
        begun = [
            begin_gaussians(*rows, k, rng, prior_rows).fitted(*rows, N_FIRST_STEPS)
            for _ in range(N_STARTS if k > 1 and len(self.scores) < MOST_ROWS else 1)
        ]
        best = max(begun, key=self._value)
        return replace(best.fitted(*rows), standard=self.standard)

    def _value(self, mixture: GaussianScores) -> float:
        return float(np.average(mixture.log_density_of_scores(self.scores), weights=self.weights))

    def unseen(self, mixture: GaussianScores) -> NDArray[np.float64]:
        return mixture.log_density_of_scores(self.held) + self.held_derivative


def fit_gaussians(whole: Split, folds: Sequence[Split], seed: int) -> FittedGaussians | None:
    """Fit mixtures of one Gaussian and more, of normal and of standard scores; rows left out choose one.

    Parameters
    ----------
    whole : Split
        Of continuous columns; the mixture is fitted to its rows to train on. One Gaussian where none are
        held out.
    folds : sequence of Split
        That leave out more rows to choose by; where there are none, those that `whole` leaves out choose.
    seed : int
        Of the rows that are fitted to where there are many, and of where components begin.

    Returns
    -------
    FittedGaussians or None
        None of tables with very many columns. Of those with fewer rows than covariances need the columns are
        independent, or there is none.
    """
    d = len(whole.margins.schema)
    is_wide = d > MOST_COLUMNS or whole.train.n_rows < LEAST_ROWS_A_COLUMN * d
    if d > MOST_INDEPENDENT_COLUMNS:
        return None
    rng = np.random.default_rng([seed, whole.train.n_rows])
    kinds = [is_standard for is_standard in _kinds(whole) if is_standard or not is_wide]
    begun = [_Search.of([whole, *folds], is_standard, rng) for is_standard in kinds]
    searches = [search for search in begun if search is not None]
    for search in searches:
        search.run_independent(rng)
        search.run(() if is_wide else NUMBERS[:N_PILOT], rng)
    tried = [search for search in searches if search.mixture is not None]
    if not tried:
        return None
    best = max(tried, key=lambda search: search.value)  # the first of equals
    best.run(() if is_wide else NUMBERS[N_PILOT:], rng)
    found = best.found(rng)
    if whole.train.n_rows <= MOST_ROWS:
        return found
    # What is weighed knows all rows: with 2,000 of 9,000 one Gaussian of 20 columns was 0.04 nats behind
    # itself, and networks took 0.4 of the weight.
    return found._replace(mixture=refit_gaussians(found.mixture, whole.train, whole.margins, seed))


def _kinds(split: Split) -> list[bool]:
    """Return which scores to try, normal or (True) standard: these of numbers whose bounds are far away."""
    kinds = [False] if len(split.margins.schema) > 1 else []
    return [*kinds, True] if split.margins.schema.all_numeric and _are_bounds_far(split.train) else kinds


def _are_bounds_far(rows: Evidence) -> bool:
    bounds = np.array([measure.bounds for measure in rows.discrete.measures])
    if np.isinf(bounds).all():
        return True
    standard = StandardScores.of(rows.columns)
    if standard is None:
        return False
    values = rows.columns.matrix()
    apart = np.minimum(values.min(axis=0) - bounds[:, 0], bounds[:, 1] - values.max(axis=0))
    return bool((apart > FAR_AWAY * standard.deviations).all())


class _Search:
    """The search for how many Gaussians of one kind of scores."""

    def __init__(self, tasks: list[_Task]) -> None:
        self.whole, self.leaving = tasks[0], tasks[1:] or tasks
        self.weights = np.concatenate([task.held_weights for task in self.leaving])
        self.n_worse = 0
        self.n_components = 1
        self.mixture: GaussianScores | None = None
        self.unseen: list[NDArray[np.float64]] = []

    @classmethod
    def of(cls, splits: Sequence[Split], is_standard: bool, rng: np.random.Generator) -> _Search | None:
        tasks = [_Task.of(split, is_standard, rng) for split in splits]
        known = [task for task in tasks if task is not None]
        return cls(known) if len(known) == len(tasks) else None

    @property
    def value(self) -> float:
        """What the best mixture makes of rows left out."""
        if not len(self.weights):
            return 0.0
        return float(np.average(np.concatenate(self.unseen), weights=self.weights))

    def run_independent(self, rng: np.random.Generator) -> None:
        """Try independent columns; of normal scores these are the margins, another part of the mixture."""
        if len(self.weights) and self.whole.standard is not None:
            self._try(INDEPENDENT, PRIORS[0], rng)

    def run(self, numbers: Sequence[int], rng: np.random.Generator) -> None:
        """Try further numbers of components."""
        n_least, d = min(len(task.scores) for task in self.leaving), self.whole.scores.shape[1]
        for k in numbers if len(self.weights) else [k for k in numbers if k == 1]:
            if self.n_worse == PATIENCE or (k > 1 and n_least < 2 * k * d):
                return
            self.n_worse += k > 1  # one Gaussian of a single column is the independent one
            for prior_rows in PRIORS if k > 1 and len(self.whole.scores) < MOST_ROWS else PRIORS[:1]:
                if self._try(k, prior_rows, rng):
                    self.n_worse = 0

    def _try(self, k: int, prior_rows: float, rng: np.random.Generator) -> bool:
        """Return whether rows left out like a number of components better than what was tried before."""
        fitted = [task.fitted(k, prior_rows, rng) for task in self.leaving]
        unseen = [task.unseen(mixture) for task, mixture in zip(self.leaving, fitted, strict=True)]
        better = self._are_better(unseen)
        if better:
            self.n_components, self.mixture, self.unseen = k, fitted[0], unseen
        return better

    def _are_better(self, unseen: list[NDArray[np.float64]]) -> bool:
        if self.mixture is None:
            return True
        gain = np.concatenate(unseen) - np.concatenate(self.unseen)
        return is_positive(gain, self.weights, N_ERRORS)

    def found(self, rng: np.random.Generator) -> FittedGaussians:
        """Return the best mixture that was tried, of the rows of the whole table."""
        assert self.mixture is not None
        if self.leaving[0] is self.whole:
            return FittedGaussians(self.mixture, self.unseen)
        mixture = self.whole.fitted(self.n_components, self.mixture.prior_rows, rng)
        return FittedGaussians(mixture, self.unseen)


def refit_gaussians(
    gaussians: GaussianScores, evidence: Evidence, margins: Margins, seed: int
) -> GaussianScores:
    """Return the mixture fitted to other rows."""
    rng = np.random.default_rng([seed, evidence.n_rows])
    some = _some_rows(evidence.columns, rng, MOST_ROWS_IN_THE_END)
    standard = None if gaussians.standard is None else StandardScores.of(evidence.columns)
    if gaussians.standard is not None and standard is None:
        return gaussians
    if gaussians.is_independent and standard is not None:
        return independent_normals(standard)
    scores, _ = Split(evidence, evidence, margins).scores(standard, some)
    return replace(gaussians, standard=standard).fitted(scores, some.row_weights, N_MORE_STEPS)


def _some_rows(columns: Columns, rng: np.random.Generator, most: int = MOST_ROWS) -> Columns:
    """Return so many rows at most."""
    return columns.take(np.sort(rng.permutation(columns.n_rows)[:most]))
