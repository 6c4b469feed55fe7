"""Parameters as scikit-learn takes and refuses them."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood as bw

CLASSIFIERS = [bw.DecisionTreeClassifier, bw.RandomForestClassifier]
TREES = [*CLASSIFIERS, bw.DecisionTreeRegressor, bw.RandomForestRegressor]
X, y = np.arange(20.0).reshape(10, 2), np.array([0, 1] * 5)


@pytest.mark.parametrize("cls", TREES)
def test_a_leaf_of_all_rows_is_no_fraction(cls):
    cls(min_samples_split=1.0, min_samples_leaf=0.999).fit(X, y)
    with pytest.raises(ValueError, match=r"'min_samples_leaf' .* in the range \(0\.0, 1\.0\)\. Got 1\.0"):
        cls(min_samples_leaf=1.0).fit(X, y)
    with pytest.raises(ValueError, match=r"'min_samples_split' .* in the range \(0\.0, 1\.0\]\. Got 1\.5"):
        cls(min_samples_split=1.5).fit(X, y)


def test_class_weights_by_name():
    with pytest.raises(ValueError, match=r"DecisionTreeClassifier: class_weight must be .*'balanced'; got"):
        bw.DecisionTreeClassifier(class_weight="balanced_subsample").fit(X, y)
    with pytest.raises(ValueError, match=r"RandomForestClassifier: class_weight .*'balanced_subsample'; got"):
        bw.RandomForestClassifier(class_weight="even").fit(X, y)


def test_trees_of_a_forest_by_number():
    forest = bw.RandomForestClassifier(n_estimators=4, random_state=0).fit(X, y)
    predicted = [tree.predict_proba(X) for tree in forest]
    for chosen, expected in (
        (forest[1], predicted[1]),
        (forest[-1], predicted[3]),
        (forest[1:3][1], predicted[2]),
    ):
        np.testing.assert_array_equal(chosen.predict_proba(X), expected)
    with pytest.raises(IndexError):
        forest[4]


def test_a_warm_start_keeps_the_classes():
    forest = bw.RandomForestClassifier(n_estimators=2, warm_start=True, random_state=0).fit(X, y)
    forest.set_params(n_estimators=4)
    with pytest.raises(ValueError, match=r"tell the classes \[0, 1\], but y has \['no', 'yes'\]"):
        forest.fit(X, np.array(["no", "yes"])[y])
    assert len(forest) == 2
    assert len(forest.fit(X, y)) == 4
