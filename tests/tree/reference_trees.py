"""A slow walk over flat arrays: boxes as plain lists of intervals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Knots = list[tuple[np.ndarray, bool]]


@dataclass
class SlowNode:
    """A node with its box: the cells of each column that belong to it."""

    number: int
    feature: int
    mass: float
    count: float
    cells: list[list[int]]
    leaf: int = -1
    depth: int = 0
    left_cells: list[int] = field(default_factory=list)
    children: tuple[int, int] = (-1, -1)

    def contains(self, cells: np.ndarray) -> np.ndarray:
        """Flags of the rows (of cells) that lie in the box."""
        inside = np.ones(len(cells), dtype=bool)
        for j, mine in enumerate(self.cells):
            inside &= np.isin(cells[:, j], mine)
        return inside

    def width(self, knots: Knots, j: int) -> float:
        u = knots[j][0]
        return float(sum(u[c + 1] - u[c] for c in self.cells[j]))

    def volume(self, knots: Knots) -> float:
        return float(np.prod([self.width(knots, j) for j in range(len(knots))]))


def walk_trees(flat: dict[str, Any], knots: Knots) -> list[dict[int, SlowNode]]:
    """The nodes of every tree by their numbers."""
    trees = []
    for t in range(len(flat["node_start"]) - 1):
        first, last = int(flat["node_start"][t]), int(flat["node_start"][t + 1])
        trees.append(_walk_tree(flat, knots, t, first, last))
    return trees


def _walk_tree(flat: dict[str, Any], knots: Knots, t: int, first: int, last: int) -> dict[int, SlowNode]:
    feature = flat["feature"][first:last]
    leaf_number = np.cumsum(feature < 0) - 1
    whole = [list(range(len(u) - 1)) for u, _ in knots]
    nodes: dict[int, SlowNode] = {}
    open_nodes = [(0, whole, 0)]
    while open_nodes:
        i, cells, depth = open_nodes.pop()
        node = SlowNode(
            i, int(feature[i]), float(flat["mass"][first + i]), float(flat["count"][first + i]), cells
        )
        node.depth = depth
        nodes[i] = node
        if node.feature < 0:
            node.leaf = int(leaf_number[i])
            continue
        j = node.feature
        cut = int(flat["cut"][first + i])
        if knots[j][1]:
            word = int(flat["set_start"][t]) + cut * int(flat["words_per_set"])
            node.left_cells = [c for c in cells[j] if int(flat["sets"][word + c // 64]) >> (c % 64) & 1]
        else:
            node.left_cells = [c for c in cells[j] if c < cut]
        left = int(flat["left"][first + i])
        node.children = (left, left + 1)
        for side, child in enumerate(node.children):
            part = [c for c in cells[j] if (c in node.left_cells) == (side == 0)]
            open_nodes.append((child, [part if k == j else cells[k] for k in range(len(knots))], depth + 1))
    return nodes


def leaves_of(nodes: dict[int, SlowNode]) -> list[SlowNode]:
    return sorted((node for node in nodes.values() if node.feature < 0), key=lambda node: node.leaf)


def cells_of_points(knots: Knots, points: np.ndarray) -> np.ndarray:
    """Cells by a plain search."""
    cells = np.empty(points.shape, dtype=int)
    for j, (u, _) in enumerate(knots):
        cells[:, j] = np.clip(np.searchsorted(u, points[:, j], side="right") - 1, 0, len(u) - 2)
    return cells
