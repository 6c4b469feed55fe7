"""How many Gaussians, and of which scores: the search that rows left out decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.gaussian_scores import GaussianScores, begin_gaussians
from boxwood.boosting.normal_scores import log_derivative, normal_scores
from boxwood.boosting.standard_scores import StandardScores
from boxwood.boosting.weights import is_positive
from boxwood.columns import Columns
from boxwood.evidence import Evidence
from boxwood.margins import Margins

__all__ = ["FittedGaussians", "Split", "fit_gaussians", "refit_gaussians"]

NUMBERS = (1, 2, 3, 4, 6, 8, 12, 20, 30)
"""Of components; the search ends after `PATIENCE` of them that rows left out do not like better."""

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
        None of tables with fewer rows than covariances need, or with very many columns.
    """
    d = len(whole.margins.schema)
    if d > MOST_COLUMNS or whole.train.n_rows < LEAST_ROWS_A_COLUMN * d:
        return None
    rng = np.random.default_rng([seed, whole.train.n_rows])
    searches = [_Search.of([whole, *folds], is_standard, rng) for is_standard in _kinds(whole)]
    found = [search for search in searches if search is not None]
    for search in found:
        search.run(NUMBERS[:N_PILOT], rng)
    if not found:
        return None
    best = max(found, key=lambda search: search.value)  # the first of equals
    best.run(NUMBERS[N_PILOT:], rng)
    return best.found(rng)


def _kinds(split: Split) -> list[bool]:
    """Return which scores to try, normal or (True) standard: these of numbers that nothing bounds."""
    measures = split.train.discrete.measures
    unbounded = all(np.isinf(measure.bounds).all() for measure in measures)
    kinds = [False] if len(measures) > 1 else []
    return [*kinds, True] if unbounded and split.margins.schema.all_numeric else kinds


class _Search:
    """The search for how many Gaussians of one kind of scores."""

    def __init__(self, tasks: list[_Task]) -> None:
        self.whole, self.leaving = tasks[0], tasks[1:] or tasks
        self.weights = np.concatenate([task.held_weights for task in self.leaving])
        self.n_worse = 0
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

    def run(self, numbers: Sequence[int], rng: np.random.Generator) -> None:
        """Try further numbers of components."""
        n_least, d = min(len(task.scores) for task in self.leaving), self.whole.scores.shape[1]
        for k in numbers if len(self.weights) else [k for k in numbers if k == 1]:
            if self.n_worse == PATIENCE or (k > 1 and n_least < 2 * k * d):
                return
            self.n_worse += 1
            for prior_rows in PRIORS if k > 1 and len(self.whole.scores) < MOST_ROWS else PRIORS[:1]:
                if self._try(k, prior_rows, rng):
                    self.n_worse = 0

    def _try(self, k: int, prior_rows: float, rng: np.random.Generator) -> bool:
        """Return whether rows left out like a number of components better than what was tried before."""
        fitted = [task.fitted(k, prior_rows, rng) for task in self.leaving]
        unseen = [task.unseen(mixture) for task, mixture in zip(self.leaving, fitted, strict=True)]
        better = self._are_better(unseen)
        if better:
            self.mixture, self.unseen = fitted[0], unseen
        return better

    def _are_better(self, unseen: list[NDArray[np.float64]]) -> bool:
        if self.mixture is None:
            return True
        gain = np.concatenate(unseen) - np.concatenate(self.unseen)
        return is_positive(gain, self.weights, N_ERRORS)

    def found(self, rng: np.random.Generator) -> FittedGaussians | None:
        """Return the best mixture, of the rows of the whole table."""
        if self.mixture is None or self.leaving[0] is self.whole:
            return None if self.mixture is None else FittedGaussians(self.mixture, self.unseen)
        n_components, prior_rows = len(self.mixture.fractions), self.mixture.prior_rows
        return FittedGaussians(self.whole.fitted(n_components, prior_rows, rng), self.unseen)


def refit_gaussians(
    gaussians: GaussianScores, evidence: Evidence, margins: Margins, seed: int
) -> GaussianScores:
    """Return the mixture fitted to further rows, those held out among them."""
    rng = np.random.default_rng([seed, evidence.n_rows])
    some = _some_rows(evidence.columns, rng, MOST_ROWS_IN_THE_END)
    standard = None if gaussians.standard is None else StandardScores.of(evidence.columns)
    scores, _ = Split(evidence, evidence, margins).scores(standard, some)
    return replace(gaussians, standard=standard).fitted(scores, some.row_weights, N_MORE_STEPS)


def _some_rows(columns: Columns, rng: np.random.Generator, most: int = MOST_ROWS) -> Columns:
    """Return so many rows at most."""
    return columns.take(np.sort(rng.permutation(columns.n_rows)[:most]))
