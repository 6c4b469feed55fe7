"""The stage that fits a forest: margins, points on the cube and bins, trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boxwood import _core
from boxwood.columns import Columns
from boxwood.margins import Margins
from boxwood.threads import n_threads
from boxwood.tree.density.growth import encode_table, grow_options, leaf_options

__all__ = ["FittedForest", "ForestParameters", "fit_forest"]

CANDIDATES = (6.0, 10.0, 16.0, 30.0, 60.0, 120.0, 250.0, 1e18)
"""Values of ``min_samples_split`` that "auto" chooses from; the last makes every tree a single leaf."""


@dataclass(frozen=True)
class ForestParameters:
    """The parameters of `DensityForest` with its defaults, for stages that need a forest."""

    n_estimators: int = 100
    criterion: str = "product_likelihood"
    margins: str = "smooth"
    leaf: str = "histogram"
    splitter: str = "binned"
    max_samples: float = 0.8
    bootstrap: bool = False
    min_samples_split: float | str = "auto"
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_leaf: float = 1
    max_features: int | float | str | None = "half"
    max_candidates: int = 32
    random_splits: int = 10
    max_aspect: float | None = None
    uniformity_level: float | None = None
    min_gain: float | None = None
    mass_prior: float = 1.0
    n_bins: int = 16
    histogram_prior: float = 4.0
    n_jobs: int | None = None


@dataclass(frozen=True, eq=False)
class FittedForest:
    """What the stage leaves behind.

    Attributes
    ----------
    margins : Margins
    native : _core.FittedForest
        The mixture, importances and the chosen ``min_samples_split``.
    table : _core.BinnedTable
        The rows as the trees saw them.
    options : _core.ForestOptions
        With `table`, what tells which tree saw which row.
    """

    margins: Margins
    native: _core.FittedForest
    table: _core.BinnedTable
    options: _core.ForestOptions


def fit_forest(
    columns: Columns, parameters: Any, seed: int, progress: Callable[[int], None] | None = None
) -> FittedForest:
    """Fit margins and grow the trees of a forest.

    Parameters
    ----------
    columns : Columns
    parameters : DensityForest or ForestParameters
        Checked.
    seed : int
    progress : callable, optional
        Is told how many trees are done.
    """
    encoded = encode_table(columns, parameters.margins, parameters.splitter, parameters.n_jobs)
    margins, table = encoded.margins, encoded.native
    options = _forest_options(parameters, margins, seed)
    del encoded  # its points are made again when rows are scored, and growing trees takes most of the memory
    return FittedForest(margins, _core.fit_forest(table, options, progress), table, options)


def _forest_options(parameters: Any, margins: Margins, seed: int) -> _core.ForestOptions:
    options = _core.ForestOptions()
    options.n_trees = int(parameters.n_estimators)
    options.bootstrap = bool(parameters.bootstrap)
    options.max_samples = float(parameters.max_samples)
    options.n_threads = n_threads(parameters.n_jobs)
    options.seed = seed
    automatic = isinstance(parameters.min_samples_split, str)
    smallest = 2.0 if automatic else float(parameters.min_samples_split)
    options.grow = grow_options(parameters, len(margins.columns), smallest, 0)
    options.leaf = leaf_options(parameters, margins)
    if automatic:
        options.candidates = list(CANDIDATES)
    return options
