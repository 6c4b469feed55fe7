"""Parameters of density forests: their defaults for stages that need one, and the core's options of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from boxwood import _core
from boxwood.parameters import fill_options
from boxwood.tree.density.growth import grow_options, leaf_options
from boxwood.tree.density.parameters import FOREST, GROWTH

__all__ = ["CANDIDATES", "ForestParameters", "forest_options"]

CANDIDATES = (6.0, 10.0, 16.0, 30.0, 60.0, 120.0, 250.0, 1e18)
"""Values of ``min_samples_split`` that "auto" chooses from; the last makes every tree a single leaf."""


@dataclass(frozen=True)
class ForestParameters:
    """The parameters of `DensityForest` with its defaults, for stages that need a forest."""

    _parameters: ClassVar = (*GROWTH, *FOREST)

    n_estimators: int = 100
    criterion: str = "product_likelihood"
    margins: str = "smooth"
    leaf: str = "histogram"
    splitter: str = "binned"
    max_samples: float = 0.8
    bootstrap: bool = False
    min_samples_split: float | str = "auto"
    max_depth: int | None = None
    max_leaf_nodes: int | str | None = None
    leaf_factor: float = 1.0
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
    missing: str = "event"
    n_jobs: int | None = None


def forest_options(
    parameters: Any,
    n_columns: int,
    constant_columns: Sequence[int],
    n_rows: float,
    seed: int,
    n_threads: int,
) -> _core.DensityForestOptions:
    """Return the core's options of a forest on rows of a total weight."""
    automatic = isinstance(parameters.min_samples_split, str)
    smallest = 2.0 if automatic else float(parameters.min_samples_split)
    return fill_options(
        _core.DensityForestOptions(),
        parameters,
        n_trees=int(parameters.n_estimators),
        n_threads=n_threads,
        seed=seed,
        grow=grow_options(parameters, n_columns, n_rows, smallest, 0),
        leaf=leaf_options(parameters, constant_columns),
        candidates=list(CANDIDATES) if automatic else [],
    )
