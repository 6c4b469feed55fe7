"""The nodes that rows pass on their way to a leaf."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.mixture import Mixture
from boxwood.mixture.inspect.nodes import nodes_of_tree
from boxwood.mixture.inspect.number_bins import bins_between_thresholds

__all__ = ["decision_paths"]


def decision_paths(mixture: Mixture, points: NDArray[np.float64]) -> tuple[Any, NDArray[np.int64]]:
    """Return an indicator of the nodes that each row passes, of all trees side by side.

    Parameters
    ----------
    mixture : Mixture
    points : ndarray of shape (n_rows, n_columns)
        Rows on the cube.

    Returns
    -------
    indicator : csr_matrix of shape (n_rows, n_nodes)
    n_nodes_ptr : ndarray of shape (n_trees + 1,)
        The columns of tree t are those from ``n_nodes_ptr[t]`` to ``n_nodes_ptr[t + 1]``.
    """
    from scipy.sparse import csr_matrix

    bins = np.column_stack(
        [bins_between_thresholds(u, points[:, j]) for j, (u, _) in enumerate(mixture.bin_edges)]
    )
    n_nodes = 2 * mixture.native.n_leaves() - 1
    start = np.concatenate([[0], np.cumsum(n_nodes)])
    passed = [_passed(mixture, tree, bins) for tree in range(mixture.n_trees)]
    rows = np.concatenate([rows for rows, _ in passed])
    nodes = np.concatenate([nodes + start[tree] for tree, (_, nodes) in enumerate(passed)])
    order = np.lexsort((nodes, rows))
    ends = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(points)))])
    ones = np.ones(len(rows), dtype=np.int64)
    return csr_matrix((ones, nodes[order], ends), shape=(len(points), int(start[-1]))), start


def _passed(
    mixture: Mixture, tree: int, bins: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of row and node of one tree."""
    nodes = nodes_of_tree(mixture, tree)
    categorical = np.array([is_set for _, is_set in mixture.bin_edges])
    rows, at = np.arange(len(bins)), np.zeros(len(bins), dtype=np.int64)
    pairs = [(rows, at)]
    while len(rows):  # one step down for all rows that have not come to a leaf
        feature = nodes.feature[at]
        rows, at, feature = (values[feature >= 0] for values in (rows, at, feature))
        left = nodes.goes_left(at, bins[rows, feature], categorical[feature])
        at = nodes.left[at] + ~left
        pairs.append((rows, at))
    return np.concatenate([rows for rows, _ in pairs]), np.concatenate([node for _, node in pairs])
