"""A column before and after evidence."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Kind
from boxwood.plot.axis_labels import shortened
from boxwood.plot.canvas import panels
from boxwood.plot.question_axis import (
    FEWEST_GAPS,
    MISSING,
    QuestionAxis,
    axis_of_question,
    probabilities_of_bins,
)

__all__ = ["ConditionalDisplay"]

TOWERING = 4.0
"""A bar is cut where it is so many times as high as the next one: an atom would flatten all others."""

_BEFORE, _AFTER = "0.72", "#1f4e79"


class ConditionalDisplay:
    """Chart of a column's distribution before and after evidence.

    Made by `from_model`; the numbers are kept, and `plot` draws them (again). Numbers are drawn by their
    density, values of a lattice and categories by their probabilities; how often the value is missing has a
    bar of its own.

    Parameters
    ----------
    axis : QuestionAxis
        The column's bins.
    before, after : ndarray of shape (n_bins,)
        Probabilities of the bins.
    missing_before, missing_after : float
        Probabilities that the value is missing.
    evidence : str
        In words.

    Attributes
    ----------
    figure_ : matplotlib Figure
    axes_ : list of matplotlib Axes
        The values; where the value may be missing, also the gaps.

    Examples
    --------
    >>> import boxwood as bw
    >>> model = bw.TableModel(bw.DensityForest(5, random_state=0)).fit("examples/penguins.csv")
    >>> display = bw.ConditionalDisplay.from_model(
    ...     model, "body_mass_g", given="species == 'Gentoo'"
    ... )  # doctest: +SKIP
    """

    def __init__(
        self,
        axis: QuestionAxis,
        before: NDArray[np.float64],
        after: NDArray[np.float64],
        missing_before: float = 0.0,
        missing_after: float = 0.0,
        evidence: str = "",
    ) -> None:
        self.axis = axis
        self.before, self.after = before, after
        self.missing_before, self.missing_after = missing_before, missing_after
        self.evidence = evidence

    @classmethod
    def from_model(
        cls,
        model: Any,
        column: str,
        given: Any = None,
        *,
        n_bins: int = 60,
        ax: Any = None,
        **columns: Any,
    ) -> Self:
        """Draw a column of a table's density before and after evidence.

        Parameters
        ----------
        model : TableModel or GivenTable
            What ``given`` of a model returns is a density under evidence, too.
        column : str
            The column to draw, by name.
        given : str, mapping or Event, optional
            The evidence: an expression, or values by column.
        n_bins : int, default=60
            Of numbers.
        ax : matplotlib Axes, optional
            Two of them where the value may be missing.
        **columns
            Evidence by column.

        Returns
        -------
        ConditionalDisplay
        """
        under = model.given(given, **columns)
        axis = axis_of_question(model, column, n_bins)
        before, missing_before = probabilities_of_bins(model, axis)
        after, missing_after = probabilities_of_bins(under, axis)
        words = [str(given)] if given is not None else []
        words += [f"{name} = {value!r}" for name, value in columns.items()]
        return cls(axis, before, after, missing_before, missing_after, " and ".join(words)).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw the numbers.

        Parameters
        ----------
        ax : matplotlib Axes or array of two, optional
            Without it a new figure. Two are needed where the value may be missing.

        Returns
        -------
        ConditionalDisplay
            Itself, with `figure_` and `axes_` set.
        """
        gaps = max(self.missing_before, self.missing_after) >= FEWEST_GAPS
        self.figure_, self.axes_ = self._canvas(ax, gaps)
        values = self.axes_[0]
        if self.axis.labels:
            self._draw_bars(values)
        else:
            self._draw_steps(values)
        self.axis.label(values.xaxis)
        values.set_ylabel("probability" if self.axis.counted else self._density_label)
        self._limit(values)
        values.legend(fontsize="small", framealpha=0.9, loc="best")
        values.set_title(shortened(f"given {self.evidence}", 72), fontsize="small", loc="left")
        if gaps:
            self._draw_gaps(self.axes_[1])
        for axes in self.axes_:
            axes.grid(axis="y", color="0.92")
            axes.set_axisbelow(True)
            axes.spines[["top", "right"]].set_visible(False)
        return self

    def _canvas(self, ax: Any, gaps: bool) -> tuple[Any, list[Any]]:
        if ax is not None or not gaps:
            return panels(1 + gaps, ax, 5.6, 3.6)
        figure, axes = panels(2, None, 3.6, 3.6)
        axes[0].get_subplotspec().get_gridspec().set_width_ratios([5, 1])
        return figure, axes

    @property
    def _density_label(self) -> str:
        return "density, a day" if self.axis.field.kind is Kind.DATETIME else "density"

    def _draw_bars(self, axes: Any) -> None:
        places = np.arange(len(self.before))
        axes.bar(places - 0.2, self.before, 0.38, color=_BEFORE, label="before")
        axes.bar(places + 0.2, self.after, 0.38, color=_AFTER, label="after")

    def _draw_steps(self, axes: Any) -> None:
        sizes, edges = self.axis.sizes, self.axis.edges
        axes.stairs(self.before / sizes, edges, fill=True, color=_BEFORE, label="before")
        axes.stairs(self.after / sizes, edges, color=_AFTER, linewidth=1.8, label="after")
        axes.set_xlim(edges[0], edges[-1])

    def _limit(self, axes: Any) -> None:
        """Cut a bar that towers over all others, and write its probabilities beside it."""
        heights = np.maximum(self.before, self.after) / self.axis.sizes
        ranked = np.sort(heights)[::-1]
        if len(ranked) < 3 or ranked[0] <= TOWERING * ranked[1] or ranked[1] <= 0.0:
            axes.set_ylim(bottom=0.0)
            return
        top, limit = int(np.argmax(heights)), 1.35 * float(ranked[1])
        axes.set_ylim(0.0, limit)
        right = self.axis.middles[top] < 0.5 * (self.axis.edges[0] + self.axis.edges[-1])
        axes.annotate(
            f"{self.before[top]:.1%} before\n{self.after[top]:.1%} after",
            (self.axis.edges[top + 1] if right else self.axis.edges[top], limit),
            (4 if right else -4, -3),
            textcoords="offset points",
            ha="left" if right else "right",
            va="top",
            fontsize="small",
        )

    def _draw_gaps(self, axes: Any) -> None:
        axes.bar([-0.2], [self.missing_before], 0.38, color=_BEFORE)
        axes.bar([0.2], [self.missing_after], 0.38, color=_AFTER)
        axes.set_xticks([0], [MISSING])
        axes.set_xlim(-0.6, 0.6)
        axes.set_ylabel("probability")
        axes.set_ylim(0.0, min(1.0, 1.25 * max(self.missing_before, self.missing_after)))
