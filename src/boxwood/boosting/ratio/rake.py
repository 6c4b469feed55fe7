"""Raking of a mixture: draws show where it differs from its table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxwood.boosting.model import BoostedModel
from boxwood.boosting.ratio.density_ratio import CubeRows, fit_density_ratio
from boxwood.boosting.ratio.raking import MOST, MOST_OF_FORESTS, Raking
from boxwood.columns import Columns

__all__ = ["rake"]

FEWEST_DRAWS = 2**13
"""Draws that show how far a mixture keeps to its margins, of small tables."""

DRAWS_A_ROW = 16
"""Of others, the rows' number rounded up to a power of two."""

DRAWS_OF_FORESTS = 2
"""Times as many where a forest of continuous columns is all of the mixture: trees change more in it, which
makes chance of the draws larger, and draws cost less (6 µs of ten columns). With 2¹⁸ the worst outer
twentieth of magic was 3.9% off, with 2¹⁹ 2.2%, with 2²⁰ 1.7%."""

DRAWS_A_ROW_OF_INTERVALS, MOST_DRAWS_OF_INTERVALS = 8, 2**16
"""Where columns are discrete: they have no outer twentieth, and draws take longer."""

MOST_COLUMNS = 64
"""With more, what raking gains is less than the noise of its factors costs."""

MOST_COMPARED = 2**15
"""Further draws, which trees tell from rows."""

LEAST_ROWS = 200
"""Of tables with fewer, classifiers tell draws by chance alone; 500 rows of three tables gained 0.3 nats."""


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
    a_row, most, bound = DRAWS_A_ROW, most_draws, MOST
    if not all(model.margins.continuous):
        a_row, most = DRAWS_A_ROW_OF_INTERVALS, min(most_draws, MOST_DRAWS_OF_INTERVALS)
    elif not model.chains and model.gaussians is None:
        a_row, most, bound = DRAWS_OF_FORESTS * a_row, DRAWS_OF_FORESTS * most, MOST_OF_FORESTS
    n_draws = min(max(FEWEST_DRAWS, a_row << int(n).bit_length()), most)
    rng = np.random.default_rng([seed, n_draws])
    of_train, of_held = _cube_rows(model, train), _cube_rows(model, held)
    trees = None
    if by_trees and n >= LEAST_ROWS:
        others = model.draw_evenly(min(n_draws, MOST_COMPARED), rng, n_threads)
        trees = fit_density_ratio(of_train, of_held, model.raked_intervals(others))
    drawn = model.raked_intervals(model.draw_evenly(n_draws, rng, n_threads))
    return replace(model, raking=Raking.fit(drawn, of_train.with_rows(of_held), trees, bound))


def _cube_rows(model: BoostedModel, columns: Columns) -> CubeRows:
    return CubeRows(model.raked_intervals(columns), columns.row_weights)
