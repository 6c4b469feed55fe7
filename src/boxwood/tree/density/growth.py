"""From parameters to the core's options: what trees and forests share."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.binning import choose_bin_edges, find_bins, is_continuous
from boxwood.columns import Columns
from boxwood.margins import Margins, NumberMargin, fit_margins
from boxwood.margins.summary import weight_unit
from boxwood.parameters import fill_options
from boxwood.randomness import seed_of

__all__ = [
    "EncodedTable",
    "encode_table",
    "features_a_node",
    "grow_options",
    "leaf_options",
    "seed_for",
]

EXACT_ROWS = 10_000
"""Up to so many rows ``splitter="auto"`` is exact."""


@dataclass(eq=False)
class EncodedTable:
    """A table on the unit cube: margins, points and what the core grows on."""

    margins: Margins
    points: NDArray[np.float64]
    weights: NDArray[np.float64] | None
    bin_edges: list[tuple[NDArray[np.float64], bool]]
    bins: NDArray[np.uint16]
    exact: bool

    @cached_property
    def native(self) -> _core.BinnedTable:
        """The table as the core reads it."""
        return self.reweighted(self.weights)

    def reweighted(self, weights: NDArray[np.float64] | None) -> _core.BinnedTable:
        """Return the table with other weights of its rows; 0 leaves a row out."""
        return _core.BinnedTable(self.bin_edges, self.bins, self.points if self.exact else None, weights)


def encode_table(columns: Columns, kind: str, splitter: str, n_jobs: int | None = None) -> EncodedTable:
    """Fit margins and put the rows on the cube."""
    margins = fit_margins(columns, kind, n_jobs)
    points = margins.encode(columns, n_jobs)
    weights = _whole_multiples(columns.weights)
    bin_edges = choose_bin_edges(margins, points, weights, kind)
    exact = _is_exact(splitter, columns.total_weight, margins)
    if exact:
        bin_edges = [
            (u, True) if categorical else (np.array([0.0, 1.0]), False) for u, categorical in bin_edges
        ]
    return EncodedTable(margins, points, weights, bin_edges, find_bins(bin_edges, points), exact)


def _is_exact(splitter: str, n_rows: float, margins: Margins) -> bool:
    """Return whether ordered columns are cut between any two values, or at their bin edges.

    A cut inside the interval of an atom, of an integer or of missing values would part a value from
    itself, and its density would no longer be that of its interval. Where a column has any, all are cut
    at bin edges, which leave these intervals whole.
    """
    wanted = splitter == "exact" or (splitter == "auto" and n_rows <= EXACT_ROWS)
    ordered = [margin for margin in margins.columns if isinstance(margin, NumberMargin)]
    return wanted and all(is_continuous(margin) for margin in ordered)


def _whole_multiples(weights: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Return weights as multiples of a power of two, so that their sums do not depend on the order."""
    if weights is None:
        return None
    unit = weight_unit(float(weights.max()))
    return np.rint(weights / unit) * unit


def seed_for(estimator: Any) -> int:
    """Return the seed of an estimator's ``random_state`` as the core takes it."""
    return seed_of(estimator.random_state) % 2**64


def grow_options(estimator: Any, n_columns: int, min_samples_split: float, seed: int) -> _core.GrowOptions:
    """Return the core's options of growth."""
    return fill_options(
        _core.GrowOptions(),
        estimator,
        criterion=getattr(_core.CriterionKind, estimator.criterion),
        best_first=estimator.max_leaf_nodes is not None,
        min_samples_split=float(min_samples_split),
        min_gain=_smallest_gain(estimator),
        max_features=features_a_node(estimator, n_columns),
        random_splits=int(estimator.random_splits) if estimator.splitter == "random" else 0,
        seed=seed,
    )


def leaf_options(estimator: Any, margins: Margins) -> _core.LeafOptions:
    """Return the core's options of leaves.

    Gaussian leaves are level along columns of atoms, integers or missing values: the density of such a
    value is that of its whole interval, but a Gaussian is evaluated at the middle.
    """
    return fill_options(
        _core.LeafOptions(),
        estimator,
        kind=getattr(_core.LeafKind, estimator.leaf),
        n_leaf_bins=int(estimator.n_bins),
        level_columns=[
            j
            for j, margin in enumerate(margins.columns)
            if isinstance(margin, NumberMargin) and not is_continuous(margin)
        ],
    )


def _smallest_gain(estimator: Any) -> float:
    if estimator.min_gain is not None:
        return float(estimator.min_gain)
    # The leave-one-out error alone can get worse by a split; by all other criteria growth goes on, since
    # a split that gains nothing may make way for one that does, and pruning follows.
    return 0.0 if estimator.criterion == "loo" else -math.inf


def features_a_node(estimator: Any, n_columns: int) -> int:
    """Return the number of columns tried at a node; 0 for all of them."""
    wanted = estimator.max_features
    if wanted is None:
        return 0
    if wanted == "sqrt":
        return max(1, round(math.sqrt(n_columns)))
    if wanted == "half":
        return min(8, (n_columns + 1) // 2)
    if not isinstance(wanted, numbers.Integral):
        return max(1, round(float(wanted) * n_columns))
    return min(int(wanted), n_columns)
