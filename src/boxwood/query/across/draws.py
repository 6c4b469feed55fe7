"""Draws under a condition on two columns, put inside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boxwood.query.across.boxes import Tie
from boxwood.query.across.side import Side

if TYPE_CHECKING:
    from boxwood.query.engine import CubeBox

__all__ = ["inside_ties"]

Numbers = NDArray[np.float64]

MOST_ROUNDS = 256
"""How often a point is drawn again within its pair of bins. Bins of which the condition has but a sliver keep
rows waiting: less than 1/500 of what lies in bins that the line cuts. These are drawn as a whole again."""


def inside_ties(
    points: Numbers, box_of_row: NDArray[np.uint32], boxes: Sequence[CubeBox], rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Move points inside the conditions of their boxes, within their pairs of bins; return which are inside.

    The core draws a pair of bins by what the condition has of it, and a point of the pair: uniform draws that
    are rejected outside the condition are uniform inside it.
    """
    done = np.ones(len(points), dtype=np.bool_)
    for i, box in enumerate(boxes):
        for tie in box.ties:
            rows = np.flatnonzero(box_of_row == i)
            done[rows] &= _inside_tie(points, rows, tie, rng)
    return done


def _inside_tie(
    points: Numbers, rows: NDArray[np.intp], tie: Tie, rng: np.random.Generator
) -> NDArray[np.bool_]:
    columns, done = tie.column.columns, np.zeros(len(rows), dtype=np.bool_)
    waiting = np.arange(len(rows))
    for _ in range(MOST_ROUNDS):
        places = points[rows[waiting]][:, list(columns)]
        values = [side.margin.decode(np.ascontiguousarray(places[:, k])) for k, side in enumerate(tie.sides)]
        inside = tie.column.inside(values, tie.allowed)
        done[waiting[inside]] = True
        waiting = waiting[~inside]
        if not len(waiting):
            break
        for k, (j, side) in enumerate(zip(columns, tie.sides, strict=True)):
            points[rows[waiting], j] = _drawn_again(side, places[~inside, k], rng)
    return done


def _drawn_again(side: Side, u: Numbers, rng: np.random.Generator) -> Numbers:
    """Return uniform points of what may be in the bins of others."""
    cell = np.clip(np.searchsorted(side.edges, u, side="right") - 1, 0, len(side.cover) - 1)
    at = side.length_below(side.edges)[cell] + rng.random(len(u)) * side.cover[cell]
    cube = side.cube
    upper = np.cumsum(cube.high - cube.low)
    k = np.clip(np.searchsorted(upper, at, side="right"), 0, len(upper) - 1)
    found = cube.high[k] - (upper[k] - at)
    low, high = np.maximum(cube.low[k], side.edges[cell]), np.minimum(cube.high[k], side.edges[cell + 1])
    return np.clip(found, low, np.nextafter(high, 0.0))
