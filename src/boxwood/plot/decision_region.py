"""The decisions of a classifier over two columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, read_columns, to_native
from boxwood.estimator import TableEstimator
from boxwood.plot.axis_labels import label_axis
from boxwood.plot.canvas import panels
from boxwood.plot.slice_axis import SliceAxis
from boxwood.plot.table_slice import (
    axis_of_values,
    fixed_columns,
    fixed_in_words,
    grid_table,
    places_of_rows,
    rows_near,
    shown_columns,
    typical_value,
    value_of,
)

__all__ = ["DecisionRegionDisplay"]

_PALEST, _STRONGEST = 0.12, 0.62
"""Fraction of a class's colour where it is hardly the most probable one, and where it is certain."""


class DecisionRegionDisplay:
    """Chart of which class a classifier tells, over two columns, the others fixed.

    A region has its class's colour, stronger where the class is more probable; lines are where the decision
    changes.

    Parameters
    ----------
    x, y : SliceAxis
        The two columns that are shown.
    classes : ndarray of shape (n_classes,)
        The classes, in the order of the probabilities.
    probabilities : ndarray of shape (n_y, n_x, n_classes)
        In the middle of each cell; of a classifier that tells no probabilities, 0 and 1.
    fixed : dict of name to value
        What the other columns are fixed at.
    points : tuple of ndarrays or None
        Places across and up, and class numbers (−1 for none), of rows to scatter over it.

    Attributes
    ----------
    figure_ : matplotlib Figure
    ax_ : matplotlib Axes
    artist_ : matplotlib AxesImage

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = bw.HistogramNB().fit(X, y)
    >>> show = bw.DecisionRegionDisplay.from_estimator
    >>> display = show(model, X, y, columns=(2, 3))  # doctest: +SKIP
    """

    def __init__(
        self,
        x: SliceAxis,
        y: SliceAxis,
        classes: NDArray[Any],
        probabilities: NDArray[np.float64],
        fixed: dict[str, Any],
        points: tuple[NDArray[Any], NDArray[Any], NDArray[np.intp]] | None = None,
    ) -> None:
        self.x = x
        self.y = y
        self.classes = classes
        self.probabilities = probabilities
        self.fixed = fixed
        self.points = points

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        *,
        columns: tuple[int | str, int | str] = (0, 1),
        at: Mapping[int | str, Any] | None = None,
        resolution: int = 200,
        ax: Any = None,
        colors: Any = None,
    ) -> Self:
        """Draw the decisions of a fitted classifier.

        Parameters
        ----------
        estimator : classifier
            Fitted, boxwood's or another, to a table with the columns of X.
        X : table
            Says over which values the columns go; its rows near what is fixed are scattered over the chart.
        y : array-like of shape (n_samples,), optional
            The rows' classes, for their colours.
        columns : pair of int or str, default=(0, 1)
            Which columns to show, across and up.
        at : dict of column to value, optional
            What other columns are fixed at, None for missing. Those that it does not name are fixed at their
            median in X (of integers, ranks and dates: the lower one, which occurs) or at their most
            frequent category.
        resolution : int, default=200
            Cells along a numeric column.
        ax : matplotlib Axes, optional
            Where to draw; a new figure where it is not given.
        colors : sequence of colours, optional
            One a class.

        Returns
        -------
        DecisionRegionDisplay
        """
        table = read_columns(X)
        a, b = shown_columns(table.schema, columns)
        axes = axis_of_values(table[a], resolution), axis_of_values(table[b], resolution)
        named = fixed_columns(table.schema, at, (a, b))
        others = {j: typical_value(column) for j, column in enumerate(table) if j not in (a, b)}
        fixed = {**others, **named}
        rows = grid_table(table.schema, (a, b), axes, fixed)
        predicted = _predicted(estimator, rows).reshape(len(axes[1].values), len(axes[0].values), -1)
        shown = {table.schema.names[j]: value_of(column) for j, column in fixed.items()}
        codes = _codes(table.n_rows, y, estimator.classes_)
        near = rows_near(table, fixed, named)
        across, up = places_of_rows(table.take(near), (a, b), axes).T
        points = across, up, codes[near]
        display = cls(*axes, np.asarray(estimator.classes_), predicted, shown, points)
        return display.plot(ax, colors=colors)

    def plot(self, ax: Any = None, *, colors: Any = None) -> Self:
        """Draw the numbers.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Without it a new figure.
        colors : sequence of colours, optional
            One a class.

        Returns
        -------
        DecisionRegionDisplay
            Itself, with `figure_`, `ax_` and `artist_` set.
        """
        self.figure_, (self.ax_,) = panels(1, ax, width=5.4, height=4.2)
        palette = _palette(len(self.classes), colors)
        extent = (self.x.edges[0], self.x.edges[-1], self.y.edges[0], self.y.edges[-1])
        self.artist_ = self.ax_.imshow(
            self._shades(palette), origin="lower", extent=extent, aspect="auto", interpolation="nearest"
        )
        self._draw_borders()
        if self.points is not None:
            across, up, codes = self.points
            known = np.append(palette, [[0.3, 0.3, 0.3]], axis=0)[codes]  # −1 is grey
            self.ax_.scatter(across, up, c=known, s=14, edgecolors="white", linewidths=0.4)
        self._label(palette)
        return self

    def _shades(self, palette: NDArray[np.float64]) -> NDArray[np.float64]:
        best = self.probabilities.argmax(axis=2)
        surest = self.probabilities.max(axis=2)
        least = 1.0 / len(self.classes)
        fraction = (surest - least) / (1.0 - least) if len(self.classes) > 1 else np.ones_like(surest)
        strength = (_PALEST + (_STRONGEST - _PALEST) * fraction)[..., None]
        return np.asarray(1.0 - strength * (1.0 - palette[best]), dtype=np.float64)

    def _draw_borders(self) -> None:
        best = self.probabilities.argmax(axis=2)
        left, bottom = self.x.edges, self.y.edges
        across = np.argwhere(best[:, 1:] != best[:, :-1])
        up = np.argwhere(best[1:] != best[:-1])
        style = {"colors": "0.25", "linewidth": 0.8}
        self.ax_.vlines(left[across[:, 1] + 1], bottom[across[:, 0]], bottom[across[:, 0] + 1], **style)
        self.ax_.hlines(bottom[up[:, 0] + 1], left[up[:, 1]], left[up[:, 1] + 1], **style)

    def _label(self, palette: NDArray[np.float64]) -> None:
        label_axis(self.ax_.xaxis, self.x)
        label_axis(self.ax_.yaxis, self.y)
        for label, color in zip(self.classes, palette, strict=True):
            self.ax_.scatter([], [], color=[color], label=str(label), s=24)
        self.ax_.set_xlim(self.x.edges[0], self.x.edges[-1])
        self.ax_.set_ylim(self.y.edges[0], self.y.edges[-1])
        if len(self.classes) <= 12:
            self.ax_.legend(fontsize="small", framealpha=0.85)
        if self.fixed:
            self.ax_.set_title(fixed_in_words(self.fixed), fontsize="small", loc="left")


def _predicted(estimator: Any, rows: Columns) -> NDArray[np.float64]:
    given = rows if isinstance(estimator, TableEstimator) else to_native(rows)
    if hasattr(estimator, "predict_proba"):
        return np.asarray(estimator.predict_proba(given), dtype=np.float64)
    return (estimator.predict(given)[:, None] == estimator.classes_).astype(np.float64)


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


def _palette(n_classes: int, colors: Any) -> NDArray[np.float64]:
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    if colors is not None:
        if len(colors) != n_classes:
            raise ValueError(f"{n_classes} colours are needed, one a class; got {len(colors)}.")
        return np.array([to_rgb(color) for color in colors])
    if n_classes <= 10:
        return np.array([to_rgb(f"C{k}") for k in range(n_classes)])
    return np.asarray(colormaps["turbo"](np.linspace(0.05, 0.95, n_classes))[:, :3], dtype=np.float64)
