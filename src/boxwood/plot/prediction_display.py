"""The predictions of a regressor over one or two columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import Kind
from boxwood.plot.axis_labels import label_axis, label_categories
from boxwood.plot.canvas import panels
from boxwood.plot.slices.leaf_polygons import draw_boxes
from boxwood.plot.slices.prediction_bands import band_of
from boxwood.plot.slices.predictor_slice import PredictorSlice
from boxwood.plot.slices.slice_axis import SliceAxis
from boxwood.plot.slices.table_slice import ShownColumns, fixed_in_words

__all__ = ["PredictionDisplay"]

CELLS_OF_CURVE, CELLS_OF_MAP = 500, 120
"""Cells along a column of continuous numbers."""

MOST_CUTS = 40
"""Cuts that are drawn as lines; more would cover the curve."""

ROWS = "0.6"


class PredictionDisplay:
    """Chart of a regressor's predictions over one or two columns. The other columns are fixed.

    - Over one column the predictions are a curve over the rows. A band is one standard error to either side
      (`LinearRegression`, `DecisionTreeRegressor`) or the central 90% of the predicted distribution
      (`ConditionalRegressor`). Dotted lines are the cuts of a single tree.
    - Over two columns the predictions are colours, and so are the targets of the rows. Thin lines are the
      borders of the leaves of a single tree.

    Parameters
    ----------
    x : SliceAxis
        The column that is shown across.
    y : SliceAxis or None
        The column that is shown up; None for a curve.
    predictions : ndarray of shape (n_x, n_outputs) or (n_y, n_x, n_outputs)
        In the middle of each cell.
    names : sequence of str
        The names of the outputs.
    fixed : dict of name to value
        What the other columns are fixed at.
    points : tuple of ndarrays or None
        Places across, up (None for a curve) and targets, of shape (n_rows, n_outputs) or None, of rows.
    band : ndarray of shape (n_x, n_outputs, 2), optional
        Lower and upper end of the band.
    band_name : str, default=""
        What the band is.
    boxes : list of ndarray of shape (n_corners, 2), optional
        The leaves of a single tree over two columns, as polygons.
    cuts : ndarray, optional
        Where a single tree cuts the one column.
    missing : ndarray of shape (n_outputs,), optional
        The predictions where the one column is missing, if it is in some rows.

    Attributes
    ----------
    figure_ : matplotlib Figure
    ax_ : matplotlib Axes
    artist_ : matplotlib artist
        The map of two columns, or a list of the curves of one.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(0.0, 6.0, (200, 1))
    >>> y = np.sin(X[:, 0]) + rng.normal(scale=0.2, size=200)
    >>> tree = bw.DecisionTreeRegressor(max_leaf_nodes=8).fit(X, y)
    >>> display = bw.PredictionDisplay.from_estimator(tree, X, y)  # doctest: +SKIP
    """

    def __init__(
        self,
        x: SliceAxis,
        y: SliceAxis | None,
        predictions: NDArray[np.float64],
        names: tuple[str, ...],
        fixed: dict[str, Any],
        points: tuple[NDArray[Any], NDArray[Any] | None, NDArray[np.float64] | None] | None = None,
        *,
        band: NDArray[np.float64] | None = None,
        band_name: str = "",
        boxes: list[NDArray[np.float64]] | None = None,
        cuts: NDArray[np.float64] | None = None,
        missing: NDArray[np.float64] | None = None,
    ) -> None:
        self.x = x
        self.y = y
        self.predictions = predictions
        self.names = tuple(names)
        self.fixed = fixed
        self.points = points
        self.band = band
        self.band_name = band_name
        self.boxes = boxes
        self.cuts = cuts
        self.missing = missing

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        *,
        columns: ShownColumns = None,
        at: Mapping[int | str, Any] | None = None,
        output: int = 0,
        resolution: int | None = None,
        ax: Any = None,
        cmap: Any = "viridis",
    ) -> Self:
        """Draw the predictions of a fitted regressor.

        Parameters
        ----------
        estimator : regressor
            Fitted, boxwood's or another, to a table with the columns of X. A classifier is drawn by
            `DecisionRegionDisplay`.
        X : table
            Says over which values the columns go; its rows near what is fixed are drawn on the chart.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
            The rows' targets. Without them a curve has no rows.
        columns : int, str or sequence of one or two of them, optional
            Which columns to show, across and up: by default the first two, or the only one.
        at : dict of column to value, optional
            What other columns are fixed at, None for missing. Those that it does not name are fixed at their
            median in X (of integers, ranks and dates: the lower one, which occurs) or at their most
            frequent category.
        output : int, default=0
            Which output a map shows. A chart of one column shows all of them.
        resolution : int, optional
            Cells along a column of continuous numbers: by default 500 of one column and 120 of each of two.
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.
        cmap : str or Colormap, default="viridis"
            Colours of a map, by name or as an object of matplotlib.

        Returns
        -------
        PredictionDisplay
        """
        check_is_fitted(estimator)
        if is_classifier(estimator) or not hasattr(estimator, "predict"):
            raise TypeError(
                f"expected a regressor; got a {type(estimator).__name__}. A classifier is drawn "
                "by DecisionRegionDisplay.from_estimator, densities by DensityDisplay.from_estimator."
            )
        n_cells = (resolution or CELLS_OF_CURVE, resolution or CELLS_OF_MAP)
        source = PredictorSlice.of(estimator, X, columns, at, n_cells)

        def predict(rows: Any) -> NDArray[np.float64]:
            found = np.asarray(estimator.predict(rows), dtype=np.float64)
            return found.reshape(len(found), -1)

        predictions = source.predict(predict)
        targets = _targets(source.table.n_rows, y, predictions.shape[-1])
        is_map = len(source.shown) > 1
        if is_map:
            if not 0 <= output < predictions.shape[-1]:
                raise ValueError(f"output must be below {predictions.shape[-1]}; got {output}.")
            predictions = predictions[..., [output]]
            targets = None if targets is None else targets[:, [output]]
        elif output != 0:
            raise ValueError("output is the one that a map shows; a chart of one column shows all of them.")
        band, band_name = (None, "") if is_map else band_of(source)
        places = source.places()
        display = cls(
            source.axes[0],
            source.axes[1] if is_map else None,
            predictions,
            _names(y, predictions.shape[-1]),
            source.given,
            (
                places[:, 0],
                places[:, 1] if is_map else None,
                None if targets is None else targets[source.near],
            ),
            band=band,
            band_name=band_name,
            boxes=source.leaves if is_map else None,
            cuts=source.cuts,
            missing=source.predict_missing(predict),
        )
        return display.plot(ax, cmap=cmap)

    def plot(self, ax: Any = None, *, cmap: Any = "viridis") -> Self:
        """Draw the numbers.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default a new figure.
        cmap : str or Colormap, default="viridis"
            Colours of a map, by name or as an object of matplotlib.

        Returns
        -------
        PredictionDisplay
            Itself, with `figure_`, `ax_` and `artist_` set.
        """
        self.figure_, (self.ax_,) = panels(1, ax, width=5.4, height=4.2 if self.y is not None else 3.6)
        label_axis(self.ax_.xaxis, self.x)
        if self.y is not None:
            self._plot_map(self.y, cmap)
        else:
            self._plot_curves()
        if self.fixed:
            self.ax_.set_title(fixed_in_words(self.fixed), fontsize="small", loc="left")
        return self

    def _plot_map(self, up: SliceAxis, cmap: Any) -> None:
        shown = self.predictions[..., 0]
        self.artist_ = self.ax_.pcolormesh(self.x.edges, up.edges, shown, cmap=cmap, rasterized=True)
        if self.boxes is not None:
            draw_boxes(self.ax_, self.boxes)
        if self.points is not None:
            across, places_up, targets = self.points
            # Targets beyond the predictions have the first or the last colour.
            style: dict[str, Any] = {"s": 14, "edgecolors": "white", "linewidths": 0.5}
            known = {"color": "0.3"} if targets is None else {"c": targets[:, 0], "norm": self.artist_.norm}
            self.ax_.scatter(across, places_up, cmap=None if targets is None else cmap, **known, **style)
        label_axis(self.ax_.yaxis, up)
        self.ax_.set(xlim=self.x.edges[[0, -1]], ylim=up.edges[[0, -1]])
        self.figure_.colorbar(self.artist_, ax=self.ax_, label=self.names[0])

    def _plot_curves(self) -> None:
        colors = ["tab:blue"] if len(self.names) == 1 else [f"C{k % 10}" for k in range(len(self.names))]
        targets = None if self.points is None else self.points[2]
        if self.points is not None and targets is not None:
            for one, color in zip(targets.T, colors, strict=True):
                color = ROWS if len(colors) == 1 else color
                style = {"s": 9, "color": color, "alpha": 0.6, "linewidths": 0.0}
                self.ax_.scatter(self._places(), one, label="rows" if len(colors) == 1 else None, **style)
        is_number = self.x.field.kind.is_number
        if is_number and self.cuts is not None and 0 < len(self.cuts) <= MOST_CUTS:
            span = self.ax_.get_xaxis_transform()
            style = {"color": "0.6", "linewidth": 0.7, "linestyle": (0, (2, 2))}
            self.ax_.vlines(self.cuts, 0.0, 1.0, transform=span, label="cuts", **style)
        draw = self._draw_steps if is_number else self._draw_levels
        self.artist_ = [draw(k, color) for k, color in enumerate(colors)]
        if self.missing is not None and is_number:
            text = ", ".join(f"{value:.4g}" for value in self.missing)
            self.ax_.plot([], [], " ", label=f"missing: {text}")
        if len(self.names) == 1:
            self.ax_.set_ylabel(self.names[0])
        self.ax_.spines[["top", "right"]].set_visible(False)
        self.ax_.legend(loc="best", fontsize="x-small", framealpha=0.85)

    def _places(self) -> NDArray[np.float64]:
        """Return the places of the rows. Missing categories come last."""
        assert self.points is not None
        places = self.points[0]
        if self.x.field.kind.is_number:
            return places
        return np.where(np.isnan(places), len(self.x.values), places)

    def _label_of(self, k: int) -> str:
        return "prediction" if len(self.names) == 1 else self.names[k]

    def _draw_steps(self, k: int, color: str) -> Any:
        """Draw a curve over numbers: steps over integers and between the cuts of a tree."""
        shown, values = self.x, self.predictions[:, k]
        between_cuts = self.cuts is not None and len(self.cuts) == len(values) - 1
        is_constant = between_cuts or shown.field.kind is Kind.INTEGER
        if self.band is not None:
            low, high = self.band[:, k].T
            at = np.repeat(shown.edges, 2)[1:-1] if is_constant else shown.places
            n = 2 if is_constant else 1
            name = self.band_name if k == 0 else None
            style = {"color": color, "alpha": 0.22, "linewidth": 0.0, "label": name}
            self.ax_.fill_between(at, np.repeat(low, n), np.repeat(high, n), **style)
        self.ax_.set_xlim(shown.edges[0], shown.edges[-1])
        style = {"color": color, "linewidth": 1.8, "label": self._label_of(k)}
        if is_constant:
            return self.ax_.stairs(values, shown.edges, baseline=None, **style)
        return self.ax_.plot(shown.places, values, **style)[0]

    def _draw_levels(self, k: int, color: str) -> Any:
        """Draw a short line for each category, and for missing values."""
        values, labels = self.predictions[:, k], [str(label) for label in self.x.field.categories]
        if self.missing is not None:
            values, labels = np.append(values, self.missing[k]), [*labels, "missing"]
        places = np.arange(len(values))
        if self.band is not None:
            errors = np.abs(self.band[:, k].T - self.predictions[:, k])
            style = {
                "fmt": "none",
                "ecolor": color,
                "capsize": 3.0,
                "label": self.band_name if k == 0 else None,
            }
            self.ax_.errorbar(places[: errors.shape[1]], self.predictions[:, k], yerr=errors, **style)
        label_categories(self.ax_.xaxis, labels)
        self.ax_.set_xlim(-0.6, len(values) - 0.4)
        ends = places - 0.3, places + 0.3
        return self.ax_.hlines(values, *ends, color=color, linewidth=2.2, label=self._label_of(k))


def _targets(n_rows: int, y: Any, n_outputs: int) -> NDArray[np.float64] | None:
    """Return the targets as a matrix."""
    if y is None:
        return None
    values = np.asarray(y, dtype=np.float64).reshape(len(y), -1)
    if values.shape != (n_rows, n_outputs):
        raise ValueError(f"y must have the shape ({n_rows}, {n_outputs}); its shape is {np.shape(y)}.")
    return values


def _names(y: Any, n_outputs: int) -> tuple[str, ...]:
    """Return the names of the outputs: those of a series or frame of targets."""
    if n_outputs == 1:
        name = getattr(y, "name", None)
        return ("prediction" if name is None else str(name),)
    columns = getattr(y, "columns", None)
    return tuple(map(str, columns)) if columns is not None else tuple(f"y{k}" for k in range(n_outputs))
