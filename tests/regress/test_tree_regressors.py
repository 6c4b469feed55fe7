"""Regression trees and forests."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import train_test_split

import boxwood as bw

BOTH = [bw.DecisionTreeRegressor, bw.RandomForestRegressor]


def test_a_whole_tree_tells_every_value():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.normal(size=300)
    np.testing.assert_allclose(bw.DecisionTreeRegressor().fit(X, y).predict(X), y)


def test_a_leaf_tells_the_weighted_mean():
    X, y = [[0.0], [0.0], [1.0]], [1.0, 4.0, 9.0]
    model = bw.DecisionTreeRegressor().fit(X, y, sample_weight=[1.0, 2.0, 1.0])
    np.testing.assert_allclose(model.predict([[0.0], [1.0]]), [3.0, 9.0])


@pytest.mark.parametrize("cls", BOTH)
@pytest.mark.parametrize("scale", [1e-150, 1e-8, 1.0, 1e8, 1e150])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_values_of_any_size(cls, scale, shift):
    X = np.arange(50.0)[:, None]
    y = (np.arange(50) % 5 + shift) * scale
    model = cls(random_state=0).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    assert (model.predict(X) <= y.max() * (1 + 1e-12)).all()
    if cls is bw.DecisionTreeRegressor:
        np.testing.assert_allclose(model.predict(X), y, rtol=1e-9)


@pytest.mark.parametrize("cls", BOTH)
def test_values_that_are_no_numbers_are_refused(cls):
    for wrong in ([np.nan, 1.0], [np.inf, 1.0]):
        with pytest.raises(ValueError, match="y contains"):
            cls().fit([[0.0], [1.0]], wrong)


def test_the_mean_of_the_trees():
    X, y = load_diabetes(return_X_y=True)
    forest = bw.RandomForestRegressor(10, max_depth=3, random_state=0).fit(X, y)
    np.testing.assert_allclose(forest.predict(X), np.mean([tree.predict(X) for tree in forest], axis=0))


def test_as_well_as_scikit_learn():
    X, X_new, y, y_new = train_test_split(*make_friedman1(2000, random_state=0), random_state=0)
    ours = bw.RandomForestRegressor(50, random_state=0, oob_score=True).fit(X, y)
    theirs = sklearn.ensemble.RandomForestRegressor(50, random_state=0).fit(X, y)
    assert ours.score(X_new, y_new) > theirs.score(X_new, y_new) - 0.01
    assert ours.oob_score_ == pytest.approx(ours.score(X_new, y_new), abs=0.05)
    assert ours.oob_prediction_.shape == y.shape


def test_out_of_bag_by_another_score():
    X, y = load_diabetes(return_X_y=True)
    forest = bw.RandomForestRegressor(50, oob_score=mean_absolute_error, random_state=0).fit(X, y)
    assert 30.0 < forest.oob_score_ < 60.0


def test_categories_are_split_by_their_means():
    means = {"a": 3.0, "b": 1.0, "c": 7.0, "d": 5.0}
    labels = np.random.default_rng(0).choice(list(means), 200)
    y = np.array([means[label] for label in labels])
    model = bw.DecisionTreeRegressor(max_depth=1).fit(pd.DataFrame({"c": labels}), y)
    predicted = model.predict(pd.DataFrame({"c": list("abcd")}))
    assert predicted[0] == predicted[1] < predicted[2] == predicted[3]


@pytest.mark.parametrize("cls", BOTH)
def test_other_criteria_are_refused(cls):
    with pytest.raises(ValueError, match="criterion must be one of 'squared_error'"):
        cls(criterion="absolute_error").fit([[0.0], [1.0]], [0.0, 1.0])
