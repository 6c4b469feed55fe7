"""Two columns of a table's density, under evidence."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.plot.axis_labels import shortened
from boxwood.plot.canvas import panels
from boxwood.plot.question_axis import FEWEST_GAPS, QuestionAxis, axis_of_question, probabilities_of_pairs

__all__ = ["PairDisplay"]


class PairDisplay:
    """Chart of two columns: their density, or their probabilities where both are counted.

    Made by `from_model`, for numbers, dates and categories in any combination; the numbers are kept, and
    `plot` draws them (again). Rows in which one of the values is missing have no place in it; their
    probability is in the title.

    Parameters
    ----------
    x, y : QuestionAxis
        The two columns, each with its bins.
    probabilities : ndarray of shape (n_y, n_x)
        Of the bins.
    missing : float
        The probability that one of the two is missing.
    evidence : str
        In words.

    Attributes
    ----------
    figure_ : matplotlib Figure
    ax_ : matplotlib Axes
    artist_ : matplotlib artist
        The bins.

    Examples
    --------
    >>> import boxwood as bw
    >>> model = bw.TableModel(bw.DensityForest(5, random_state=0)).fit("examples/penguins.csv")
    >>> display = bw.PairDisplay.from_model(model, "body_mass_g", "species")  # doctest: +SKIP
    """

    def __init__(
        self,
        x: QuestionAxis,
        y: QuestionAxis,
        probabilities: NDArray[np.float64],
        missing: float = 0.0,
        evidence: str = "",
    ) -> None:
        self.x, self.y = x, y
        self.probabilities = probabilities
        self.missing = missing
        self.evidence = evidence

    @classmethod
    def from_model(
        cls,
        model: Any,
        x: str,
        y: str,
        given: Any = None,
        *,
        n_bins: int = 40,
        ax: Any = None,
        cmap: Any = "Blues",
        **columns: Any,
    ) -> Self:
        """Draw two columns of a table's density.

        Parameters
        ----------
        model : TableModel or GivenTable
            A fitted model, or one under evidence.
        x, y : str
            The columns across and up.
        given : str, mapping or Event, optional
            Evidence: an expression, or values by column.
        n_bins : int, default=40
            Of numbers.
        ax : matplotlib Axes, optional
            Where to draw; a new figure where it is not given.
        cmap : str or Colormap, default="Blues"
            Colours, by name or as an object of matplotlib.
        **columns
            Evidence by column.

        Returns
        -------
        PairDisplay
        """
        if x == y:
            raise ValueError(f"two different columns are needed; got {x!r} twice.")
        under = model if given is None and not columns else model.given(given, **columns)
        across, up = axis_of_question(under, x, n_bins), axis_of_question(under, y, n_bins)
        grid, missing = probabilities_of_pairs(under, across, up)
        words = [str(given)] if given is not None else []
        words += [f"{name} = {value!r}" for name, value in columns.items()]
        return cls(across, up, grid, missing, " and ".join(words)).plot(ax, cmap=cmap)

    def plot(self, ax: Any = None, *, cmap: Any = "Blues", colorbar: bool = True) -> Self:
        """Draw the numbers.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Without it a new figure.
        cmap : str or Colormap, default="Blues"
            Colours, by name or as an object of matplotlib.
        colorbar : bool, default=True
            Whether a bar explains the colours.

        Returns
        -------
        PairDisplay
            Itself, with `figure_`, `ax_` and `artist_` set.
        """
        self.figure_, (self.ax_,) = panels(1, ax, 5.6, 4.2)
        shown = self.probabilities / np.outer(self.y.sizes, self.x.sizes)
        self.artist_ = self.ax_.pcolormesh(self.x.edges, self.y.edges, shown, cmap=cmap, rasterized=True)
        # One cell, such as an atom's, would leave no colours to the others.
        positive = shown[shown > 0.0]
        if len(positive):
            self.artist_.set_clim(0.0, float(np.quantile(positive, 0.995)))
        self.x.label(self.ax_.xaxis)
        self.y.label(self.ax_.yaxis)
        self._write_cells()
        words = [f"given {shortened(self.evidence, 60)}"] if self.evidence else []
        if self.missing >= FEWEST_GAPS:
            words.append(f"one is missing: {self.missing:.1%}")
        self.ax_.set_title("\n".join(words), fontsize="small", loc="left")
        if colorbar:
            both = self.x.counted and self.y.counted
            self.figure_.colorbar(
                self.artist_, ax=self.ax_, label="probability" if both else "density", extend="max"
            )
        return self

    def _write_cells(self) -> None:
        """Write the probabilities into the cells of a small table of categories."""
        if not (self.x.labels and self.y.labels and max(self.probabilities.shape) <= 8):
            return
        _, high = self.artist_.get_clim()
        for (i, j), p in np.ndenumerate(self.probabilities):
            colour = "white" if p > 0.6 * high else "0.2"
            self.ax_.text(j, i, f"{p:.1%}", ha="center", va="center", fontsize="x-small", color=colour)
