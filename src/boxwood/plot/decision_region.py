"""The decisions of a classifier over one or two columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor

from boxwood.plot.axis_labels import label_axis
from boxwood.plot.canvas import panels
from boxwood.plot.class_curves import draw_class_bars, draw_class_curves
from boxwood.plot.palette import class_colors, draw_legend, tinted
from boxwood.plot.slices.leaf_polygons import draw_boxes
from boxwood.plot.slices.predictor_slice import PredictorSlice
from boxwood.plot.slices.slice_axis import SliceAxis
from boxwood.plot.slices.table_slice import ShownColumns, fixed_in_words

__all__ = ["DecisionRegionDisplay"]

CELLS_OF_CURVE, CELLS_OF_MAP = 500, 200
"""Cells along a column of continuous numbers."""


class DecisionRegionDisplay:
    """Chart of the class that a classifier predicts, over one or two columns, the others fixed.

    - Over one column each class has a curve of its probability. Behind it lies the colour of the class that
      is predicted; below it are the rows of each class. Categories have bars instead.
    - Over two columns a region has its class's colour, stronger where the class is more probable. Lines are
      where the decision changes. Of a single decision tree, thin lines are the borders of its leaves.

    Parameters
    ----------
    x : SliceAxis
        The column that is shown across.
    y : SliceAxis or None
        The column that is shown up; None for curves.
    classes : ndarray of shape (n_classes,)
        The classes, in the order of the probabilities.
    probabilities : ndarray of shape (n_x, n_classes) or (n_y, n_x, n_classes)
        In the middle of each cell; of a classifier without probabilities, 0 and 1.
    fixed : dict of name to value
        What the other columns are fixed at.
    points : tuple of ndarrays or None
        Places across, up (None for curves) and class numbers (−1 for none) of rows.
    boxes : list of ndarray of shape (n_corners, 2), optional
        The leaves of a single tree over two columns, as polygons.
    cuts : ndarray, optional
        Where a single tree cuts the one column.
    missing : ndarray of shape (n_classes,), optional
        The probabilities where the one column is missing, if it is in some rows.

    Attributes
    ----------
    figure_ : matplotlib Figure
    ax_ : matplotlib Axes
    artist_ : matplotlib AxesImage or list of artists
        The map of two columns, or the curves or bars of one.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = bw.HistogramNB().fit(X, y)
    >>> show = bw.DecisionRegionDisplay.from_estimator
    >>> display = show(model, X, y, columns=(2, 3))  # doctest: +SKIP
    >>> display = show(model, X, y, columns=2)  # doctest: +SKIP
    """

    def __init__(
        self,
        x: SliceAxis,
        y: SliceAxis | None,
        classes: NDArray[Any],
        probabilities: NDArray[np.float64],
        fixed: dict[str, Any],
        points: tuple[NDArray[Any], NDArray[Any] | None, NDArray[np.intp]] | None = None,
        *,
        boxes: list[NDArray[np.float64]] | None = None,
        cuts: NDArray[np.float64] | None = None,
        missing: NDArray[np.float64] | None = None,
    ) -> None:
        self.x = x
        self.y = y
        self.classes = classes
        self.probabilities = probabilities
        self.fixed = fixed
        self.points = points
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
        resolution: int | None = None,
        ax: Any = None,
        colors: Any = None,
    ) -> Self:
        """Draw the decisions of a fitted classifier.

        Parameters
        ----------
        estimator : classifier
            Fitted, boxwood's or another, to a table with the columns of X. A regressor is drawn by
            `PredictionDisplay`.
        X : table
            Says over which values the columns go; its rows near what is fixed are drawn on the chart.
        y : array-like of shape (n_samples,), optional
            The rows' classes, for their colours.
        columns : int, str or sequence of one or two of them, optional
            Which columns to show, across and up: by default the first two, or the only one.
        at : dict of column to value, optional
            What other columns are fixed at, None for missing. Those that it does not name are fixed at their
            median in X (of integers, ranks and dates: the lower one, which occurs) or at their most
            frequent category.
        resolution : int, optional
            Cells along a column of continuous numbers: by default 500 of one column and 200 of each of two.
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.
        colors : sequence of colours, optional
            One per class.

        Returns
        -------
        DecisionRegionDisplay
        """
        if is_regressor(estimator) or not hasattr(estimator, "classes_"):
            raise TypeError(
                f"expected a fitted classifier; got a {type(estimator).__name__}. Predictions of a regressor "
                "are drawn by PredictionDisplay.from_estimator, densities by DensityDisplay.from_estimator."
            )
        n_cells = (resolution or CELLS_OF_CURVE, resolution or CELLS_OF_MAP)
        source = PredictorSlice.of(estimator, X, columns, at, n_cells)
        classes = np.asarray(estimator.classes_)

        def predict(rows: Any) -> NDArray[np.float64]:
            return _probabilities(estimator, rows)

        codes = _codes(source.table.n_rows, y, classes)[source.near]
        places = source.places()
        is_map = len(source.shown) > 1
        display = cls(
            source.axes[0],
            source.axes[1] if is_map else None,
            classes,
            source.predict(predict),
            source.given,
            (places[:, 0], places[:, 1] if is_map else None, codes),
            boxes=source.leaves if is_map else None,
            cuts=source.cuts,
            missing=source.predict_missing(predict),
        )
        return display.plot(ax, colors=colors)

    def plot(self, ax: Any = None, *, colors: Any = None) -> Self:
        """Draw the numbers.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default a new figure.
        colors : sequence of colours, optional
            One per class.

        Returns
        -------
        DecisionRegionDisplay
            Itself, with `figure_`, `ax_` and `artist_` set.
        """
        self.figure_, (self.ax_,) = panels(1, ax, width=5.4, height=4.2 if self.y is not None else 3.6)
        palette = class_colors(len(self.classes), colors)
        label_axis(self.ax_.xaxis, self.x)
        if self.y is not None:
            self._plot_map(self.y, palette)
        elif self.x.field.kind.is_number:
            self.artist_ = draw_class_curves(
                self.ax_, self.x, self.probabilities, palette, self.points, self.cuts
            )
        else:
            self.artist_ = draw_class_bars(self.ax_, self.x, self.probabilities, palette, self.missing)
        names = [str(label) for label in self.classes]
        draw_legend(self.ax_, names, palette, beside=self.y is None, note=self._note())
        if self.fixed:
            self.ax_.set_title(fixed_in_words(self.fixed), fontsize="small", loc="left")
        return self

    def _note(self) -> str:
        """Return what is predicted where the one column of numbers is missing."""
        if self.missing is None or not self.x.field.kind.is_number:
            return ""
        best = int(self.missing.argmax())
        return f"missing: {self.classes[best]}, {self.missing[best]:.0%}"

    def _plot_map(self, up: SliceAxis, palette: NDArray[np.float64]) -> None:
        extent = (self.x.edges[0], self.x.edges[-1], up.edges[0], up.edges[-1])
        shades = tinted(self.probabilities, palette)
        self.artist_ = self.ax_.imshow(
            shades, origin="lower", extent=extent, aspect="auto", interpolation="nearest"
        )
        if self.boxes is not None:
            draw_boxes(self.ax_, self.boxes)
        self._draw_borders(up)
        if self.points is not None:
            across, places_up, codes = self.points
            known = np.append(palette, [[0.3, 0.3, 0.3]], axis=0)[codes]  # −1 is grey
            self.ax_.scatter(across, places_up, c=known, s=14, edgecolors="white", linewidths=0.4)
        label_axis(self.ax_.yaxis, up)
        self.ax_.set(xlim=self.x.edges[[0, -1]], ylim=up.edges[[0, -1]])

    def _draw_borders(self, up: SliceAxis) -> None:
        best = self.probabilities.argmax(axis=2)
        left, bottom = self.x.edges, up.edges
        across = np.argwhere(best[:, 1:] != best[:, :-1])
        upward = np.argwhere(best[1:] != best[:-1])
        style = {"colors": "0.25", "linewidth": 0.8}
        self.ax_.vlines(left[across[:, 1] + 1], bottom[across[:, 0]], bottom[across[:, 0] + 1], **style)
        self.ax_.hlines(bottom[upward[:, 0] + 1], left[upward[:, 1]], left[upward[:, 1] + 1], **style)


def _probabilities(estimator: Any, rows: Any) -> NDArray[np.float64]:
    if hasattr(estimator, "predict_proba"):
        return np.asarray(estimator.predict_proba(rows), dtype=np.float64)
    return (estimator.predict(rows)[:, None] == estimator.classes_).astype(np.float64)


def _codes(n_rows: int, y: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the number of each row's class; −1 where it is not known."""
    codes = np.full(n_rows, -1)
    if y is None:
        return codes
    labels = np.asarray(y)
    if labels.shape != (n_rows,):
        raise ValueError(f"y must have one label a row: {n_rows}; its shape is {labels.shape}.")
    for k, label in enumerate(classes):
        codes[labels == label] = k
    return codes
