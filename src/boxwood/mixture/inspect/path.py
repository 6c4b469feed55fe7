"""The nodes that rows pass on their way to a leaf."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.mixture import Mixture
from boxwood.mixture.inspect.nodes import nodes_of_tree
from boxwood.mixture.inspect.number_cells import cells_between

__all__ = ["decision_paths"]


def decision_paths(mixture: Mixture, points: NDArray[np.float64]) -> tuple[Any, NDArray[np.int64]]:
    """Give an indicator of the nodes that each row passes, of all trees side by side.

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

    cells = np.column_stack([cells_between(u, points[:, j]) for j, (u, _) in enumerate(mixture.knots)])
    n_nodes = 2 * mixture.native.n_leaves() - 1
    start = np.concatenate([[0], np.cumsum(n_nodes)])
    passed = [_passed(mixture, tree, cells) for tree in range(mixture.n_trees)]
    rows = np.concatenate([rows for rows, _ in passed])
    nodes = np.concatenate([nodes + start[tree] for tree, (_, nodes) in enumerate(passed)])
    order = np.lexsort((nodes, rows))
    ends = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(points)))])
    ones = np.ones(len(rows), dtype=np.int64)
    return csr_matrix((ones, nodes[order], ends), shape=(len(points), int(start[-1]))), start


def _passed(
    mixture: Mixture, tree: int, cells: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the pairs of row and node of one tree."""
    nodes = nodes_of_tree(mixture, tree)
    categorical = np.array([is_set for _, is_set in mixture.knots])
    rows, at = np.arange(len(cells)), np.zeros(len(cells), dtype=np.int64)
    pairs = [(rows, at)]
    while len(rows):  # one step down for all rows that have not come to a leaf
        feature = nodes.feature[at]
        rows, at, feature = (values[feature >= 0] for values in (rows, at, feature))
        left = nodes.goes_left(at, cells[rows, feature], categorical[feature])
        at = nodes.left[at] + ~left
        pairs.append((rows, at))
    return np.concatenate([rows for rows, _ in pairs]), np.concatenate([node for _, node in pairs])
