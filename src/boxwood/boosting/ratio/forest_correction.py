"""What draws of a forest are corrected by: the density ratio of its table to them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.cube_intervals import CubeIntervals, cube_intervals_of
from boxwood.boosting.ratio.accepted_rows import accepted_rows
from boxwood.boosting.ratio.compared_rows import (
    LEAST_ROWS,
    MOST_COLUMNS,
    MOST_COMPARED,
    MOST_DRAWS_OF_FORESTS,
    ComparedRows,
    DrawPlan,
    Draws,
)
from boxwood.boosting.ratio.density_ratio import CubeRows, PlacedRows, places_of
from boxwood.boosting.ratio.raking import Raking, counted_bins, wanted_masses
from boxwood.columns import Columns
from boxwood.dependencies import RuledDensity
from boxwood.evidence import Evidence, validation_fold
from boxwood.margins import Margins, known_points
from boxwood.mixture import Mixture
from boxwood.randomness import generator, seed_of

__all__ = ["FittedRows", "ForestCorrection"]

FEWEST_CELLS = 4_000
"""Rows times columns from which on trees tell more than chance."""

HELD_FRACTION = 0.1
"""Of the rows: they end the trees."""

LEAST_COMPARED = 16
"""Rows to learn from, and rows that end the trees."""

MOST_UNSEEN = 0.5
"""Of the draws, that show a category which no row has and are drawn again."""

MOST_DRAWS_A_ROW = 16.0
"""Where more would be drawn for a row that is kept, the forest is too far from its table to correct."""

ROWS_AT_ONCE = 2**13
"""Of a table, where all its rows are counted in the bins of raking: at once they would take much memory."""


@dataclass(frozen=True, eq=False)
class FittedRows:
    """What a forest keeps of its table until the first of its draws are corrected.

    Attributes
    ----------
    compared : ComparedRows
        Of up to 32,768 rows their places on the cube; of all of them the margins.
    n : float
        What the table is worth in rows.
    seed : int
    """

    compared: ComparedRows
    n: float
    seed: int

    @classmethod
    def of_table(cls, evidence: Evidence, margins: Margins, ruled: RuledDensity, seed: int) -> Self | None:
        """Return what is kept of a table; None where it is too small or too wide to correct its draws."""
        d = len(evidence.columns)
        if evidence.n < LEAST_ROWS or evidence.n_rows * d <= FEWEST_CELLS or d > MOST_COLUMNS:
            return None
        folds = validation_fold(evidence, HELD_FRACTION, seed)
        if not folds or _unseen_fraction(margins) > MOST_UNSEEN:  # all rows are of one group, or ids
            return None
        columns = evidence.columns.without_weights()

        def placed(weights: NDArray[np.float64], most: int) -> PlacedRows:
            there = np.flatnonzero(weights > 0.0)
            # By their keys, which are those of their content: neither order nor partition matters.
            chosen = np.sort(there[np.argsort(evidence.keys[there], kind="stable")[:most]])
            return PlacedRows(places_of(_on_cube(margins, ruled, columns.take(chosen))), weights[chosen])

        train = placed(folds[0].train, MOST_COMPARED)
        held = placed(folds[0].held, MOST_COMPARED // 8)
        if min(len(train.weights), len(held.weights)) < LEAST_COMPARED:  # of few groups
            return None
        counted = np.zeros(1)
        for begin in range(0, evidence.n_rows, ROWS_AT_ONCE):
            rows = np.arange(begin, min(begin + ROWS_AT_ONCE, evidence.n_rows))
            part = CubeRows(_on_cube(margins, ruled, columns.take(rows)), evidence.weights[rows])
            counted = counted + counted_bins(part)
        return cls(ComparedRows(train, held, wanted_masses(counted)), evidence.n, seed)


@dataclass(frozen=True, eq=False)
class ForestCorrection:
    """The density ratio of a table to its forest, by which draws are kept.

    Attributes
    ----------
    raking : Raking
    margins : Margins
    ruled : RuledDensity
    """

    raking: Raking
    margins: Margins
    ruled: RuledDensity

    @classmethod
    def fit(cls, rows: FittedRows, mixture: Mixture, margins: Margins, ruled: RuledDensity) -> Self | None:
        """Fit the ratio to draws of the forest; None where next to no draw would be kept."""
        rng = generator(rows.seed)
        is_plain = not len(ruled.dependencies)
        is_continuous = all(margins.continuous)

        def draw(n_draws: int) -> CubeIntervals:
            if not is_plain:
                return _on_cube(margins, ruled, ruled.sample(n_draws, rng))
            points = known_points(lambda n: mixture.sample_evenly(n, seed_of(rng)), n_draws, margins)
            points = points[rng.permutation(n_draws)]
            if is_continuous:
                return CubeIntervals(points, np.zeros_like(points))
            return _on_cube(margins, ruled, margins.decode(points))

        plan = DrawPlan.of_table(rows.n, is_continuous, True, MOST_DRAWS_OF_FORESTS)
        raking = rows.compared.rake(Draws.of_plan(draw, plan, by_trees=True))
        return cls(raking, margins, ruled) if raking.log_most <= math.log(MOST_DRAWS_A_ROW) else None

    def rows(
        self,
        draw: Callable[[int], Columns],
        n_rows: int,
        rng: np.random.Generator,
        under_evidence: bool = False,
    ) -> Columns:
        """Return so many rows of those that `draw` gives, as if they came from the table.

        `under_evidence`: whether these are draws of a part of the forest, where all ratios may be small.
        """
        return accepted_rows(draw, self.log_factor, self.raking.log_most, n_rows, rng, under_evidence)

    def log_factor(self, columns: Columns) -> NDArray[np.float64]:
        """Return the logarithm of the ratio for each row."""
        return self.raking.log_factor(_on_cube(self.margins, self.ruled, columns))


def _on_cube(margins: Margins, ruled: RuledDensity, columns: Columns) -> CubeIntervals:
    """Return where rows lie, as they would if they kept to the rules."""
    shown = columns
    if len(ruled.dependencies):
        shown = ruled.dependencies.rows(columns, ruled.gaps).kept()
    return cube_intervals_of(margins, shown, margins.encode(shown), "event")


def _unseen_fraction(margins: Margins) -> float:
    """Return how many draws would show a category that no row has; of ids nearly all would."""
    points = generator(0).random((1024, len(margins.schema)))
    return float(np.mean(margins.native.is_unseen(points)))
