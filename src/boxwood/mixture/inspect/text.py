"""A tree as indented text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boxwood.mixture.inspect.boxes import TreeBoxes
from boxwood.mixture.inspect.conditions import condition
from boxwood.mixture.inspect.numbers import significant
from boxwood.parameters import checked_names

__all__ = ["cut_text", "leaves_below", "renamed_boxes", "tree_as_text"]

MOST_LABELS = 8
"""Categories that a line lists."""


def renamed_boxes(boxes: TreeBoxes, feature_names: Sequence[str] | None) -> TreeBoxes:
    """Return the boxes with other names of the columns."""
    if feature_names is None:
        return boxes
    names = checked_names("feature_names", feature_names, len(boxes.columns))
    columns = [
        replace(column, field=replace(column.field, name=name))
        for column, name in zip(boxes.columns, names, strict=True)
    ]
    return replace(boxes, columns=columns)


def tree_as_text(
    boxes: TreeBoxes, max_depth: int | None = None, decimals: int | None = None, spacing: int = 3
) -> str:
    """Write a tree line by line: a cut, then below it what lies on its side.

    Parameters
    ----------
    boxes : TreeBoxes
    max_depth : int, optional
        Cuts below this depth are not shown.
    decimals : int, optional
    spacing : int
        Width of the lines between levels.
    """
    nodes = boxes.nodes
    indent, branch = "|" + " " * spacing, "|" + "-" * spacing
    number = np.cumsum(nodes.feature < 0) - 1
    below = leaves_below(boxes)
    lines = [f"{_count(nodes.count[0])} in {_leaves(below[0])}"]
    open_nodes = [(0, 0)]
    while open_nodes:
        node, depth = open_nodes.pop()
        if node:
            lines.append(indent * (depth - 1) + f"{branch} {cut_text(boxes, node, decimals)}")
        if nodes.feature[node] < 0:
            lines.append(indent * depth + f"{branch} leaf {number[node]}: {_facts(boxes, node)}")
        elif max_depth is not None and depth >= max_depth:
            lines.append(indent * depth + f"{branch} {_leaves(below[node])}: {_facts(boxes, node)}")
        else:
            left = int(nodes.left[node])
            open_nodes += [(left + 1, depth + 1), (left, depth + 1)]
    return "\n".join(lines) + "\n"


def cut_text(boxes: TreeBoxes, node: int, decimals: int | None = None) -> str:
    """Describe what the last cut on the way to a node asks, and no more."""
    nodes = boxes.nodes
    parent = int(nodes.parent[node])
    j = int(nodes.feature[parent])
    bounds = "upper" if node == nodes.left[parent] else "lower"
    return condition(boxes.columns[j], boxes.parts[j][node], decimals, MOST_LABELS, bounds)


def leaves_below(boxes: TreeBoxes) -> NDArray[np.int64]:
    """Return the number of leaves below each node; 1 for a leaf."""
    nodes = boxes.nodes
    below = (nodes.feature < 0).astype(np.int64)
    for node in np.flatnonzero(nodes.feature >= 0)[::-1]:
        below[node] = below[nodes.left[node]] + below[nodes.left[node] + 1]
    return below


def _facts(boxes: TreeBoxes, node: int) -> str:
    mass, count = boxes.nodes.mass[node], boxes.nodes.count[node]
    density, lift = boxes.density[node], mass / boxes.fraction[node]
    # With tails a box has no finite volume: then it is told how much more it has than by the margins.
    height = f"density {significant(density)}" if density > 0.0 else f"lift {significant(lift)}"
    return f"mass {significant(mass)}, {height}, {_count(count)}"


def _count(count: float) -> str:
    text = f"{count:.0f}" if count == round(count) else f"{count:.2f}"
    return f"{text} row" if text == "1" else f"{text} rows"


def _leaves(n_leaves: int) -> str:
    return "1 leaf" if n_leaves == 1 else f"{n_leaves} leaves"
