"""The nodes of one tree of a mixture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boxwood.mixture import Mixture
from boxwood.parameters import shown

__all__ = ["TreeNodes", "checked_tree", "nodes_of_tree"]


@dataclass(frozen=True, eq=False)
class TreeNodes:
    """One tree as arrays over its nodes, a parent before its children.

    Attributes
    ----------
    feature : ndarray of int
        The column that a node cuts; −1 for a leaf.
    left : ndarray of int
        A node's left child; the right one follows it.
    cut : ndarray of int
        The bin from which on rows go right or, of categorical columns, the number of the set that goes
        left.
    mass, count : ndarray
        Probability of a node's box and weight of the rows in it.
    sets : ndarray of bool, shape (n_sets, n_cells)
        Bins of each set.
    """

    feature: NDArray[np.int64]
    left: NDArray[np.int64]
    cut: NDArray[np.int64]
    mass: NDArray[np.float64]
    count: NDArray[np.float64]
    sets: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.feature)

    @cached_property
    def leaves(self) -> NDArray[np.int64]:
        """The node of each leaf, in the order of the leaves' numbers."""
        return np.flatnonzero(self.feature < 0)

    @cached_property
    def parent(self) -> NDArray[np.int64]:
        """Each node's parent; −1 for the root."""
        parent = np.full(len(self), -1)
        inner = np.flatnonzero(self.feature >= 0)
        parent[self.left[inner]] = parent[self.left[inner] + 1] = inner
        return parent

    def goes_left(
        self, nodes: NDArray[np.int64], bins: NDArray[np.int64], categorical: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Return which bins go left, each at its own node; `categorical` tells it of the nodes' columns."""
        left = bins < self.cut[nodes]
        left[categorical] = self.sets[self.cut[nodes[categorical]], bins[categorical]]
        return left


def nodes_of_tree(mixture: Mixture, tree: int = 0) -> TreeNodes:
    """Return the nodes of one tree.

    Parameters
    ----------
    mixture : Mixture
    tree : int
        Its number, from 0 on.
    """
    flat = mixture.flat_tree(checked_tree(mixture, tree))
    return TreeNodes(
        flat["feature"].astype(np.int64),
        flat["left"].astype(np.int64),
        flat["cut"].astype(np.int64),
        flat["mass"],
        flat["count"],
        _flags(flat["sets"], int(flat["words_per_set"])),
    )


def checked_tree(mixture: Mixture, tree: int) -> int:
    """Return the number of a tree, or raise where there is none of that number."""
    if isinstance(tree, bool) or not isinstance(tree, int | np.integer) or not 0 <= tree < mixture.n_trees:
        raise ValueError(
            f"tree must be an integer from 0 to {mixture.n_trees - 1}, since there "
            f"{'is one tree' if mixture.n_trees == 1 else f'are {mixture.n_trees} trees'}; got {shown(tree)}."
        )
    return int(tree)


def _flags(words: NDArray[np.uint64], words_per_set: int) -> NDArray[np.bool_]:
    """Return sets of bits as rows of flags."""
    if not words_per_set:
        return np.zeros((0, 0), dtype=bool)
    little = words.reshape(-1, words_per_set).astype("<u8")
    return np.unpackbits(little.view(np.uint8), axis=1, bitorder="little").astype(bool)
