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
from boxwood.evidence.weights import whole_multiples
from boxwood.margins import Margins, NumberMargin, fit_margins
from boxwood.parameters import check_choice, check_integer, check_number, shown
from boxwood.randomness import seed_of

__all__ = [
    "EncodedTable",
    "check_growth",
    "check_jobs",
    "check_max_features",
    "encode_table",
    "features_a_node",
    "grow_options",
    "leaf_options",
    "seed_for",
]

CRITERIA = (
    "log_likelihood",
    "loo",
    "squared_error",
    "nonuniformity",
    "gaussian_entropy",
    "product_likelihood",
)
LEAVES = ("uniform", "histogram", "gaussian")
MARGINS = ("linear", "smooth")
SPLITTERS = ("auto", "exact", "binned", "random")
EXACT_ROWS = 10_000
"""Up to so many rows ``splitter="auto"`` is exact."""
MOST = 2**31 - 1
"""What the core takes for "as many as you like"."""


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
    weights = whole_multiples(columns)
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


def check_growth(estimator: Any) -> None:
    """Check the parameters that trees and forests share."""
    check_choice(estimator, "criterion", CRITERIA)
    check_choice(estimator, "leaf", LEAVES)
    check_choice(estimator, "margins", MARGINS)
    check_choice(estimator, "splitter", SPLITTERS)
    for name in ("max_depth", "max_leaf_nodes"):
        if getattr(estimator, name) is not None:
            check_integer(estimator, name, 1)
    check_number(estimator, "min_samples_leaf", 0.0)
    check_number(estimator, "mass_prior", 0.0)
    check_number(estimator, "histogram_prior", 0.0, open_low=True)
    check_integer(estimator, "n_bins", 1, 256)
    check_integer(estimator, "max_candidates", 2, 1024)
    check_integer(estimator, "random_splits", 1, 1024)
    if estimator.max_aspect is not None:
        check_number(estimator, "max_aspect", 1.0)
    if estimator.uniformity_level is not None:
        check_number(estimator, "uniformity_level", 0.0, 1.0)
    if estimator.min_gain is not None:
        check_number(estimator, "min_gain")
    check_max_features(estimator)
    check_jobs(estimator)


def check_jobs(estimator: Any) -> None:
    """Check ``n_jobs``."""
    if estimator.n_jobs is not None:
        check_integer(estimator, "n_jobs", -MOST, MOST)
        if estimator.n_jobs == 0:
            raise ValueError(f"{type(estimator).__name__}: n_jobs must not be 0.")


def check_max_features(estimator: Any) -> None:
    """Check ``max_features``."""
    wanted = estimator.max_features
    if wanted is None or isinstance(wanted, str):
        check_choice(estimator, "max_features", [None, "sqrt", "half"])
    elif isinstance(wanted, numbers.Real) and not isinstance(wanted, numbers.Integral):
        check_number(estimator, "max_features", 0.0, 1.0, open_low=True)
    else:
        check_integer(estimator, "max_features", 1)


def seed_for(estimator: Any) -> int:
    """Return the seed of an estimator's ``random_state`` as the core takes it."""
    try:
        return seed_of(estimator.random_state) % 2**64
    except (TypeError, ValueError) as error:
        what = shown(estimator.random_state)
        raise type(error)(f"{type(estimator).__name__}: random_state cannot be {what}: {error}") from None


def grow_options(estimator: Any, n_columns: int, min_samples_split: float, seed: int) -> _core.GrowOptions:
    """Return the core's options of growth."""
    options = _core.GrowOptions()
    options.criterion = getattr(_core.CriterionKind, estimator.criterion)
    options.best_first = estimator.max_leaf_nodes is not None
    if estimator.max_depth is not None:
        options.max_depth = min(int(estimator.max_depth), MOST)
    if estimator.max_leaf_nodes is not None:
        options.max_leaf_nodes = min(int(estimator.max_leaf_nodes), MOST)
    options.min_samples_split = float(min_samples_split)
    options.min_samples_leaf = float(estimator.min_samples_leaf)
    options.min_gain = _smallest_gain(estimator)
    options.max_aspect = math.inf if estimator.max_aspect is None else float(estimator.max_aspect)
    options.uniformity_level = float(estimator.uniformity_level or 0.0)
    options.max_features = features_a_node(estimator, n_columns)
    options.max_candidates = int(estimator.max_candidates)
    options.random_splits = int(estimator.random_splits) if estimator.splitter == "random" else 0
    options.seed = seed
    return options


def leaf_options(estimator: Any, margins: Margins) -> _core.LeafOptions:
    """Return the core's options of leaves.

    Gaussian leaves are level along columns of atoms, integers or missing values: the density of such a
    value is that of its whole interval, but a Gaussian is evaluated at the middle.
    """
    options = _core.LeafOptions()
    options.kind = getattr(_core.LeafKind, estimator.leaf)
    options.mass_prior = float(estimator.mass_prior)
    options.n_leaf_bins = int(estimator.n_bins)
    options.histogram_prior = float(estimator.histogram_prior)
    options.level_columns = [
        j
        for j, margin in enumerate(margins.columns)
        if isinstance(margin, NumberMargin) and not is_continuous(margin)
    ]
    return options


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
