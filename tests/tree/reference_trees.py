"""Reference implementation of a walk over flat arrays: boxes as plain lists of intervals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

BinEdges = list[tuple[np.ndarray, bool]]


@dataclass
class ReferenceNode:
    """A node with its box: the bins of each column that belong to it."""

    number: int
    feature: int
    mass: float
    count: float
    bins: list[list[int]]
    leaf: int = -1
    depth: int = 0
    left_bins: list[int] = field(default_factory=list)
    children: tuple[int, int] = (-1, -1)

    def contains(self, bins: np.ndarray) -> np.ndarray:
        """Flags of the rows (of bins) that lie in the box."""
        inside = np.ones(len(bins), dtype=bool)
        for j, mine in enumerate(self.bins):
            inside &= np.isin(bins[:, j], mine)
        return inside

    def width(self, bin_edges: BinEdges, j: int) -> float:
        u = bin_edges[j][0]
        return float(sum(u[c + 1] - u[c] for c in self.bins[j]))

    def volume(self, bin_edges: BinEdges) -> float:
        return float(np.prod([self.width(bin_edges, j) for j in range(len(bin_edges))]))


def walk_trees(flat: dict[str, Any], bin_edges: BinEdges) -> list[dict[int, ReferenceNode]]:
    """The nodes of every tree by their numbers."""
    trees = []
    for t in range(len(flat["node_start"]) - 1):
        first, last = int(flat["node_start"][t]), int(flat["node_start"][t + 1])
        trees.append(_walk_tree(flat, bin_edges, t, first, last))
    return trees


def _walk_tree(
    flat: dict[str, Any], bin_edges: BinEdges, t: int, first: int, last: int
) -> dict[int, ReferenceNode]:
    feature = flat["feature"][first:last]
    leaf_number = np.cumsum(feature < 0) - 1
    integer = [list(range(len(u) - 1)) for u, _ in bin_edges]
    nodes: dict[int, ReferenceNode] = {}
    open_nodes = [(0, integer, 0)]
    while open_nodes:
        i, bins, depth = open_nodes.pop()
        node = ReferenceNode(
            i, int(feature[i]), float(flat["mass"][first + i]), float(flat["count"][first + i]), bins
        )
        node.depth = depth
        nodes[i] = node
        if node.feature < 0:
            node.leaf = int(leaf_number[i])
            continue
        j = node.feature
        cut = int(flat["cut"][first + i])
        if bin_edges[j][1]:
            word = int(flat["set_start"][t]) + cut * int(flat["words_per_set"])
            node.left_bins = [c for c in bins[j] if int(flat["sets"][word + c // 64]) >> (c % 64) & 1]
        else:
            node.left_bins = [c for c in bins[j] if c < cut]
        left = int(flat["left"][first + i])
        node.children = (left, left + 1)
        for side, child in enumerate(node.children):
            part = [c for c in bins[j] if (c in node.left_bins) == (side == 0)]
            open_nodes.append(
                (child, [part if k == j else bins[k] for k in range(len(bin_edges))], depth + 1)
            )
    return nodes


def leaves_of(nodes: dict[int, ReferenceNode]) -> list[ReferenceNode]:
    return sorted((node for node in nodes.values() if node.feature < 0), key=lambda node: node.leaf)


def bins_of_points(bin_edges: BinEdges, points: np.ndarray) -> np.ndarray:
    """Bins by a plain search."""
    bins = np.empty(points.shape, dtype=int)
    for j, (u, _) in enumerate(bin_edges):
        bins[:, j] = np.clip(np.searchsorted(u, points[:, j], side="right") - 1, 0, len(u) - 2)
    return bins
