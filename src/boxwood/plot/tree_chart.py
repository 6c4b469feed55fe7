"""The chart of a tree itself: its cuts, and its leaves as boxes of their mass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.mixture.inspect import TreeBoxes
from boxwood.mixture.inspect.numbers import significant
from boxwood.mixture.inspect.text import cut_text, leaves_below

__all__ = ["TreeLayout", "draw_tree", "layout_of_tree"]


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """Where the nodes of a tree's top stand.

    Attributes
    ----------
    node : ndarray of int
        Numbers of the shown nodes.
    x, y : ndarray
        Ends of the tree stand side by side, one unit apart; a level lies one unit below the one above.
    text : list of str
        What a node asks of rows that go left; of an end its mass and what it stands for.
    is_end : ndarray of bool
        True for leaves and for what is shown in place of deeper parts.
    mass, lift : ndarray
    parent : ndarray of int
        Position of each node's parent in these arrays; −1 for the root.
    """

    node: NDArray[np.int64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    text: list[str]
    is_end: NDArray[np.bool_]
    mass: NDArray[np.float64]
    lift: NDArray[np.float64]
    parent: NDArray[np.int64]


def layout_of_tree(boxes: TreeBoxes, max_depth: int, decimals: int | None = None) -> TreeLayout:
    """Place the nodes of a tree down to a depth."""
    nodes, below = boxes.nodes, leaves_below(boxes)
    shown: list[int] = []
    parents: list[int] = []
    depths: list[int] = []
    ends: list[bool] = []
    open_nodes = [(0, 0, -1)]
    while open_nodes:
        node, depth, parent = open_nodes.pop()
        is_end = bool(nodes.feature[node] < 0 or depth >= max_depth)
        if not is_end:
            left = int(nodes.left[node])
            open_nodes += [(left + 1, depth + 1, len(shown)), (left, depth + 1, len(shown))]
        shown.append(node)
        parents.append(parent)
        depths.append(depth)
        ends.append(is_end)
    number = np.cumsum(nodes.feature < 0) - 1
    text = []
    for node, is_end in zip(shown, ends, strict=True):
        if not is_end:
            text.append(_wrapped(cut_text(boxes, int(nodes.left[node]), decimals)))
        else:
            name = f"leaf {number[node]}" if nodes.feature[node] < 0 else f"{below[node]} leaves"
            text.append(f"{name}\n{significant(100.0 * nodes.mass[node])}%")
    is_end_array = np.array(ends)
    return TreeLayout(
        np.array(shown),
        _across(np.array(parents), is_end_array),
        -np.array(depths, dtype=np.float64),
        text,
        is_end_array,
        nodes.mass[shown],
        (nodes.mass / boxes.fraction)[shown],
        np.array(parents),
    )


def draw_tree(axes: Any, layout: TreeLayout, cmap: Any) -> Any:
    """Draw a tree: lines, questions, and ends as boxes as high as their mass, coloured by their lift."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    for i in np.flatnonzero(layout.parent >= 0):
        p = layout.parent[i]
        axes.plot(layout.x[[p, i]], layout.y[[p, i]], color="0.6", linewidth=1.0, zorder=1)
    for i in np.flatnonzero(~layout.is_end):
        axes.text(
            layout.x[i],
            layout.y[i],
            layout.text[i],
            ha="center",
            va="center",
            fontsize="small",
            bbox={"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": "0.6"},
            zorder=2,
        )
    ends = np.flatnonzero(layout.is_end)
    heights = 0.06 + 0.44 * layout.mass[ends] / layout.mass[ends].max()
    patches = [
        Rectangle((layout.x[i] - 0.4, layout.y[i] - height), 0.8, height)
        for i, height in zip(ends, heights, strict=True)
    ]
    with np.errstate(divide="ignore"):
        colours = np.log(layout.lift[ends])
    drawn = PatchCollection(patches, cmap=cmap, edgecolor="0.3", linewidth=0.6, zorder=3)
    drawn.set_array(np.ma.masked_invalid(colours))
    axes.add_collection(drawn)
    for i, height in zip(ends, heights, strict=True):
        axes.text(
            layout.x[i],
            layout.y[i] - height - 0.04,
            layout.text[i],
            ha="center",
            va="top",
            fontsize="x-small",
        )
    axes.set_xlim(layout.x.min() - 0.7, layout.x.max() + 0.7)
    axes.set_ylim(layout.y.min() - 1.0, 0.4)
    axes.set_axis_off()
    return drawn


def _across(parent: NDArray[np.int64], is_end: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Place ends one unit apart, in their order, and every other node in the middle of its two."""
    x = np.where(is_end, np.cumsum(is_end) - 1.0, 0.0)
    for i in range(len(parent) - 1, 0, -1):  # children stand after their parents
        x[parent[i]] += 0.5 * x[i]
    return x


def _wrapped(text: str) -> str:
    """Break a long question before its comparison."""
    name, _, rest = text.partition(" ")
    return f"{name}\n{rest}" if len(text) > 14 else text
