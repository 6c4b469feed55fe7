"""The rows that condensing, editing and prototypes leave, over one or two columns."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import read_columns
from boxwood.plot.axis_labels import label_axis
from boxwood.plot.canvas import panels
from boxwood.plot.palette import class_colors, draw_legend
from boxwood.plot.slices.slice_axis import SliceAxis
from boxwood.plot.slices.table_slice import ShownColumns, axis_of_values, places_of_rows, shown_columns
from boxwood.prototypes import PrototypeReduction
from boxwood.prototypes.sampler import Sampler

__all__ = ["PrototypeDisplay"]

SPREAD = 0.3
"""How far the rows of a class are spread about its line, if one column is shown."""


class PrototypeDisplay:
    """Chart of the rows that a sampler keeps, over one or two columns of the table.

    Rows that are kept have a dark edge, and rows that are dropped are pale. Stars are prototypes that are not
    rows of the table. Over one column each class has a line of its own.

    Parameters
    ----------
    x : SliceAxis
        The column that is shown across.
    y : SliceAxis or None
        The column that is shown up; None for lines of the classes.
    classes : ndarray of shape (n_classes,)
        The classes, in the order of their numbers.
    points : ndarray of shape (n_rows, 1) or (n_rows, 2)
        Places of all rows.
    codes : ndarray of shape (n_rows,)
        The number of each row's class.
    kept : ndarray of bool of shape (n_rows,)
        Which rows are kept; none if prototypes replace them.
    prototypes : ndarray of shape (n_prototypes, 1) or (n_prototypes, 2), optional
        Places of prototypes that are not rows of the table.
    prototype_codes : ndarray of shape (n_prototypes,), optional
        The numbers of their classes.

    Attributes
    ----------
    figure_ : matplotlib Figure
    ax_ : matplotlib Axes

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> condensed = bw.CondensedNearestNeighbour(random_state=0).fit(X.iloc[:, 2:], y)
    >>> show = bw.PrototypeDisplay.from_estimator
    >>> display = show(condensed, X.iloc[:, 2:], y)  # doctest: +SKIP
    """

    def __init__(
        self,
        x: SliceAxis,
        y: SliceAxis | None,
        classes: NDArray[Any],
        points: NDArray[np.float64],
        codes: NDArray[np.intp],
        kept: NDArray[np.bool_],
        prototypes: NDArray[np.float64] | None = None,
        prototype_codes: NDArray[np.intp] | None = None,
    ) -> None:
        self.x = x
        self.y = y
        self.classes = classes
        self.points = points
        self.codes = codes
        self.kept = kept
        self.prototypes = prototypes
        self.prototype_codes = prototype_codes

    @classmethod
    def from_estimator(
        cls,
        estimator: Sampler,
        X: Any,
        y: Any,
        *,
        columns: ShownColumns = None,
        ax: Any = None,
        colors: Any = None,
    ) -> Self:
        """Draw what a fitted sampler keeps.

        Parameters
        ----------
        estimator : sampler
            Such as CondensedNearestNeighbour, EditedNearestNeighbours or PrototypeReduction, fitted to X and
            y.
        X : table of shape (n_samples, n_features)
            The rows that it was fitted to.
        y : array-like of shape (n_samples,)
            Classes.
        columns : int, str or sequence of one or two of them, optional
            Which columns to show, across and up: by default the first two, or the only one.
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.
        colors : sequence of colours, optional
            One per class.

        Returns
        -------
        PrototypeDisplay
        """
        check_is_fitted(estimator)
        if not isinstance(estimator, Sampler):
            raise TypeError(
                f"expected a sampler such as CondensedNearestNeighbour; got {type(estimator).__name__}."
            )
        table = read_columns(X)
        shown = shown_columns(table.schema, columns)
        labels = np.asarray(y)
        if labels.shape != (table.n_rows,):
            raise ValueError(f"y must have one label per row: {table.n_rows}; its shape is {labels.shape}.")
        axes = tuple(axis_of_values(table[j], 2) for j in shown)
        classes = np.asarray(estimator.classes_)
        kept = np.zeros(table.n_rows, dtype=bool)
        prototypes, codes_of_prototypes = None, None
        if isinstance(estimator, PrototypeReduction):
            units = [axis.unit for axis in axes]
            prototypes = estimator.prototypes_[:, list(shown)] / units
            codes_of_prototypes = _codes(estimator.prototype_classes_, classes)
        else:
            kept[estimator.sample_indices_] = True
        display = cls(
            axes[0],
            axes[1] if len(axes) > 1 else None,
            classes,
            places_of_rows(table, shown, axes),
            _codes(labels, classes),
            kept,
            prototypes,
            codes_of_prototypes,
        )
        return display.plot(ax, colors=colors)

    def plot(self, ax: Any = None, *, colors: Any = None) -> Self:
        """Draw the rows.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default a new figure.
        colors : sequence of colours, optional
            One per class.

        Returns
        -------
        PrototypeDisplay
            Itself, with `figure_` and `ax_` set.
        """
        is_map = self.y is not None
        height = 4.2 if is_map else 1.2 + 0.6 * len(self.classes)
        self.figure_, (self.ax_,) = panels(1, ax, 5.4, height)
        palette = class_colors(len(self.classes), colors)
        places = self._places(self.points, self.codes)
        for kept, style in (
            (False, {"s": 14, "alpha": 0.3 if self.kept.any() else 0.45, "linewidths": 0.0}),
            (True, {"s": 26, "edgecolors": "black", "linewidths": 0.8}),
        ):
            rows = self.kept == kept
            self.ax_.scatter(*places[rows].T, c=palette[self.codes[rows]], **style)
        if self.prototypes is not None and self.prototype_codes is not None:
            at = self._places(self.prototypes, self.prototype_codes)
            style = {"marker": "*", "s": 170, "edgecolors": "black", "linewidths": 0.8}
            self.ax_.scatter(*at.T, c=palette[self.prototype_codes], **style)
        label_axis(self.ax_.xaxis, self.x)
        if self.y is not None:
            label_axis(self.ax_.yaxis, self.y)
        else:
            self.ax_.set_yticks(range(len(self.classes)), [str(label) for label in self.classes])
            self.ax_.set_ylim(-0.6, len(self.classes) - 0.4)
        draw_legend(self.ax_, [str(label) for label in self.classes], palette, beside=True, note=self._note())
        return self

    def _note(self) -> str:
        if self.prototypes is not None:
            return f"{len(self.prototypes)} prototypes\nof {len(self.codes):,} rows"
        return f"{int(self.kept.sum()):,} of {len(self.kept):,} rows stay"

    def _places(self, points: NDArray[np.float64], codes: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return places of two coordinates: over one column, the second is that of the class."""
        if points.shape[1] == 2:
            return points
        spread = np.random.Generator(np.random.Philox(0)).uniform(-SPREAD, SPREAD, len(points))
        return np.column_stack([points[:, 0], codes + spread * (len(points) == len(self.points))])


def _codes(labels: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the number of each label among the classes."""
    codes = np.zeros(len(labels), dtype=np.intp)
    for k, label in enumerate(classes):
        codes[labels == label] = k
    return codes
