"""From parameters to the core's options: what trees and forests share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns
from boxwood.margins import Margins, fit_margins
from boxwood.margins.summary import weight_unit
from boxwood.mixture import choose_knots, find_cells
from boxwood.parameters import check_choice, check_integer, check_number

__all__ = ["EncodedTable", "check_growth", "encode_table", "grow_options", "leaf_options"]

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


@dataclass(frozen=True, eq=False)
class EncodedTable:
    """A table on the unit cube: margins, points and what the core grows on."""

    margins: Margins
    points: NDArray[np.float64]
    weights: NDArray[np.float64] | None
    knots: list[tuple[NDArray[np.float64], bool]]
    cells: NDArray[np.uint16]
    exact: bool

    def native(self, rows: NDArray[Any] | None = None) -> _core.TableOfCells:
        """Give the table, or some of its rows, as the core reads it."""
        chosen = slice(None) if rows is None else rows
        weights = None if self.weights is None else self.weights[chosen]
        points = self.points[chosen] if self.exact else None
        return _core.TableOfCells(self.knots, self.cells[chosen], points, weights)


def encode_table(columns: Columns, kind: str, splitter: str, n_jobs: int | None = None) -> EncodedTable:
    """Fit margins and put the rows on the cube."""
    margins = fit_margins(columns, kind)
    points = margins.encode(columns)
    weights = _whole_multiples(columns.weights)
    exact = splitter == "exact" or (splitter == "auto" and columns.n_rows <= EXACT_ROWS)
    if exact:
        knots = [
            _cells_of_categories(u, categorical)
            for u, categorical in choose_knots(margins, points, weights, kind)
        ]
    else:
        knots = choose_knots(margins, points, weights, kind)
    return EncodedTable(margins, points, weights, knots, find_cells(knots, points), exact)


def _cells_of_categories(u: NDArray[np.float64], categorical: bool) -> tuple[NDArray[np.float64], bool]:
    return (u, True) if categorical else (np.array([0.0, 1.0]), False)


def _whole_multiples(weights: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Give weights as multiples of a power of two, so that their sums do not depend on the order."""
    if weights is None:
        return None
    unit = weight_unit(float(weights.max()))
    return np.rint(weights / unit) * unit


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


def grow_options(estimator: Any, n_columns: int, min_samples_split: float, seed: int) -> _core.GrowOptions:
    """Give the core's options of growth."""
    options = _core.GrowOptions()
    options.criterion = getattr(_core.CriterionKind, estimator.criterion)
    options.best_first = estimator.max_leaf_nodes is not None
    if estimator.max_depth is not None:
        options.max_depth = int(estimator.max_depth)
    if estimator.max_leaf_nodes is not None:
        options.max_leaf_nodes = int(estimator.max_leaf_nodes)
    options.min_samples_split = float(min_samples_split)
    options.min_samples_leaf = float(estimator.min_samples_leaf)
    options.min_gain = _smallest_gain(estimator)
    options.max_aspect = math.inf if estimator.max_aspect is None else float(estimator.max_aspect)
    options.uniformity_level = float(estimator.uniformity_level or 0.0)
    options.max_features = _features_a_node(estimator, n_columns)
    options.max_candidates = int(estimator.max_candidates)
    options.random_splits = int(estimator.random_splits) if estimator.splitter == "random" else 0
    options.seed = seed
    return options


def leaf_options(estimator: Any) -> _core.LeafOptions:
    """Give the core's options of leaves."""
    options = _core.LeafOptions()
    options.kind = getattr(_core.LeafKind, estimator.leaf)
    options.mass_prior = float(estimator.mass_prior)
    options.n_bins = int(estimator.n_bins)
    options.histogram_prior = float(estimator.histogram_prior)
    return options


def _smallest_gain(estimator: Any) -> float:
    if estimator.min_gain is not None:
        return float(estimator.min_gain)
    # The leave-one-out error alone can get worse by a split; by all other criteria growth goes on, since
    # a split that gains nothing may make way for one that does, and pruning follows.
    return 0.0 if estimator.criterion == "loo" else -math.inf


def _features_a_node(estimator: Any, n_columns: int) -> int:
    """Give the number of columns tried at a node; 0 for all of them."""
    wanted = estimator.max_features
    if wanted is None:
        return 0
    if wanted == "sqrt":
        return max(1, round(math.sqrt(n_columns)))
    if wanted == "half":
        return min(8, (n_columns + 1) // 2)
    if isinstance(wanted, float):
        check_number(estimator, "max_features", 0.0, 1.0, open_low=True)
        return max(1, round(wanted * n_columns))
    if isinstance(wanted, str):
        check_choice(estimator, "max_features", [None, "sqrt", "half"])
    check_integer(estimator, "max_features", 1)
    return min(int(wanted), n_columns)
