"""The bracket of the Bayes error as a chart: over the number of rows, and over K."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from boxwood.bayes_error import BayesErrorBounds, bayes_error_bounds
from boxwood.bayes_error.theory import bayes_range
from boxwood.plot.axis_labels import label_logarithms
from boxwood.plot.canvas import panels

__all__ = ["BayesErrorDisplay"]


class BayesErrorDisplay:
    """Chart of what the 1-NN error says of the Bayes error.

    The left panel has the error of 1-NN over the number of training rows, with the bracket that each would
    give: where the curve still falls, the bracket is too high. The right one has the leave-one-out error of
    K-NN over K beside the bracket of all rows.

    Parameters
    ----------
    bounds : BayesErrorBounds
        What `bayes_error_bounds` found.

    Attributes
    ----------
    figure_ : matplotlib Figure
    axes_ : list of matplotlib Axes

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> display = bw.BayesErrorDisplay.from_data(X, y, random_state=0)  # doctest: +SKIP
    """

    def __init__(self, bounds: BayesErrorBounds) -> None:
        self.bounds = bounds

    @classmethod
    def from_data(cls, X: Any, y: Any, *, ax: Any = None, **options: Any) -> Self:
        """Bracket the Bayes error of a table and draw it.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
        y : array-like of shape (n_samples,)
            The class of each row.
        ax : array of two matplotlib Axes, optional
            Where to draw; a new figure where it is not given.
        **options
            Of `bayes_error_bounds`.

        Returns
        -------
        BayesErrorDisplay
        """
        return cls(bayes_error_bounds(X, y, **options)).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw the numbers.

        Parameters
        ----------
        ax : array of two matplotlib Axes, optional
            Without it a new figure.

        Returns
        -------
        BayesErrorDisplay
            Itself, with `figure_` and `axes_` set.
        """
        self.figure_, self.axes_ = panels(2, ax)
        self._draw_sizes(self.axes_[0])
        self._draw_neighbors(self.axes_[1])
        top = max(axes.get_ylim()[1] for axes in self.axes_)
        for axes in self.axes_:
            axes.set_ylim(0.0, top)
            axes.legend(loc="best", frameon=False, fontsize="small")
        return self

    def _draw_sizes(self, axes: Any) -> None:
        bounds = self.bounds
        lower = [bayes_range(error, bounds.n_classes)[0] for error in bounds.curve_errors]
        deviations = np.nan_to_num(bounds.curve_deviations)
        axes.fill_between(
            bounds.curve_sizes, lower, bounds.curve_errors, color="tab:blue", alpha=0.15, label="bracket"
        )
        axes.errorbar(
            bounds.curve_sizes, bounds.curve_errors, deviations, color="tab:blue", marker="o", label="1-NN"
        )
        axes.set(xscale="log", xlabel="training rows", ylabel="error")
        label_logarithms(axes.xaxis, bounds.curve_sizes)

    def _draw_neighbors(self, axes: Any) -> None:
        bounds = self.bounds
        axes.axhspan(bounds.lower, bounds.upper, color="tab:blue", alpha=0.15, label="asymptotic bracket")
        for end in bounds.interval:
            axes.axhline(end, color="tab:blue", linewidth=0.8, linestyle=":")
        axes.plot(
            bounds.neighbors,
            bounds.neighbor_errors,
            color="tab:orange",
            marker="o",
            markersize=4,
            label="K-NN",
        )
        axes.set(xlabel="K", ylabel="leave-one-out error")
