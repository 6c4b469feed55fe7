"""Leaves, slowly: masses, histograms and Gaussians from the rows, and the pieces that flat arrays mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from core_tables import Table
from reference_trees import Knots, SlowNode, cells_of_points, leaves_of, walk_trees
from scipy.stats import truncnorm

LEVELS_PER_OCTAVE = 16.0


def bins_of_cells(node: SlowNode, knots: Knots, j: int, most_bins: int) -> tuple[dict[int, int], int]:
    """The bin of each cell of a node's box; those of categories do not depend on the box."""
    u, categorical = knots[j]
    cells = list(range(len(u) - 1)) if categorical else node.cells[j]
    n_bins = min(most_bins, len(cells))
    bins = {c: k * n_bins // len(cells) for k, c in enumerate(cells)}
    return {c: bins[c] for c in node.cells[j]}, n_bins


def widths_of_bins(node: SlowNode, knots: Knots, j: int, most_bins: int) -> np.ndarray:
    u = knots[j][0]
    bins, n_bins = bins_of_cells(node, knots, j, most_bins)
    widths = np.zeros(n_bins)
    for cell, b in bins.items():
        widths[b] += u[cell + 1] - u[cell]
    return widths


# ---- fitting ------------------------------------------------------------------------------------------


@dataclass
class SlowFit:
    """Mass of every node, and for each the shares of its histograms' bins."""

    mass: dict[int, float]
    shares: dict[int, list[np.ndarray]]


def fit_leaves(
    table: Table, knots: Knots, nodes: dict[int, SlowNode], options: Any, histogram: bool
) -> SlowFit:
    places = cells_of_points(knots, table.points) if table.exact else table.cells
    fit = SlowFit({0: 1.0}, {})
    most = options.n_bins if histogram else 1
    fit.shares[0] = [widths_of_bins(nodes[0], knots, j, most) for j in range(len(knots))]
    open_nodes = [0]
    while open_nodes:
        node = nodes[open_nodes.pop()]
        if node.feature < 0:
            continue
        children = [nodes[c] for c in node.children]
        handed = [_handed_down(node, child, knots, fit.shares[node.number], most) for child in children]
        j = node.feature
        if histogram:
            left_mass, right_mass = handed[0][1], handed[1][1]
            share = left_mass / (left_mass + right_mass)
        else:
            share = children[0].width(knots, j) / node.width(knots, j)
        c = options.mass_prior
        left_share = (children[0].count + c * share) / (node.count + c) if node.count + c > 0.0 else share
        for child, part, (shares, _) in zip(children, (left_share, 1.0 - left_share), handed, strict=True):
            fit.mass[child.number] = fit.mass[node.number] * part
            inside = child.contains(places)
            fit.shares[child.number] = [
                _posterior(
                    child, knots, k, most, places[inside, k], table.weights[inside], shares[k], options
                )
                for k in range(len(knots))
            ]
            open_nodes.append(child.number)
    return fit


def _handed_down(
    node: SlowNode, child: SlowNode, knots: Knots, shares: list[np.ndarray], most: int
) -> tuple[list[np.ndarray], float]:
    """The parent's histograms in the child's box, and the child's mass under that of the column cut."""
    j = node.feature
    u = knots[j][0]
    bins, _ = bins_of_cells(node, knots, j, most)
    widths = widths_of_bins(node, knots, j, most)
    of_child, n_bins = bins_of_cells(child, knots, j, most)
    inside = np.zeros(n_bins)
    for cell, b in of_child.items():
        inside[b] += shares[j][bins[cell]] * (u[cell + 1] - u[cell]) / widths[bins[cell]]
    handed = [inside / inside.sum() if k == j else shares[k] for k in range(len(knots))]
    return handed, float(inside.sum())


def _posterior(
    child: SlowNode,
    knots: Knots,
    j: int,
    most: int,
    cells: np.ndarray,
    weights: np.ndarray,
    prior_shares: np.ndarray,
    options: Any,
) -> np.ndarray:
    bins, n_bins = bins_of_cells(child, knots, j, most)
    counts = np.bincount([bins[int(c)] for c in cells], weights=weights, minlength=n_bins)
    if not knots[j][1]:
        u = knots[j][0]
        widths = np.zeros(n_bins)
        for cell, b in bins.items():
            widths[b] += u[cell + 1] - u[cell]
        for _ in range(2):
            # Neighbours exchange a quarter of their difference in density, over the narrower one's width.
            density = counts / widths
            flow = 0.25 * np.diff(density) * np.minimum(widths[:-1], widths[1:])
            counts = counts + np.append(flow, 0.0) - np.append(0.0, flow)
    prior = options.histogram_prior
    return (counts + prior * prior_shares) / (weights.sum() + prior)


# ---- what flat arrays mean ----------------------------------------------------------------------------


@dataclass
class Piece:
    """A leaf's density along one column: stretches of constant density, or a Gaussian cut off at the box."""

    stretches: list[tuple[float, float, float, int]]  # low, high, density, cell
    gaussian: Any = None

    def density(self, point: float, cell: int) -> float:
        if self.gaussian is not None:
            return float(self.gaussian.pdf(point))
        return next((d for _, _, d, c in self.stretches if c == cell), 0.0)

    def between(self, low: float, high: float) -> float:
        if self.gaussian is not None:
            return float(self.gaussian.cdf(high) - self.gaussian.cdf(low)) if high > low else 0.0
        return sum(d * max(0.0, min(b, high) - max(a, low)) for a, b, d, _ in self.stretches)

    def of_cells(self, u: np.ndarray, flags: np.ndarray) -> float:
        return sum(self.between(u[c], u[c + 1]) for c in np.flatnonzero(flags))


def pieces_of_leaf(flat: dict[str, Any], knots: Knots, leaf: SlowNode, number: int) -> list[Piece]:
    """The pieces of a leaf; `number` counts the leaves of all trees."""
    d = len(knots)
    found = []
    for j, (u, categorical) in enumerate(knots):
        cells = leaf.cells[j]
        weights = dict.fromkeys(cells, 1.0)
        if flat["leaf_kind"] == "histogram":
            start = (number * d + j) * flat["n_bins"]
            levels = flat["levels"][start : start + flat["n_bins"]].astype(float)
            bins, _ = bins_of_cells(leaf, knots, j, flat["n_bins"])
            weights = {c: 2.0 ** ((levels[bins[c]] - 255.0) / LEVELS_PER_OCTAVE) for c in cells}
        total = sum(weights[c] * (u[c + 1] - u[c]) for c in cells)
        piece = Piece([(u[c], u[c + 1], weights[c] / total, c) for c in cells])
        if flat["leaf_kind"] == "gaussian" and not categorical:
            mean, deviation = (float(flat[name][number * d + j]) for name in ("mean", "deviation"))
            low, high = u[cells[0]], u[cells[-1] + 1]
            piece.gaussian = truncnorm((low - mean) / deviation, (high - mean) / deviation, mean, deviation)
        found.append(piece)
    return found


class SlowMixture:
    """A mixture as a plain list of weighted products of pieces."""

    def __init__(self, knots: Knots, flat: dict[str, Any], weights: np.ndarray) -> None:
        self.knots = knots
        self.parts: list[tuple[float, SlowNode, list[Piece]]] = []
        self.trees = [leaves_of(nodes) for nodes in walk_trees(flat, knots)]
        number = 0
        for weight, leaves in zip(weights, self.trees, strict=True):
            for leaf in leaves:
                self.parts.append((weight * leaf.mass, leaf, pieces_of_leaf(flat, knots, leaf, number)))
                number += 1

    def density(self, points: np.ndarray) -> np.ndarray:
        """Sums out columns that are NaN: a piece integrates to 1."""
        cells = cells_of_points(self.knots, np.nan_to_num(points))
        sums = np.zeros(len(points))
        for mass, leaf, pieces in self.parts:
            for i, point in enumerate(points):
                known = [j for j in range(len(self.knots)) if not np.isnan(point[j])]
                if all(cells[i, j] in leaf.cells[j] for j in known):
                    sums[i] += mass * np.prod([pieces[j].density(point[j], cells[i, j]) for j in known])
        return sums

    def probability(self, events: list[Any]) -> float:
        total = 0.0
        for mass, _, pieces in self.parts:
            product = mass
            for (u, _), piece, event in zip(self.knots, pieces, events, strict=True):
                if isinstance(event, tuple):
                    product *= piece.between(*event)
                elif event is not None:
                    product *= piece.of_cells(u, event)
            total += product
        return total

    def apply(self, points: np.ndarray) -> np.ndarray:
        cells = cells_of_points(self.knots, points)
        out = np.full((len(points), len(self.trees)), -1)
        for t, leaves in enumerate(self.trees):
            for leaf in leaves:
                out[leaf.contains(cells), t] = leaf.leaf
        return out
