"""The stage that fits a forest: margins, points on the cube and bins, trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.evidence import Evidence, without_single_categories
from boxwood.margins import Margins
from boxwood.parameters import fill_options
from boxwood.parameters.options import pack_options
from boxwood.threads import n_threads
from boxwood.tree.density.growth import EncodedTable, encode_table, grow_options, leaf_options
from boxwood.tree.density.levels import ForestInLevels
from boxwood.tree.density.parameters import FOREST, GROWTH
from boxwood.tree.density.ranges import ForestInRanges
from boxwood.tree.elsewhere import TravellingTable, TreeRunner, tree_runner
from boxwood.tree.levels.rounds import RowsTogetherError

__all__ = ["FittedForest", "ForestParameters", "fit_forest"]

CANDIDATES = (6.0, 10.0, 16.0, 30.0, 60.0, 120.0, 250.0, 1e18)
"""Values of ``min_samples_split`` that "auto" chooses from; the last makes every tree a single leaf."""


@dataclass(frozen=True)
class ForestParameters:
    """The parameters of `DensityForest` with its defaults, for stages that need a forest."""

    _parameters: ClassVar = (*GROWTH, *FOREST)
    _usual_leaf: ClassVar = "histogram"

    n_estimators: int = 100
    criterion: str = "product_likelihood"
    margins: str = "smooth"
    leaf: str | None = None
    splitter: str = "binned"
    max_samples: float = 0.8
    bootstrap: bool = False
    min_samples_split: float | str = "auto"
    max_depth: int | None = None
    max_leaf_nodes: int | str | None = None
    leaf_factor: float | None = None
    min_samples_leaf: float = 1
    max_features: int | float | str | None = "half"
    max_candidates: int = 32
    random_splits: int | None = None
    max_aspect: float | None = None
    uniformity_level: float | None = None
    min_gain: float | None = None
    mass_prior: float = 1.0
    n_bins: int | None = None
    histogram_prior: float = 4.0
    missing: str = "event"
    n_jobs: int | None = None


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
    options = _forest_options(parameters, encoded, seed)
    missing = missing_values(parameters.missing)
    unseen = without_single_categories(evidence)  # as trees that have not seen them know the rows
    runner = tree_runner()
    if runner is not None and not encoded.rows.exact:  # trees that are cut exactly share their bin edges
        travelling = TravellingTable("BinnedTable", encoded.native_arguments, pack_options(options))
        forest, grown = _grow_elsewhere(runner, travelling, progress)
        none = (np.zeros(0), np.zeros(0))
        return FittedForest(
            margins, *grown, *(forest.score(margins, grown[0], unseen, missing.name) if score else none)
        )
    del encoded  # growing trees takes most of the memory, and the points are not needed any more
    arrays = unseen.arrays()
    fitted = _core.fit_table_forest(margins.native, arrays, table, options, missing, progress, score)
    return FittedForest(margins, *fitted)


def _grow_elsewhere(
    runner: TreeRunner, table: TravellingTable, progress: Callable[[int], None] | None
) -> tuple[ForestInLevels | ForestInRanges, tuple[_core.Mixture, NDArray[np.float64], float]]:
    """Grow by levels where the runner says so and the trees allow it, else tree by tree."""
    graph = runner.by_levels(table.n_bytes)
    if graph is not None:
        try:
            by_levels = ForestInLevels(graph, table)
            return by_levels, by_levels.grow(progress)
        except RowsTogetherError as reason:
            runner.refuse_levels(str(reason))
    in_ranges = ForestInRanges(runner, table)
    return in_ranges, in_ranges.grow(progress)


def missing_values(missing: str) -> _core.MissingValues:
    """Return what the core calls an estimator's ``missing``."""
    return _core.MissingValues.event if missing == "event" else _core.MissingValues.marginal


def _forest_options(parameters: Any, table: EncodedTable, seed: int) -> _core.DensityForestOptions:
    automatic = isinstance(parameters.min_samples_split, str)
    smallest = 2.0 if automatic else float(parameters.min_samples_split)
    return fill_options(
        _core.DensityForestOptions(),
        parameters,
        n_trees=int(parameters.n_estimators),
        n_threads=n_threads(parameters.n_jobs),
        seed=seed,
        grow=grow_options(parameters, len(table.bin_edges), table.evidence.n, smallest, 0),
        leaf=leaf_options(parameters, table),
        candidates=list(CANDIDATES) if automatic else [],
    )
