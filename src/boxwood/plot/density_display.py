"""Any density as a chart: of two columns, the others summed out or fixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import Column, Columns, read_columns
from boxwood.density.base import DensityEstimator
from boxwood.density.gaussian import GaussianDensity
from boxwood.novelty import score_table
from boxwood.plot.axis_labels import label_axis
from boxwood.plot.canvas import panels
from boxwood.plot.density_map import colour_range, draw_map, draw_regions
from boxwood.plot.density_slice import axis_of_column, log_density_of_slice
from boxwood.plot.slice_axis import SliceAxis
from boxwood.plot.table_slice import (
    axis_of_values,
    fixed_columns,
    fixed_in_words,
    grid_table,
    places_of_rows,
    rows_near,
    two_columns,
    typical_value,
    value_of,
)

__all__ = ["REGIONS", "DensityDisplay", "points_near"]

REGIONS = (0.5, 0.9, 0.99)
"""Fractions of the mass whose regions of highest density are drawn."""

SAMPLE = 2000
"""Rows that a density simulates where none are given: they say how far the axes go."""


class DensityDisplay:
    """Chart of a density of two columns: colours, and borders of its regions of highest density.

    Made by `from_estimator`, for every density of the library; the numbers are kept, and `plot` draws them
    (again). A hundredth of the rows lies where the colours end. `DensityTreeDisplay` draws the leaves of a
    tree too, and the tree itself.

    Parameters
    ----------
    x, y : SliceAxis
        The two columns that are shown.
    log_density : ndarray of shape (n_y, n_x)
        Of each bin.
    points : ndarray of shape (n_rows, 2) or None
        Rows to scatter over it.
    given : dict of name to value
        What other columns are fixed at.

    Attributes
    ----------
    figure_ : matplotlib Figure
    ax_ : matplotlib Axes
    artist_ : matplotlib artist
        The bins.
    contours_ : matplotlib ContourSet or None
        The borders; None along categories and whole numbers.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> density = bw.BoostedDensity(preset="quick", random_state=0).fit(X)
    >>> display = bw.DensityDisplay.from_estimator(density, X, at={2: 0.0})  # doctest: +SKIP
    """

    def __init__(
        self,
        x: SliceAxis,
        y: SliceAxis,
        log_density: NDArray[np.float64],
        points: NDArray[np.float64] | None = None,
        given: Mapping[str, Any] | None = None,
    ) -> None:
        self.x = x
        self.y = y
        self.log_density = log_density
        self.points = points
        self.given = dict(given or {})

    @classmethod
    def from_estimator(
        cls,
        estimator: DensityEstimator,
        X: Any = None,
        *,
        columns: tuple[int | str, int | str] = (0, 1),
        at: Mapping[int | str, Any] | None = None,
        resolution: int = 120,
        ax: Any = None,
        cmap: Any = "viridis",
        colorbar: bool = True,
        regions: Sequence[float] = REGIONS,
    ) -> Self:
        """Draw the density of two columns of a fitted density.

        Other columns are summed out in closed form by trees, forests, histograms, products of histograms and
        Gaussians; with `at` the density is then that given these values. Other densities are shown along a
        slice, as they score rows: columns that `at` does not name are fixed at their median or most
        frequent category.

        Parameters
        ----------
        estimator : density
            Fitted.
        X : table, optional
            Rows to scatter over the density, those near the slice where columns are fixed. They also say
            how far the axes go and what is typical; without them rows are simulated for that.
        columns : pair of int or str, default=(0, 1)
            Which columns to show, across and up.
        at : dict of column to value, optional
            Columns that are fixed.
        resolution : int, default=120
            Bins along a numeric column.
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
        DensityDisplay
        """
        check_is_fitted(estimator)
        if not isinstance(estimator, DensityEstimator):
            raise TypeError(f"a density of boxwood's can be drawn, not a {type(estimator).__name__}.")
        schema = estimator.schema_
        shown = two_columns(schema, columns)
        fixed = fixed_columns(schema, at, shown, known=True)
        rows = None if X is None else estimator._read(X)
        axes, log_density, fixed = _slice_of(estimator, rows, shown, fixed, resolution)
        named = fixed_columns(schema, at, shown)
        points = None if rows is None else points_near(rows, shown, axes, fixed, named)
        given = {schema.names[j]: value_of(column) for j, column in fixed.items()}
        display = cls(*axes, log_density, points, given)
        return display.plot(ax, cmap=cmap, colorbar=colorbar, regions=regions)

    def plot(
        self,
        ax: Any = None,
        *,
        cmap: Any = "viridis",
        colorbar: bool = True,
        regions: Sequence[float] = REGIONS,
    ) -> Self:
        """Draw the density of the two columns.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Without it a new figure.
        cmap : str or Colormap, default="viridis"
            Colours, by name or as an object of matplotlib.
        colorbar : bool, default=True
            Whether a bar explains the colours.
        regions : sequence of float, default=(0.5, 0.9, 0.99)
            Fractions of the mass whose regions of highest density get a border.

        Returns
        -------
        DensityDisplay
            Itself, with `figure_`, `ax_`, `artist_` and `contours_` set.
        """
        if not all(0.0 < fraction < 1.0 for fraction in regions):
            raise ValueError(f"regions must be fractions between 0 and 1; got {tuple(regions)}.")
        self.figure_, (self.ax_,) = panels(1, ax, 5.6, 4.2)
        axes = self.x, self.y
        limits = colour_range(self.log_density, axes, self.points)
        self.artist_ = draw_map(self.ax_, axes, self.log_density, limits, cmap)
        self.contours_ = self._draw_lines(regions)
        if self.points is not None:
            size = float(np.clip(2000.0 / max(len(self.points), 1), 1.0, 12.0))
            self.ax_.scatter(*self.points.T, s=size, color="white", edgecolor="black", linewidth=0.3)
        label_axis(self.ax_.xaxis, self.x)
        label_axis(self.ax_.yaxis, self.y)
        self.ax_.set(xlim=self.x.edges[[0, -1]], ylim=self.y.edges[[0, -1]])
        if self.given:
            self.ax_.set_title(fixed_in_words(self.given), fontsize="small", loc="left")
        if colorbar:
            self.figure_.colorbar(self.artist_, ax=self.ax_, label="log-density", extend="min")
        return self

    def _draw_lines(self, regions: Sequence[float]) -> Any:
        return draw_regions(self.ax_, (self.x, self.y), self.log_density, regions)


def points_near(
    rows: Columns,
    shown: tuple[int, int],
    axes: tuple[SliceAxis, SliceAxis],
    fixed: Mapping[int, Column],
    named: Mapping[int, Column],
) -> NDArray[np.float64]:
    """Return where rows near a slice stand, those in which both columns are there."""
    rows = rows.take(rows_near(rows, fixed, named))
    points = places_of_rows(rows, shown, axes)
    return points[~np.isnan(points).any(axis=1)]


def _slice_of(
    estimator: DensityEstimator,
    rows: Columns | None,
    shown: tuple[int, int],
    fixed: dict[int, Column],
    resolution: int,
) -> tuple[tuple[SliceAxis, SliceAxis], NDArray[np.float64], dict[int, Column]]:
    """Return the axes, the log-density, and what other columns are fixed at: all but those summed out."""
    form = _mixture_of(estimator)
    if form is not None:
        from boxwood.mixture.inspect import boxes_of_trees

        margins, fields = form.margins.columns, estimator.schema_.fields
        x, y = (axis_of_column(fields[j], margins[j], j, resolution, None) for j in shown)
        trees = boxes_of_trees(form.margins, form.mixture)
        return (x, y), log_density_of_slice(form, trees, shown, (x, y), fixed), fixed
    table = rows if rows is not None else read_columns(estimator.sample(SAMPLE, random_state=0))
    table = estimator._read(table)
    if hasattr(estimator, "margins_"):
        margins, fields = estimator.margins_.columns, estimator.schema_.fields
        x, y = (axis_of_column(fields[j], margins[j], j, resolution, None) for j in shown)
    else:
        x, y = (axis_of_values(table[j], resolution) for j in shown)
    if isinstance(estimator, GaussianDensity):
        return (x, y), _gaussian_slice(estimator, shown, (x, y), fixed), fixed
    others = {j: typical_value(column) for j, column in enumerate(table) if j not in shown}
    fixed = {**others, **fixed}
    scores = score_table(estimator, grid_table(table, shown, (x, y), fixed))
    log_density = scores.reshape(len(y.values), len(x.values)) + x.log_scale + y.log_scale
    return (x, y), log_density, fixed


def _mixture_of(estimator: Any) -> Any:
    """Return a density as a mixture of boxes, or None where it has no such form."""
    if not hasattr(estimator, "to_mixture"):
        return None
    try:
        return estimator.to_mixture()
    except ValueError:  # a product of other marginals, or in a rotation
        return None


def _gaussian_slice(
    estimator: GaussianDensity,
    shown: tuple[int, int],
    axes: tuple[SliceAxis, SliceAxis],
    fixed: Mapping[int, Column],
) -> NDArray[np.float64]:
    """Return the log-density of two columns of a Gaussian, given those that are fixed."""
    mean, covariance = estimator.mean_[list(shown)], estimator.covariance_[np.ix_(shown, shown)]
    if fixed:
        given = list(fixed)
        values = np.array([float(column.numbers()[0]) for column in fixed.values()])
        across = estimator.covariance_[np.ix_(shown, given)]
        regression = np.linalg.solve(estimator.covariance_[np.ix_(given, given)], across.T).T
        mean = mean + regression @ (values - estimator.mean_[given])
        covariance = covariance - regression @ across.T
    places = np.stack(np.meshgrid(axes[0].values, axes[1].values), axis=-1) - mean
    root = np.linalg.cholesky(covariance)
    scores = np.linalg.solve(root, places.reshape(-1, 2).T)
    log_density = -0.5 * (scores**2).sum(axis=0) - np.log(2.0 * np.pi) - np.log(np.diag(root)).sum()
    return np.asarray(log_density.reshape(places.shape[:2]) + axes[0].log_scale + axes[1].log_scale)
