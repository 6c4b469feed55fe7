"""Growth: termination rules, orders of growth, criteria where they should and should not stop."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from box_laws import make_table
from sklearn.base import clone

import boxwood as bw

UNIFORM = np.random.default_rng(1).uniform(size=(1000, 2))


def clusters(n: int = 1000, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    centres = np.array([[0.0, 0.0], [4.0, 1.0], [1.0, 5.0]])
    return centres[rng.integers(0, 3, n)] + 0.3 * rng.normal(size=(n, 2))


def leaves_per_tree(model) -> np.ndarray:
    flat = model.mixture_.flat
    return np.add.reduceat(flat["feature"] < 0, flat["node_start"][:-1], dtype=np.int64)


def boxes_in_u(model) -> np.ndarray:
    """Return the leaves' boxes, of shape (leaves, columns, 2)."""
    flat, bin_edges = model.mixture_.flat, [u for u, _ in model.mixture_.bin_edges]
    found, open_nodes = [], [(0, np.array([[0.0, 1.0]] * len(bin_edges)))]
    while open_nodes:
        node, box = open_nodes.pop()
        j = flat["feature"][node]
        if j < 0:
            found.append(box)
            continue
        cut = bin_edges[j][flat["cut"][node]]
        for side in (0, 1):
            half = box.copy()
            half[j, 1 - side] = cut
            open_nodes.append((flat["left"][node] + side, half))
    return np.array(found)


@pytest.mark.parametrize("criterion", ["log_likelihood", "loo", "squared_error", "nonuniformity"])
def test_bounds_are_kept(criterion):
    X = clusters()
    grow = {"criterion": criterion, "prune": None}
    assert bw.DensityTree(max_leaf_nodes=7, **grow).fit(X).n_leaves_ == 7
    assert bw.DensityTree(max_depth=3, **grow).fit(X).max_depth_ <= 3
    counted = bw.DensityTree(min_samples_leaf=40, **grow).fit(X).mixture_.flat
    assert counted["count"][counted["feature"] < 0].min() >= 40
    split = bw.DensityTree(min_samples_split=100, **grow).fit(X).mixture_.flat
    assert split["count"][split["feature"] >= 0].min() >= 100
    boxes = boxes_in_u(bw.DensityTree(max_aspect=4.0, **grow).fit(X))
    widths = boxes[:, :, 1] - boxes[:, :, 0]
    assert (widths.max(axis=1) / widths.min(axis=1)).max() <= 4.0 * (1.0 + 1e-9)


def test_leaves_by_the_cube_root_of_the_rows():
    X = clusters()
    assert len(X) == 1000
    for factor, n_leaves in ((2.0, 20), (1.0, 10), (0.45, 4), (1e-9, 1)):
        by_rule = bw.DensityTree(max_leaf_nodes="cube_root", leaf_factor=factor, prune=None).fit(X)
        assert by_rule.n_leaves_ == n_leaves
        as_given = bw.DensityTree(max_leaf_nodes=n_leaves, prune=None).fit(X)
        np.testing.assert_array_equal(by_rule.score_samples(X), as_given.score_samples(X))
    forest = bw.DensityForest(3, max_leaf_nodes="cube_root", min_samples_split=10, random_state=0).fit(X)
    assert [forest.apply(X)[:, t].max() + 1 for t in range(3)] == [10, 10, 10]


@pytest.mark.parametrize(
    "model",
    [
        bw.DecisionTreeClassifier(random_state=0),
        bw.DecisionTreeRegressor(random_state=0),
        bw.RandomForestClassifier(3, random_state=0),
        bw.RandomForestRegressor(3, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_decisions_by_the_cube_root_of_the_rows(model):
    X = UNIFORM
    y = (X[:, 0] * 7 + X[:, 1] * 5).astype(int) % 2
    by_rule = clone(model).set_params(max_leaf_nodes="cube_root", leaf_factor=1.5).fit(X, y).predict(X)
    as_given = clone(model).set_params(max_leaf_nodes=15).fit(X, y).predict(X)
    np.testing.assert_array_equal(by_rule, as_given)


def test_best_first_and_depth_first_agree_where_nothing_bounds_them():
    X = clusters(300)
    deep = bw.DensityTree(prune=None, min_samples_split=30).fit(X)
    best = bw.DensityTree(prune=None, min_samples_split=30, max_leaf_nodes=deep.n_leaves_).fit(X)
    assert best.n_leaves_ == deep.n_leaves_
    np.testing.assert_allclose(best.score_samples(X), deep.score_samples(X), rtol=1e-9)


def test_best_first_takes_the_largest_gains_first():
    X, new = clusters(), clusters(seed=1)
    best = bw.DensityTree(prune=None, max_leaf_nodes=12).fit(X)
    shallow = bw.DensityTree(prune=None, max_depth=3).fit(X)
    assert shallow.n_leaves_ <= 12
    assert (
        np.maximum(best.score_samples(new), -30).mean() > np.maximum(shallow.score_samples(new), -30).mean()
    )


def test_the_uniformity_test_stops_on_uniform_data_alone():
    grow = {"prune": None, "uniformity_level": 0.05}
    assert bw.DensityTree(**grow).fit(UNIFORM).n_leaves_ <= 3
    assert bw.DensityTree(**grow).fit(clusters()).n_leaves_ >= 8
    assert bw.DensityTree(prune=None).fit(UNIFORM).n_leaves_ > 100


def test_leave_one_out_growth_stays_small_on_uniform_data_with_bootstrap_too():
    assert bw.DensityTree(criterion="loo", prune=None).fit(UNIFORM).n_leaves_ < 60
    grow = {"criterion": "loo", "margins": "linear", "leaf": "uniform", "splitter": "exact"}
    grow |= {"min_samples_split": 2, "max_features": None, "random_state": 0}
    part = leaves_per_tree(bw.DensityForest(6, **grow).fit(UNIFORM)).mean()
    copies = leaves_per_tree(bw.DensityForest(6, bootstrap=True, max_samples=1.0, **grow).fit(UNIFORM)).mean()
    # Leaving one copy out of several is no leave-one-out: then trees grow several times as large.
    assert copies < 2.0 * part


def test_pruning_finds_uniform_data_uniform():
    for criterion in ("loo", "log_likelihood"):
        assert bw.DensityTree(criterion=criterion).fit(UNIFORM).n_leaves_ <= 3


def test_min_samples_split_follows_the_structure():
    z = np.random.default_rng(1).normal(size=(800, 4))
    independent = bw.DensityForest(16, random_state=0).fit(z)
    structured = bw.DensityForest(16, random_state=0).fit(z[:, [0]] + 0.2 * z)
    assert independent.min_samples_split_ >= 250.0
    assert structured.min_samples_split_ <= 30.0
    fixed = bw.DensityForest(3, min_samples_split=17, random_state=0).fit(z)
    assert fixed.min_samples_split_ == 17.0


def test_known_answer_two_boxes():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.uniform(0, 1, (500, 2)), rng.uniform(4, 5, (500, 2))])
    density = np.exp(bw.DensityTree().fit(X).score_samples([[0.5, 0.5], [4.5, 4.5], [2.5, 2.5]]))
    np.testing.assert_allclose(density[:2], 0.5, rtol=0.25)
    assert density[2] < 0.01


def test_categories_are_split_natively():
    X = make_table(("category", "number"), 400, 0)
    X["c1"] = X["c1"] * 0.1 + np.where(X["c0"].isin(["a", "d"]), 10.0, 0.0)
    tree = bw.DensityTree(margins="smooth").fit(X)
    feature, sets = tree.mixture_.flat["feature"], tree.mixture_.flat["sets"]
    assert 0 < (feature == 0).sum() <= len(sets)
    high = tree.score_samples(pd.DataFrame({"c0": ["a", "b"], "c1": [10.0, 10.0]}))
    assert high[0] > high[1] + 3.0
