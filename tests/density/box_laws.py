"""Reference ways to check a density of boxes: sums and integrals over everything a row can be."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd

from boxwood.columns import Column, Columns
from boxwood.margins import CategoryMargin, NumberMargin

NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(6)
KINDS = ("number", "holes", "spikes", "integer", "wide_integer", "category", "boolean", "constant", "date")


def make_column(kind: str, n: int, rng: np.random.Generator) -> Any:
    if kind == "number":
        return rng.normal(size=n) ** 3
    if kind == "holes":
        return np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n))
    if kind == "spikes":
        return np.where(rng.random(n) < 0.5, 1.0, rng.exponential(size=n))
    if kind == "integer":
        return rng.poisson(2.0, n)
    if kind == "wide_integer":
        return rng.integers(0, 60, n) * 7
    if kind == "category":
        return pd.Categorical.from_codes(rng.integers(-1, 4, n), list("abcd"))
    if kind == "boolean":
        return rng.random(n) < 0.3
    if kind == "constant":
        return np.full(n, 2.5)
    return pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 10**6, n), unit="s")


def make_table(kinds: tuple[str, ...], n: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({f"c{j}": make_column(kind, n, rng) for j, kind in enumerate(kinds)})


def support(margin: NumberMargin | CategoryMargin, bin_edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a value of each bin of a column, and what it weighs in a sum over all there is."""
    if isinstance(margin, CategoryMargin):
        codes = np.arange(len(margin.mass) + (margin.unseen_mass > 0.0), dtype=np.int32)
        return codes, np.ones(len(codes))
    if margin.lattice is not None:
        low, high = ends(margin)
        on_points = 1.0 / (1.0 - margin.off_mass)  # a point's place is that of what lies beside it too
        if high - low < 2000.0:
            places = np.arange(np.floor(low), np.ceil(high) + 1.0)
            return margin.lattice.points(places), np.full(len(places), on_points)
        edges = np.append(bin_edges[bin_edges < margin.cdf.total], margin.cdf.total)
        places = margin.cdf.decode_integers(0.5 * (edges[1:] + edges[:-1]))
        weights = on_points * np.diff(edges) / np.exp(margin.cdf.log_mass_of_integers(places))
        return margin.lattice.points(places), weights
    # Level in u between bin edges and atoms, so that one value tells the mass of a bin; atoms have their own.
    u = margin.cdf.u
    is_atom = margin.x[:-1] == margin.x[1:]
    edges = np.unique(np.concatenate([[0.0], bin_edges, u, [margin.cdf.total]]))
    edges = edges[edges <= margin.cdf.total]
    middle, width = 0.5 * (edges[1:] + edges[:-1]), np.diff(edges)
    piece = np.searchsorted(u, middle, side="right") - 1
    inside = (piece >= 0) & (piece < len(is_atom))
    free = ~(inside & is_atom[piece.clip(0, len(is_atom) - 1)]) & (width > 1e-15)
    values = margin.cdf.decode(middle[free])
    weights = width[free] / np.exp(margin.cdf.log_density(values))
    return np.append(values, margin.atoms), np.append(weights, np.ones(len(margin.atoms)))


def integral_of(model: Any, n_panels: int = 4000) -> float:
    """Integrate the density of one numeric column over x, by panels between all its breaks."""
    margin, (bin_edges, _) = model.margins_.columns[0], model.mixture_.bin_edges[0]
    low, high = ends(margin)
    inner = margin.cdf.decode(bin_edges[(bin_edges > 0.0) & (bin_edges < 1.0)])
    breaks = np.unique(
        np.concatenate(
            [
                margin.x,
                inner,
                margin.cdf.decode(np.linspace(0.0, 1.0, n_panels)[1:-1]),
                np.linspace(low, high, 500),
            ]
        )
    )
    breaks = breaks[(breaks >= low) & (breaks <= high)]
    middle, half = 0.5 * (breaks[1:] + breaks[:-1]), 0.5 * np.diff(breaks)
    values = (middle[:, None] + half[:, None] * NODES).ravel()
    weights = (half[:, None] * NODE_WEIGHTS).ravel()
    return float((np.exp(model.score_samples(values[:, None])) * weights).sum()) / left_by_unseen_gaps(model)


def ends(margin: NumberMargin) -> tuple[float, float]:
    left_mass, left_rate, right_mass, right_rate = margin.tails
    low = margin.x[0] - (25.0 / left_rate if left_mass > 0.0 else 0.0)
    high = margin.x[-1] + (25.0 / right_rate if right_mass > 0.0 else 0.0)
    return float(low), float(high)


def total_of(model: Any) -> float:
    """Integrate a fitted density over all rows without a missing value."""
    parts = [
        support(margin, u)
        for margin, (u, _) in zip(model.margins_.columns, model.mixture_.bin_edges, strict=True)
    ]
    grids = np.meshgrid(*[values for values, _ in parts], indexing="ij")
    weights = np.prod(np.meshgrid(*[w for _, w in parts], indexing="ij"), axis=0).ravel()
    values = [grid.ravel() for grid in grids]
    fields = model.schema_.fields
    columns = Columns(
        model.schema_, len(weights), columns=[Column(f, v, 0) for f, v in zip(fields, values, strict=True)]
    )
    return float((np.exp(model.score_samples(columns)) * weights).sum())


def probability_of_presence(model: Any) -> float:
    """Return the probability that no value is missing, from the leaves."""
    events: list[Any] = []
    for margin, (u, categorical) in zip(model.margins_.columns, model.mixture_.bin_edges, strict=True):
        present = 1.0 - margin.missing_mass
        events.append(u[1:] <= present + 1e-9 if categorical else (0.0, present))
    return float(model.mixture_.probability(events)) * left_by_unseen_gaps(model)


def left_by_unseen_gaps(model: Any) -> float:
    """Return what columns without gaps leave to their values: each keeps 1/(n + 2) for a gap."""
    n, gaps = model._gaps.n, [margin.missing_mass for margin in model.margins_.columns]
    return float((1.0 - 1.0 / (n + 2.0)) ** gaps.count(0.0))


def leaf_masses(model: Any, tree: int = 0) -> np.ndarray:
    flat = model.mixture_.flat
    nodes = slice(*flat["node_start"][tree : tree + 2])
    return flat["mass"][nodes][flat["feature"][nodes] < 0]


def single_trees(flat: dict[str, Any], n_columns: int) -> list[dict[str, Any]]:
    """Return the flat arrays of each tree alone."""
    trees = []
    leaves_before = 0
    for (a, b), (c, d) in zip(
        itertools.pairwise(flat["node_start"]), itertools.pairwise(flat["set_start"]), strict=True
    ):
        n_leaves = int((flat["feature"][a:b] < 0).sum())
        pieces = slice(leaves_before * n_columns, (leaves_before + n_leaves) * n_columns)
        bins = slice(pieces.start * flat["n_bins"], pieces.stop * flat["n_bins"])
        trees.append(
            {
                **flat,
                **{name: flat[name][a:b] for name in ("feature", "left", "cut", "mass", "count")},
                "node_start": np.array([0, b - a], dtype=np.int64),
                "set_start": np.array([0, d - c], dtype=np.int64),
                "sets": flat["sets"][c:d],
                "levels": flat["levels"][bins],
                "mean": flat["mean"][pieces],
                "deviation": flat["deviation"][pieces],
            }
        )
        leaves_before += n_leaves
    return trees


def file_of(model: Any, folder: Any) -> bytes:
    path = folder / "model"
    n_jobs, model.n_jobs = model.n_jobs, None
    model.save(path)
    model.n_jobs = n_jobs
    return path.read_bytes()
