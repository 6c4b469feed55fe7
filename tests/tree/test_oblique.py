"""Oblique splits: what they gain, how they travel, and what they refuse."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest

import boxwood as bw

ALL = [
    bw.DecisionTreeClassifier,
    bw.DecisionTreeRegressor,
    bw.RandomForestClassifier,
    bw.RandomForestRegressor,
]


def diagonal(n_rows: int = 300, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(seed).normal(size=(n_rows, 2))
    return X, (X[:, 0] + 2.0 * X[:, 1] > 0.3).astype(int)


def make(cls, **parameters):
    if "Forest" in cls.__name__:
        parameters.setdefault("n_estimators", 6)
    return cls(random_state=0, oblique=3, **parameters)


@pytest.mark.parametrize("cls", ALL[:2])
def test_a_diagonal_border_is_one_split(cls):
    X, y = diagonal()
    X_new, y_new = diagonal(2000, seed=1)
    oblique, straight = make(cls).fit(X, y), cls(random_state=0).fit(X, y)
    assert oblique.get_n_leaves() < straight.get_n_leaves() / 2
    assert np.mean(np.rint(oblique.predict(X_new)) == y_new) > 0.97
    assert np.mean(np.rint(straight.predict(X_new)) == y_new) < 0.97


@pytest.mark.parametrize("cls", ALL)
def test_every_node_parts_its_rows_as_it_says(cls):
    """The obvious walk by directions, thresholds and means in the place of missing numbers."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4))
    y = (X[:, 0] + X[:, 1] - X[:, 2] > 0).astype(int)
    X[rng.random(X.shape) < 0.1] = np.nan
    model = make(cls).fit(X, y)
    trees, leaves = model.trees_, model.apply(X).reshape(120, -1)
    assert (trees.feature >= 4).any()
    np.testing.assert_allclose(trees.directions.fill, np.nanmean(X, axis=0))
    for t in range(trees.n_trees):
        first = trees.start[t]
        for row, leaf in zip(X, leaves[:, t], strict=True):
            at = first
            while trees.feature[at] >= 0:
                j = trees.feature[at]
                if j < 4:
                    left = trees.missing_left[at] if np.isnan(row[j]) else row[j] < trees.threshold[at]
                else:
                    here = trees.directions.entries(j - 4)
                    columns = trees.directions.column[here]
                    filled = np.where(np.isnan(row), trees.directions.fill, row)[columns]
                    left = (trees.directions.weight[here] * filled).sum() < trees.threshold[at]
                at = first + trees.left[at] + (0 if left else 1)
            assert at - first == leaf


@pytest.mark.parametrize("cls", ALL)
def test_tables_with_categories_holes_and_weights(cls, tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(150, 3)), columns=list("abc"))
    y = (X["a"] > X["b"]).astype(int)
    X["kind"] = pd.Series(rng.choice(["u", "v", "w"], 150), dtype="str")
    X.loc[::7, "a"] = np.nan
    weights = rng.integers(1, 4, 150)
    model = make(cls).fit(X, y, sample_weight=weights)
    repeated = make(cls).fit(X.loc[X.index.repeat(weights)], y.repeat(weights))
    predicted = model.predict(X)
    np.testing.assert_array_equal(repeated.predict(X), predicted)
    order = rng.permutation(150)
    np.testing.assert_array_equal(
        make(cls).fit(X.iloc[order], y.iloc[order], sample_weight=weights[order]).predict(X), predicted
    )
    model.save(tmp_path / "model.boxwood")
    for other in (bw.load(tmp_path / "model.boxwood"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.predict(X), predicted)
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    if "Forest" in cls.__name__:
        threaded = make(cls, n_jobs=3).fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(threaded.predict(X), predicted)
        warm = make(cls, n_estimators=2, warm_start=True).fit(X, y, sample_weight=weights)
        warm.set_params(n_estimators=6).fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(warm.predict(X), predicted)


def test_rules_and_conversion():
    X, y = diagonal()
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = bw.DecisionTreeClassifier(max_depth=1, oblique=1, random_state=0).fit(frame, y)
    leaf = int(model.apply(frame)[0])
    assert "·a + " in model.rules(leaf, decimals=2)
    assert "·b " in model.rules(leaf)
    with pytest.raises(ValueError, match="oblique splits"):
        model.to_sklearn()


@pytest.mark.parametrize("oblique", [-1, 1.5, "yes", None])
def test_other_numbers_of_directions_are_refused(oblique):
    with pytest.raises((TypeError, ValueError), match="oblique"):
        bw.DecisionTreeClassifier(oblique=oblique).fit([[0.0], [1.0]], [0, 1])


def test_one_column_or_constant_ones_have_no_directions():
    model = make(bw.DecisionTreeClassifier).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    assert len(model.trees_.directions) == 0
    X = np.column_stack([np.arange(8.0), np.ones(8)])
    model = make(bw.DecisionTreeClassifier).fit(X, np.arange(8) % 2)
    assert len(model.trees_.directions) == 0
