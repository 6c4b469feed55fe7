"""Shapley values of trees and forests: against all coalitions, and against SHAP's own."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from mixed_tables import fitted, kinds, mixed_table, new_rows, predicted, seeds
from sklearn.datasets import load_diabetes, load_iris

import boxwood as bw
from boxwood.binning.thresholds import rows_of
from properties import examples


def goes_left(trees, node, x) -> bool:
    feature = trees.feature[node]
    n = trees.n_categories[feature]
    if n < 0:
        return bool(trees.missing_left[node]) if np.isnan(x) else bool(x < trees.threshold[node])
    return int(x) in trees.codes_of_set(node)


def worth(trees, t, row, known, node=0) -> np.ndarray:
    """Return what a tree tells where only some columns are known."""
    at = int(trees.start[t]) + node
    if trees.feature[at] < 0:
        return trees.value[at]
    left = int(trees.left[at])
    feature = int(trees.feature[at])
    if feature in known:
        return worth(trees, t, row, known, left + (not goes_left(trees, at, row[feature])))
    first = int(trees.start[t]) + left
    weights = trees.count[first : first + 2] / trees.count[first : first + 2].sum()
    sides = [worth(trees, t, row, known, left + k) for k in range(2)]
    return weights[0] * sides[0] + weights[1] * sides[1]


def brute_force(trees, row) -> np.ndarray:
    """Return Shapley's formula, coalition by coalition."""
    d = len(trees.n_categories)
    total = np.zeros((d, trees.value.shape[1]))
    for t in range(trees.n_trees):
        for j in range(d):
            others = [k for k in range(d) if k != j]
            for size in range(d):
                weight = factorial(size) * factorial(d - size - 1) / factorial(d)
                for known in combinations(others, size):
                    gain = worth(trees, t, row, {*known, j}) - worth(trees, t, row, set(known))
                    total[j] += weight * gain
    return total / trees.n_trees


@examples(12)
@given(kinds, seeds)
def test_every_coalition(kind, seed):
    table = mixed_table(seed, n=40)
    model, _ = fitted(kind, table, seed)
    rows = new_rows(table, seed).iloc[:3]
    values = model.shap_values(rows).reshape(3, len(table.columns), -1)
    for row, of_row in zip(rows_of(bw.read_columns(rows).matched(model.schema_)), values, strict=True):
        np.testing.assert_allclose(of_row, brute_force(model.trees_, row), atol=1e-10)


@examples(30)
@given(kinds, seeds)
def test_values_add_up_to_the_prediction(kind, seed):
    table = mixed_table(seed, n=150)
    model, _ = fitted(kind, table, seed)
    values = model.shap_values(table).reshape(len(table), len(table.columns), -1)
    np.testing.assert_allclose(
        values.sum(axis=1) + model.expected_value_, predicted(model, table), atol=1e-10, rtol=1e-10
    )


def test_a_column_that_nobody_splits_is_worth_nothing():
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([X, np.ones(len(X))])
    assert not bw.RandomForestClassifier(5, random_state=0).fit(X, y).shap_values(X)[:, 4].any()


def test_threads_do_not_matter():
    X, y = load_diabetes(return_X_y=True)
    one, two = (
        bw.RandomForestRegressor(5, random_state=0, n_jobs=k).fit(X, y).shap_values(X) for k in (1, 2)
    )
    np.testing.assert_array_equal(one, two)


def test_deep_trees_of_many_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 30))
    y = rng.normal(size=400)
    model = bw.DecisionTreeRegressor(splitter="random", random_state=0).fit(X, y)
    values = model.shap_values(X)
    np.testing.assert_allclose(values.sum(axis=1) + model.expected_value_, y, atol=1e-9)


def test_several_targets():
    X, y = load_diabetes(return_X_y=True)
    model = bw.RandomForestRegressor(3, random_state=0).fit(X, np.column_stack([y, -y]))
    values = model.shap_values(X)
    assert values.shape == (len(X), 10, 2)
    np.testing.assert_allclose(values[:, :, 0], -values[:, :, 1], atol=1e-9)


def test_oblique_splits_have_none():
    X = np.random.default_rng(0).normal(size=(60, 2))
    model = bw.DecisionTreeClassifier(oblique=2, random_state=0).fit(X, X.sum(axis=1) > 0)
    with pytest.raises(ValueError, match="oblique=0"):
        model.shap_values(X)


@pytest.mark.parametrize(
    ("load", "model"),
    [
        (load_iris, bw.RandomForestClassifier(8, random_state=0)),
        (load_diabetes, bw.RandomForestRegressor(8, random_state=0)),
        (load_diabetes, bw.DecisionTreeRegressor(max_depth=4)),
    ],
)
def test_the_same_as_shap_s_own(load, model):
    shap = pytest.importorskip("shap", reason="shap is not installed: `make test-plugs` installs it")
    X, y = load(return_X_y=True)
    X = X.astype(np.float32)
    model.fit(X, y)
    explainer = shap.TreeExplainer(model.to_sklearn(), feature_perturbation="tree_path_dependent")
    np.testing.assert_allclose(model.shap_values(X), explainer.shap_values(X), atol=1e-9, rtol=1e-9)
    np.testing.assert_allclose(np.ravel(model.expected_value_), np.ravel(explainer.expected_value))
