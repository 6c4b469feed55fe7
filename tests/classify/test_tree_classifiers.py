"""Decision trees and forests that tell classes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.inspection import permutation_importance
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV, train_test_split

import boxwood as bw

BOTH = [bw.DecisionTreeClassifier, bw.RandomForestClassifier]


@pytest.mark.parametrize("cls", BOTH)
@pytest.mark.parametrize(
    "labels",
    [
        np.array(["a", "b"]),
        np.array(["a", "b"], dtype=object),
        np.array([True, False]),
        np.array([-5, 7], dtype=np.int8),
        np.array([0.0, 2.0]),
    ],
    ids=lambda labels: str(labels.dtype),
)
def test_labels_of_any_type(cls, labels, tmp_path):
    X, y = np.arange(20.0)[:, None], labels[np.arange(20) // 10]
    model = cls(random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.predict(X).dtype == labels.dtype
    model.save(tmp_path / "model.boxwood")
    np.testing.assert_array_equal(bw.load(tmp_path / "model.boxwood").predict(X), y)


@pytest.mark.parametrize("cls", BOTH)
def test_one_class(cls):
    model = cls(random_state=0).fit([[0.0], [1.0]], ["only", "only"])
    assert model.predict([[7.0]]).tolist() == ["only"]
    np.testing.assert_array_equal(model.predict_proba([[7.0]]), [[1.0]])
    np.testing.assert_array_equal(model.predict_log_proba([[7.0]]), [[0.0]])


@pytest.mark.parametrize("cls", BOTH)
def test_many_classes(cls):
    y = np.arange(3000) % 300
    X = pd.DataFrame({"c": pd.Series(y).map(lambda c: f"k{c}"), "noise": np.arange(3000.0)})
    assert cls(random_state=0, max_features=None).fit(X, y).score(X, y) > 0.99


def test_votes_are_counted():
    X, y = load_iris(return_X_y=True)
    forest = bw.RandomForestClassifier(10, voting="hard", max_depth=2, random_state=0).fit(X, y)
    trees = np.array([tree.predict(X) for tree in forest])
    votes = np.array([(trees == c).mean(axis=0) for c in range(3)]).T
    np.testing.assert_allclose(forest.predict_proba(X), votes, atol=1e-12)
    with pytest.raises(ValueError, match="voting"):
        bw.RandomForestClassifier(voting="loud").fit(X, y)


def test_fractions_are_averaged():
    X, y = load_iris(return_X_y=True)
    forest = bw.RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, np.array(list("abc"))[y])
    trees = [tree.predict_proba(X) for tree in forest.estimators_]
    np.testing.assert_allclose(forest.predict_proba(X), np.mean(trees, axis=0), atol=1e-12)
    assert len(forest) == 10
    assert forest[3].classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(forest[3].apply(X), forest.apply(X)[:, 3])


@pytest.mark.parametrize("voting", ["soft", "hard"])
@pytest.mark.parametrize("class_weight", [None, "balanced", "balanced_subsample"])
def test_the_score_out_of_bag_is_near_that_on_new_rows(voting, class_weight):
    X, y = load_breast_cancer(return_X_y=True)
    X, X_new, y, y_new = train_test_split(X, y, random_state=0)
    forest = bw.RandomForestClassifier(
        80, oob_score=True, voting=voting, class_weight=class_weight, random_state=0
    ).fit(X, y)
    assert forest.oob_score_ == pytest.approx(forest.score(X_new, y_new), abs=0.04)
    assert forest.oob_decision_function_.shape == (len(X), 2)
    np.testing.assert_allclose(forest.oob_decision_function_.sum(axis=1), 1.0)


def test_out_of_bag_by_another_score():
    X, y = load_iris(return_X_y=True)
    forest = bw.RandomForestClassifier(
        50, oob_score=lambda y, predicted: f1_score(y, predicted, average="micro"), random_state=0
    )
    assert forest.fit(X, y).oob_score_ > 0.9


def test_digits_as_well_as_scikit_learn():
    X, X_new, y, y_new = train_test_split(*load_digits(return_X_y=True), random_state=0)
    ours = bw.RandomForestClassifier(60, random_state=0).fit(X, y)
    theirs = sklearn.ensemble.RandomForestClassifier(60, random_state=0).fit(X, y)
    assert ours.score(X_new, y_new) > theirs.score(X_new, y_new) - 0.02


@pytest.mark.parametrize("weights", ["balanced", "balanced_subsample", {0: 1.0, 1: 20.0}])
def test_class_weights_lift_the_rare_class(weights):
    rng = np.random.default_rng(0)
    y = (rng.random(2000) < 0.05).astype(int)
    X = rng.normal(size=(2000, 2)) + y[:, None]
    parameters = {"n_estimators": 30, "min_samples_leaf": 20, "random_state": 0}
    plain = bw.RandomForestClassifier(**parameters).fit(X, y)
    lifted = bw.RandomForestClassifier(class_weight=weights, **parameters).fit(X, y)
    assert lifted.predict(X).sum() > 3 * max(1, plain.predict(X).sum())
    again = bw.RandomForestClassifier(class_weight=weights, **parameters).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), lifted.predict_proba(X))


def test_balanced_subsamples_take_categories_and_save(tmp_path):
    X = pd.DataFrame({"c": list("abcde") * 20, "x": np.arange(100.0)})
    y = (X["c"].isin(["a", "d"])).to_numpy()
    forest = bw.RandomForestClassifier(5, class_weight="balanced_subsample", random_state=0).fit(X, y)
    assert forest.score(X, y) > 0.95
    forest.save(tmp_path / "forest.boxwood")
    np.testing.assert_array_equal(
        bw.load(tmp_path / "forest.boxwood").predict_proba(X), forest.predict_proba(X)
    )


def test_more_trees_by_a_warm_start():
    X, y = load_iris(return_X_y=True)
    warm = bw.RandomForestClassifier(5, warm_start=True, random_state=0).fit(X, y)
    first = warm.apply(X)
    warm.set_params(n_estimators=9).fit(X, y)
    np.testing.assert_array_equal(warm.apply(X)[:, :5], first)
    with pytest.warns(UserWarning, match="does not fit new trees"):
        warm.fit(X, y)
    with pytest.raises(ValueError, match="must be larger or equal to the 9 trees"):
        warm.set_params(n_estimators=3).fit(X, y)


def test_scikit_learn_s_tools():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(bw.DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}).fit(X, y)
    assert search.best_params_ == {"max_depth": 3}
    forest = bw.RandomForestClassifier(20, random_state=0).fit(X, y)
    permuted = permutation_importance(forest, X, y, n_repeats=3, random_state=0).importances_mean
    assert set(np.argsort(permuted)[-2:]) == set(np.argsort(forest.feature_importances_)[-2:]) == {2, 3}
    assert forest.feature_importances_.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"criterion": "squared_error"}, "criterion"),
        ({"max_depth": 0}, "max_depth"),
        ({"min_samples_split": 1}, "min_samples_split"),
        ({"min_samples_leaf": 0.0}, "min_samples_leaf"),
        ({"min_weight_fraction_leaf": 0.6}, "min_weight_fraction_leaf"),
        ({"max_features": 0}, "max_features"),
        ({"max_features": "auto"}, "max_features"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes"),
        ({"min_impurity_decrease": -1.0}, "min_impurity_decrease"),
    ],
)
@pytest.mark.parametrize("cls", BOTH)
def test_parameters_that_cannot_be(cls, parameters, message):
    with pytest.raises(ValueError, match=message):
        cls(**parameters).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    ("dtype", "classes"), [("boolean", [False, True]), ("Int64", [0, 1]), ("UInt8", [0, 1])]
)
def test_nullable_labels_keep_their_type(dtype, classes):
    x = np.arange(20.0)[:, None]
    y = pd.Series((x[:, 0] > 9.0).astype(int)).astype(dtype)
    model = bw.RandomForestClassifier(3, random_state=0).fit(x, y)
    assert model.classes_.tolist() == classes
    assert [type(label) for label in model.classes_.tolist()] == [type(label) for label in classes]
    y[3] = pd.NA
    with pytest.raises(ValueError, match="row 3"):
        model.fit(x, y)
