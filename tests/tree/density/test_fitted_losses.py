"""What nodes lose as leaves of the tree's own kind: against the tree that is cut off there."""

from __future__ import annotations

import numpy as np
import pytest
from core_tables import Table, grow_options, leaf_options, make_table, tables
from hypothesis import given
from hypothesis import strategies as st
from reference_leaves import Piece, ReferenceMixture
from reference_trees import bins_of_points, walk_trees
from scipy.integrate import quad

import boxwood as bw
from boxwood import _core
from boxwood.tree.density.pruning import _middle_of_best
from properties import examples

KINDS = ("uniform", "histogram", "gaussian")


def cut_off_at(grown: _core.GrownTree, node: int) -> _core.GrownTree:
    """The tree in which a node is a leaf."""
    losses = np.zeros(grown.n_nodes)
    losses[node] = -1.0
    return grown.pruned(losses, 0.0)


def squared_integral(piece: Piece) -> float:
    if piece.gaussian is None:
        return sum(d * d * (b - a) for a, b, d, _ in piece.stretches)
    return float(quad(lambda u: piece.gaussian.pdf(u) ** 2, *piece.gaussian.support(), limit=200)[0])


@pytest.mark.parametrize("kind", KINDS)
@given(table=tables(), seed=st.integers(0, 10**6), weighted=st.booleans())
@examples(12)
def test_losses_are_those_of_the_tree_that_is_cut_off(
    kind: str, table: Table, seed: int, weighted: bool
) -> None:
    options = leaf_options(kind, n_leaf_bins=4, deviation_floor=0.05)
    native = table.native()
    grown = _core.grow_tree(native, grow_options(max_depth=3))
    (nodes,) = walk_trees(grown.fit_leaves(native, options), grown.columns())
    rng = np.random.default_rng(seed)
    points = rng.random((12, len(table.columns)))
    weights = rng.integers(1, 4, 12).astype(float) if weighted else np.ones(12)
    given_weights = weights if weighted else None
    likelihood = grown.fitted_losses(native, options, points, given_weights, False)
    squared = grown.fitted_losses(native, options, points, given_weights, True)
    for i, node in nodes.items():
        small = cut_off_at(grown, i)
        flat = small.fit_leaves(native, options)
        log_density = _core.make_mixture(small.columns(), flat, np.ones(1)).log_density(points)
        inside = node.contains(bins_of_points(grown.columns(), points))
        expected = -(weights * log_density)[inside].sum()
        assert likelihood[i] == pytest.approx(expected, rel=1e-6, abs=1e-6)
        parts = ReferenceMixture(small.columns(), flat, np.ones(1)).parts
        ((mass, pieces),) = [(m, p) for m, leaf, p in parts if leaf.bins == node.bins]
        own = mass**2 * np.prod([squared_integral(piece) for piece in pieces])
        expected = own - 2.0 * (weights * np.exp(log_density))[inside].sum() / weights.sum()
        assert squared[i] == pytest.approx(expected, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_weight_0_are_left_out_of_leaves_but_not_of_the_tree(kind: str) -> None:
    table = make_table(3, 60, 2, 0, exact=True)
    options = leaf_options(kind)
    grown = _core.grow_tree(table.native(), grow_options(max_depth=2))
    train = np.where(np.arange(60) % 3 == 0, 0.0, 1.0)
    part = _core.BinnedTable(table.columns, table.bins, table.points, train)
    held = table.points[train == 0.0]
    losses = grown.fitted_losses(part, options, held, None, False)
    # At the root there is nothing but the leaf: that of a tree that was grown on the others.
    root = _core.grow_tree(part, grow_options(max_depth=1)).pruned(np.array([-1.0, 0.0, 0.0]), 0.0)
    alone = _core.make_mixture(root.columns(), root.fit_leaves(part, options), np.ones(1))
    if kind == "gaussian":
        assert losses[0] == pytest.approx(-alone.log_density(held).sum(), rel=1e-6)
    leaves = grown.features() < 0
    assert losses[leaves].sum() != pytest.approx(
        grown.fitted_losses(table.native(), options, held, None, False)[leaves].sum(), rel=1e-6
    )


def test_losses_of_other_tables_are_refused() -> None:
    table = make_table(0, 20, 2, 0)
    grown = _core.grow_tree(table.native(), grow_options(max_depth=3))
    for points, weights, what in (
        (np.zeros((3, 1)), None, "columns"),
        (np.zeros((3, 2)), np.ones(2), "weight"),
    ):
        with pytest.raises(ValueError, match=what):
            grown.fitted_losses(table.native(), leaf_options(), points, weights, False)
    with pytest.raises(ValueError, match="grown on"):
        grown.fitted_losses(make_table(1, 20, 3, 0).native(), leaf_options(), np.zeros((3, 3)), None, False)


# ---- pruned trees -------------------------------------------------------------------------------------

CENTRES = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0], [4.0, 4.0]])


def clusters(rng: np.random.Generator, n: int) -> np.ndarray:
    return CENTRES[rng.integers(0, 4, n)] + 0.5 * rng.normal(size=(n, 2))


def mixed(rng: np.random.Generator, n: int) -> np.ndarray:
    kind = rng.integers(0, 3, n)
    amount = np.where(rng.random(n) < 0.3, 0.0, rng.exponential(size=n))
    return np.column_stack([kind, kind + rng.normal(size=n), amount])


TABLES = {
    "normals": lambda rng, n: rng.normal(size=(n, 2)),
    "correlated": lambda rng, n: rng.normal(size=(n, 1)) + 0.4 * rng.normal(size=(n, 3)),
    "clusters": clusters,
    "square": lambda rng, n: rng.random((n, 2)),
    "mixed": mixed,
}


@pytest.mark.parametrize("prune", ["loo", "cv"])
@pytest.mark.parametrize("leaf", KINDS)
@pytest.mark.parametrize("name", TABLES)
def test_a_pruned_tree_is_no_worse_than_one_leaf_nor_than_all(name: str, leaf: str, prune: str) -> None:
    how = {
        "pruned": {"prune": prune, "max_leaf_nodes": None},
        "whole": {"prune": None, "max_leaf_nodes": None},
        "one leaf": {"prune": None, "max_leaf_nodes": 1},
    }
    scores = dict.fromkeys(how, 0.0)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        rows, new = TABLES[name](rng, 500), TABLES[name](rng, 3000)
        for kind, parameters in how.items():
            tree = bw.DensityTree(leaf=leaf, margins="smooth", random_state=seed, **parameters)
            scores[kind] += tree.fit(rows).score(new) / 4.0
    assert scores["pruned"] > max(scores["whole"], scores["one leaf"]) - 0.05


def test_the_last_subtree_compared_is_one_leaf_of_every_fold() -> None:
    """Else a fold's tree that is not cut off there yet speaks for one leaf, and for cutting all off."""
    rng = np.random.default_rng(0)
    rows = np.where(rng.random((300, 1)) < 0.5, rng.uniform(0, 1, (300, 1)), rng.uniform(9, 10, (300, 1)))
    for seed in range(10):
        tree = bw.DensityTree(prune="validation", random_state=seed).fit(rows)
        assert tree.n_leaves_ >= 3
        # One leaf has log-density 0 on the cube.
        assert tree.pruning_path_.held_out_loss[-1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("loss", "expected"),
    [([3.0, 1.0, 1.0, 1.0, 2.0], 2), ([1.0, 2.0, 1.0], 2), ([1.0, 1.0, 2.0], 1), ([1.0, 2.0, 1.0, 3.0], 2)],
)
def test_of_ties_the_middle_is_taken(loss: list[float], expected: int) -> None:
    assert _middle_of_best(np.array(loss)) == expected
