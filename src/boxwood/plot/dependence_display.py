"""How far columns depend on each other, as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.plot.axis_labels import shortened
from boxwood.plot.canvas import panels

__all__ = ["DependenceDisplay"]

LONGEST_NAME = 22
MOST_NUMBERS = 20
"""Columns up to which the numbers are written into the cells."""


class DependenceDisplay:
    """Chart of how far each pair of columns depends on each other, from 0 to 1.

    That of a Gaussian pair is its correlation. Columns that depend on each other stand side by side: the
    order is that of their clusters.

    Parameters
    ----------
    names : sequence of str
        The columns' names.
    dependence : ndarray of shape (n_columns, n_columns)
        From 0 to 1, symmetric.

    Attributes
    ----------
    figure_ : matplotlib Figure
    ax_ : matplotlib Axes
    artist_ : matplotlib artist
        The cells.
    order_ : ndarray of int
        Which column stands in each place.

    Examples
    --------
    >>> import boxwood as bw
    >>> model = bw.TableModel(bw.DensityForest(5, random_state=0)).fit("examples/penguins.csv")
    >>> display = bw.DependenceDisplay.from_model(model)  # doctest: +SKIP
    """

    def __init__(self, names: Sequence[str], dependence: NDArray[np.float64]) -> None:
        self.names = list(names)
        self.dependence = dependence

    @classmethod
    def from_model(
        cls, model: Any, *, columns: Sequence[str] | None = None, ax: Any = None, cmap: Any = "Blues"
    ) -> Self:
        """Draw the dependence of the columns of a table's density.

        Parameters
        ----------
        model : TableModel or GivenTable
            A fitted model, or one under evidence.
        columns : sequence of str, optional
            Some columns only.
        ax : matplotlib Axes, optional
            Where to draw; a new figure where it is not given.
        cmap : str or Colormap, default="Blues"
            Colours, by name or as an object of matplotlib.

        Returns
        -------
        DependenceDisplay
        """
        names = model.schema.names
        chosen = list(names) if columns is None else list(columns)
        unknown = [name for name in chosen if name not in names]
        if unknown:
            raise ValueError(
                f"there is no column {unknown[0]!r}; the table has {', '.join(map(repr, names))}."
            )
        places = [names.index(name) for name in chosen]
        matrix = np.asarray(model.query.dependence())[np.ix_(places, places)]
        return cls(chosen, matrix).plot(ax, cmap=cmap)

    def plot(self, ax: Any = None, *, cmap: Any = "Blues", cluster: bool = True) -> Self:
        """Draw the numbers.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Without it a new figure.
        cmap : str or Colormap, default="Blues"
            Colours, by name or as an object of matplotlib.
        cluster : bool, default=True
            Whether columns are ordered by their clusters, else as the table has them.

        Returns
        -------
        DependenceDisplay
            Itself, with `figure_`, `ax_`, `artist_` and `order_` set.
        """
        n = len(self.names)
        self.figure_, (self.ax_,) = panels(1, ax, 2.6 + 0.42 * n, 2.0 + 0.38 * n)
        self.order_ = _clustered(self.dependence) if cluster and n > 2 else np.arange(n)
        shown = self.dependence[np.ix_(self.order_, self.order_)].copy()
        np.fill_diagonal(shown, np.nan)  # that a column tells itself is no news
        self.artist_ = self.ax_.imshow(shown, cmap=cmap, vmin=0.0, vmax=1.0)
        labels = [shortened(self.names[j], LONGEST_NAME) for j in self.order_]
        self.ax_.set_yticks(range(n), labels)
        self.ax_.set_xticks(range(n), labels, rotation=45, ha="right", rotation_mode="anchor")
        self.ax_.tick_params(length=0)
        self.ax_.spines[:].set_visible(False)
        if n <= MOST_NUMBERS:
            self._write_numbers(shown)
        self.figure_.colorbar(self.artist_, ax=self.ax_, label="dependence", shrink=0.8)
        return self

    def _write_numbers(self, shown: NDArray[np.float64]) -> None:
        for (i, j), value in np.ndenumerate(shown):
            if value >= 0.05:  # noise of a fit has no number
                text = f"{value:.2f}".removeprefix("0") if value < 0.995 else "1"
                colour = "white" if value > 0.6 else "0.25"
                self.ax_.text(j, i, text, ha="center", va="center", fontsize="x-small", color=colour)


def _clustered(dependence: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the order of leaves of a tree of clusters (average linkage)."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    distance = np.clip(1.0 - 0.5 * (dependence + dependence.T), 0.0, 1.0)
    np.fill_diagonal(distance, 0.0)
    return np.asarray(
        leaves_list(linkage(squareform(distance, checks=False), "average", optimal_ordering=True))
    )
