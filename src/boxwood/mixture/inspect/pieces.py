"""The 1-D pieces of a tree's leaves at given points, all leaves at once.

`Mixture.log_density` sums columns out by visiting leaves point by point. A chart asks for a grid of points,
for which each leaf's pieces along the two columns are needed only once: their products are one matrix
product a tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from boxwood.mixture import Mixture
from boxwood.mixture.inspect.boxes import TreeBoxes
from boxwood.mixture.inspect.category_bins import CategoryBins

__all__ = ["joint_density", "piece_densities"]

_LEVEL_WEIGHTS = np.exp2((np.arange(256) - 255.0) / 16.0)
"""What the bytes of histogram leaves stand for, before normalising."""


def joint_density(
    mixture: Mixture,
    trees: list[TreeBoxes],
    shown: Sequence[tuple[int, NDArray[np.float64]]],
    fixed: dict[int, float],
) -> tuple[NDArray[np.float64], float]:
    """Return the density on the cube of one or two columns on a grid, others fixed or summed out.

    Parameters
    ----------
    mixture : Mixture
    trees : list of TreeBoxes
        All trees of the mixture.
    shown : sequence of (int, ndarray)
        One or two columns with points of [0, 1].
    fixed : dict of int to float
        Points of other columns.

    Returns
    -------
    joint : ndarray of shape (n_points,) or (n_points of the second, n_points of the first)
        Density of the shown columns and the fixed ones together.
    given : float
        Density of the fixed ones alone.
    """
    joint = np.zeros([len(points) for _, points in shown][::-1])
    given = 0.0
    for t, boxes in enumerate(trees):
        mass = mixture.weights[t] * boxes.nodes.mass[boxes.nodes.leaves]
        for j, point in fixed.items():
            mass = mass * piece_densities(mixture, boxes, t, j, np.array([point]))[:, 0]
        at_first, *at_others = (piece_densities(mixture, boxes, t, *one) for one in shown)
        weighted = (mass[:, None] * at_others[0]).T if at_others else mass
        joint += weighted @ at_first
        given += float(mass.sum())
    return joint, given


def piece_densities(
    mixture: Mixture, boxes: TreeBoxes, tree: int, j: int, u: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the density of each leaf's piece along a column at points; shape (n_leaves, n_points)."""
    part = boxes.parts[j][boxes.nodes.leaves]
    bins = boxes.columns[j].bins_of(u)
    coded = isinstance(boxes.columns[j], CategoryBins)
    inside = part[:, bins] if coded else (part[:, :1] <= bins) & (bins < part[:, 1:])
    if mixture.leaf_kind == "histogram":
        weights = _leaf_bin_weights(mixture, boxes, tree, j)
        return inside * _of_histograms(boxes, j, part, weights, bins)
    if mixture.leaf_kind == "gaussian" and not coded:
        return inside * _of_gaussians(mixture, boxes, tree, j, part, u)
    return inside / boxes.columns[j].fraction(part)[:, None]


def _of_histograms(
    boxes: TreeBoxes, j: int, part: NDArray[Any], weights: NDArray[np.float64], bins: NDArray[np.int64]
) -> NDArray[np.float64]:
    column, most = boxes.columns[j], weights.shape[1]
    if isinstance(column, CategoryBins):
        # Bins of equally many of all bins, whatever the box.
        leaf_bin_of = np.arange(column.n_bins) * min(column.n_bins, most) // column.n_bins
        total = ((part * np.diff(column.bin_edges)) * weights[:, leaf_bin_of]).sum(axis=1)
        return weights[:, leaf_bin_of[bins]] / total[:, None]
    first, n_bins = part[:, :1], part[:, 1:] - part[:, :1]
    n_leaf_bins = np.minimum(n_bins, most)
    begin = first + -(-np.minimum(np.arange(most + 1), n_leaf_bins) * n_bins // n_leaf_bins)
    total = (np.diff(column.bin_edges[begin], axis=1) * weights).sum(axis=1)
    leaf_bins = ((bins - first) * n_leaf_bins // n_bins).clip(0, most - 1)
    return np.take_along_axis(weights, leaf_bins, axis=1) / total[:, None]


def _of_gaussians(
    mixture: Mixture, boxes: TreeBoxes, tree: int, j: int, part: NDArray[Any], u: NDArray[np.float64]
) -> NDArray[np.float64]:
    mean = _payload(mixture, boxes, tree, "mean")[:, j].astype(np.float64)
    deviation = _payload(mixture, boxes, tree, "deviation")[:, j].astype(np.float64)
    low, high = (
        (boxes.columns[j].bin_edges[part[:, side]] - mean[:, 0]) / deviation[:, 0] for side in (0, 1)
    )
    rotated = low > 0.0  # by the tail that does not cancel
    mass = special.ndtr(np.where(rotated, -low, high)) - special.ndtr(np.where(rotated, -high, low))
    bell = np.exp(-0.5 * ((u - mean) / deviation) ** 2) / np.sqrt(2.0 * np.pi)
    return bell / (deviation * mass[:, None])


def _leaf_bin_weights(mixture: Mixture, boxes: TreeBoxes, tree: int, j: int) -> NDArray[np.float64]:
    return _LEVEL_WEIGHTS[_payload(mixture, boxes, tree, "levels")[:, j]]


def _payload(mixture: Mixture, boxes: TreeBoxes, tree: int, name: str) -> NDArray[Any]:
    """Return what the leaves of one tree keep: shape (n_leaves, n_columns, n_values)."""
    return mixture.flat_tree(tree)[name].reshape(len(boxes.nodes.leaves), len(boxes.columns), -1)
