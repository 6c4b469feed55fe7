"""A table's rows as far as draws of a mixture are compared with them, and how many draws that takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.cube_intervals import CubeIntervals
from boxwood.boosting.ratio.density_ratio import PlacedRows, fit_density_ratio
from boxwood.boosting.ratio.raking import MOST, MOST_OF_FORESTS, Raking

__all__ = ["LEAST_ROWS", "MOST_COLUMNS", "MOST_COMPARED", "ComparedRows", "DrawPlan", "Draws"]

FEWEST_DRAWS = 2**13
"""Draws that show how far a mixture keeps to its margins, of small tables."""

DRAWS_A_ROW = 16
"""Of others, the rows' number rounded up to a power of two."""

MOST_DRAWS_OF_FORESTS = 2**18
"""At most, of a forest by itself. Evenly drawn, they leave the outer twentieths of magic 0.7% off by chance;
2¹⁷ leave 1.0%, and as many that are not evenly drawn 1.9%."""

DRAWS_A_ROW_OF_INTERVALS, MOST_DRAWS_OF_INTERVALS = 8, 2**16
"""Where columns are discrete: most have no outer twentieth, and draws take longer. Of forests, whose draws
take less, there are twice as many."""

MOST_COLUMNS = 64
"""With more, what raking gains is less than the noise of its factors costs."""

MOST_COMPARED = 2**15
"""Further draws, which trees tell from rows."""

LEAST_ROWS = 200
"""Of tables with fewer, classifiers tell draws by chance alone; 500 rows of three tables gained 0.3 nats."""


class DrawPlan(NamedTuple):
    """How many draws rake a mixture, and the bound of a row's factors together."""

    n_draws: int
    most: float

    @classmethod
    def of_table(cls, n: float, is_continuous: bool, is_forest: bool, most_draws: int) -> DrawPlan:
        """Return the plan of a table worth n rows.

        `is_continuous`: whether all its columns are; `is_forest`: whether a forest is all of the mixture.
        """
        a_row, most = DRAWS_A_ROW, MOST
        if not is_continuous:
            a_row = DRAWS_A_ROW_OF_INTERVALS
            most_draws = min(most_draws, MOST_DRAWS_OF_INTERVALS << is_forest)
        elif is_forest:
            most = MOST_OF_FORESTS
        return cls(min(max(FEWEST_DRAWS, a_row << int(n).bit_length()), most_draws), most)


class Draws(NamedTuple):
    """Draws of a mixture, to be compared with a table's rows: all of them or without some.

    Attributes
    ----------
    compared : CubeIntervals or None
        Those that trees tell from rows; None where no trees are wanted.
    raked : CubeIntervals
        Others, which trees have not seen: they show the margins.
    most : float
        Bound of a row's factors together.
    further : callable or None
        Returns as many further draws as it is asked for, if factors need a precise mean.
    """

    compared: CubeIntervals | None
    raked: CubeIntervals
    most: float
    further: Callable[[int], CubeIntervals] | None = None

    @classmethod
    def of_plan(cls, draw: Callable[[int], CubeIntervals], plan: DrawPlan, by_trees: bool) -> Draws:
        """Draw; `draw` gives so many draws on the cube, others every time."""
        compared = draw(min(plan.n_draws, MOST_COMPARED)) if by_trees else None
        return cls(compared, draw(plan.n_draws), plan.most)


class ComparedRows(NamedTuple):
    """What is known of a table where draws are compared with it.

    Attributes
    ----------
    train, held : PlacedRows
        Rows that trees learn from, and others that end them.
    wanted : ndarray of shape (n_columns, n_bins)
        The mass of each bin of raking in the table.
    """

    train: PlacedRows
    held: PlacedRows
    wanted: NDArray[np.float64]

    def rake(self, draws: Draws) -> Raking:
        """Fit trees and raking to draws."""
        trees = None if draws.compared is None else fit_density_ratio(self.train, self.held, draws.compared)
        raking = Raking.fit(draws.raked, self.wanted, trees, draws.most)
        return raking if draws.further is None else raking.normalised(draws.raked, draws.further)
