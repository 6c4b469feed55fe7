"""The ratio of a table's density to a mixture's, by trees that tell rows from draws."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.boosting.cube_intervals import CubeIntervals
from boxwood.boosting.ratio.trees import codes_of, edges_of

__all__ = ["CubeRows", "PlacedRows", "fit_density_ratio", "places_of"]

HELD_FRACTION = 0.1
"""Of the draws: they end the trees beside the rows that are held out."""


class CubeRows(NamedTuple):
    """Rows of a table on the cube, and their weights."""

    intervals: CubeIntervals
    weights: NDArray[np.float64]


class PlacedRows(NamedTuple):
    """What trees see of rows: a place on the cube for each value, and the rows' weights."""

    places: NDArray[np.float64]
    weights: NDArray[np.float64]

    @classmethod
    def of_rows(cls, rows: CubeRows) -> PlacedRows:
        """Return the places of rows on the cube."""
        return cls(places_of(rows.intervals), rows.weights)


def places_of(rows: CubeIntervals) -> NDArray[np.float64]:
    """Return the middle of each interval; NaN where it is all of [0, 1] and says nothing."""
    return np.where(rows.width < 1.0, rows.lower + 0.5 * rows.width, np.nan)


def fit_density_ratio(train: PlacedRows, held: PlacedRows, drawn: CubeIntervals) -> _core.RatioTrees | None:
    """Fit trees whose sum is the logarithm of the ratio of the rows' density to that of draws.

    By gradient boosting of the logistic loss with as much weight on the draws as on the rows: a classifier's
    logit is then the logarithm of the ratio. Held-out rows and draws say when to end.

    Parameters
    ----------
    train, held : PlacedRows
    drawn : CubeIntervals
        In random order.

    Returns
    -------
    RatioTrees or None
        None where held-out rows gain nothing.
    """
    places = places_of(drawn)
    real = train.places
    edges = [edges_of(np.concatenate([real[:, j], places[:, j]])) for j in range(real.shape[1])]
    n_held = int(HELD_FRACTION * len(places))
    trees = _core.grow_ratio_trees(
        [of_column.tolist() for of_column in edges],
        _both(edges, real, train.weights, places[n_held:]),
        _both(edges, held.places, held.weights, places[:n_held]),
        _core.RatioOptions(),
    )
    return trees if trees.n_trees else None


def _both(
    edges: list[NDArray[np.float64]],
    real: NDArray[np.float64],
    weights: NDArray[np.float64],
    drawn: NDArray[np.float64],
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float64], NDArray[np.float64]]:
    """Return codes of rows and draws, which are rows, weights, the same in all on both, and no pairs."""
    both = np.concatenate([real, drawn])
    is_real = np.repeat(np.array([1, 0], dtype=np.uint8), [len(real), len(drawn)])
    own = np.full(len(drawn), weights.sum() / max(len(drawn), 1))
    return codes_of(edges, both), is_real, np.concatenate([weights, own]), np.zeros(0)
