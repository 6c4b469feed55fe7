"""`class_weight="balanced_subsample"`: the classes of each tree's own sample weigh the same."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood as bw


def rare_class(n_classes: int = 2, n_rows: int = 600) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.choice(n_classes, size=n_rows, p=np.r_[0.9, np.full(n_classes - 1, 0.1 / (n_classes - 1))])
    return rng.normal(size=(n_rows, 3)) + y[:, None], y


def roots(forest: bw.RandomForestClassifier) -> tuple[np.ndarray, np.ndarray]:
    """Return the fractions and the weight of all rows in each tree."""
    first = forest.trees_.start[:-1]
    return forest.trees_.value[first], forest.trees_.count[first]


@pytest.mark.parametrize("n_classes", [2, 4])
def test_classes_weigh_the_same_in_every_tree(n_classes):
    X, y = rare_class(n_classes)
    forest = bw.RandomForestClassifier(20, class_weight="balanced_subsample", random_state=0).fit(X, y)
    plain = bw.RandomForestClassifier(20, random_state=0).fit(X, y)
    integer = bw.RandomForestClassifier(20, class_weight="balanced", random_state=0).fit(X, y)
    fractions, weights = roots(forest)
    np.testing.assert_allclose(fractions, 1.0 / n_classes)
    np.testing.assert_allclose(weights, roots(plain)[1])  # the sample is the same, and so is its weight
    # Weights of the whole table leave each sample's own imbalance.
    assert np.abs(roots(integer)[0] - 1.0 / n_classes).max() > 0.01


def test_rows_of_integer_weight_are_rows_repeated():
    X, y = rare_class()
    weights = np.random.default_rng(1).integers(0, 3, size=len(y))
    again = np.repeat(np.arange(len(y)), weights)
    forests = [
        bw.RandomForestClassifier(5, class_weight="balanced_subsample", random_state=0).fit(*arguments)
        for arguments in ((X, y, weights), (X[again], y[again]))
    ]
    np.testing.assert_array_equal(*(forest.trees_.value for forest in forests))
    np.testing.assert_array_equal(*(forest.trees_.threshold for forest in forests))


def test_without_bootstrap_it_is_balanced():
    X, y = rare_class()
    one, other = (
        bw.RandomForestClassifier(3, bootstrap=False, class_weight=wanted, random_state=0).fit(X, y)
        for wanted in ("balanced_subsample", "balanced")
    )
    np.testing.assert_array_equal(one.trees_.value, other.trees_.value)


def test_the_rare_class_is_predicted_more_often():
    X, y = rare_class(n_rows=2000)
    X = X - 0.7 * y[:, None]  # classes that overlap
    plain, balanced = (
        bw.RandomForestClassifier(30, class_weight=wanted, min_samples_leaf=20, random_state=0).fit(X, y)
        for wanted in (None, "balanced_subsample")
    )
    assert (balanced.predict(X) == 1).mean() > 2.0 * max(0.01, (plain.predict(X) == 1).mean())
