"""Histograms as charts: densities with error bars, several columns, rules compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import Field, Kind
from boxwood.density.histogram import Histogram
from boxwood.histogram.column import ColumnHistogram
from boxwood.parameters import idle_parameters
from boxwood.plot.axis_labels import label_categories, label_dates
from boxwood.plot.canvas import panels

__all__ = ["HistogramDisplay", "HistogramSeries"]

MOST_PANELS = 9
"""Columns that are shown where none are chosen."""

MOST_NAMED_ATOMS = 5
"""Single values whose probability is written at their line; more would overlap."""


@dataclass(frozen=True, eq=False)
class HistogramSeries:
    """The numbers of one histogram in a chart.

    Attributes
    ----------
    field : Field
        The column's name, kind and categories.
    label : str
        What the legend says.
    edges : ndarray of shape (n_bins + 1,)
        Of categories: −½, ½, 1½, …; of dates: days since 1970.
    density, standard_errors : ndarray of shape (n_bins,)
        Of dates: a day, of a lattice of values: the probability of a value.
    is_atom : ndarray of bool of shape (n_bins,)
        Which bins are single values: their density is a probability.
    counts_values : bool
        Whether the density is the probability of a value, as on a lattice.
    """

    field: Field
    label: str
    edges: NDArray[np.float64]
    density: NDArray[np.float64]
    standard_errors: NDArray[np.float64]
    is_atom: NDArray[np.bool_]
    counts_values: bool = False


class HistogramDisplay:
    """Chart of fitted histograms, one panel a column.

    Made by `from_estimator`; the numbers are kept, and `plot` draws them (again).

    Parameters
    ----------
    panels : sequence of sequences of HistogramSeries
        What each panel shows.
    left_out : sequence of str
        Columns that are not shown though none were chosen; the figure tells how many.

    Attributes
    ----------
    panels : list of list of HistogramSeries
    left_out : list of str
    figure_ : matplotlib Figure
    axes_ : list of matplotlib Axes
    artists_ : list
        What was drawn, one entry a series.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> model = bw.Histogram(bins="fd").fit(X)
    >>> display = bw.HistogramDisplay.from_estimator(model)  # doctest: +SKIP
    """

    def __init__(self, panels: Sequence[Sequence[HistogramSeries]], left_out: Sequence[str] = ()) -> None:
        self.panels = [list(panel) for panel in panels]
        self.left_out = list(left_out)

    @classmethod
    def from_estimator(
        cls,
        estimator: Histogram,
        X: Any = None,
        *,
        columns: Sequence[int | str] | None = None,
        rules: Sequence[Any] | None = None,
        sample_weight: Any = None,
        ax: Any = None,
        error_bars: bool = True,
    ) -> Self:
        """Draw a fitted histogram, or several that follow other rules.

        Parameters
        ----------
        estimator : Histogram
            Fitted.
        X : table, optional
            What it was fitted to; only needed for `rules`.
        columns : sequence of int or str, optional
            Which columns to show; without it, the first nine, and the figure tells how many it leaves out.
        rules : sequence of rules or numbers of bins, optional
            Each is fitted to X in a copy of the estimator, and drawn over the others.
        sample_weight : array-like of shape (n_samples,), optional
            For `rules`.
        ax : matplotlib Axes or array of them, optional
            One a column.
        error_bars : bool, default=True
            Whether to show one standard error to either side.

        Returns
        -------
        HistogramDisplay
        """
        check_is_fitted(estimator)
        if not isinstance(estimator, Histogram):
            raise TypeError(f"a Histogram can be drawn, not a {type(estimator).__name__}.")
        models = {"": estimator} if rules is None else _fitted_by(estimator, X, rules, sample_weight)
        chosen = _positions(estimator, columns)
        left_out = () if columns is not None else estimator.schema_.names[len(chosen) :]
        display = cls(
            [[_series(model, j, label) for label, model in models.items()] for j in chosen], left_out
        )
        return display.plot(ax=ax, error_bars=error_bars)

    def plot(self, ax: Any = None, *, error_bars: bool = True) -> Self:
        """Draw the numbers.

        Parameters
        ----------
        ax : matplotlib Axes or array of them, optional
            One a panel; without it a new figure.
        error_bars : bool, default=True
            Whether bars show one standard error of each bin.

        Returns
        -------
        HistogramDisplay
            Itself, with `figure_`, `axes_` and `artists_` set.
        """
        self.figure_, self.axes_ = panels(len(self.panels), ax)
        self.artists_ = []
        for axes, panel in zip(self.axes_, self.panels, strict=True):
            for series in panel:
                several = len(panel) > 1
                self.artists_.append(_draw(axes, series, several, error_bars))
            _label(axes, panel)
        if self.left_out and ax is None:
            n_all = len(self.panels) + len(self.left_out)
            note = f"{len(self.panels)} of {n_all} columns; `columns` chooses others"
            self.figure_.supxlabel(note, fontsize="small", color="0.4")
        return self


def _fitted_by(
    estimator: Histogram, X: Any, rules: Sequence[Any], sample_weight: Any
) -> dict[str, Histogram]:
    if X is None:
        raise ValueError("to compare rules, X is needed: the table that the estimator was fitted to.")
    models = {}
    for rule in rules:
        model = clone(estimator).set_params(bins=rule)
        model.set_params(**idle_parameters(model))  # such as candidates, which some rules do not ask for
        models[str(rule)] = model.fit(X, sample_weight=sample_weight)
    return models


def _positions(estimator: Histogram, columns: Sequence[int | str] | None) -> list[int]:
    if columns is None:
        return list(range(min(len(estimator.columns_), MOST_PANELS)))
    names = estimator.schema_.names
    return [estimator.schema_.index(c) if isinstance(c, str) else range(len(names))[c] for c in columns]


def _series(model: Histogram, j: int, label: str) -> HistogramSeries:
    histogram, field = model.columns_[j], model.schema_.fields[j]
    unit = 86_400e6 if field.kind is Kind.DATETIME else 1.0  # a day, as matplotlib counts
    if histogram.edges is None:
        edges: NDArray[np.float64] = np.arange(len(histogram.counts) + 1.0) - 0.5
    else:
        edges = histogram.edges / unit
    if label and len(edges):
        label = f"{label}: {len(edges) - 1} bins"
    counts_values = histogram.measure.is_counting
    scale = 1.0 if counts_values else unit
    return HistogramSeries(
        field,
        label,
        edges,
        histogram.density * scale,
        histogram.standard_errors * scale,
        _atoms_of(histogram),
        counts_values,
    )


def _atoms_of(histogram: ColumnHistogram) -> NDArray[np.bool_]:
    if histogram.edges is None or len(histogram.counts) == 0:
        return np.zeros(len(histogram.counts), dtype=np.bool_)
    return histogram.measure.is_atom(histogram.edges)


def _draw(axes: Any, series: HistogramSeries, several: bool, error_bars: bool) -> Any:
    if len(series.density) == 0:
        return axes.text(0.5, 0.5, "no values", ha="center", va="center", transform=axes.transAxes)
    middles = 0.5 * (series.edges[1:] + series.edges[:-1])
    shown = ~series.is_atom
    if series.field.kind.is_number:
        artist = axes.stairs(
            np.where(shown, series.density, 0.0),
            series.edges,
            fill=not several,
            alpha=0.9 if several else 0.45,
            linewidth=1.4,
            label=series.label or None,
        )
        color = artist.get_edgecolor() if several else artist.get_facecolor()
    else:
        artist = axes.bar(middles, series.density, width=0.8, alpha=0.45, label=series.label or None)
        color = artist.patches[0].get_facecolor()
    if error_bars:
        axes.errorbar(
            middles[shown],
            series.density[shown],
            yerr=series.standard_errors[shown],
            fmt="none",
            ecolor=(*color[:3], 0.9),
            elinewidth=1.0 if len(middles) < 60 else 0.5,
            capsize=2.0 if len(middles) < 30 else 0.0,
        )
    _draw_atoms(axes, series, color)
    return artist


def _draw_atoms(axes: Any, series: HistogramSeries, color: Any) -> None:
    """Draw single values as lines with their probability: on the axis of densities they have no height."""
    values, probabilities = series.edges[:-1][series.is_atom], series.density[series.is_atom]
    rest = (series.density + series.standard_errors)[~series.is_atom]
    top = 1.05 * float(rest.max()) if rest.any() else 1.0
    named = len(values) <= MOST_NAMED_ATOMS
    for value, probability in zip(values, probabilities, strict=True):
        axes.plot([value, value], [0.0, top], color=(*color[:3], 0.9), linewidth=1.4, linestyle="--")
        if named:
            text = f"P({value:g}) = {probability:.2g}"
            place = {"xytext": (4.0, 0.0), "textcoords": "offset points", "va": "top"}
            axes.annotate(text, (value, top), fontsize="small", **place)


def _label(axes: Any, panel: list[HistogramSeries]) -> None:
    field = panel[0].field
    axes.set_xlabel(field.name)
    axes.set_ylim(bottom=0.0)
    if field.kind is Kind.DATETIME:
        label_dates(axes.xaxis)
        axes.set_ylabel("probability a date" if panel[0].counts_values else "density a day")
    elif panel[0].counts_values:
        axes.set_ylabel("probability per value" if field.kind is Kind.NUMERIC else "probability per number")
    else:
        axes.set_ylabel("density" if field.kind is Kind.NUMERIC else "probability")
    if not field.kind.is_number:
        label_categories(axes.xaxis, [str(label) for label in field.categories])
    if any(series.label for series in panel):
        axes.legend(loc="best", frameon=False, fontsize="small")
