"""Density trees and forests as charts: the density of two columns, and a tree itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.density.boxes import BoxDensity
from boxwood.mixture.inspect import TreeBoxes, boxes_of_trees, checked_tree
from boxwood.plot.density_display import BINS_OF_CURVE, BINS_OF_MAP, REGIONS, DensityDisplay, points_near
from boxwood.plot.slices.density_curve import DensityCurve, curve_of
from boxwood.plot.slices.density_slice import axis_of_column, log_density_of_slice, rectangles
from boxwood.plot.slices.shown_density import ShownDensity
from boxwood.plot.slices.slice_axis import Axes, SliceAxis
from boxwood.plot.slices.table_slice import ShownColumns, fixed_columns, shown_columns, value_of
from boxwood.plot.tree_display import TreeDisplay, drawn_density_tree

__all__ = ["DensityTreeDisplay"]


class DensityTreeDisplay(DensityDisplay):
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
    given : dict of name to value
        What other columns are fixed at.
    curve : DensityCurve, optional
        Details of the curve of one column: standard errors, single values, missing values, cuts of a tree.

    Attributes
    ----------
    figure_ : matplotlib Figure
    ax_ : matplotlib Axes
    artist_ : matplotlib artist
        The curve or the bins of `plot`; after `plot_tree` a list of the leaves, from left to right.
    contours_ : matplotlib ContourSet or None
        Borders of the regions of highest density, where boxes are not what is shown.

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
        y: SliceAxis | None,
        log_density: NDArray[np.float64],
        boxes: NDArray[np.float64] | None,
        points: NDArray[np.float64] | None,
        tree: TreeBoxes,
        given: Mapping[str, Any] | None = None,
        *,
        curve: DensityCurve | None = None,
    ) -> None:
        super().__init__(x, y, log_density, points, given, curve=curve)
        self.boxes = boxes
        self.tree = tree

    @classmethod
    def from_estimator(
        cls,
        estimator: BoxDensity,
        X: Any = None,
        *,
        columns: ShownColumns = None,
        at: Mapping[int | str, Any] | None = None,
        tree: int = 0,
        resolution: int | None = None,
        ax: Any = None,
        cmap: Any = "viridis",
        colorbar: bool = True,
        regions: Sequence[float] = REGIONS,
    ) -> Self:
        """Draw the density of two columns of a fitted tree or forest.

        Columns that are neither shown nor fixed are summed out, in closed form.

        Parameters
        ----------
        estimator : DensityTree or DensityForest
            Fitted.
        X : table, optional
            Rows to scatter over the density; where columns are fixed, those near these values.
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
            Where to draw; a new figure where it is not given.
        cmap : str or Colormap, default="viridis"
            Colours, by name or as an object of matplotlib.
        colorbar : bool, default=True
            Whether a bar explains the colours.
        regions : sequence of float, default=(0.5, 0.9, 0.99)
            Fractions of the mass whose regions of highest density get a border.

        Returns
        -------
        DensityTreeDisplay
        """
        check_is_fitted(estimator)
        if not isinstance(estimator, BoxDensity):
            raise TypeError(f"a density tree or forest can be drawn, not a {type(estimator).__name__}.")
        schema, form = estimator.schema_, estimator.to_mixture()
        shown = shown_columns(schema, columns)
        fixed = fixed_columns(schema, at, shown, known=True)
        trees = boxes_of_trees(form.margins, form.mixture)
        of_tree = trees[checked_tree(form.mixture, tree)]
        rows = None if X is None else estimator._read(X)
        given = {schema.names[j]: value_of(column) for j, column in fixed.items()}
        if len(shown) == 1:
            source = ShownDensity(estimator, rows, shown, fixed)
            axis, log_density, curve = curve_of(source, resolution or BINS_OF_CURVE)
            points = None if rows is None else points_near(rows, shown, (axis,), fixed, fixed)
            display = cls(axis, None, log_density, None, points, of_tree, given, curve=curve)
            return display.plot(ax, cmap=cmap, colorbar=colorbar, regions=regions)
        one_tree = len(trees) == 1
        constant = one_tree and form.mixture.leaf_kind == "uniform" and estimator.margins == "linear"
        boxes, n_bins = of_tree if constant else None, resolution or BINS_OF_MAP
        margins = form.margins.columns
        axes = tuple(axis_of_column(schema.fields[j], margins[j], j, n_bins, boxes) for j in shown)
        log_density = log_density_of_slice(form, trees, shown, axes, fixed)
        whole = one_tree and len(fixed) == estimator.n_features_in_ - 2
        of_leaves = rectangles(of_tree, form, shown, axes, fixed) if whole else None
        points = None if rows is None else points_near(rows, shown, axes, fixed, fixed)
        display = cls(axes[0], axes[1], log_density, of_leaves, points, of_tree, given)
        return display.plot(ax, cmap=cmap, colorbar=colorbar, regions=regions)

    def _draw_lines(self, axes: Axes, regions: Sequence[float]) -> Any:
        if self.boxes is None:
            return super()._draw_lines(axes, regions)
        _draw_rectangles(self.ax_, self.boxes)
        return None

    def plot_tree(
        self,
        ax: Any = None,
        *,
        max_depth: int | None = None,
        decimals: int | None = None,
        cmap: Any = "viridis",
        colorbar: bool = True,
    ) -> Self:
        """Draw the tree itself, as `TreeDisplay` does.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default a new figure that is large enough for all texts.
        max_depth : int, optional
            Deeper parts are shown as one box each: by default only those of a tree of more than 32 leaves.
        decimals : int, optional
            Of the cuts.
        cmap : str or Colormap, default="viridis"
            Colours, by name or as an object of matplotlib.
        colorbar : bool, default=True
            Whether a bar explains the colours.

        Returns
        -------
        DensityTreeDisplay
            Itself, with `figure_` and `ax_` set and the leaves, from left to right, in `artist_`.
        """
        drawn = TreeDisplay(drawn_density_tree(self.tree, decimals))
        drawn.plot(ax, max_depth=max_depth, cmap=cmap, colorbar=colorbar)
        self.figure_, self.ax_, self.artist_ = drawn.figure_, drawn.ax_, drawn.artists_
        return self


def _draw_rectangles(ax: Any, boxes: NDArray[np.float64]) -> None:
    from matplotlib.collections import LineCollection

    left, right, bottom, top = boxes.T
    corners = np.stack(
        [np.stack([left, right, right, left, left]), np.stack([bottom, bottom, top, top, bottom])], axis=-1
    )
    ax.add_collection(
        LineCollection(list(np.moveaxis(corners, 1, 0)), color="white", linewidth=0.4, alpha=0.7)
    )
