"""Cross-fitting of small tables: rows of folds are scored by parts that have not seen them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.chain import Chain
from boxwood.boosting.fit_options import FitOptions
from boxwood.boosting.fit_steps import FitSteps
from boxwood.boosting.forest_part import ForestPart, fit_forest_part, without_forest
from boxwood.boosting.gaussian_search import FittedGaussians, Split
from boxwood.boosting.model import BoostedModel
from boxwood.boosting.training import hold_out
from boxwood.columns import Columns
from boxwood.evidence import Evidence, Fold, shuffled_folds, validation_fold

__all__ = [
    "FoldRows",
    "LeftOut",
    "WeighingRows",
    "cross_fitted_rows",
    "folds_of",
    "held_out_rows",
    "parts_of",
    "splits_of",
]

N_FOLDS = 5

FEWEST_ROWS = 20
"""That a table is worth. With fewer a fold has next to nothing to learn from. Of 24 to 64 rows a tenth weighs
by chance: 10 of 33 tables were behind their forest by more than 0.2 nats, 2 are by folds."""

MOST_CELLS, ENOUGH_ROWS = 4_000, 20_000
"""Distinct rows times columns up to which chains are grown once more for each fold, unless the table is worth
so many rows: a tenth of them weighs as well."""

FEW_ROWS, MOST_CELLS_OF_TWO, MOST_CELLS_OF_ONE = 1_000, 10_000, 40_000
"""Tables worth fewer rows leave out two folds up to so many cells, and then one. A tenth, by which networks
and chains ended, flatters these by up to 1.5 nats of 30 rows. On 24 tables of 300 rows and 14 to 91 columns
one fold weighs better than the tenth by 0.30 nats in the mean, two by 0.33, five by 0.35; each takes nearly
as long as the fit."""


class LeftOut(NamedTuple):
    """By given row the log-density under parts that have not seen it, and what of the row these left out.

    Of equal discrete rows some are left out and others are not: a row that is there ten times has a score
    nearly always, one that is alone seldom. The fractions make up for it.
    """

    log_density: NDArray[np.float64]
    fraction: NDArray[np.float64]


class WeighingRows(NamedTuple):
    """Rows that weigh the parts of a mixture.

    Attributes
    ----------
    columns : Columns
    logs : ndarray of shape (n_rows, n_parts)
        Their log-densities under each part.
    numbers : ndarray of int
        Which of the distinct rows of the table they are.
    groups : ndarray of int or None
        Numbers of the groups that were left out together, where there are any.
    """

    columns: Columns
    logs: NDArray[np.float64]
    numbers: NDArray[np.intp]
    groups: NDArray[np.intp] | None

    def by_row(self, scores: NDArray[np.float64], evidence: Evidence) -> LeftOut:
        """Return the score of each given row, a mean where several folds have it, and NaN where none has."""
        weights, n = self.columns.row_weights, evidence.n_rows
        total, weight = (np.bincount(self.numbers, of, n) for of in (scores * weights, weights))
        mean = np.divide(total, weight, out=np.full(n, np.nan), where=weight > 0.0)
        return LeftOut(*map(evidence.of_given_rows, (mean, weight / evidence.weights)))


class FoldRows(NamedTuple):
    """A table without a fold: rows to train on, rows to end by, and the rows left out."""

    train: Evidence
    held: Evidence
    left: Columns


def folds_of(evidence: Evidence, options: FitOptions) -> list[Fold]:
    """Return the folds of a small table that are left out in turn; none of others."""
    if evidence.n < FEWEST_ROWS or options.validation_fraction == 0.0:
        return []
    folds = shuffled_folds(evidence, N_FOLDS, options.seed)
    n_cells = evidence.n_rows * len(evidence.columns)
    if n_cells <= MOST_CELLS:
        return folds if evidence.n < ENOUGH_ROWS else []
    if evidence.n >= FEW_ROWS or n_cells > MOST_CELLS_OF_ONE:
        return []
    if evidence.groups is not None:  # which may be large: the folds that are nearest to a fifth
        folds = sorted(folds, key=lambda fold: abs(float(fold.held.sum()) - evidence.n / N_FOLDS))
    return folds[: 2 if n_cells <= MOST_CELLS_OF_TWO else 1]


def parts_of(evidence: Evidence, folds: list[Fold], options: FitOptions) -> list[FoldRows]:
    """Return the rows of each fold."""
    return [
        FoldRows(
            *hold_out(evidence.part(fold.train), options.validation_fraction, options.seed),
            evidence.part(fold.held).columns,
        )
        for fold in folds
    ]


def splits_of(evidence: Evidence, folds: list[Fold], options: FitOptions) -> list[Split]:
    """Return the folds' rows and their margins."""
    trained = [evidence.part(fold.train) for fold in folds]
    held = [evidence.part(fold.held) for fold in folds]
    return [Split(train, left, options.margins(train)) for train, left in zip(trained, held, strict=True)]


def held_out_rows(
    model: BoostedModel, part: ForestPart, evidence: Evidence, held: Evidence, options: FitOptions
) -> WeighingRows:
    """Return the rows held out of training, which chains stopped by."""
    [fold] = validation_fold(evidence, options.validation_fraction, options.seed)
    numbers = np.flatnonzero(fold.held > 0.0)
    unseen = None if part.unseen is None else part.unseen[numbers]
    logs = options.log_densities(model, held.columns, unseen)
    return WeighingRows(held.columns, logs, numbers, _groups_of(evidence, numbers))


def cross_fitted_rows(
    model: BoostedModel,
    part: ForestPart,
    gaussians: FittedGaussians | None,
    evidence: Evidence,
    folds: list[Fold],
    options: FitOptions,
) -> WeighingRows:
    """Return the rows of all folds, with log-densities by parts that have not seen them.

    Few held-out rows say little, and too much good of networks: the best of 90 passes is chosen by them. So
    chains are grown again without the rows of a fold; of those without others they stop by some.

    Parameters
    ----------
    model : BoostedModel
        Of the whole table, not yet weighed.
    part : ForestPart
        Its forest. Trees that have not seen a row score it where there are enough, forests of folds if not.
    gaussians : FittedGaussians or None
        Whose splits were the folds.
    evidence : Evidence
        All rows.
    folds : list of Fold
    options : FitOptions
    """
    rows = [np.flatnonzero(fold.held > 0.0) for fold in folds]
    logs = []
    for k, fold in enumerate(folds):
        held = evidence.part(fold.held).columns
        of_parts = _by_chains(model, held, evidence.part(fold.train), part.unseen is None, options)
        if gaussians is not None:
            of_parts.insert(len(model.chains), gaussians.unseen[k])
        if part.unseen is not None:
            of_forest = options.log_densities(model.of_forest(), held, part.unseen[rows[k]])
            of_parts.append(of_forest[:, 0])
        logs.append(np.column_stack(of_parts))
    weights = np.concatenate([fold.held[own] for fold, own in zip(folds, rows, strict=True)])
    numbers = np.concatenate(rows)
    columns = evidence.columns.without_weights().take(numbers).with_weights(weights)
    return WeighingRows(columns, np.concatenate(logs), numbers, _groups_of(evidence, numbers))


def _groups_of(evidence: Evidence, numbers: NDArray[np.intp]) -> NDArray[np.intp] | None:
    if evidence.groups is None:
        return None
    return np.unique(evidence.groups[numbers], return_inverse=True)[1]


def _by_chains(
    model: BoostedModel, held: Columns, rows: Evidence, with_forest: bool, options: FitOptions
) -> list[NDArray[np.float64]]:
    """Return the log-densities of a fold's rows under chains, and the forest, that are grown of the others.

    Chains that a pilot gave up there are scored as independent columns.
    """
    train, stop = hold_out(rows, options.validation_fraction, options.seed)
    margins = options.margins(train)
    chains = options.chains(train, stop, margins, FitSteps(None))
    part = without_forest(margins)
    if with_forest and model.forest is not None:
        part = fit_forest_part(
            margins,
            train,
            train,
            stop.part(np.zeros(stop.n_rows)),
            options.forest,
            options.seed,
            lambda *_: None,
        )
    other = BoostedModel.mix(
        margins,
        [*chains, Chain.of_no_trees(len(held))],
        None,
        part,
        model.dependencies,
        options.missing_values,
        options.seed,
    )
    logs = options.log_densities(other, held)
    number = {chain.seed: k for k, chain in enumerate(chains)}
    found = [logs[:, number.get(chain.seed, len(chains))] for chain in model.chains]
    return [*found, logs[:, -1]] if part.forest is not None else found
