"""Masses and leaves from the rows of a grown tree, against reference implementations."""

from __future__ import annotations

import numpy as np
import pytest
from core_tables import Table, grow_and_fit, grow_options, leaf_options, make_table, tables
from hypothesis import given
from hypothesis import strategies as st
from reference_leaves import (
    ReferenceMixture,
    fit_leaves,
    gaussian_moments,
    leaf_bins_of_bins,
    widths_of_leaf_bins,
)
from reference_trees import leaves_of, walk_trees

from boxwood import _core
from properties import examples

GROWTH = grow_options("log_likelihood", max_depth=4)


@given(table=tables(), prior=st.sampled_from([0.0, 0.5, 1.0, 10.0]))
@examples(60)
def test_masses_are_smoothed_down_the_path_by_the_fraction_of_the_volume(table: Table, prior: float) -> None:
    options = leaf_options("uniform", mass_prior=prior)
    grown, flat = grow_and_fit(table, GROWTH, options)
    (nodes,) = walk_trees(flat, grown.columns())
    reference = fit_leaves(table, grown.columns(), nodes, options, histogram=False)
    for node in nodes.values():
        assert node.mass == pytest.approx(reference.mass[node.number], rel=1e-12)
    assert sum(leaf.mass for leaf in leaves_of(nodes)) == pytest.approx(1.0, abs=1e-12)


@given(table=tables())
@examples(30)
def test_without_a_prior_a_uniform_leaf_has_density_n_over_total_and_volume(table: Table) -> None:
    grown, flat = grow_and_fit(table, GROWTH, leaf_options("uniform", mass_prior=0.0))
    bin_edges = grown.columns()
    mixture = _core.make_mixture(bin_edges, flat, np.ones(1))
    log_density = mixture.log_density(table.points)
    (nodes,) = walk_trees(flat, bin_edges)
    leaves = leaves_of(nodes)
    leaf_of_row = mixture.apply(table.points)[:, 0]
    for i, leaf in enumerate(leaf_of_row):
        n, volume = leaves[leaf].count, leaves[leaf].volume(bin_edges)
        assert log_density[i] == pytest.approx(np.log(n / (table.weights.sum() * volume)), abs=1e-10)


@given(
    table=tables(),
    n_bins=st.integers(1, 9),
    prior=st.sampled_from([0.5, 4.0, 50.0]),
    mass_prior=st.sampled_from([0.0, 1.0]),
)
@examples(80)
def test_histograms_shrink_towards_their_parents(
    table: Table, n_bins: int, prior: float, mass_prior: float
) -> None:
    options = leaf_options("histogram", n_leaf_bins=n_bins, histogram_prior=prior, mass_prior=mass_prior)
    grown, flat = grow_and_fit(table, GROWTH, options)
    bin_edges = grown.columns()
    (nodes,) = walk_trees(flat, bin_edges)
    reference = fit_leaves(table, bin_edges, nodes, options, histogram=True)
    levels = flat["levels"].reshape(-1, len(bin_edges), n_bins).astype(float)
    for leaf in leaves_of(nodes):
        assert leaf.mass == pytest.approx(reference.mass[leaf.number], rel=1e-9)
        for j in range(len(bin_edges)):
            widths = widths_of_leaf_bins(leaf, bin_edges, j, n_bins)
            there = np.unique(list(leaf_bins_of_bins(leaf, bin_edges, j, n_bins)[0].values()))
            density = reference.fractions[leaf.number][j][there] / widths[there]
            wanted = np.clip(255.0 + 16.0 * np.log2(density / density.max()), 0.0, 255.0)
            assert np.abs(levels[leaf.leaf, j, there] - wanted).max() <= 0.5 + 1e-6


@pytest.mark.parametrize("kind", ["uniform", "histogram", "gaussian"])
@given(table=tables())
@examples(25)
def test_every_leaf_integrates_to_its_mass(kind: str, table: Table) -> None:
    grown, flat = grow_and_fit(table, GROWTH, leaf_options(kind, n_leaf_bins=5))
    mixture = ReferenceMixture(grown.columns(), flat, np.ones(1))
    for _, _, pieces in mixture.parts:
        for piece in pieces:
            assert piece.between(0.0, 1.0) == pytest.approx(1.0, abs=1e-12)
    assert sum(mass for mass, _, _ in mixture.parts) == pytest.approx(1.0, abs=1e-12)


@given(table=tables(), prior=st.sampled_from([0.0, 1.0, 4.0]))
@examples(30)
def test_gaussians_have_the_moments_of_their_rows_and_of_their_parents(table: Table, prior: float) -> None:
    options = leaf_options("gaussian", deviation_floor=0.01, histogram_prior=prior)
    grown, flat = grow_and_fit(table, GROWTH, options)
    bin_edges = grown.columns()
    (nodes,) = walk_trees(flat, bin_edges)
    d = len(bin_edges)
    moments = gaussian_moments(table, bin_edges, nodes, prior)
    for leaf in leaves_of(nodes):
        for j in range(d):
            if bin_edges[j][1]:  # categories: nothing is Gaussian along them
                continue
            mean, variance = moments[leaf.number][j]
            assert flat["mean"][leaf.leaf * d + j] == pytest.approx(mean, rel=1e-6, abs=1e-6)
            floored = max(np.sqrt(variance), 0.01 / np.sqrt(12.0))
            assert flat["deviation"][leaf.leaf * d + j] == pytest.approx(floored, rel=1e-3)


def test_a_leaf_without_rows_has_a_density_too() -> None:
    table = make_table(4, 12, 2, 0, exact=True)
    options = grow_options(min_samples_leaf=0.0, max_depth=3)
    for kind in ("uniform", "histogram", "gaussian"):
        grown, flat = grow_and_fit(table, options, leaf_options(kind))
        assert (flat["count"] == 0.0).any()
        points = np.random.default_rng(0).random((200, 2))
        log_density = _core.make_mixture(grown.columns(), flat, np.ones(1)).log_density(points)
        assert np.isfinite(log_density).all()


def test_leaves_do_not_know_other_rows_than_the_trees() -> None:
    """A pruned tree is fitted as one that was never larger."""
    table = make_table(11, 80, 2, 1, weighted=True)
    native = table.native()
    grown = _core.grow_tree(native, grow_options(max_depth=6))
    small = _core.grow_tree(native, grow_options(max_depth=2))
    losses = np.zeros(grown.n_nodes)
    depth = np.zeros(grown.n_nodes, dtype=int)
    flat = grown.fit_leaves(native, leaf_options())
    for node in np.flatnonzero(flat["feature"] >= 0):
        left = int(flat["left"][node])
        depth[left : left + 2] = depth[node] + 1
    losses[depth >= 2] = -1.0 / 4.0 ** depth[depth >= 2]
    losses[depth < 2] = 10.0
    pruned = grown.pruned(losses, 0.0)
    for kind in ("uniform", "histogram", "gaussian"):
        points = np.random.default_rng(0).random((100, 3))
        densities = [
            _core.make_mixture(
                tree.columns(), tree.fit_leaves(native, leaf_options(kind)), np.ones(1)
            ).log_density(points)
            for tree in (pruned, small)
        ]
        assert np.array_equal(densities[0], densities[1])
