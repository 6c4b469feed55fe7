"""A small density tree: what explains most of a table, in words and as a picture."""

from __future__ import annotations

import importlib.util

import numpy as np

from boxwood.columns import Columns
from boxwood.density import DensityTree
from boxwood.mixture.inspect import TreeBoxes, boxes_of_tree
from boxwood.report.page import html_table
from boxwood.report.picture import picture

__all__ = ["tree_section"]

MOST_ROWS = 20_000
MOST_LEAVES = 10
MOST_DEPTH = 5


def tree_section(columns: Columns) -> str:
    """Return a tree of few leaves: those of highest lift in words, and the picture."""
    rows = columns
    if columns.n_rows > MOST_ROWS:
        rows = columns.take(
            np.sort(np.random.default_rng(0).choice(columns.n_rows, MOST_ROWS, replace=False))
        )
    tree = DensityTree(max_leaf_nodes=MOST_LEAVES, random_state=0).fit(rows)
    boxes = boxes_of_tree(tree.margins_, tree.mixture_, 0)
    is_leaf = boxes.nodes.feature < 0
    mass, lift = boxes.nodes.mass[is_leaf], (boxes.nodes.mass / boxes.fraction)[is_leaf]
    if len(mass) < 2:
        return "<p>No cut explains anything: as far as trees see, the columns are independent.</p>"
    log_lift = np.log(np.maximum(lift, 1e-300))
    # What a box adds to the gain, less what its excess would add at a lift of 1: never negative.
    said_by = mass * log_lift - mass + boxes.fraction[is_leaf]
    order = np.argsort(-said_by, kind="stable")
    lines = [(f"{mass[k]:.1%}", _times(float(lift[k])), tree.rules(int(k))) for k in order[:6]]
    gain = float(np.sum(mass * log_lift))
    said = f"<p>{len(mass)} boxes explain {gain:.2f} nats a row beyond the columns one by one.</p>"
    heads = ("of the rows", "against independent columns", "where")
    return said + html_table(heads, lines, "The boxes that say most") + _picture(boxes)


def _times(lift: float) -> str:
    return f"{lift:,.1f}× as many" if lift >= 0.95 else f"{lift:.2g}× as many"


def _picture(boxes: TreeBoxes) -> str:
    if importlib.util.find_spec("matplotlib") is None:
        return ""
    from matplotlib.figure import Figure

    from boxwood.plot.tree_chart import draw_tree, layout_of_tree

    layout = layout_of_tree(boxes, MOST_DEPTH)
    figure = Figure(figsize=(max(6.0, 1.15 * int(layout.is_end.sum())), 1.2 - 1.1 * float(layout.y.min())))
    draw_tree(figure.subplots(), layout, "BrBG")
    title = "Each question sends rows left where it holds; boxes are as high as their probability"
    return picture(figure, title, "tree")
