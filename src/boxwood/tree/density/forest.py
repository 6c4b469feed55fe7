"""The stage that fits a forest: margins, points on the cube and bins, trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.evidence import Evidence, without_single_categories
from boxwood.margins import Margins
from boxwood.threads import n_threads
from boxwood.tree.density.forest_parameters import ForestParameters, forest_options
from boxwood.tree.density.growth import constant_columns, encode_table
from boxwood.tree.density.tree_ranges import RangeTask, fit_in_ranges, range_grower

__all__ = ["FittedForest", "ForestParameters", "fit_forest"]

@dataclass(frozen=True, eq=False)
class FittedForest:
    """What the stage leaves behind.

    Attributes
    ----------
    margins : Margins
    mixture : _core.Mixture
    gains : ndarray of shape (n_columns,)
        The sum of the gains of each column's splits.
    min_samples_split : float
        As given, or chosen.
    log_density : ndarray of shape (n_rows,)
        Of the distinct rows; empty where these were not to be scored.
    unseen : ndarray of shape (4 · n_rows,)
        How many trees did not see a row, and its log-density on the cube by these: all, by halves and by
        quarters (see `unseen_scores`).
    """

    margins: Margins
    mixture: _core.Mixture
    gains: NDArray[np.float64]
    min_samples_split: float
    log_density: NDArray[np.float64]
    unseen: NDArray[np.float64]


def fit_forest(
    evidence: Evidence,
    parameters: Any,
    seed: int,
    progress: Callable[[int], None] | None = None,
    *,
    score: bool = True,
) -> FittedForest:
    """Fit margins, grow the trees of a forest and score the training rows.

    Parameters
    ----------
    evidence : Evidence
    parameters : DensityForest or ForestParameters
        Checked.
    seed : int
    progress : callable, optional
        Called with how many trees are done.
    score : bool, default=True
        Whether the training rows are scored.
    """
    encoded = encode_table(evidence, parameters.margins, parameters.splitter, parameters.n_jobs)
    margins, table = encoded.margins, encoded.native
    constant = constant_columns(margins)
    threads = n_threads(parameters.n_jobs)
    options = forest_options(parameters, len(margins.schema), constant, evidence.n, seed, threads)
    missing = missing_values(parameters.missing)
    arrays = without_single_categories(evidence).arrays()  # as trees that have not seen them know the rows
    grower = range_grower()
    if grower is not None and not encoded.rows.exact:  # trees that are cut exactly share their bin edges
        task = RangeTask.of_forest(
            parameters, encoded.bin_edges, encoded.rows_to_grow, constant, evidence.n, seed
        )
        found = fit_in_ranges(grower, task, progress)
        none = np.zeros(0)
        scores = (none, none)
        if score:
            scores = _core.score_table_forest(margins.native, arrays, table, options, found[0], missing)
        return FittedForest(margins, *found, *scores)
    del encoded  # growing trees takes most of the memory, and the points are not needed any more
    fitted = _core.fit_table_forest(margins.native, arrays, table, options, missing, progress, score)
    return FittedForest(margins, *fitted)


def missing_values(missing: str) -> _core.MissingValues:
    """Return what the core calls an estimator's ``missing``."""
    return _core.MissingValues.event if missing == "event" else _core.MissingValues.marginal
