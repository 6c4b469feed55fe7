"""Leaves, slowly: masses, histograms and Gaussians from the rows, and the pieces that flat arrays mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from core_tables import Table
from reference_trees import BinEdges, ReferenceNode, bins_of_points, leaves_of, walk_trees
from scipy.integrate import simpson
from scipy.stats import norm, truncnorm

LEVELS_PER_OCTAVE = 16.0


def leaf_bins_of_bins(
    node: ReferenceNode, bin_edges: BinEdges, j: int, most_leaf_bins: int
) -> tuple[dict[int, int], int]:
    """The bin of each bin of a node's box; those of categories do not depend on the box."""
    u, categorical = bin_edges[j]
    bins = list(range(len(u) - 1)) if categorical else node.bins[j]
    n_leaf_bins = min(most_leaf_bins, len(bins))
    leaf_bins = {c: k * n_leaf_bins // len(bins) for k, c in enumerate(bins)}
    return {c: leaf_bins[c] for c in node.bins[j]}, n_leaf_bins


def widths_of_leaf_bins(node: ReferenceNode, bin_edges: BinEdges, j: int, most_leaf_bins: int) -> np.ndarray:
    u = bin_edges[j][0]
    leaf_bins, n_leaf_bins = leaf_bins_of_bins(node, bin_edges, j, most_leaf_bins)
    widths = np.zeros(n_leaf_bins)
    for bin, b in leaf_bins.items():
        widths[b] += u[bin + 1] - u[bin]
    return widths


# ---- fitting ------------------------------------------------------------------------------------------


@dataclass
class ReferenceFit:
    """Mass of every node, and for each the fractions of its histograms' bins."""

    mass: dict[int, float]
    fractions: dict[int, list[np.ndarray]]


def fit_leaves(
    table: Table, bin_edges: BinEdges, nodes: dict[int, ReferenceNode], options: Any, histogram: bool
) -> ReferenceFit:
    places = bins_of_points(bin_edges, table.points) if table.exact else table.bins
    fit = ReferenceFit({0: 1.0}, {})
    most = options.n_leaf_bins if histogram else 1
    fit.fractions[0] = [widths_of_leaf_bins(nodes[0], bin_edges, j, most) for j in range(len(bin_edges))]
    open_nodes = [0]
    while open_nodes:
        node = nodes[open_nodes.pop()]
        if node.feature < 0:
            continue
        children = [nodes[c] for c in node.children]
        handed = [
            _handed_down(node, child, bin_edges, fit.fractions[node.number], most) for child in children
        ]
        j = node.feature
        if histogram:
            left_mass, right_mass = handed[0][1], handed[1][1]
            fraction = left_mass / (left_mass + right_mass)
        else:
            fraction = children[0].width(bin_edges, j) / node.width(bin_edges, j)
        c = options.mass_prior
        left_fraction = (
            (children[0].count + c * fraction) / (node.count + c) if node.count + c > 0.0 else fraction
        )
        for child, part, (fractions, _) in zip(
            children, (left_fraction, 1.0 - left_fraction), handed, strict=True
        ):
            fit.mass[child.number] = fit.mass[node.number] * part
            inside = child.contains(places)
            fit.fractions[child.number] = [
                _posterior(
                    child, bin_edges, k, most, places[inside, k], table.weights[inside], fractions[k], options
                )
                for k in range(len(bin_edges))
            ]
            open_nodes.append(child.number)
    return fit


def _handed_down(
    node: ReferenceNode, child: ReferenceNode, bin_edges: BinEdges, fractions: list[np.ndarray], most: int
) -> tuple[list[np.ndarray], float]:
    """The parent's histograms in the child's box, and the child's mass under that of the column cut."""
    j = node.feature
    u = bin_edges[j][0]
    leaf_bins, _ = leaf_bins_of_bins(node, bin_edges, j, most)
    widths = widths_of_leaf_bins(node, bin_edges, j, most)
    of_child, n_leaf_bins = leaf_bins_of_bins(child, bin_edges, j, most)
    inside = np.zeros(n_leaf_bins)
    for bin, b in of_child.items():
        inside[b] += fractions[j][leaf_bins[bin]] * (u[bin + 1] - u[bin]) / widths[leaf_bins[bin]]
    handed = [inside / inside.sum() if k == j else fractions[k] for k in range(len(bin_edges))]
    return handed, float(inside.sum())


def _posterior(
    child: ReferenceNode,
    bin_edges: BinEdges,
    j: int,
    most: int,
    bins: np.ndarray,
    weights: np.ndarray,
    prior_fractions: np.ndarray,
    options: Any,
) -> np.ndarray:
    leaf_bins, n_leaf_bins = leaf_bins_of_bins(child, bin_edges, j, most)
    counts = np.bincount([leaf_bins[int(c)] for c in bins], weights=weights, minlength=n_leaf_bins)
    if not bin_edges[j][1]:
        u = bin_edges[j][0]
        widths = np.zeros(n_leaf_bins)
        for bin, b in leaf_bins.items():
            widths[b] += u[bin + 1] - u[bin]
        for _ in range(2):
            # Neighbours exchange a quarter of their difference in density, over the narrower one's width.
            density = counts / widths
            flow = 0.25 * np.diff(density) * np.minimum(widths[:-1], widths[1:])
            counts = counts + np.append(flow, 0.0) - np.append(0.0, flow)
    prior = options.histogram_prior
    return (counts + prior * prior_fractions) / (weights.sum() + prior)


def gaussian_moments(
    table: Table, bin_edges: BinEdges, nodes: dict[int, ReferenceNode], prior: float
) -> dict[int, dict[int, tuple[float, float]]]:
    """Mean and variance of every node's Gaussians: of its rows, and of `prior` rows like its parent's."""
    places = bins_of_points(bin_edges, table.points) if table.exact else table.bins
    parent = {child: i for i, node in nodes.items() for child in node.children if child >= 0}
    found: dict[int, dict[int, tuple[float, float]]] = {}
    for i in sorted(nodes, key=lambda i: _depth(i, parent)):
        found[i] = {}
        inside = nodes[i].contains(places)
        w = table.weights[inside]
        for j, (u, categorical) in enumerate(bin_edges):
            if categorical:
                continue
            low, high = u[nodes[i].bins[j][0]], u[nodes[i].bins[j][-1] + 1]
            x, n = table.place(j)[inside], w.sum()
            own = prior if i else 0.0
            expected = _moments_inside(found[parent[i]][j], low, high) if i else (0.5, 1.0 / 12.0)
            if n + own == 0.0:
                found[i][j] = expected
                continue
            mean = ((w * x).sum() + own * expected[0]) / (n + own)
            squares = (w * (x - mean) ** 2).sum() + own * (expected[1] + (expected[0] - mean) ** 2)
            found[i][j] = mean, squares / (n + own)
    return found


def _depth(i: int, parent: dict[int, int]) -> int:
    return 0 if i == 0 else 1 + _depth(parent[i], parent)


def _moments_inside(moments: tuple[float, float], low: float, high: float) -> tuple[float, float]:
    mean, deviation = moments[0], np.sqrt(moments[1])
    uniform = 0.5 * (low + high), (high - low) ** 2 / 12.0
    if not high - low > 0.05 * deviation or not deviation > 1e-6 * (high - low):  # rounding apart
        return uniform
    a, b = (low - mean) / deviation, (high - mean) / deviation
    mass = norm.cdf(b) - norm.cdf(a) if a < 0.0 else norm.sf(a) - norm.sf(b)
    if not mass > 1e-6:
        return uniform
    # The closed forms are the fast ones; beyond ten deviations there is nothing.
    grid = np.linspace(max(low, mean - 10.0 * deviation), min(high, mean + 10.0 * deviation), 20001)
    if grid[-1] - grid[0] < 1e-9:
        return float(grid.mean()), 0.0
    density = np.exp(-0.5 * ((grid - mean) / deviation) ** 2)
    density /= simpson(density, x=grid)
    middle = simpson(density * grid, x=grid)
    return float(middle), float(simpson(density * (grid - middle) ** 2, x=grid))


# ---- what flat arrays mean ----------------------------------------------------------------------------


@dataclass
class Piece:
    """A leaf's density along one column: stretches of constant density, or a Gaussian cut off at the box."""

    stretches: list[tuple[float, float, float, int]]  # low, high, density, bin
    gaussian: Any = None

    def density(self, point: float, bin: int) -> float:
        if self.gaussian is not None:
            return float(self.gaussian.pdf(point))
        return next((d for _, _, d, c in self.stretches if c == bin), 0.0)

    def between(self, low: float, high: float) -> float:
        if self.gaussian is not None:
            return float(self.gaussian.cdf(high) - self.gaussian.cdf(low)) if high > low else 0.0
        return sum(d * max(0.0, min(b, high) - max(a, low)) for a, b, d, _ in self.stretches)

    def of_bins(self, u: np.ndarray, flags: np.ndarray) -> float:
        return sum(self.between(u[c], u[c + 1]) for c in np.flatnonzero(flags))


def pieces_of_leaf(
    flat: dict[str, Any], bin_edges: BinEdges, leaf: ReferenceNode, number: int
) -> list[Piece]:
    """The pieces of a leaf; `number` counts the leaves of all trees."""
    d = len(bin_edges)
    found = []
    for j, (u, categorical) in enumerate(bin_edges):
        bins = leaf.bins[j]
        weights = dict.fromkeys(bins, 1.0)
        if flat["leaf_kind"] == "histogram":
            start = (number * d + j) * flat["n_bins"]
            levels = flat["levels"][start : start + flat["n_bins"]].astype(float)
            leaf_bins, _ = leaf_bins_of_bins(leaf, bin_edges, j, flat["n_bins"])
            weights = {c: 2.0 ** ((levels[leaf_bins[c]] - 255.0) / LEVELS_PER_OCTAVE) for c in bins}
        total = sum(weights[c] * (u[c + 1] - u[c]) for c in bins)
        piece = Piece([(u[c], u[c + 1], weights[c] / total, c) for c in bins])
        if flat["leaf_kind"] == "gaussian" and not categorical:
            mean, deviation = (float(flat[name][number * d + j]) for name in ("mean", "deviation"))
            low, high = u[bins[0]], u[bins[-1] + 1]
            piece.gaussian = truncnorm((low - mean) / deviation, (high - mean) / deviation, mean, deviation)
        found.append(piece)
    return found


class ReferenceMixture:
    """A mixture as a plain list of weighted products of pieces."""

    def __init__(self, bin_edges: BinEdges, flat: dict[str, Any], weights: np.ndarray) -> None:
        self.bin_edges = bin_edges
        self.parts: list[tuple[float, ReferenceNode, list[Piece]]] = []
        self.trees = [leaves_of(nodes) for nodes in walk_trees(flat, bin_edges)]
        number = 0
        for weight, leaves in zip(weights, self.trees, strict=True):
            for leaf in leaves:
                self.parts.append((weight * leaf.mass, leaf, pieces_of_leaf(flat, bin_edges, leaf, number)))
                number += 1

    def density(self, points: np.ndarray) -> np.ndarray:
        """Sums out columns that are NaN: a piece integrates to 1."""
        bins = bins_of_points(self.bin_edges, np.nan_to_num(points))
        sums = np.zeros(len(points))
        for mass, leaf, pieces in self.parts:
            for i, point in enumerate(points):
                known = [j for j in range(len(self.bin_edges)) if not np.isnan(point[j])]
                if all(bins[i, j] in leaf.bins[j] for j in known):
                    sums[i] += mass * np.prod([pieces[j].density(point[j], bins[i, j]) for j in known])
        return sums

    def probability(self, events: list[Any]) -> float:
        total = 0.0
        for mass, _, pieces in self.parts:
            product = mass
            for (u, _), piece, event in zip(self.bin_edges, pieces, events, strict=True):
                if isinstance(event, tuple):
                    product *= piece.between(*event)
                elif event is not None:
                    product *= piece.of_bins(u, event)
            total += product
        return total

    def apply(self, points: np.ndarray) -> np.ndarray:
        bins = bins_of_points(self.bin_edges, points)
        out = np.full((len(points), len(self.trees)), -1)
        for t, leaves in enumerate(self.trees):
            for leaf in leaves:
                out[leaf.contains(bins), t] = leaf.leaf
        return out
