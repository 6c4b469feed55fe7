"""Density trees and forests as charts: the density of two columns, and a tree itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import Column, Columns, Kind
from boxwood.density.boxes import BoxDensity
from boxwood.mixture.inspect import TreeBoxes, boxes_of_trees, checked_tree
from boxwood.plot.canvas import panels
from boxwood.plot.density_slice import (
    SliceAxis,
    axis_of_column,
    fixed_columns,
    log_density_of_slice,
    rectangles,
)
from boxwood.plot.tree_chart import draw_tree, layout_of_tree

__all__ = ["DensityTreeDisplay"]


class DensityTreeDisplay:
    """Chart of a density tree or forest: the density of two columns, and a tree itself.

    Made by `from_estimator`; the numbers are kept. `plot` draws the density of two columns, `plot_tree`
    the tree.

    Parameters
    ----------
    x, y : SliceAxis
        The two columns that are shown.
    log_density : ndarray of shape (n_y, n_x)
        Of each bin: the logarithm of the marginal density of the two columns or, where others are
        fixed, of the density given them.
    boxes : ndarray of shape (n_boxes, 4) or None
        Left, right, bottom and top of the leaves, where they are what is shown.
    points : ndarray of shape (n_rows, 2) or None
        Rows to scatter over it.
    tree : TreeBoxes
        The tree that `plot_tree` draws.

    Attributes
    ----------
    figure_ : matplotlib Figure
    ax_ : matplotlib Axes
    artist_ : matplotlib artist
        The bins of `plot`, or the leaves of `plot_tree`.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> tree = bw.DensityTree().fit(X)
    >>> display = bw.DensityTreeDisplay.from_estimator(tree, X)  # doctest: +SKIP
    >>> display = display.plot_tree(max_depth=3)  # doctest: +SKIP
    """

    def __init__(
        self,
        x: SliceAxis,
        y: SliceAxis,
        log_density: NDArray[np.float64],
        boxes: NDArray[np.float64] | None,
        points: NDArray[np.float64] | None,
        tree: TreeBoxes,
    ) -> None:
        self.x = x
        self.y = y
        self.log_density = log_density
        self.boxes = boxes
        self.points = points
        self.tree = tree

    @classmethod
    def from_estimator(
        cls,
        estimator: BoxDensity,
        X: Any = None,
        *,
        columns: tuple[int | str, int | str] = (0, 1),
        at: Mapping[int | str, Any] | None = None,
        tree: int = 0,
        resolution: int = 120,
        ax: Any = None,
        cmap: Any = "viridis",
        colorbar: bool = True,
    ) -> Self:
        """Draw the density of two columns of a fitted tree or forest.

        Columns that are neither shown nor fixed are summed out, in closed form.

        Parameters
        ----------
        estimator : DensityTree or DensityForest
            Fitted.
        X : table, optional
            Rows to scatter over the density; where categories are fixed, the rows that have them.
        columns : pair of int or str, default=(0, 1)
            Which columns to show, across and up.
        at : dict of column to value, optional
            Columns that are fixed: what is shown is then the density given these values.
        tree : int, default=0
            Which tree of a forest `plot_tree` draws.
        resolution : int, default=120
            Bins along a numeric column. A tree with linear margins and uniform leaves is shown in the
            bins between its own cuts instead, in which its density is constant.
        ax : matplotlib Axes, optional
        cmap : str or Colormap, default="viridis"
        colorbar : bool, default=True

        Returns
        -------
        DensityTreeDisplay
        """
        check_is_fitted(estimator)
        if not isinstance(estimator, BoxDensity):
            raise TypeError(f"a density tree or forest can be drawn, not a {type(estimator).__name__}.")
        shown = _positions(estimator, columns)
        fixed = fixed_columns(estimator.schema_, at, shown)
        trees = boxes_of_trees(estimator.margins_, estimator.mixture_)
        one_tree = len(trees) == 1
        of_tree = trees[checked_tree(estimator.mixture_, tree)]
        constant = one_tree and estimator.mixture_.leaf_kind == "uniform" and estimator.margins == "linear"
        x, y = (axis_of_column(estimator, j, resolution, of_tree if constant else None) for j in shown)
        log_density = log_density_of_slice(estimator, trees, shown, (x, y), fixed)
        integer = one_tree and len(fixed) == estimator.n_features_in_ - 2
        display = cls(
            x,
            y,
            log_density,
            rectangles(of_tree, estimator, shown, (x, y), fixed) if integer else None,
            None if X is None else _points(estimator._read(X), shown, (x, y), fixed),
            of_tree,
        )
        return display.plot(ax=ax, cmap=cmap, colorbar=colorbar)

    def plot(self, ax: Any = None, *, cmap: Any = "viridis", colorbar: bool = True) -> Self:
        """Draw the density of the two columns.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Without it a new figure.
        cmap : str or Colormap, default="viridis"
        colorbar : bool, default=True

        Returns
        -------
        DensityTreeDisplay
            Itself, with `figure_`, `ax_` and `artist_` set.
        """
        self.figure_, (self.ax_,) = panels(1, ax, 5.6, 4.2)
        shown = np.ma.masked_invalid(self.log_density)
        self.artist_ = self.ax_.pcolormesh(self.x.edges, self.y.edges, shown, cmap=cmap, rasterized=True)
        self.artist_.set_clim(*_range_of_colours(shown))
        if self.boxes is not None:
            _draw_rectangles(self.ax_, self.boxes)
        if self.points is not None:
            size = float(np.clip(2000.0 / max(len(self.points), 1), 1.0, 12.0))
            self.ax_.scatter(*self.points.T, s=size, color="white", edgecolor="black", linewidth=0.3)
        _label(self.ax_.xaxis, self.x)
        _label(self.ax_.yaxis, self.y)
        self.ax_.set(xlim=self.x.edges[[0, -1]], ylim=self.y.edges[[0, -1]])
        if colorbar:
            self.figure_.colorbar(self.artist_, ax=self.ax_, label="log-density")
        return self

    def plot_tree(
        self,
        ax: Any = None,
        *,
        max_depth: int = 4,
        decimals: int | None = None,
        cmap: Any = "viridis",
        colorbar: bool = True,
    ) -> Self:
        """Draw the tree itself.

        Rows that a node's question is true for go left. A leaf's box is as high as its mass and coloured
        by the logarithm of its lift: how much more mass it has than if columns were independent (with
        linear margins: uniform).

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Without it a new figure.
        max_depth : int, default=4
            Deeper parts are shown as one box each.
        decimals : int, optional
            Of the cuts.
        cmap : str or Colormap, default="viridis"
        colorbar : bool, default=True

        Returns
        -------
        DensityTreeDisplay
            Itself, with `figure_`, `ax_` and `artist_` set.
        """
        layout = layout_of_tree(self.tree, max_depth, decimals)
        n_ends = int(layout.is_end.sum())
        self.figure_, (self.ax_,) = panels(1, ax, max(5.0, 0.95 * n_ends), 2.0 - 1.1 * float(layout.y.min()))
        self.artist_ = draw_tree(self.ax_, layout, cmap)
        if colorbar:
            self.figure_.colorbar(self.artist_, ax=self.ax_, label="log lift", shrink=0.7)
        return self


def _positions(estimator: BoxDensity, columns: tuple[int | str, int | str]) -> tuple[int, int]:
    schema = estimator.schema_
    found = [schema.index(c) if isinstance(c, str) else range(len(schema))[c] for c in columns]
    if len(found) != 2 or found[0] == found[1]:
        raise ValueError(f"columns must be two different columns; got {columns!r}.")
    return found[0], found[1]


def _points(
    columns: Columns, shown: tuple[int, int], axes: tuple[SliceAxis, SliceAxis], fixed: dict[int, Column]
) -> NDArray[np.float64]:
    """Return the rows in which both columns are there; codes are spread, lest they hide each other."""
    for j, column in fixed.items():
        if not column.kind.is_number:
            columns = columns.take(columns[j].values == column.values[0])
    spread = np.random.default_rng(0)
    points = np.empty((columns.n_rows, 2))
    for k, (j, axis) in enumerate(zip(shown, axes, strict=True)):
        points[:, k] = columns[j].numbers() / axis.unit
        if axis.field.kind is not Kind.NUMERIC and axis.field.kind is not Kind.DATETIME:
            points[:, k] += spread.uniform(-0.3, 0.3, columns.n_rows)
    return points[~np.isnan(points).any(axis=1)]


def _range_of_colours(values: Any) -> tuple[float | None, float | None]:
    """Return all values, but no more than 15 nats below the largest: beyond lies nothing."""
    if not values.count():
        return None, None
    return max(float(values.min()), float(values.max()) - 15.0), float(values.max())


def _draw_rectangles(ax: Any, boxes: NDArray[np.float64]) -> None:
    from matplotlib.collections import LineCollection

    left, right, bottom, top = boxes.T
    corners = np.stack(
        [np.stack([left, right, right, left, left]), np.stack([bottom, bottom, top, top, bottom])], axis=-1
    )
    ax.add_collection(
        LineCollection(list(np.moveaxis(corners, 1, 0)), color="white", linewidth=0.4, alpha=0.7)
    )


def _label(axis: Any, shown: SliceAxis) -> None:
    axis.set_label_text(shown.field.name)
    if shown.field.kind is Kind.DATETIME:
        axis.axis_date()
    if not shown.field.kind.is_number:
        labels = [str(label) for label in shown.field.categories]
        axis.set_ticks(range(len(labels)), labels)
