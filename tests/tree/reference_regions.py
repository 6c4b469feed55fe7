"""Nodes of the reference implementation of growth: their rows, their boxes and what a cut makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from core_tables import Table


@dataclass
class Region:
    """The rows of a node and its box: an interval of points, or the bins, of each column."""

    rows: np.ndarray
    ranges: list[Any]
    volume: float
    widths: list[float]
    cut_margins: frozenset[tuple[int, bool]] = frozenset()
    """Column and side (low or not) of the empty margins that were cut off since the rows were last parted."""


@dataclass
class Candidate:
    feature: int
    cut: Any  # a point, a bin, or a frozenset of bins
    left: np.ndarray  # flags of the region's rows
    fraction: float


def whole_region(table: Table) -> Region:
    ranges: list[Any] = []
    for j, (u, _) in enumerate(table.columns):
        ranges.append((0.0, 1.0) if table.is_exact(j) else list(range(len(u) - 1)))
    rows = np.flatnonzero(table.weights > 0.0)
    return Region(rows, ranges, 1.0, [1.0] * len(ranges))


def half_of(table: Table, region: Region, candidate: Candidate, left: bool) -> Region:
    j = candidate.feature
    ranges = list(region.ranges)
    if table.is_exact(j):
        low, high = ranges[j]
        ranges[j] = (low, candidate.cut) if left else (candidate.cut, high)
    elif table.columns[j][1]:
        ranges[j] = [c for c in ranges[j] if (c in candidate.cut) == left]
    else:
        ranges[j] = [c for c in ranges[j] if (c < candidate.cut) == left]
    fraction = candidate.fraction if left else 1.0 - candidate.fraction
    widths = [w * fraction if k == j else w for k, w in enumerate(region.widths)]
    rows = region.rows[candidate.left == left]
    parted = 0 < len(rows) < len(region.rows)
    cut_margins = frozenset() if parted else region.cut_margins | {(j, not left)}
    return Region(rows, ranges, region.volume * fraction, widths, cut_margins)
