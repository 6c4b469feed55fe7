"""Trees as charts: density trees, decision trees and regression trees, and single trees of forests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.density.boxes import BoxDensity
from boxwood.mixture.inspect import TreeBoxes, boxes_of_tree
from boxwood.mixture.inspect.numbers import significant
from boxwood.mixture.inspect.text import cut_text, renamed_boxes
from boxwood.plot.canvas import panels
from boxwood.plot.palette import class_colors, tinted
from boxwood.plot.tree_chart import DrawnTree, TreeLayout, draw_tree, layout_of_tree
from boxwood.tree.supervised import SupervisedEstimator
from boxwood.tree.supervised.text import node_facts, renamed_schema, split_text

__all__ = ["TreeDisplay", "colors_of_ends", "drawn_density_tree"]

UNFILLED = "0.93"


class TreeDisplay:
    """Chart of a tree itself: its questions, and its leaves as boxes.

    Made by `from_estimator`, or by the method `plot_tree` of a tree. The numbers are kept, and `plot` draws
    them (again). Rows for which a node's question is true go left. The box of a leaf is as high as its
    fraction of the rows. Its colour is that of its most frequent class, stronger if the class is more
    frequent, or it shows the leaf's value or, of a density tree, the logarithm of its lift: how much more
    mass it has than if columns were independent (with linear margins: uniform).

    Parameters
    ----------
    tree : DrawnTree
        Nodes, masses, values and texts.

    Attributes
    ----------
    layout_ : TreeLayout
        Places and texts of the nodes that are shown.
    figure_ : matplotlib Figure
    ax_ : matplotlib Axes
    artists_ : list of matplotlib rectangles
        The leaves, from left to right.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = bw.DecisionTreeClassifier(max_depth=2).fit(X, y)
    >>> display = bw.TreeDisplay.from_estimator(tree)  # doctest: +SKIP
    """

    def __init__(self, tree: DrawnTree) -> None:
        self.tree = tree

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        tree: int = 0,
        max_depth: int | None = None,
        feature_names: Sequence[str] | None = None,
        class_names: Sequence[str] | None = None,
        decimals: int | None = None,
        filled: bool = True,
        ax: Any = None,
        cmap: Any = "viridis",
        colorbar: bool = True,
        fontsize: float | None = None,
    ) -> Self:
        """Draw a fitted tree, or a tree of a forest.

        Parameters
        ----------
        estimator : tree or forest
            A fitted DensityTree, DecisionTreeClassifier or DecisionTreeRegressor, or a forest of them.
        tree : int, default=0
            Which tree of a forest.
        max_depth : int, optional
            Deeper parts are shown as one box each: by default only those of a tree of more than 32 leaves.
        feature_names : sequence of str, optional
            Names of the columns: by default those of the fitted table.
        class_names : sequence of str, optional
            Names of the classes, in the order of ``classes_``: by default the classes themselves.
        decimals : int, optional
            Of the numbers in questions: by default as many as `export_text` writes.
        filled : bool, default=True
            Whether leaves have colours.
        ax : matplotlib Axes, optional
            Where to draw: by default a new figure that is large enough for all texts.
        cmap : str or Colormap, default="viridis"
            Colours of values, by name or as an object of matplotlib.
        colorbar : bool, default=True
            Whether a bar or a legend explains the colours.
        fontsize : float, optional
            Of the questions, in points. By default the texts are as large as the axes allow.

        Returns
        -------
        TreeDisplay
        """
        check_is_fitted(estimator)
        if isinstance(estimator, BoxDensity):
            if class_names is not None:
                raise ValueError("class_names: a density tree has no classes.")
            boxes = boxes_of_tree(estimator.margins_, estimator.mixture_, tree)
            drawn = drawn_density_tree(renamed_boxes(boxes, feature_names), decimals)
        elif isinstance(estimator, SupervisedEstimator):
            drawn = _drawn_decision_tree(estimator, tree, feature_names, class_names, decimals)
        else:
            raise TypeError(f"expected a tree or forest of boxwood; got a {type(estimator).__name__}.")
        style = {"filled": filled, "cmap": cmap, "colorbar": colorbar, "fontsize": fontsize}
        return cls(drawn).plot(ax, max_depth=max_depth, **style)

    def plot(
        self,
        ax: Any = None,
        *,
        max_depth: int | None = None,
        filled: bool = True,
        cmap: Any = "viridis",
        colorbar: bool = True,
        fontsize: float | None = None,
    ) -> Self:
        """Draw the tree.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default a new figure that is large enough for all texts.
        max_depth : int, optional
            Deeper parts are shown as one box each: by default only those of a tree of more than 32 leaves.
        filled : bool, default=True
            Whether leaves have colours.
        cmap : str or Colormap, default="viridis"
            Colours of values, by name or as an object of matplotlib.
        colorbar : bool, default=True
            Whether a bar or a legend explains the colours.
        fontsize : float, optional
            Of the questions, in points. By default the texts are as large as the axes allow.

        Returns
        -------
        TreeDisplay
            Itself, with `layout_`, `figure_`, `ax_` and `artists_` set.
        """
        if max_depth is not None and max_depth < 0:
            raise ValueError(f"max_depth must be at least 0; got {max_depth}.")
        self.layout_ = layout_of_tree(self.tree, max_depth)
        extra = 1.1 if filled and colorbar else 0.0
        width, height = self.layout_.size
        self.figure_, (self.ax_,) = panels(1, ax, width + extra, height)
        colors, mappable = colors_of_ends(self.tree, self.layout_, cmap)
        if not filled:
            colors = [UNFILLED] * len(colors)
        elif colorbar:
            self._explain(mappable)
        self.artists_ = draw_tree(self.ax_, self.layout_, colors, fontsize)
        return self

    def _explain(self, mappable: Any) -> None:
        """Draw a legend of all classes, or a bar of the values."""
        if not self.tree.classes:
            self.figure_.colorbar(mappable, ax=self.ax_, label=self.tree.label, shrink=0.7)
            return
        for name, color in zip(self.tree.classes, class_colors(len(self.tree.classes)), strict=True):
            self.ax_.scatter([], [], color=[color], label=name, marker="s", s=36)
        place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.0}
        self.ax_.legend(fontsize="small", frameon=False, ncols=-(-len(self.tree.classes) // 20), **place)


def colors_of_ends(tree: DrawnTree, layout: TreeLayout, cmap: Any) -> tuple[Any, Any]:
    """Return a colour for each node of a layout, and the mappable of the colour bar; None for classes."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    if tree.classes:
        return tinted(layout.value, class_colors(len(tree.classes))), None
    values = layout.value[layout.is_end]
    values = values[np.isfinite(values)]
    low, high = (values.min(), values.max()) if len(values) else (0.0, 1.0)
    colors = colormaps[cmap] if isinstance(cmap, str) else cmap
    norm = Normalize(low, high if high > low else low + 1.0)
    mappable = ScalarMappable(norm, colors)
    mappable.set_array(values)
    return colors(norm(np.ma.masked_invalid(layout.value).filled(low))), mappable


def drawn_density_tree(boxes: TreeBoxes, decimals: int | None = None) -> DrawnTree:
    """Return a density tree as it is drawn."""
    nodes = boxes.nodes
    number = np.cumsum(nodes.feature < 0) - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        lift = np.log(nodes.mass / boxes.fraction)

    def facts(node: int) -> str:
        name = f"leaf {number[node]}" if nodes.feature[node] < 0 else f"{drawn.n_leaves[node]} leaves"
        return f"{name}\n{significant(100.0 * nodes.mass[node])}%"

    drawn = DrawnTree(
        nodes.feature,
        nodes.left,
        nodes.mass,
        lift,
        "log lift",
        lambda node: cut_text(boxes, int(nodes.left[node]), decimals),
        facts,
    )
    return drawn


def _drawn_decision_tree(
    estimator: SupervisedEstimator,
    tree: int,
    feature_names: Sequence[str] | None,
    class_names: Sequence[str] | None,
    decimals: int | None,
) -> DrawnTree:
    """Return a tree of classes or values as it is drawn."""
    names = estimator._names_of_classes(class_names)
    schema = renamed_schema(estimator.schema_, feature_names)
    trees = estimator._checked_tree(tree)
    value: NDArray[np.float64] = trees.value if names else trees.value[:, 0]

    def facts(node: int) -> str:
        text = node_facts(trees, node, names, decimals)
        return text if trees.feature[node] < 0 else f"{drawn.n_leaves[node]} leaves\n{text}"

    drawn = DrawnTree(
        trees.feature,
        trees.left.astype(np.int64),
        trees.count / trees.count[0],
        value,
        "value" if trees.value.shape[1] == 1 else "first value",
        lambda node: split_text(trees, node, True, schema, estimator.cuts_, decimals),
        facts,
        tuple(names),
    )
    return drawn
