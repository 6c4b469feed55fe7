"""The leaves of a decision tree over one or two columns: polygons, since oblique splits cut across boxes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column
from boxwood.plot.slices.slice_axis import Axes, SliceAxis
from boxwood.tree.supervised.trees import SupervisedTrees

__all__ = ["draw_boxes", "leaf_polygons"]

Polygon = NDArray[np.float64]
"""Corners in order, shape (n_corners, 2). Over one column the second coordinate goes from 0 to 1."""


def leaf_polygons(
    trees: SupervisedTrees, shown: tuple[int, ...], axes: Axes, fixed: Mapping[int, Column]
) -> list[tuple[int, Polygon]]:
    """Return the leaves that a slice meets, as pairs of node and polygon.

    Parameters
    ----------
    trees : SupervisedTrees
        A single tree.
    shown : tuple of int
        The one or two columns that are shown.
    axes : tuple of SliceAxis
        In their units the polygons are given.
    fixed : mapping of int to Column
        What the other columns are fixed at.
    """
    low_x, high_x = axes[0].edges[[0, -1]]
    low_y, high_y = axes[1].edges[[0, -1]] if len(axes) > 1 else (0.0, 1.0)
    whole = np.array([[low_x, low_y], [high_x, low_y], [high_x, high_y], [low_x, high_y]])
    found: list[tuple[int, Polygon]] = []
    open_nodes: list[tuple[int, list[Polygon]]] = [(0, [whole])]
    while open_nodes:
        node, polygons = open_nodes.pop()
        if trees.feature[node] < 0:
            found += [(node, polygon) for polygon in polygons]
            continue
        left, right = _split(trees, node, polygons, shown, axes, fixed)
        child = int(trees.left[node])
        open_nodes += [(number, part) for number, part in ((child + 1, right), (child, left)) if part]
    return found


def draw_boxes(axes: Any, boxes: list[Polygon]) -> None:
    """Draw the borders of leaves."""
    from matplotlib.collections import PolyCollection

    axes.add_collection(PolyCollection(boxes, facecolor="none", edgecolor="white", linewidth=0.6, alpha=0.8))


def _split(
    trees: SupervisedTrees,
    node: int,
    polygons: list[Polygon],
    shown: tuple[int, ...],
    axes: Axes,
    fixed: Mapping[int, Column],
) -> tuple[list[Polygon], list[Polygon]]:
    """Return what of some polygons goes left and right at a node."""
    j, threshold = int(trees.feature[node]), float(trees.threshold[node])
    normal = np.zeros(2)
    if j >= len(trees.n_categories):
        threshold -= _of_direction(trees, j - len(trees.n_categories), normal, shown, axes, fixed)
    elif j in shown and trees.n_categories[j] >= 0:
        return _split_categories(trees.codes_of_set(node), polygons, shown.index(j), axes[shown.index(j)])
    elif j in shown:
        normal[shown.index(j)] = axes[shown.index(j)].unit
    else:
        went_left = _goes_left(trees, node, fixed[j])
        return (polygons, []) if went_left else ([], polygons)
    if not normal.any():
        return (polygons, []) if threshold > 0.0 else ([], polygons)
    left = [part for polygon in polygons if len(part := _clipped(polygon, normal, threshold))]
    right = [part for polygon in polygons if len(part := _clipped(polygon, -normal, -threshold))]
    return left, right


def _of_direction(
    trees: SupervisedTrees,
    k: int,
    normal: NDArray[np.float64],
    shown: tuple[int, ...],
    axes: Axes,
    fixed: Mapping[int, Column],
) -> float:
    """Fill in the weights of the shown columns, and return what the fixed ones add to the sum."""
    here, rest = trees.directions.entries(k), 0.0
    entries = zip(trees.directions.column[here], trees.directions.weight[here], strict=True)
    for j, weight in entries:
        if j in shown:
            normal[shown.index(j)] += float(weight) * axes[shown.index(j)].unit
        else:
            missing = fixed[j].n_missing > 0
            rest += float(weight) * float(trees.directions.fill[j] if missing else fixed[j].numbers()[0])
    return rest


def _goes_left(trees: SupervisedTrees, node: int, value: Column) -> bool:
    j = int(trees.feature[node])
    if trees.n_categories[j] < 0:
        if value.n_missing:
            return bool(trees.missing_left[node])
        return float(value.numbers()[0]) < float(trees.threshold[node])
    code = trees.n_categories[j] + 1 if value.n_missing else int(value.values[0])
    return code in trees.codes_of_set(node)


def _split_categories(
    codes: NDArray[np.uint32], polygons: list[Polygon], along: int, axis: SliceAxis
) -> tuple[list[Polygon], list[Polygon]]:
    """Split polygons into runs of neighbouring categories of one side."""
    goes_left = np.isin(np.arange(len(axis.values)), codes)
    normal = np.eye(2)[along]
    sides: tuple[list[Polygon], list[Polygon]] = ([], [])
    for side, flags in zip(sides, (goes_left, ~goes_left), strict=True):
        ends = np.flatnonzero(np.diff(flags, prepend=False, append=False))
        for first, end in zip(ends[::2], ends[1::2], strict=True):
            for polygon in polygons:
                part = _clipped(_clipped(polygon, -normal, 0.5 - first), normal, end - 0.5)
                if len(part):
                    side.append(part)
    return sides


def _clipped(polygon: Polygon, normal: NDArray[np.float64], bound: float) -> Polygon:
    """Return the part of a convex polygon whose points p have ``normal @ p <= bound``; empty without area."""
    if len(polygon) == 0:
        return polygon
    beyond = polygon @ normal - bound
    corners = []
    for here, there, a, b in zip(
        polygon, np.roll(polygon, -1, axis=0), beyond, np.roll(beyond, -1), strict=True
    ):
        if a <= 0.0:
            corners.append(here)
        if (a < 0.0 < b) or (b < 0.0 < a):
            corners.append(here + a / (a - b) * (there - here))
    kept = np.array(corners).reshape(-1, 2)
    return kept if len(kept) >= 3 and np.ptp(kept, axis=0).min() > 0.0 else kept[:0]
