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
from boxwood.binning import BinnedRows, bin_rows
from boxwood.binning.bin_edges import ColumnBinEdges
from boxwood.evidence import Evidence
from boxwood.margins import Margins, fit_margins
from boxwood.parameters import fill_options
from boxwood.randomness import seed_of
from boxwood.tree.density.parameters import leaf_kind
from boxwood.tree.density.unseen_categories import RowsToGrow, UnseenCategories
from boxwood.tree.leaf_bound import most_leaves

__all__ = [
    "EncodedTable",
    "encode_table",
    "features_a_node",
    "grow_options",
    "leaf_options",
    "seed_for",
]

EXACT_ROWS = 10_000
"""Largest number of rows for which ``splitter="auto"`` is exact."""

LEAF_BINS = 16
"""Bins of histogram leaves if no number is given."""

RANDOM_SPLITS = 10
"""Cuts per column that the random splitter tries if no number is given."""


@dataclass(eq=False)
class EncodedTable:
    """A table on the unit cube: margins, points and what the core grows on."""

    margins: Margins
    rows: BinnedRows
    evidence: Evidence
    unseen: UnseenCategories

    @property
    def points(self) -> NDArray[np.float64]:
        """The rows' points of the cube."""
        return self.rows.points

    @property
    def bin_edges(self) -> list[ColumnBinEdges]:
        """Bin edges of each column, and whether its bins are categories."""
        return self.rows.bin_edges

    @cached_property
    def native(self) -> _core.BinnedTable:
        """The table as the core reads it."""
        return _core.BinnedTable(*self.native_arguments)

    @property
    def native_arguments(self) -> tuple[Any, ...]:
        """What the core makes its table of."""
        return self._arguments(self.evidence.columns.weights, self.evidence.observations.astype(np.float64))

    def reweighted(self, weights: NDArray[np.float64]) -> _core.BinnedTable:
        """Return the table with other weights of its rows, as many observations less; 0 leaves a row out."""
        evidence = self.evidence
        left = np.rint(evidence.observations * (weights / evidence.weights))
        return _core.BinnedTable(*self._arguments(weights, np.maximum(left, 1.0)))

    def _arguments(
        self, weights: NDArray[np.float64] | None, observations: NDArray[np.float64]
    ) -> tuple[Any, ...]:
        rows = self.rows
        points = rows.points if rows.exact else None
        grown_on = RowsToGrow(rows.bins, points, weights, observations, self.evidence.groups)
        return (rows.bin_edges, *self.unseen.extended(grown_on, self.evidence.keys))


def encode_table(evidence: Evidence, kind: str, splitter: str, n_jobs: int | None = None) -> EncodedTable:
    """Fit margins and put the rows on the cube."""
    columns = evidence.columns
    margins = fit_margins(columns, kind, n_jobs)
    exact = splitter == "exact" or (splitter == "auto" and evidence.n <= EXACT_ROWS)
    rows = bin_rows(margins, columns, columns.weights, kind, exact, n_jobs)
    return EncodedTable(margins, rows, evidence, UnseenCategories.of_table(margins, rows, columns))


def seed_for(estimator: Any) -> int:
    """Return the seed of an estimator's ``random_state`` as the core takes it."""
    return seed_of(estimator.random_state) % 2**64


def grow_options(
    estimator: Any, n_columns: int, n_rows: float, min_samples_split: float, seed: int
) -> _core.GrowOptions:
    """Return the core's options of growth on rows of a total weight."""
    leaves = most_leaves(estimator, n_rows)
    return fill_options(
        _core.GrowOptions(),
        estimator,
        criterion=getattr(_core.CriterionKind, estimator.criterion),
        best_first=leaves is not None,
        **({} if leaves is None else {"max_leaf_nodes": leaves}),
        min_samples_split=float(min_samples_split),
        min_gain=_smallest_gain(estimator),
        max_features=features_a_node(estimator, n_columns),
        random_splits=_random_splits(estimator),
        seed=seed,
    )


def leaf_options(estimator: Any, table: EncodedTable) -> _core.LeafOptions:
    """Return the core's options of leaves.

    Gaussian leaves are constant along columns of atoms, integers or missing values: the density of such a
    value is that of its whole interval, but a Gaussian is evaluated at the middle.
    """
    margins = table.margins
    columns = enumerate(zip(margins.schema.fields, margins.continuous, strict=True))
    return fill_options(
        _core.LeafOptions(),
        estimator,
        kind=getattr(_core.LeafKind, leaf_kind(estimator)),
        n_leaf_bins=LEAF_BINS if estimator.n_bins is None else int(estimator.n_bins),
        constant_columns=[j for j, (field, continuous) in columns if field.kind.is_number and not continuous],
        unseen_bins=table.unseen.bins,
    )


def _random_splits(estimator: Any) -> int:
    if estimator.splitter != "random":
        return 0
    return RANDOM_SPLITS if estimator.random_splits is None else int(estimator.random_splits)


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
