"""Raking of a mixture: draws show where it differs from its table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxwood.boosting.cube_intervals import CubeIntervals
from boxwood.boosting.model import BoostedModel
from boxwood.boosting.ratio.compared_rows import LEAST_ROWS, MOST_COLUMNS, ComparedRows, DrawPlan
from boxwood.boosting.ratio.density_ratio import CubeRows, PlacedRows
from boxwood.boosting.ratio.raking import counted_bins, wanted_masses
from boxwood.columns import Columns

__all__ = ["rake"]


def rake(
    model: BoostedModel,
    train: Columns,
    held: Columns,
    n: float,
    seed: int,
    n_threads: int,
    most_draws: int,
    by_trees: bool = True,
) -> BoostedModel:
    """Return a model that has the margins of its table and is as likely as its rows where trees can tell.

    Chains do not keep to the margins by themselves. They leave out a fifth of the outer twentieths: steps of
    trees are the smaller the smaller the box, and the corners, where rows crowd, are small boxes. What the
    parts miss in three columns and more, trees of a classifier find that tells rows from draws.

    Parameters
    ----------
    model : BoostedModel
    train, held : Columns
        The rows that the chains were grown on, and the others. The margins are those of both.
    n : float
        What the table is worth in rows.
    seed : int
    n_threads : int
    most_draws : int
    by_trees : bool, default=True
        False where rows that trees would learn from judge the result, too.
    """
    is_fair = not model.chains and (model.forest is None or not by_trees)  # forests keep to the margins
    if is_fair or len(model.margins.schema) > MOST_COLUMNS or model.has_normal_margins:
        return model
    is_forest = not model.chains and model.gaussians is None
    plan = DrawPlan.of_table(n, all(model.margins.continuous), is_forest, most_draws)
    rng = np.random.default_rng([seed, plan.n_draws])

    def draw(n_draws: int) -> CubeIntervals:
        return model.raked_intervals(model.draw_evenly(n_draws, rng, n_threads))

    raking = _compared_rows(model, train, held).rake(draw, plan, by_trees and n >= LEAST_ROWS)
    return replace(model, raking=raking)


def _compared_rows(model: BoostedModel, train: Columns, held: Columns) -> ComparedRows:
    of_train, of_held = (CubeRows(model.raked_intervals(part), part.row_weights) for part in (train, held))
    wanted = wanted_masses(counted_bins(of_train) + counted_bins(of_held))
    return ComparedRows(PlacedRows.of_rows(of_train), PlacedRows.of_rows(of_held), wanted)
