"""Any density as a chart: of one column as a curve, of two as a map, the others summed out or fixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import Column, Columns
from boxwood.plot.axis_labels import label_axis
from boxwood.plot.canvas import panels
from boxwood.plot.curve_chart import draw_curve, name_of_heights
from boxwood.plot.density_map import colour_range, draw_map, draw_regions, draw_threshold
from boxwood.plot.slices.density_curve import DensityCurve, curve_of
from boxwood.plot.slices.shown_density import ShownDensity, density_of
from boxwood.plot.slices.slice_axis import Axes, SliceAxis
from boxwood.plot.slices.table_slice import (
    ShownColumns,
    fixed_columns,
    fixed_in_words,
    places_of_rows,
    rows_near,
    shown_columns,
    value_of,
)

__all__ = ["BINS_OF_CURVE", "BINS_OF_MAP", "REGIONS", "DensityDisplay", "points_near"]

REGIONS = (0.5, 0.9, 0.99)
"""Fractions of the mass whose regions of highest density are drawn."""

BINS_OF_MAP, BINS_OF_CURVE = 120, 500
"""Bins along a column of continuous numbers."""


class DensityDisplay:
    """Chart of a density of one column, as a curve, or of two columns, as a map of colours.

    `from_estimator` makes it for every density of the library. The numbers are kept, and `plot` draws them
    (again).

    - The curve of one column has the rows behind it, as a histogram and, up to 300 of them, as short lines.
      Histograms and trees with constant leaves are drawn as steps, with one standard error to either side.
      Categories, integers and rounded numbers have a probability each, drawn as a line with a dot.
    - The map of two columns has borders of its regions of highest density. A hundredth of the rows lies
      where the colours end.

    Detectors of anomalies are drawn in the same way: their score in place of the density, and the
    threshold below which a row is an anomaly. `DensityTreeDisplay` draws the leaves of a tree, too.

    Parameters
    ----------
    x : SliceAxis
        The column that is shown across.
    y : SliceAxis or None
        The column that is shown up; None for a curve.
    log_density : ndarray of shape (n_x,) or (n_y, n_x)
        The log-density of each bin.
    points : ndarray of shape (n_rows,) or (n_rows, 2) or None
        Places of the rows that are drawn. In a curve NaN is a missing value.
    given : dict of name to value
        What other columns are fixed at.
    curve : DensityCurve, optional
        Details of a curve: standard errors, single values, missing values, cuts of a tree.
    is_normalized : bool, default=True
        Whether the density integrates to one. Only then regions of 50% of its mass exist.
    threshold : float, optional
        The score below which a detector calls a row an anomaly; the log-density is then that score.

    Attributes
    ----------
    figure_ : matplotlib Figure
    ax_ : matplotlib Axes
    artist_ : matplotlib artist
        The curve, the steps or the bars of one column, or the map of two.
    contours_ : matplotlib ContourSet, list of lines or None
        The borders of the regions or, in a curve, the density above which each lies; None along categories
        and integers.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> density = bw.BoostedDensity(preset="quick", random_state=0).fit(X)
    >>> display = bw.DensityDisplay.from_estimator(density, X, at={2: 0.0})  # doctest: +SKIP

    One column of a table, the others summed out:

    >>> forest = bw.DensityForest(random_state=0).fit(X)
    >>> display = bw.DensityDisplay.from_estimator(forest, X, columns="x0")  # doctest: +SKIP
    """

    def __init__(
        self,
        x: SliceAxis,
        y: SliceAxis | None,
        log_density: NDArray[np.float64],
        points: NDArray[np.float64] | None = None,
        given: Mapping[str, Any] | None = None,
        *,
        curve: DensityCurve | None = None,
        is_normalized: bool = True,
        threshold: float | None = None,
    ) -> None:
        self.x = x
        self.y = y
        self.log_density = log_density
        self.points = points
        self.given = dict(given or {})
        self.curve = DensityCurve() if curve is None and y is None else curve
        self.is_normalized = is_normalized
        self.threshold = threshold

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        *,
        columns: ShownColumns = None,
        at: Mapping[int | str, Any] | None = None,
        resolution: int | None = None,
        ax: Any = None,
        cmap: Any = "viridis",
        colorbar: bool = True,
        regions: Sequence[float] = REGIONS,
    ) -> Self:
        """Draw the density of one or two columns of a fitted density.

        Other columns are summed out in closed form by trees, forests, histograms, products of histograms and
        Gaussians; with `at` the density is then that given these values. Other densities are shown along a
        slice, as they score rows: columns that `at` does not name are fixed at their median or most
        frequent category.

        Parameters
        ----------
        estimator : density, TableModel, DensityImputer, AnomalyDetector or NoveltyDetector
            A fitted one.
        X : table, optional
            Rows to draw, those near the slice if columns are fixed. They also say how far the axes go and
            what is typical. By default rows are simulated for that.
        columns : int, str or sequence of one or two of them, optional
            Which columns to show, across and up: by default the first two, or the only one.
        at : dict of column to value, optional
            Columns that are fixed.
        resolution : int, optional
            Bins along a column of continuous numbers: by default 500 of a curve and 120 of a map. A curve
            of a density with bins of its own has those.
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.
        cmap : str or Colormap, default="viridis"
            Colours of a map, by name or as an object of matplotlib.
        colorbar : bool, default=True
            Whether a bar explains the colours of a map.
        regions : sequence of float, default=(0.5, 0.9, 0.99)
            Fractions of the mass whose regions of highest density get a border. A density that does not
            integrate to one, such as `NeighborDensity` without ``normalize=True``, has none.

        Returns
        -------
        DensityDisplay
        """
        check_is_fitted(estimator)
        density = density_of(estimator)
        schema = density.schema_
        shown = shown_columns(schema, columns)
        rows = None if X is None else density._read(X)
        source = ShownDensity(density, rows, shown, fixed_columns(schema, at, shown, known=True))
        display = cls(**_numbers(source, resolution, fixed_columns(schema, at, shown)))
        return display.plot(ax, cmap=cmap, colorbar=colorbar, regions=regions)

    def plot(
        self,
        ax: Any = None,
        *,
        cmap: Any = "viridis",
        colorbar: bool = True,
        regions: Sequence[float] = REGIONS,
    ) -> Self:
        """Draw the density of the one column or the two.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default a new figure.
        cmap : str or Colormap, default="viridis"
            Colours of a map, by name or as an object of matplotlib.
        colorbar : bool, default=True
            Whether a bar explains the colours of a map.
        regions : sequence of float, default=(0.5, 0.9, 0.99)
            Fractions of the mass whose regions of highest density get a border.

        Returns
        -------
        DensityDisplay
            Itself, with `figure_`, `ax_`, `artist_` and `contours_` set.
        """
        if not all(0.0 < fraction < 1.0 for fraction in regions):
            raise ValueError(f"regions must be fractions between 0 and 1; got {tuple(regions)}.")
        self.figure_, (self.ax_,) = panels(1, ax, 5.6, 4.2 if self.y is not None else 3.6)
        shown = regions if self.is_normalized else ()
        if self.y is None:
            name = name_of_heights(self.x, self.is_normalized, self.threshold is not None)
            assert self.curve is not None
            self.artist_, self.contours_ = draw_curve(
                self.ax_, self.x, self.log_density, self.curve, self.points, shown, name
            )
        else:
            self._plot_map((self.x, self.y), shown, cmap, colorbar)
        if self.given:
            self.ax_.set_title(fixed_in_words(self.given), fontsize="small", loc="left")
        return self

    def _plot_map(self, axes: Axes, regions: Sequence[float], cmap: Any, colorbar: bool) -> None:
        limits = colour_range(self.log_density, axes, self.points)
        self.artist_ = draw_map(self.ax_, axes, self.log_density, limits, cmap)
        self.contours_ = self._draw_lines(axes, regions)
        if self.points is not None:
            size = float(np.clip(2000.0 / max(len(self.points), 1), 1.0, 12.0))
            self.ax_.scatter(*self.points.T, s=size, color="white", edgecolor="black", linewidth=0.3)
        for axis, shown in zip((self.ax_.xaxis, self.ax_.yaxis), axes, strict=True):
            label_axis(axis, shown)
        self.ax_.set(xlim=axes[0].edges[[0, -1]], ylim=axes[1].edges[[0, -1]])
        if colorbar:
            label = "log-density" if self.threshold is None else "score"
            label += "" if self.is_normalized or self.threshold is not None else ", not normalized"
            self.figure_.colorbar(self.artist_, ax=self.ax_, label=label, extend="min")

    def _draw_lines(self, axes: Axes, regions: Sequence[float]) -> Any:
        if self.threshold is not None:
            return draw_threshold(self.ax_, axes, self.log_density, self.threshold)
        return draw_regions(self.ax_, axes, self.log_density, regions)


def _numbers(source: ShownDensity, resolution: int | None, named: Mapping[int, Column]) -> dict[str, Any]:
    """Return what a DensityDisplay is made of."""
    if len(source.shown) == 1:
        axis, log_density, curve = curve_of(source, resolution or BINS_OF_CURVE)
        axes: Axes = (axis,)
        threshold = curve.threshold
    else:
        axes, curve = source.axes(resolution or BINS_OF_MAP), None
        log_density = source.log_density(axes)
        threshold = source.threshold
    rows, fixed = source.rows, source.fixed
    return {
        "x": axes[0],
        "y": axes[1] if len(axes) > 1 else None,
        "log_density": log_density,
        "points": None if rows is None else points_near(rows, source.shown, axes, fixed, named),
        "given": {source.schema.names[j]: value_of(column) for j, column in fixed.items()},
        "curve": curve,
        "is_normalized": source.is_normalized,
        "threshold": threshold,
    }


def points_near(
    rows: Columns,
    shown: tuple[int, ...],
    axes: Axes,
    fixed: Mapping[int, Column],
    named: Mapping[int, Column],
) -> NDArray[np.float64]:
    """Return the places of rows near a slice: of one column, or of two where both are there."""
    rows = rows.take(rows_near(rows, fixed, named))
    if len(shown) == 1:
        return places_of_rows(rows, shown, axes, spread=False)[:, 0]
    points = places_of_rows(rows, shown, axes)
    return points[~np.isnan(points).any(axis=1)]
