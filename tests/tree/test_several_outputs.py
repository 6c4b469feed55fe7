"""Regressors of several values: splits by the mean of the variances, predictions of all of them."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.tree
from hypothesis import given
from hypothesis import strategies as st
from reference_splits import left_sides, rows_of_nodes

import boxwood as bw
from properties import examples


def table(n_rows: int = 300, n_outputs: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4)).astype(np.float32).astype(np.float64)
    Y = np.column_stack([X[:, k % 4] * (k + 1) + np.sin(3.0 * X[:, (k + 1) % 4]) for k in range(n_outputs)])
    return X, Y + rng.normal(size=Y.shape)


def loss(Y: np.ndarray, weights: np.ndarray) -> float:
    """Return weight times the mean over the outputs of the variance."""
    if weights.sum() == 0.0:
        return 0.0
    mean = np.average(Y, axis=0, weights=weights)
    return float((weights[:, None] * (Y - mean) ** 2).sum() / Y.shape[1])


@given(st.integers(0, 1000), st.integers(2, 4), st.booleans())
@examples(20)
def test_every_split_gains_as_much_as_the_best(seed, n_outputs, weighted):
    rng = np.random.default_rng(seed)
    X, Y = table(40, n_outputs, seed)
    X = np.where(rng.random(X.shape) < 0.1, np.nan, X.round(1))
    weights = rng.integers(1, 4, size=len(X)).astype(float) if weighted else np.ones(len(X))
    tree = bw.DecisionTreeRegressor(max_depth=3, random_state=0).fit(X, Y, sample_weight=weights)
    for node, rows in enumerate(rows_of_nodes(tree, X)):
        integer = loss(Y[rows], weights[rows])
        assert tree.trees_.impurity[node] == pytest.approx(integer, abs=1e-9)
        np.testing.assert_allclose(
            tree.trees_.value[node], np.average(Y[rows], axis=0, weights=weights[rows]), atol=1e-9
        )
        if tree.trees_.feature[node] < 0:
            continue
        gains = [
            integer - loss(Y[rows][left], weights[rows][left]) - loss(Y[rows][~left], weights[rows][~left])
            for j in range(X.shape[1])
            for left in left_sides(X[rows, j], coded=False)
            if 0 < left.sum() < len(left)
        ]
        assert tree.trees_.gain[node] == pytest.approx(max(gains), abs=1e-9)


def test_a_tree_is_scikit_learns():
    X, Y = table()
    ours = bw.DecisionTreeRegressor(max_depth=4, random_state=0).fit(X, Y)
    theirs = sklearn.tree.DecisionTreeRegressor(max_depth=4, random_state=0).fit(X, Y)
    assert ours.n_outputs_ == 3
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, rtol=1e-6)
    assert ours.score(X, Y) == pytest.approx(theirs.score(X, Y))


def test_a_forest_is_as_good_as_scikit_learns():
    X, Y = table(2000)
    test_X, test_Y = table(1000, seed=1)
    ours = bw.RandomForestRegressor(50, random_state=0, oob_score=True).fit(X, Y)
    theirs = sklearn.ensemble.RandomForestRegressor(50, random_state=0, oob_score=True).fit(X, Y)
    assert ours.predict(test_X).shape == ours.oob_prediction_[:1000].shape == (1000, 3)
    assert ours.score(test_X, test_Y) == pytest.approx(theirs.score(test_X, test_Y), abs=0.01)
    assert ours.oob_score_ == pytest.approx(theirs.oob_score_, abs=0.02)


def test_the_same_value_twice_is_the_tree_of_one():
    X, Y = table()
    one = bw.DecisionTreeRegressor(random_state=0, min_samples_leaf=3).fit(X, Y[:, 0])
    two = bw.DecisionTreeRegressor(random_state=0, min_samples_leaf=3).fit(X, Y[:, [0, 0]])
    np.testing.assert_array_equal(one.trees_.feature, two.trees_.feature)
    np.testing.assert_array_equal(one.trees_.threshold, two.trees_.threshold)
    np.testing.assert_allclose(two.predict(X), one.predict(X)[:, None] + np.zeros(2))


def test_one_column_is_a_vector():
    X, Y = table()
    with pytest.warns(UserWarning, match="column-vector"):
        tree = bw.DecisionTreeRegressor(max_depth=2).fit(X, Y[:, :1])
    assert tree.predict(X).shape == (300,)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_weight_two_is_the_row_twice(n_jobs):
    X, Y = table(120)
    weights = np.random.default_rng(0).integers(0, 3, size=120)
    weighted = bw.RandomForestRegressor(5, random_state=0, n_jobs=1).fit(X, Y, sample_weight=weights)
    again = np.random.default_rng(1).permutation(np.repeat(np.arange(120), weights))
    repeated = bw.RandomForestRegressor(5, random_state=0, n_jobs=n_jobs).fit(X[again], Y[again])
    for name in ("feature", "threshold", "value", "count"):
        np.testing.assert_array_equal(getattr(weighted.trees_, name), getattr(repeated.trees_, name))


def test_values_far_from_zero_and_of_other_sizes_lose_nothing():
    X, Y = table()
    moved = Y * 2.0**40 + np.array([2.0**60, 0.0, -(2.0**55)])
    near = bw.DecisionTreeRegressor(max_depth=5, random_state=0).fit(X, (moved - moved.min(axis=0)) / 2.0**40)
    far = bw.DecisionTreeRegressor(max_depth=5, random_state=0).fit(X, moved)
    np.testing.assert_array_equal(near.trees_.feature, far.trees_.feature)


@pytest.mark.parametrize("rule", ["validation", "cv"])
def test_pruning_chooses_a_penalty(rule):
    X, Y = table(400)
    integer = bw.DecisionTreeRegressor(random_state=0).fit(X, Y)
    pruned = bw.DecisionTreeRegressor(random_state=0, ccp_alpha=rule).fit(X, Y)
    assert 1 < pruned.get_n_leaves() < integer.get_n_leaves()
    test_X, test_Y = table(400, seed=1)
    assert pruned.score(test_X, test_Y) > integer.score(test_X, test_Y)


@pytest.mark.parametrize("cls", [bw.DecisionTreeRegressor, bw.RandomForestRegressor])
def test_saved_and_exported(cls, tmp_path):
    X, Y = table()
    model = cls(max_depth=5, random_state=0).fit(X, Y)
    model.save(tmp_path / "model")
    loaded = bw.load(tmp_path / "model")
    assert loaded.n_outputs_ == 3
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    theirs = model.to_sklearn()
    assert theirs.n_outputs_ == 3
    np.testing.assert_allclose(theirs.predict(X), model.predict(X), rtol=1e-12)


def test_categories_and_oblique_splits():
    X, Y = table(500)
    frame = {
        "number": X[:, 0],
        "other": X[:, 1],
        "colour": np.array(["red", "blue", "green"])[np.arange(500) % 3],
    }
    Y = Y + 10.0 * (np.arange(500) % 3 == 1)[:, None]
    tree = bw.DecisionTreeRegressor(max_depth=1).fit(frame, Y)
    assert tree.trees_.feature[0] == 2
    assert "blue" in tree.rules(1) or "blue" in tree.rules(2)
    tilted = bw.DecisionTreeRegressor(max_depth=3, oblique=3, random_state=0).fit(frame, Y)
    assert tilted.score(frame, Y) > 0.5


def test_a_warm_start_keeps_the_number_of_values():
    X, Y = table()
    forest = bw.RandomForestRegressor(2, warm_start=True, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="which predict 3 classes or values, but y has 2"):
        forest.set_params(n_estimators=3).fit(X, Y[:, :2])
    assert len(forest.fit(X, Y).estimators_) == 3
    assert forest.estimators_[2].predict(X).shape == (300, 3)


def test_what_does_not_go():
    X, Y = table()
    with pytest.raises(ValueError, match="not supported with multiple outputs"):
        bw.DecisionTreeRegressor(monotonic_cst=[1, 0, 0, 0]).fit(X, Y)
    Y[3, 1] = np.nan
    with pytest.raises(ValueError, match="Input y contains NaN"):
        bw.DecisionTreeRegressor().fit(X, Y)
