"""A small density tree: what explains most of a table, in words and as a picture."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np

from boxwood.columns import Columns
from boxwood.density import DensityTree
from boxwood.mixture.inspect import TreeBoxes, boxes_of_tree
from boxwood.report.leaf_words import divergence, unlike_others
from boxwood.report.page import html_table
from boxwood.report.picture import picture

__all__ = ["tree_section"]

MOST_ROWS = 20_000
MOST_LEAVES = 10
MOST_DEPTH = 5
MOST_LINES = 6
HOW: dict[str, Any] = {
    "margins": "smooth",
    "leaf": "histogram",
    "criterion": "product_likelihood",
    "dependencies": None,
    "random_state": 0,
}
"""A tree whose leaves are products of the columns' distributions: it cuts where these differ most. Boxes of
constant density spend their cuts on the shape of single columns."""


def tree_section(columns: Columns) -> str:
    """Return a tree of few leaves: those that differ most from the table in words, and the picture."""
    rows = columns
    if columns.n_rows > MOST_ROWS:
        rows = columns.take(
            np.sort(np.random.default_rng(0).choice(columns.n_rows, MOST_ROWS, replace=False))
        )
    tree = DensityTree(max_leaf_nodes=MOST_LEAVES, **HOW).fit(rows)
    boxes = boxes_of_tree(tree.margins_, tree.mixture_, 0)
    is_leaf = boxes.nodes.feature < 0
    if int(is_leaf.sum()) < 2:
        return "<p>No cut explains anything: as far as trees see, the columns are independent.</p>"
    whole = DensityTree(min_samples_split=rows.n_rows + 1, **HOW).fit(rows)
    gain = float(np.mean(tree.score_samples(rows) - whole.score_samples(rows)))
    said = f"<p>{is_leaf.sum()} boxes explain {gain:.2f} nats a row beyond the columns one by one.</p>"
    heads = ("of the rows", "where", "what is different there")
    return said + html_table(heads, _lines(tree, rows), "The boxes that say most") + _picture(boxes)


def _lines(tree: DensityTree, rows: Columns) -> list[tuple[str, str, str]]:
    """Return the leaves that differ most from the table, each with its rule and how it differs."""
    leaf_of_row = np.asarray(tree.apply(rows)).reshape(rows.n_rows)
    parts = {int(leaf): leaf_of_row == leaf for leaf in np.unique(leaf_of_row)}
    by = {leaf: inside.mean() * divergence(rows, inside) for leaf, inside in parts.items()}
    lines = []
    for leaf in sorted(by, key=lambda leaf: -by[leaf])[:MOST_LINES]:
        rule = tree.rules(leaf)
        named = [name for name in rows.schema.names if name in rule]
        lines.append((f"{parts[leaf].mean():.1%}", rule, unlike_others(rows, parts[leaf], named)))
    return lines


def _picture(boxes: TreeBoxes) -> str:
    if importlib.util.find_spec("matplotlib") is None:
        return ""
    from matplotlib.figure import Figure

    from boxwood.plot.tree_chart import draw_tree, layout_of_tree
    from boxwood.plot.tree_display import colors_of_ends, drawn_density_tree

    tree = drawn_density_tree(boxes)
    layout = layout_of_tree(tree, MOST_DEPTH)
    figure = Figure(figsize=layout.size, layout="constrained")
    draw_tree(figure.subplots(), layout, colors_of_ends(tree, layout, "BrBG")[0])
    title = "Each question sends rows left where it holds; boxes are as high as their probability"
    return picture(figure, title, "tree")
