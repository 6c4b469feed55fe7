"""The decisions of a classifier over two columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns, Kind, read_columns, to_native
from boxwood.estimator import TableEstimator
from boxwood.plot.canvas import panels
from boxwood.plot.density_slice import A_DAY, SliceAxis

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
            Says over which values the columns go, and is scattered over the chart.
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
        colors : sequence of colours, optional
            One a class.

        Returns
        -------
        DecisionRegionDisplay
        """
        table = read_columns(X)
        a, b = (table.schema.index(c) if isinstance(c, str) else range(len(table))[c] for c in columns)
        if a == b:
            raise ValueError(f"two different columns are needed; got {columns!r}.")
        axes = _axis(table[a], resolution), _axis(table[b], resolution)
        fixed = _fixed_columns(table, at, (a, b))
        rows = _grid_table(table, (a, b), axes, fixed)
        predicted = _predicted(estimator, rows).reshape(len(axes[1].values), len(axes[0].values), -1)
        shown = {table.schema.names[j]: _value(column) for j, column in fixed.items()}
        points = _points(table, (a, b), axes, y, estimator.classes_)
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
        self.ax_.set(xlabel=self.x.field.name, ylabel=self.y.field.name)
        for axis, along in ((self.ax_.xaxis, self.x), (self.ax_.yaxis, self.y)):
            if along.field.kind is Kind.DATETIME:
                axis.axis_date()
            elif not along.field.kind.is_number:
                axis.set_ticks(
                    np.arange(len(along.field.categories)), [str(c) for c in along.field.categories]
                )
        for label, color in zip(self.classes, palette, strict=True):
            self.ax_.scatter([], [], color=[color], label=str(label), s=24)
        self.ax_.set_xlim(self.x.edges[0], self.x.edges[-1])
        self.ax_.set_ylim(self.y.edges[0], self.y.edges[-1])
        if len(self.classes) <= 12:
            self.ax_.legend(fontsize="small", framealpha=0.85)
        if self.fixed:
            self.ax_.set_title(_in_words(self.fixed), fontsize="small", loc="left")


def _axis(column: Column, resolution: int) -> SliceAxis:
    """Choose the cells of a column: categories, integers, or a grid a little beyond its values."""
    if not column.kind.is_number:
        codes = np.arange(len(column.field.categories), dtype=np.int32)
        return SliceAxis(column.field, np.arange(len(codes) + 1.0) - 0.5, codes)
    present = column.values[~column.missing()]
    low, high = (float(present.min()), float(present.max())) if len(present) else (0.0, 1.0)
    pad = 0.04 * (high - low) if high > low else 0.5
    if column.kind is Kind.INTEGER:
        first, last = np.floor(low - pad), np.ceil(high + pad)
        step = max(1.0, np.ceil((last - first + 1.0) / resolution))
        values = np.arange(first, last + 1.0, step)
        return SliceAxis(column.field, np.append(values, values[-1] + step) - 0.5 * step, values)
    edges = np.linspace(low - pad, high + pad, resolution + 1)
    unit = A_DAY if column.kind is Kind.DATETIME else 1.0
    return SliceAxis(column.field, edges / unit, 0.5 * edges[:-1] + 0.5 * edges[1:])


def _fixed_columns(
    table: Columns, at: Mapping[int | str, Any] | None, shown: tuple[int, int]
) -> dict[int, Column]:
    """Return one value a column that is not shown."""
    fixed = {j: _typical(column) for j, column in enumerate(table) if j not in shown}
    for key, value in (at or {}).items():
        j = table.schema.index(key) if isinstance(key, str) else range(len(table))[key]
        name = table.schema.names[j]
        if j in shown:
            raise ValueError(f"column {name!r} is shown; it cannot be fixed by `at` too.")
        fixed[j] = table.schema.match(read_columns({name: [value]})[0], j)
    return fixed


def _typical(column: Column) -> Column:
    """Return the median of a column, or its most frequent category, as a column of one row."""
    present = column.values[~column.missing()]
    if len(present) == 0:
        return Column(column.field, column.values[:1], 1)
    if column.kind is Kind.NUMERIC:
        return Column(column.field, np.array([np.median(present)]), 0)
    if column.kind in (Kind.CATEGORICAL, Kind.BOOLEAN):
        return Column(column.field, np.array([np.bincount(present).argmax()], dtype=np.int32), 0)
    middle = np.sort(present)[(len(present) - 1) // 2]
    return Column(column.field, np.array([middle], dtype=present.dtype), 0)


def _grid_table(
    table: Columns, shown: tuple[int, int], axes: tuple[SliceAxis, SliceAxis], fixed: dict[int, Column]
) -> Columns:
    """Return one row a cell, those of the lowest line first."""
    across, up = np.meshgrid(axes[0].values, axes[1].values)
    values = {shown[0]: across.ravel(), shown[1]: up.ravel()}
    columns = []
    for j, field in enumerate(table.schema.fields):
        if j in values:
            columns.append(Column(field, values[j], 0))
        else:
            n_missing = across.size if fixed[j].n_missing else 0
            columns.append(Column(field, np.repeat(fixed[j].values, across.size), n_missing))
    return Columns(table.schema, across.size, columns=columns)


def _predicted(estimator: Any, rows: Columns) -> NDArray[np.float64]:
    given = rows if isinstance(estimator, TableEstimator) else to_native(rows)
    if hasattr(estimator, "predict_proba"):
        return np.asarray(estimator.predict_proba(given), dtype=np.float64)
    return (estimator.predict(given)[:, None] == estimator.classes_).astype(np.float64)


def _value(column: Column) -> Any:
    if column.n_missing:
        return None
    if column.kind is Kind.DATETIME:
        return np.datetime64(int(column.values[0]), "us")
    return column.values[0].item() if column.kind.is_number else column.field.categories[column.values[0]]


def _in_words(fixed: dict[str, Any]) -> str:
    """Describe what other columns are fixed at, the first three of them by name."""
    fixed_texts = [f"{name} = {_shown(value)}" for name, value in list(fixed.items())[:3]]
    more = f" and {len(fixed) - 3} more" if len(fixed) > 3 else ""
    return "at " + ", ".join(fixed_texts) + more


def _shown(value: Any) -> str:
    if value is None:
        return "missing"
    if isinstance(value, np.datetime64):
        return str(value.astype("datetime64[D]"))
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _points(
    table: Columns,
    shown: tuple[int, int],
    axes: tuple[SliceAxis, SliceAxis],
    y: Any,
    classes: NDArray[Any],
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.intp]]:
    across, up = (table[j].numbers() / axis.unit for j, axis in zip(shown, axes, strict=True))
    if y is None:
        return across, up, np.full(table.n_rows, -1)
    labels = np.asarray(y)
    if labels.shape != (table.n_rows,):
        raise ValueError(f"y must have one label a row: {table.n_rows}; its shape is {labels.shape}.")
    codes = np.full(table.n_rows, -1)
    for k, label in enumerate(classes):
        codes[labels == label] = k
    rng = np.random.Generator(np.random.Philox(0))  # points of one category would hide each other
    spread = [
        np.zeros(table.n_rows) if table[j].kind.is_number else rng.uniform(-0.3, 0.3, table.n_rows)
        for j in shown
    ]
    return across + spread[0], up + spread[1], codes


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
