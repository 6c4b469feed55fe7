"""A small density tree: what explains most of a table, in words and as a picture."""

from __future__ import annotations

import importlib.util
import io
import re
from html import escape

import numpy as np

from boxwood.columns import Columns
from boxwood.density import DensityTree
from boxwood.mixture.inspect import TreeBoxes, boxes_of_tree
from boxwood.report.page import html_table

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
    order = np.argsort(-mass * np.log(np.maximum(lift, 1e-300)), kind="stable")
    lines = [(f"{mass[k]:.1%}", f"{lift[k]:,.1f}×", tree.rules(int(k))) for k in order[:6]]
    gain = float(np.sum(mass * np.log(np.maximum(lift, 1e-300))))
    said = f"<p>{len(mass)} boxes explain {gain:.2f} nats a row beyond the columns one by one.</p>"
    heads = ("of the rows", "as often as independent columns would have it", "where")
    return said + html_table(heads, lines, "The boxes that say most") + _picture(boxes)


def _picture(boxes: TreeBoxes) -> str:
    if importlib.util.find_spec("matplotlib") is None:
        return ""
    from matplotlib.figure import Figure

    from boxwood.plot.tree_chart import draw_tree, layout_of_tree

    layout = layout_of_tree(boxes, MOST_DEPTH)
    figure = Figure(figsize=(max(6.0, 1.15 * int(layout.is_end.sum())), 1.2 - 1.1 * float(layout.y.min())))
    draw_tree(figure.subplots(), layout, "BrBG")
    text = io.StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    svg = re.sub(r"^.*?(?=<svg)", "", text.getvalue(), flags=re.DOTALL)
    title = "Each question sends rows left where it holds; boxes are as high as their probability"
    return (
        f"<figure class='picture'><figcaption>{escape(title)}</figcaption>"
        f"<div class='scroll' role='img' tabindex='0' aria-label='{escape(title)}'>{svg}</div></figure>"
    )
