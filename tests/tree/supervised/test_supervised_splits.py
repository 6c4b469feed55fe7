"""Every split of a fitted tree is the best that there is, against trying all of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_splits import best_gain, impurity, rows_of_nodes

import boxwood as bw
from properties import examples


@st.composite
def tables(draw, coded: bool = False, missing: bool = True):
    """A few rows of small integers, so that ties are many, with holes and weights."""
    n_rows, n_columns = draw(st.integers(1, 14)), draw(st.integers(1, 3))
    value = st.integers(0, 4).map(float)
    if missing:
        value = st.one_of(value, value, value, st.just(np.nan))
    bins = draw(st.lists(value, min_size=n_rows * n_columns, max_size=n_rows * n_columns))
    table = np.array(bins).reshape(n_rows, n_columns)
    flags = [coded and draw(st.booleans()) for _ in range(n_columns)]
    weights = np.array(draw(st.lists(st.sampled_from([1.0, 2.0, 0.5]), min_size=n_rows, max_size=n_rows)))
    targets = np.array(draw(st.lists(st.integers(0, 1), min_size=n_rows, max_size=n_rows)))
    return table, flags, targets, weights


def as_frame(table: np.ndarray, coded: list[bool]) -> pd.DataFrame:
    columns = {}
    for j, flag in enumerate(coded):
        labels = [None if np.isnan(x) else "abcde"[int(x)] for x in table[:, j]]
        columns[f"x{j}"] = pd.Series(labels, dtype="str") if flag else table[:, j]
    return pd.DataFrame(columns)


def check_splits(model, kind, table, coded, targets, weights, smallest=0.0):
    X = as_frame(table, coded)
    trees = model.trees_
    for node, inside in enumerate(rows_of_nodes(model, X)):
        here, of_here, weight = table[inside], targets[inside], weights[inside]
        own = impurity(kind, of_here, weight)
        assert trees.impurity[node] == pytest.approx(own, abs=1e-9)
        assert trees.count[node] == pytest.approx(weight.sum())
        best = best_gain(kind, here, coded, of_here, weight, smallest)
        if trees.feature[node] >= 0:
            assert trees.gain[node] == pytest.approx(best, abs=1e-9)
        else:
            assert own == pytest.approx(0.0, abs=1e-9) or best == -np.inf


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@examples(120)
@given(data=tables(coded=True))
def test_splits_of_two_classes(criterion, data):
    table, coded, targets, weights = data
    model = bw.DecisionTreeClassifier(criterion=criterion, random_state=0)
    model.fit(as_frame(table, coded), targets, sample_weight=weights)
    check_splits(model, criterion, table, coded, targets, weights)


@examples(120)
@given(data=tables(coded=True), values=st.lists(st.integers(-3, 3), min_size=14, max_size=14))
def test_splits_of_values(data, values):
    table, coded, _, weights = data
    targets = np.array(values, dtype=float)[: len(table)]
    model = bw.DecisionTreeRegressor(random_state=0)
    model.fit(as_frame(table, coded), targets, sample_weight=weights)
    check_splits(model, "squared_error", table, coded, targets, weights)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@examples(120)
@given(data=tables(), classes=st.lists(st.integers(0, 4), min_size=14, max_size=14))
def test_splits_of_five_classes_by_numbers(criterion, data, classes):
    table, coded, _, weights = data
    targets = np.array(classes)[: len(table)]
    model = bw.DecisionTreeClassifier(criterion=criterion, random_state=0)
    model.fit(as_frame(table, coded), targets, sample_weight=weights)
    check_splits(model, criterion, table, coded, targets, weights)


@examples(80)
@given(data=tables(), smallest=st.integers(2, 4))
def test_small_leaves_are_refused(data, smallest):
    table, coded, targets, weights = data
    model = bw.DecisionTreeClassifier(min_samples_leaf=smallest)
    model.fit(as_frame(table, coded), targets, sample_weight=weights)
    check_splits(model, "gini", table, coded, targets, weights, smallest)


@examples(100)
@given(data=tables(coded=True), classes=st.lists(st.integers(0, 3), min_size=14, max_size=14))
def test_a_whole_tree_tells_its_rows_as_far_as_they_differ(data, classes):
    table, coded, _, weights = data
    targets = np.array(classes)[: len(table)]
    X = as_frame(table, coded)
    model = bw.DecisionTreeClassifier(random_state=0).fit(X, targets, sample_weight=weights)
    fractions = model.predict_proba(X)
    for row in range(len(table)):
        same = ((table == table[row]) | (np.isnan(table) & np.isnan(table[row]))).all(axis=1)
        for c, label in enumerate(model.classes_):
            expected = weights[same & (targets == label)].sum() / weights[same].sum()
            assert fractions[row, c] == pytest.approx(expected)


@pytest.mark.parametrize("cls", [bw.DecisionTreeClassifier, bw.DecisionTreeRegressor])
def test_the_random_splitter_cuts_between_the_extremes(cls):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    models = [cls(splitter="random", random_state=seed).fit(X, y) for seed in range(5)]
    assert all((model.predict(X) == y).all() for model in models)
    assert len({model.trees_.threshold[0] for model in models}) > 1
    best = cls().fit(X, y)
    assert np.mean([model.get_n_leaves() for model in models]) > best.get_n_leaves()


@pytest.mark.parametrize("n_leaves", [2, 3, 7])
def test_best_first_takes_the_largest_gain_next(n_leaves):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(300, 4)), rng.integers(0, 3, 300)
    model = bw.DecisionTreeClassifier(max_leaf_nodes=n_leaves).fit(X, y)
    assert model.get_n_leaves() == n_leaves
    integer = bw.DecisionTreeClassifier(max_leaf_nodes=n_leaves + 1).fit(X, y)
    assert integer.get_n_leaves() == n_leaves + 1
    kept = sorted(model.trees_.gain[model.trees_.feature >= 0])
    more = sorted(integer.trees_.gain[integer.trees_.feature >= 0])
    assert set(np.round(kept, 9)) <= set(np.round(more, 9))


def test_a_single_leaf_tells_the_fractions_of_all_classes():
    y = np.array([0, 0, 0, 0, 1, 2])
    fractions = bw.DecisionTreeClassifier().fit(np.zeros((6, 1)), y).predict_proba([[0.0]])
    np.testing.assert_allclose(fractions, [[4 / 6, 1 / 6, 1 / 6]])
