"""Pruning against all subtrees of small trees, and losses against their formulas."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from core_tables import Table, grow_and_fit, grow_options, leaf_options, make_table, tables
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_leaves import fit_leaves
from reference_trees import ReferenceNode, bins_of_points, leaves_of, walk_trees

from boxwood import _core
from properties import examples

Nodes = dict[int, ReferenceNode]


def subtrees(nodes: Nodes, top: int = 0) -> list[frozenset[int]]:
    """The sets of leaves of all subtrees with the same root."""
    found = [frozenset([top])]
    if nodes[top].feature >= 0:
        left, right = nodes[top].children
        found += [a | b for a in subtrees(nodes, left) for b in subtrees(nodes, right)]
    return found


def small_tree(table: Table) -> tuple[_core.GrownTree, Nodes]:
    grown, flat = grow_and_fit(table, grow_options(best_first=True, max_leaf_nodes=6))
    (nodes,) = walk_trees(flat, grown.columns())
    return grown, nodes


def random_losses(seed: int, n: int, integer: bool) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.integers(-3, 4, n).astype(float) if integer else rng.normal(size=n)


def best_by_force(nodes: Nodes, losses: np.ndarray, alpha: float) -> tuple[float, int]:
    """Loss and number of leaves of the best subtree; among equals the smallest."""
    found = [(losses[list(leaves)].sum(), len(leaves)) for leaves in subtrees(nodes)]
    least = min(loss + alpha * n for loss, n in found)
    return min((n, loss) for loss, n in found if loss + alpha * n <= least + 1e-9)[::-1]


@given(
    table=tables(),
    seed=st.integers(0, 10**6),
    integer=st.booleans(),
    alpha=st.sampled_from([0.0, 0.3, 1.0, 5.0]),
)
@examples(100)
def test_the_best_subtree_is_the_best_of_all(table: Table, seed: int, integer: bool, alpha: float) -> None:
    grown, nodes = small_tree(table)
    losses = random_losses(seed, grown.n_nodes, integer)
    loss, n_leaves = best_by_force(nodes, losses, alpha)
    pruned = grown.pruned(losses, alpha)
    assert pruned.n_leaves == n_leaves
    assert pruned.n_nodes == 2 * n_leaves - 1
    alphas = np.array([alpha])
    ones = np.ones(grown.n_nodes)
    assert grown.subtree_losses(losses, alphas, losses)[0] == pytest.approx(loss, abs=1e-9)
    assert grown.subtree_losses(losses, alphas, ones)[0] == n_leaves


@given(table=tables(), seed=st.integers(0, 10**6), integer=st.booleans())
@examples(100)
def test_the_path_holds_the_best_subtree_of_every_alpha(table: Table, seed: int, integer: bool) -> None:
    grown, nodes = small_tree(table)
    losses = random_losses(seed, grown.n_nodes, integer)
    path = list(zip(*grown.path(losses), strict=True))
    alphas = [step[0] for step in path]
    assert alphas[0] == 0.0
    assert path[-1][1:] == (1, pytest.approx(losses[0]))
    for before, after in pairwise(path):
        assert after[0] > before[0]
        assert after[1] < before[1]
        assert after[2] >= before[2]
    ends = [*alphas[1:], alphas[-1] + 2.0]
    for (alpha, n_leaves, loss), end in zip(path, ends, strict=True):
        if end - alpha < 1e-9:
            continue
        by_force = best_by_force(nodes, losses, 0.5 * (alpha + end))
        assert by_force == (pytest.approx(loss, abs=1e-9), n_leaves)
        assert grown.pruned(losses, 0.5 * (alpha + end)).n_leaves == n_leaves


@given(table=tables(), seed=st.integers(0, 10**6))
@examples(40)
def test_infinite_losses_are_pruned_away(table: Table, seed: int) -> None:
    """A leaf of one row loses everything when that row is left out."""
    grown, nodes = small_tree(table)
    losses = random_losses(seed, grown.n_nodes, integer=False)
    losses[1:][np.random.default_rng(seed).random(grown.n_nodes - 1) < 0.4] = np.inf
    path = np.column_stack(grown.path(losses))
    assert np.isfinite(path).all()
    for alpha, n_leaves, loss in path:
        assert (loss, n_leaves) == pytest.approx(best_by_force(nodes, losses, alpha + 1e-7), abs=1e-6)


@given(table=tables(), prior=st.sampled_from([0.0, 1.0, 4.0]))
@examples(40)
def test_the_path_of_every_loss_is_finite(table: Table, prior: float) -> None:
    grown = _core.grow_tree(table.native(), grow_options(max_depth=6))
    for kind in ("log_likelihood", "loo_log_likelihood", "squared_error", "loo_squared_error"):
        path = np.column_stack(grown.path(grown.losses(getattr(_core.LossKind, kind), prior)))
        assert np.isfinite(path).all()


def test_tiny_boxes_do_not_drown_the_others_on_the_path() -> None:
    """Rows that lie close in many columns: densities of 1e37, or beyond the range of a double."""
    for apart in (1e-13, 1e-300):
        table = make_table(0, 40, 30, 0, exact=True)
        table.points[:10] = (0.5 if apart > 1e-20 else 0.0) + apart * np.random.default_rng(0).random(
            (10, 30)
        )
        grown = _core.grow_tree(table.native(), grow_options("log_likelihood"))
        for kind in LOSSES:
            losses = grown.losses(getattr(_core.LossKind, kind), 1.0)
            path = np.column_stack(grown.path(losses))
            assert np.isfinite(path).all()
            assert path[-1, 2] == losses[0]
            between = np.append(0.5 * (path[:-1, 0] + path[1:, 0]), 2.0 * path[-1, 0] + 1.0)
            n_leaves = grown.subtree_losses(losses, between, np.ones(grown.n_nodes))
            assert np.array_equal(n_leaves, path[:, 1])


@given(table=tables(), seed=st.integers(0, 10**6))
@examples(40)
def test_a_pruned_tree_keeps_its_rows_and_is_a_proper_density(table: Table, seed: int) -> None:
    grown, _ = small_tree(table)
    pruned = grown.pruned(random_losses(seed, grown.n_nodes, integer=False), 0.1)
    native = table.native()
    flat = pruned.fit_leaves(native, leaf_options("histogram"))
    bin_edges = pruned.columns()
    (nodes,) = walk_trees(flat, bin_edges)
    bins = bins_of_points(bin_edges, table.points) if table.exact else table.bins
    for node in nodes.values():
        assert node.count == table.weights[node.contains(bins)].sum()
    mixture = _core.make_mixture(bin_edges, flat, np.ones(1))
    assert mixture.probability([None] * len(bin_edges)) == pytest.approx(1.0, abs=1e-12)
    assert (pruned.gains()[pruned.features() < 0] == 0.0).all()


@given(table=tables(), prior=st.sampled_from([0.0, 1.0, 4.0]))
@examples(60)
def test_losses_of_nodes_are_those_of_their_formulas(table: Table, prior: float) -> None:
    options = leaf_options("uniform", mass_prior=prior)
    grown, flat = grow_and_fit(table, grow_options(max_depth=4), options)
    bin_edges = grown.columns()
    (nodes,) = walk_trees(flat, bin_edges)
    mass = fit_leaves(table, bin_edges, nodes, options, histogram=False).mass
    without = masses_without_a_row(nodes, bin_edges, prior)
    total = table.weights.sum()
    losses = {kind: grown.losses(getattr(_core.LossKind, kind), prior) for kind in LOSSES}
    for i, node in nodes.items():
        n, volume = node.count, node.volume(bin_edges)
        with np.errstate(divide="ignore"):
            expected = {
                "log_likelihood": -n * np.log(mass[i] / volume) if n else 0.0,
                "loo_log_likelihood": -n * np.log(without[i] / volume) if n else 0.0,
                "squared_error": (n**2 / total**2 - 2.0 * n / total * n / total) / volume,
                "loo_squared_error": n**2 / (total**2 * volume)
                - 2.0 * n * (n - 1.0) / (total * (total - 1.0) * volume),
            }
        for kind in LOSSES:
            assert losses[kind][i] == pytest.approx(expected[kind], rel=1e-9, abs=1e-9)


LOSSES = ("log_likelihood", "loo_log_likelihood", "squared_error", "loo_squared_error")


def masses_without_a_row(
    nodes: Nodes, bin_edges: list[tuple[np.ndarray, bool]], prior: float
) -> dict[int, float]:
    """The mass of each node if one row of its own had not been there."""
    masses = {}
    parent = {child: i for i, node in nodes.items() for child in node.children if child >= 0}
    for i in nodes:
        mass, at = 1.0, i
        while at != 0:
            above = nodes[parent[at]]
            fraction = nodes[at].width(bin_edges, above.feature) / above.width(bin_edges, above.feature)
            integer = above.count - 1.0 + prior
            mass *= (nodes[at].count - 1.0 + prior * fraction) / integer if integer > 0.0 else fraction
            at = above.number
        masses[i] = mass
    return masses


@given(
    table=tables(), seed=st.integers(0, 10**6), weighted=st.booleans(), prior=st.sampled_from([0.5, 1.0, 4.0])
)
@examples(60)
def test_losses_of_other_rows(table: Table, seed: int, weighted: bool, prior: float) -> None:
    options = leaf_options("uniform", mass_prior=prior)
    grown, flat = grow_and_fit(table, grow_options(max_depth=4), options)
    bin_edges = grown.columns()
    (nodes,) = walk_trees(flat, bin_edges)
    rng = np.random.default_rng(seed)
    points = rng.random((15, len(bin_edges)))
    weights = rng.integers(0, 3, 15).astype(float) if weighted else np.ones(15)
    assume(weights.sum() > 0.0)
    given_weights = weights if weighted else None
    likelihood = grown.held_out_losses(points, given_weights, False, prior)
    squared = grown.held_out_losses(points, given_weights, True, prior)
    bins = bins_of_points(bin_edges, points)
    for i, node in nodes.items():
        held, volume = weights[node.contains(bins)].sum(), node.volume(bin_edges)
        assert likelihood[i] == pytest.approx(-held * np.log(node.mass / volume), rel=1e-9, abs=1e-9)
        fraction = held / weights.sum()
        expected = node.mass * (node.mass - 2.0 * fraction) / volume
        assert squared[i] == pytest.approx(expected, rel=1e-9, abs=1e-9)
    # Over the leaves: the log-likelihood of the rows under the fitted density.
    log_density = _core.make_mixture(bin_edges, flat, np.ones(1)).log_density(points)
    leaves = [leaf.number for leaf in leaves_of(nodes)]
    assert likelihood[leaves].sum() == pytest.approx(-(weights * log_density).sum(), rel=1e-9, abs=1e-9)


def test_losses_of_another_length_are_refused() -> None:
    grown = _core.grow_tree(make_table(0, 20, 2, 0).native(), grow_options(max_depth=3))
    short = np.zeros(grown.n_nodes - 1)
    full = np.zeros(grown.n_nodes)
    with pytest.raises(ValueError, match="loss"):
        grown.pruned(short, 0.0)
    with pytest.raises(ValueError, match="loss"):
        grown.path(short)
    with pytest.raises(ValueError, match="loss"):
        grown.subtree_losses(full, np.zeros(1), short)
    with pytest.raises(ValueError, match="columns"):
        grown.held_out_losses(np.zeros((3, 1)), None, False, 1.0)
    with pytest.raises(ValueError, match="weight"):
        grown.held_out_losses(np.zeros((3, 2)), np.ones(2), False, 1.0)
