"""The chart of a tree itself: its questions, and its leaves as boxes of their mass."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["DrawnTree", "TreeLayout", "draw_tree", "layout_of_tree"]

MOST_ENDS = 32
"""Ends of a tree that are drawn if no depth is given; a deeper part is one box."""

QUESTION_CHARACTERS, LEAF_CHARACTERS = 22, 14
"""Characters of a line of text; longer lines are broken."""

MOST_LINES = 5
"""Lines of a question; more end in an ellipsis."""

QUESTION_SIZE, LEAF_SIZE = 8.3, 7.0
"""Font sizes, in points."""

WIDE, HIGH = 0.62, 1.3
"""Width of a character and height of a line, as multiples of the font size."""

BOX = 0.42
"""Height of the highest leaf's box, in inches."""

GAP = 0.12
"""Inches between texts."""

SMALLEST = 3.0
"""Font size below which texts do not shrink, in points."""


@dataclass(frozen=True, eq=False)
class DrawnTree:
    """A tree of any kind, as it is drawn.

    Attributes
    ----------
    feature, left : ndarray of shape (n_nodes,)
        The column that a node cuts, negative for a leaf, and its left child; the right one follows it.
    mass : ndarray of shape (n_nodes,)
        Fraction of the rows, or probability.
    value : ndarray of shape (n_nodes,) or (n_nodes, n_classes)
        The value that gives a leaf its colour, or the fractions of the classes.
    label : str
        What the value is.
    question : callable
        The text of a node's question, which is true for rows that go left.
    facts : callable
        The text of a leaf, or of a deeper part that is one box.
    classes : list of str
        Names of the classes; empty of a tree without classes.
    """

    feature: NDArray[Any]
    left: NDArray[Any]
    mass: NDArray[np.float64]
    value: NDArray[np.float64]
    label: str
    question: Callable[[int], str]
    facts: Callable[[int], str]
    classes: tuple[str, ...] = ()

    @cached_property
    def n_leaves(self) -> NDArray[np.int64]:
        """The number of leaves below each node; 1 for a leaf."""
        below = (self.feature < 0).astype(np.int64)
        for node in np.flatnonzero(self.feature >= 0)[::-1]:  # children come after their parents
            below[node] = below[self.left[node]] + below[self.left[node] + 1]
        return below

    def depth_of(self, most_ends: int) -> int:
        """Return the largest depth (at least 1) that leaves at most `most_ends` ends if cut there."""
        level, depth = np.array([0]), 0
        n_ends = 1
        while (self.feature[level] >= 0).any():
            inner = level[self.feature[level] >= 0]
            n_ends += len(inner)
            if depth and n_ends > most_ends:
                return depth
            level, depth = np.concatenate([self.left[inner], self.left[inner] + 1]), depth + 1
        return max(depth, 1)


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
    mass, value : ndarray
        Of each shown node, as in the tree.
    parent : ndarray of int
        Position of each node's parent in these arrays; −1 for the root.
    """

    node: NDArray[np.int64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    text: list[str]
    is_end: NDArray[np.bool_]
    mass: NDArray[np.float64]
    value: NDArray[np.float64]
    parent: NDArray[np.int64]

    @cached_property
    def unit(self) -> tuple[float, float]:
        """Inches between neighbouring ends, and between levels, for which no texts overlap."""
        sizes = np.where(self.is_end, LEAF_SIZE, QUESTION_SIZE)
        longest = np.array([max(map(len, text.split("\n"))) for text in self.text])
        widths = longest * WIDE * sizes / 72.0 + GAP
        widths = np.where(self.is_end, np.maximum(widths, 0.6), widths)
        across = float(widths[self.is_end].max(initial=0.6)) if self.is_end.all() else 0.6
        for level in np.unique(self.y):
            here = np.flatnonzero(self.y == level)
            here = here[np.argsort(self.x[here])]
            needed = 0.5 * (widths[here][1:] + widths[here][:-1]) / np.diff(self.x[here])
            across = max(across, float(needed.max(initial=0.0)))
        lines = np.array([text.count("\n") + 1 for text in self.text])
        leaf = BOX + lines[self.is_end].max(initial=1) * HIGH * LEAF_SIZE / 72.0
        question = lines[~self.is_end].max(initial=1) * HIGH * QUESTION_SIZE / 72.0
        return across, max(1.0, leaf + 0.5 * question + GAP)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of a figure, in inches, in which no texts overlap."""
        across, up = self.unit
        return max(4.0, across * (np.ptp(self.x) + 1.6)), 0.3 + up * (1.3 - float(self.y.min()))


def layout_of_tree(tree: DrawnTree, max_depth: int | None = None) -> TreeLayout:
    """Place the nodes of a tree down to a depth; by default all of it, or as much as a chart can show."""
    most = tree.depth_of(MOST_ENDS) if max_depth is None else max_depth
    shown: list[int] = []
    parents: list[int] = []
    depths: list[int] = []
    ends: list[bool] = []
    open_nodes = [(0, 0, -1)]
    while open_nodes:
        node, depth, parent = open_nodes.pop()
        is_end = bool(tree.feature[node] < 0 or depth >= most)
        if not is_end:
            left = int(tree.left[node])
            open_nodes += [(left + 1, depth + 1, len(shown)), (left, depth + 1, len(shown))]
        shown.append(node)
        parents.append(parent)
        depths.append(depth)
        ends.append(is_end)
    text = [
        _wrapped(tree.facts(node), LEAF_CHARACTERS)
        if is_end
        else _wrapped(tree.question(node), QUESTION_CHARACTERS)
        for node, is_end in zip(shown, ends, strict=True)
    ]
    is_end_array = np.array(ends)
    return TreeLayout(
        np.array(shown),
        _across(np.array(parents), is_end_array),
        -np.array(depths, dtype=np.float64),
        text,
        is_end_array,
        tree.mass[shown],
        tree.value[shown],
        np.array(parents),
    )


def draw_tree(axes: Any, layout: TreeLayout, colors: Any, fontsize: float | None = None) -> list[Any]:
    """Draw a tree: lines, questions, and ends as boxes as high as their mass.

    Parameters
    ----------
    axes : matplotlib Axes
    layout : TreeLayout
    colors : sequence of colours
        One a node of the layout.
    fontsize : float, optional
        Of the questions. By default it shrinks until the texts fit into the axes.

    Returns
    -------
    list of matplotlib rectangles
        The boxes of the ends.
    """
    from matplotlib.patches import Rectangle

    up = layout.unit[1]
    ends = np.flatnonzero(layout.is_end)
    below = BOX + max(layout.text[i].count("\n") + 1 for i in ends) * HIGH * LEAF_SIZE / 72.0
    heights = (0.15 + 0.85 * layout.mass[ends] / max(float(layout.mass[ends].max()), 1e-300)) * BOX / up
    axes.set_xlim(float(layout.x.min()) - 0.8, float(layout.x.max()) + 0.8)
    axes.set_ylim(float(layout.y.min()) - (below + GAP) / up, 0.4)
    axes.set_axis_off()
    scale = _scale(axes, layout) if fontsize is None else fontsize / QUESTION_SIZE
    sizes = [max(SMALLEST, scale * size) for size in (QUESTION_SIZE, LEAF_SIZE)]
    for i in np.flatnonzero(layout.parent >= 0):
        p = layout.parent[i]
        axes.plot(layout.x[[p, i]], layout.y[[p, i]], color="0.6", linewidth=1.0, zorder=1)
    for i, word in zip(np.flatnonzero(layout.parent == 0), ("yes ", " no"), strict=False):
        place: dict[str, Any] = {"ha": "right" if word == "yes " else "left", "va": "bottom"}
        middle = 0.5 * (layout.x[0] + layout.x[i]), 0.5 * (layout.y[0] + layout.y[i])
        axes.text(*middle, word, fontsize=sizes[1], color="0.4", **place)
    frame = {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": "0.6"}
    for i in np.flatnonzero(~layout.is_end):
        place = {"ha": "center", "va": "center", "bbox": frame, "zorder": 2}
        axes.text(layout.x[i], layout.y[i], layout.text[i], fontsize=sizes[0], **place)
    boxes = []
    for i, height in zip(ends, heights, strict=True):
        corner = (layout.x[i] - 0.38, layout.y[i] - height)
        box = Rectangle(corner, 0.76, height, facecolor=colors[i], edgecolor="0.3", linewidth=0.6, zorder=3)
        boxes.append(axes.add_patch(box))
        place = {"ha": "center", "va": "top", "fontsize": sizes[1]}
        axes.text(layout.x[i], layout.y[i] - height - 0.03, layout.text[i], **place)
    return boxes


def _scale(axes: Any, layout: TreeLayout) -> float:
    """Return by how much texts shrink to fit into axes that are smaller than the layout asks for."""
    figure = axes.figure
    figure.draw_without_rendering()  # a constrained layout only then gives the axes their size
    box = axes.get_window_extent()
    wide, high = box.width / figure.dpi, box.height / figure.dpi
    across, up = layout.unit
    needed = across * (float(np.ptp(layout.x)) + 1.6), up * (1.2 - float(layout.y.min()))
    return min(1.0, wide / needed[0], high / needed[1])


def _across(parent: NDArray[np.int64], is_end: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Place ends one unit apart, in their order, and every other node in the middle of its two."""
    x = np.where(is_end, np.cumsum(is_end) - 1.0, 0.0)
    for i in range(len(parent) - 1, 0, -1):  # children stand after their parents
        x[parent[i]] += 0.5 * x[i]
    return x


def _wrapped(text: str, width: int) -> str:
    """Break long lines, before a comparison rather than after it; too long words are broken, too."""
    for sign in ("<", "≤", "≥", ">", "=", "≠"):
        text = text.replace(f" {sign} ", f" {sign}\N{NO-BREAK SPACE}")
    lines = [part for line in text.split("\n") for part in textwrap.wrap(line, width) or [""]]
    lines = [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], "…"]
    return "\n".join(lines)
