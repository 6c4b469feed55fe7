"""What a column is worth: how far the score falls where it is shuffled."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.inspection import permutation_importance

import boxwood as bw
from boxwood.randomness import generator

CLASSIFIERS = [bw.DecisionTreeClassifier, bw.RandomForestClassifier]
ALL = [*CLASSIFIERS, bw.DecisionTreeRegressor, bw.RandomForestRegressor]


def table(n: int = 120) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"a": rng.normal(size=n), "b": rng.normal(size=n), "c": rng.choice(["x", "y", "z"], size=n), "d": 1.0}
    )
    wanted = 2 * (X["a"] > 0) + 1 * (X["c"] == "x").to_numpy()
    X.loc[::9, "a"], X.loc[::7, "c"] = np.nan, None
    return X, wanted.to_numpy()


def fitted(cls, X, y, **parameters):
    if "Forest" in cls.__name__:
        parameters["n_estimators"] = 5
    return cls(max_depth=4, random_state=0, **parameters).fit(X, y)


@pytest.mark.parametrize("cls", ALL)
@pytest.mark.parametrize("weighted", [False, True])
def test_as_shuffling_the_columns_of_the_frame(cls, weighted):
    X, y = table()
    weights = np.arange(1.0, len(y) + 1) if weighted else None
    model = fitted(cls, X, y)
    worth = model.permutation_importance(X, y, n_repeats=3, random_state=7, sample_weight=weights)
    integer, rng = model.score(X, y, sample_weight=weights), generator(7)
    for j in model.trees_.used_columns():
        for k in range(3):
            shuffled = X.assign(**{X.columns[j]: rng.permutation(X.iloc[:, j].to_numpy())})
            fall = integer - model.score(shuffled, y, sample_weight=weights)
            assert worth.importances[j, k] == pytest.approx(fall, abs=1e-12)
    np.testing.assert_allclose(worth.importances_mean, worth.importances.mean(axis=1))
    np.testing.assert_allclose(worth.importances_std, worth.importances.std(axis=1))
    assert worth.importances_mean[0] > 0.1
    assert not worth.importances[3].any()


@pytest.mark.parametrize("cls", ALL)
def test_about_what_scikit_learn_tells(cls):
    X, y = table()
    model = fitted(cls, X, y)
    ours = model.permutation_importance(X, y, n_repeats=30, random_state=0)
    theirs = permutation_importance(model, X, y, n_repeats=30, random_state=0)
    assert set(ours) == set(theirs)
    np.testing.assert_allclose(ours.importances_mean, theirs.importances_mean, atol=0.06)


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_any_table_and_labels(cls):
    X, y = table()
    labels = np.array(["none", "c", "a", "both"])[y]
    model = fitted(cls, X, labels)
    expected = model.permutation_importance(X, labels, random_state=1).importances
    predicted = model.permutation_importance(pl.from_pandas(X), labels, random_state=1).importances
    np.testing.assert_array_equal(predicted, expected)


def test_sparse_tables_and_the_caller_s_own_array():
    X = np.random.default_rng(0).normal(size=(80, 3))
    Y = X[:, :2] > 0
    kept, model = X.copy(), fitted(bw.RandomForestRegressor, X, Y)
    dense = model.permutation_importance(X, Y, random_state=1).importances
    np.testing.assert_array_equal(X, kept)
    loose = model.permutation_importance(sparse.csr_array(X), Y, random_state=1).importances
    np.testing.assert_array_equal(loose, dense)


def test_columns_of_directions_are_looked_at():
    X = np.random.default_rng(0).normal(size=(200, 2))
    tree = bw.DecisionTreeClassifier(oblique=3, max_depth=1, random_state=0).fit(X, X.sum(axis=1) > 0)
    assert tree.trees_.used_columns() == [0, 1]
    worth = tree.permutation_importance(X, X.sum(axis=1) > 0, random_state=0)
    assert (worth.importances_mean > 0.1).all()


@pytest.mark.parametrize("n_repeats", [0, True, 1.5, "many"])
def test_repeats_that_cannot_be(n_repeats):
    X, y = table()
    with pytest.raises(ValueError, match="n_repeats must be an integer, at least 1"):
        fitted(bw.DecisionTreeClassifier, X, y).permutation_importance(X, y, n_repeats=n_repeats)
