"""Which search finds the neighbours: by metric, size and dimension, and by trying."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.neighbors.approximate import ApproximateSearch
from boxwood.neighbors.metric import Metric
from boxwood.neighbors.pairwise import PairwiseSearch

__all__ = ["ALGORITHMS", "Search", "make_search"]

ALGORITHMS = ("auto", "kd_tree", "ball_tree", "brute", "ann")

_LARGEST_FRACTION = 0.1
"""Products beat the tree where a search looks at more of its leaves (measured: 0.11 for 8 columns)."""

_MOST_DIMS = 48
"""With more columns the tree is not even tried."""


class Search(Protocol):
    """What finds the nearest of some rows; ties by row number."""

    def __len__(self) -> int:
        """Return how many rows are left."""

    def remove(self, row: int) -> None:
        """Take a row out."""

    def query(
        self, queries: Any, k: int, n_threads: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return distances and row numbers of the k nearest rows of each query."""


def make_search(
    rows: Any, metric: Metric, algorithm: str, categorical: NDArray[np.uint8], partial: bool
) -> tuple[Search, str]:
    """Return a search of mapped rows, and the name of what it is.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_features) or CSR matrix
    metric : Metric
    algorithm : {"auto", "kd_tree", "ball_tree", "brute", "ann"}
    categorical : ndarray of shape (n_features,)
        1 for columns of codes, which differ by 1 or not at all.
    partial : bool
        True where rows or queries may have missing values.
    """
    if metric.norm is None or not isinstance(rows, np.ndarray):
        return PairwiseSearch(rows, metric), "pairwise"
    if partial or categorical.any():
        return _core.PartialScan(rows, categorical, metric.norm, metric.p), "partial"
    if algorithm == "ann":
        return ApproximateSearch(rows), "ann"
    if algorithm == "brute" and metric.norm == "euclidean":
        return _core.ProductSearch(rows), "products"
    if algorithm == "auto" and metric.norm == "euclidean" and rows.shape[1] > _MOST_DIMS:
        return _core.ProductSearch(rows), "products"
    tree = _core.KdTree(rows, metric.norm, metric.p)
    if algorithm == "auto" and metric.norm == "euclidean" and _is_slow(tree, rows.shape[1]):
        return _core.ProductSearch(rows), "products"
    return tree, "kd_tree"


def _is_slow(tree: _core.KdTree, n_dims: int) -> bool:
    """Return whether products would be faster, by a few searches; either way the answers are the same."""
    if n_dims < 4 or len(tree) < 2000:
        return False
    return tree.visited_fraction(16, 10) > _LARGEST_FRACTION
