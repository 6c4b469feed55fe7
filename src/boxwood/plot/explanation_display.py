"""What is odd about one row: its cells, how surprising each is, and what was expected."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field, Kind
from boxwood.plot.axis_labels import shortened
from boxwood.plot.canvas import panels
from boxwood.table.expected import expected_values, own_values
from boxwood.table.outliers import usual_surprise

__all__ = ["ExplanationDisplay"]

_ODD, _ORDINARY = "#b3402a", "#7f9fbf"

LONGEST = 26
"""Characters of a column's name, and of a value."""

MOST_CELLS = 15


class ExplanationDisplay:
    """Chart of one row: a bar a cell, how surprising it is given the rest of the row, the oddest on top.

    Beside the name stands the value, at the end of a bar what was expected in its place. A density's surprise
    depends on the column's unit and on how many values it has; the tick is what is usual in the column, and
    cells are in the order of how far they exceed it.

    Parameters
    ----------
    names, values, expected : sequence of str
        Of each cell, in words.
    surprise : ndarray of shape (n_columns,)
        −log p(value | rest of the row), nats.
    usual : ndarray of shape (n_columns,)
        The median surprise of each column's cells, as `TableModel.outliers` has it.

    Attributes
    ----------
    figure_ : matplotlib Figure
    ax_ : matplotlib Axes
    order_ : ndarray of int
        The cells that are drawn, from the top.

    Examples
    --------
    >>> import boxwood as bw
    >>> model = bw.TableModel(bw.DensityForest(5, random_state=0)).fit("examples/penguins.csv")
    >>> odd = model.sample(1, random_state=0)
    >>> display = bw.ExplanationDisplay.from_model(model, odd)  # doctest: +SKIP
    """

    def __init__(
        self,
        names: Sequence[str],
        values: Sequence[str],
        expected: Sequence[str],
        surprise: NDArray[np.float64],
        usual: NDArray[np.float64],
    ) -> None:
        self.names, self.values, self.expected = list(names), list(values), list(expected)
        self.surprise, self.usual = surprise, usual

    @classmethod
    def from_model(cls, model: Any, X: Any, row: int = 0, *, ax: Any = None) -> Self:
        """Draw one row of a table.

        Parameters
        ----------
        model : TableModel
            A fitted model.
        X : table of shape (n_samples, n_features)
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
        row : int, default=0
            Which row of it.
        ax : matplotlib Axes, optional
            Where to draw; a new figure where it is not given.

        Returns
        -------
        ExplanationDisplay
        """
        columns = model._read(X)
        if not 0 <= row < columns.n_rows:
            raise ValueError(f"there is no row {row}: the table has {columns.n_rows} rows.")
        one = columns.take(np.array([row]))
        conditionals = model.query.conditionals(one)
        fields = model.schema.fields
        surprise = conditionals.surprise()[0]
        usual = usual_surprise(model, columns)
        expected = [
            _in_words(field, expected_values(conditionals, j, field, "median"), False)
            for j, field in enumerate(fields)
        ]
        values = [
            _in_words(field, one[j].numbers(), bool(one[j].missing()[0])) for j, field in enumerate(fields)
        ]
        return cls([field.name for field in fields], values, expected, surprise, usual).plot(ax)

    def plot(self, ax: Any = None, *, n_cells: int = MOST_CELLS) -> Self:
        """Draw the numbers.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Without it a new figure.
        n_cells : int, default=15
            How many cells at most.

        Returns
        -------
        ExplanationDisplay
            Itself, with `figure_`, `ax_` and `order_` set.
        """
        excess = self.surprise - self.usual
        self.order_ = np.argsort(-excess, kind="stable")[:n_cells]
        n = len(self.order_)
        self.figure_, (self.ax_,) = panels(1, ax, 7.4, 1.2 + 0.34 * n)
        places = np.arange(n)[::-1]
        shown, usual = self.surprise[self.order_], self.usual[self.order_]
        finite = np.where(np.isfinite(shown), shown, np.nanmax([*shown[np.isfinite(shown)], 10.0]))
        colours = [_ODD if extra > 2.0 else _ORDINARY for extra in excess[self.order_]]
        self.ax_.barh(places, finite, 0.62, color=colours)
        self.ax_.plot(usual, places, "|", color="0.15", markersize=12, markeredgewidth=1.6, label="usual")
        self._write_labels(places, finite, usual)
        self.ax_.axvline(0.0, color="0.6", linewidth=0.8)
        self.ax_.set_xlabel("surprise given the rest of the row, nats")
        self.ax_.legend(fontsize="small", loc="lower right", framealpha=0.9)
        self.ax_.spines[["top", "right", "left"]].set_visible(False)
        self.ax_.tick_params(axis="y", length=0)
        return self

    def _write_labels(
        self, places: NDArray[Any], shown: NDArray[np.float64], usual: NDArray[np.float64]
    ) -> None:
        labels = [
            f"{shortened(self.names[j], LONGEST)} = {shortened(self.values[j], LONGEST)}" for j in self.order_
        ]
        self.ax_.set_yticks(places, labels)
        low = min(0.0, float(np.min([*shown, *usual])))
        high = max(float(np.max([*shown, *usual])), 1.0)
        # Room for what is written at the ends of the bars.
        self.ax_.set_xlim(low - 0.03 * (high - low), high + 0.42 * (high - low))
        for place, j, end in zip(places, self.order_, np.maximum(np.maximum(shown, usual), 0.0), strict=True):
            text = f"expected {shortened(self.expected[j], LONGEST)}"
            self.ax_.annotate(
                text,
                (end, place),
                (5, 0),
                textcoords="offset points",
                va="center",
                fontsize="small",
                color="0.35",
            )


def _in_words(field: Field, numbers: NDArray[Any], missing: bool) -> str:
    """Return a value as a chart writes it."""
    if missing:
        return "missing"
    if not field.kind.is_number and numbers[0] >= len(field.categories):
        return "unseen"
    value = own_values(field, np.asarray(numbers, dtype=np.float64))[0]
    if field.kind is Kind.DATETIME:
        moment: datetime.datetime = value.astype("datetime64[s]").item()
        return f"{moment:%Y-%m-%d}" if moment.time() == datetime.time() else f"{moment:%Y-%m-%d %H:%M}"
    if field.kind is Kind.INTEGER:
        return f"{value:.0f}"
    return f"{value:.4g}" if field.kind is Kind.NUMERIC else str(value)
