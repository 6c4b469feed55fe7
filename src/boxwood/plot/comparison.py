"""Classifiers side by side: errors on held-out rows and on their own, and log-losses."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.plot.canvas import panels
from boxwood.select import Comparison, compare
from boxwood.select.cross_validation import variance_of

__all__ = ["ComparisonDisplay"]

_TEST, _TRAIN = "#1f4e79", "#c07a2c"


class ComparisonDisplay:
    """Chart of a comparison: one line a model, that of least error on top.

    The first panel has the error of held-out rows with its standard deviation over the folds, beside it the
    training error: the line between them is the optimism. A grey band is the bracket of the Bayes error, as
    the table's nearest neighbours have it. The second panel has the log-loss. Of regressors the first has the
    root mean squared error, the second R².

    Parameters
    ----------
    comparison : Comparison
        The numbers; see `compare`.

    Attributes
    ----------
    figure_ : matplotlib Figure
    axes_ : list of matplotlib Axes
        Errors, log-losses or R².

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = bw.compare(X, y, ["prior", "naive Bayes, histograms"])
    >>> display = bw.ComparisonDisplay(found).plot()  # doctest: +SKIP
    """

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison

    @classmethod
    def from_data(cls, X: Any, y: Any, models: Any = None, *, ax: Any = None, **how: Any) -> Self:
        """Compare models and draw what comes out.

        Parameters
        ----------
        X, y, models
            As `compare` takes them.
        ax : array of two matplotlib Axes, optional
            Where to draw; a new figure where it is not given.
        **how
            More that `compare` takes.

        Returns
        -------
        ComparisonDisplay
        """
        return cls(compare(X, y, models, **how)).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw the numbers.

        Parameters
        ----------
        ax : array of two matplotlib Axes, optional
            Without it a new figure.

        Returns
        -------
        ComparisonDisplay
            Itself, with `figure_` and `axes_` set.
        """
        found = self.comparison.validations
        self.figure_, self.axes_ = panels(2, ax, width=5.2, height=1.3 + 0.32 * len(found))
        places = np.arange(len(found))[::-1]
        self._draw_errors(self.axes_[0], places)
        if self.comparison.task == "classification":
            self._draw_losses(self.axes_[1], places)
        else:
            self._draw_explained(self.axes_[1], places)
        self.axes_[0].set_yticks(places, list(found))
        self.axes_[1].set_yticks(places, [])
        for axes in self.axes_:
            axes.set_ylim(-0.6, len(found) - 0.4)
            axes.grid(axis="x", color="0.9")
            axes.set_axisbelow(True)
        return self

    def _draw_errors(self, axes: Any, places: NDArray[np.int64]) -> None:
        found = list(self.comparison.validations.values())
        test = np.array([each.error for each in found])
        train = np.array([each.train_error for each in found])
        spread = np.nan_to_num([each.std for each in found])
        bounds = self.comparison.bayes_error
        if bounds is not None:
            axes.axvspan(bounds.lower, bounds.upper, color="0.92", label="Bayes error (1-NN)", zorder=0)
        axes.hlines(places, train, test, color="0.75", linewidth=3, zorder=1)
        axes.errorbar(
            test, places, xerr=_bars(test, spread), fmt="o", color=_TEST, capsize=2.5, label="held-out rows"
        )
        axes.plot(train, places, "o", mfc="white", mec=_TRAIN, mew=1.5, label="the model's own rows")
        _limit(axes, places, test, spread)
        axes.set_xlabel("error" if self.comparison.task == "classification" else "root mean squared error")
        axes.legend(fontsize="small", loc="upper right", framealpha=0.9)

    def _draw_losses(self, axes: Any, places: NDArray[np.int64]) -> None:
        found = list(self.comparison.validations.values())
        losses = np.array([each.log_loss for each in found])
        spread = np.sqrt(np.nan_to_num([variance_of(each.log_losses) for each in found]))
        axes.errorbar(losses, places, xerr=_bars(losses, spread), fmt="o", color=_TEST, capsize=2.5)
        _limit(axes, places, losses, spread)
        axes.set_xlabel("log-loss of held-out rows, nats")

    def _draw_explained(self, axes: Any, places: NDArray[np.int64]) -> None:
        found = list(self.comparison.validations.values())
        explained = np.array([each.r2 for each in found])
        spread = np.sqrt(np.nan_to_num([variance_of(each.r2s) for each in found]))
        axes.errorbar(explained, places, xerr=spread, fmt="o", color=_TEST, capsize=2.5)
        # A model far below the mean's 0 would leave no room for the others.
        low = float(np.nanmin([0.0, *(explained - spread)]))
        axes.set_xlim(max(low, -1.0) - 0.03, 1.0)
        axes.set_xlabel("R² of held-out rows")


def _bars(values: NDArray[np.float64], spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far bars go down and up: not below 0, where neither errors nor losses are."""
    return np.stack([np.minimum(spread, values), spread])


def _limit(
    axes: Any, places: NDArray[np.int64], values: NDArray[np.float64], spread: NDArray[np.float64]
) -> None:
    """End the axis where most models end: one far behind, such as the prior, is told by a number instead."""
    reach = values + spread
    typical = float(np.sort(reach)[: max(1, (3 * len(reach) + 3) // 4)].max())
    limit = min(float(reach.max()), 2.5 * typical) * 1.06
    axes.set_xlim(-0.02 * limit, limit)
    for place, value in zip(places, values, strict=True):
        if value > limit:
            axes.plot([limit], [place], ">", color=_TEST, clip_on=False)
            axes.annotate(
                f"{value:.2f}",
                (limit, place),
                (-8, 0),
                textcoords="offset points",
                ha="right",
                va="center",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
            )
