"""The distribution of a column under a condition that ties it to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boxwood.query.across.areas import pair_areas
from boxwood.query.across.boxes import Tie
from boxwood.query.across.side import Side

if TYPE_CHECKING:
    from boxwood.query.engine import CubeBox, QueryEngine

__all__ = ["tied_density"]

Numbers = NDArray[np.float64]

N_CELLS = 2048
"""Bins are cut into 2 to 8 cells, so that there are about so many: at their ends the distribution is exact,
between them it has their mean density."""


def tied_density(engine: QueryEngine, boxes: Sequence[CubeBox], column: int) -> tuple[Numbers, Numbers]:
    """Return cells of a column in u, and its density in them, summed over boxes that tie it to another."""
    bins = engine.edges[column]
    parts = int(np.clip(N_CELLS // (len(bins) - 1), 2, 8))
    steps = np.arange(parts) / parts
    inner = bins[:-1, None] + np.diff(bins)[:, None] * steps
    ends = [part for box in boxes for part in (box.cubes[column].low, box.cubes[column].high)]
    edges = np.unique(np.concatenate([inner.ravel(), [1.0], *ends]))
    density = np.zeros(len(edges) - 1)
    for box in boxes:
        density += _density_in(engine, box, column, edges)
    return edges, density


def _density_in(engine: QueryEngine, box: CubeBox, column: int, edges: Numbers) -> Numbers:
    tie = next(tie for tie in box.ties if column in tie.column.columns)
    others = tuple(one for one in box.ties if one is not tie)
    joint = engine.condition([replace(box, ties=others)]).pair_density(0, *tie.column.columns)
    k = tie.column.columns.index(column)
    areas = _areas(tie, k, edges)
    if k == 1:
        areas, joint = areas.T, joint.T
    bins = engine.edges[column]
    at = np.searchsorted(bins, 0.5 * (edges[1:] + edges[:-1]), side="right") - 1
    mass = np.einsum("ij,ij->i", areas, joint[at])
    return mass / np.diff(edges)


def _areas(tie: Tie, k: int, edges: Numbers) -> Numbers:
    """Return the areas of a tie with finer cells of one of its columns."""
    sides = list(tie.sides)
    sides[k] = Side(sides[k].margin, edges, sides[k].cube)
    return pair_areas(sides[0], sides[1], tie.column.coefficients[1][1], tie.allowed)
