"""Monotone columns: the prediction does not fall (or rise) with them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from properties import examples

CLASSES = [bw.DecisionTreeClassifier, bw.RandomForestClassifier]
VALUES = [bw.DecisionTreeRegressor, bw.RandomForestRegressor]


def predicted(model, X) -> np.ndarray:
    return model.predict_proba(X)[:, 1] if hasattr(model, "predict_proba") else model.predict(X)


def make(cls, **parameters):
    if "Forest" in cls.__name__:
        parameters["n_estimators"] = 5
    return cls(random_state=0, **parameters)


@pytest.mark.parametrize("cls", [*CLASSES, *VALUES])
@examples(15)
@given(seed=st.integers(0, 10**6), sign=st.sampled_from([-1, 1]), best_first=st.booleans())
def test_never_against_the_constraint(cls, seed, sign, best_first):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(120, 3))
    y = sign * X[:, 0] + rng.normal(size=120)
    y = (y > 0).astype(int) if cls in CLASSES else y
    model = make(cls, monotonic_cst=[sign, 0, 0], max_leaf_nodes=20 if best_first else None).fit(X, y)
    others = rng.normal(size=(30, 2))
    grid = np.linspace(-3, 3, 60)
    curves = np.array([predicted(model, np.column_stack([grid, np.tile(row, (60, 1))])) for row in others])
    assert (sign * np.diff(curves, axis=1) >= -1e-12).all()
    assert np.ptp(curves) > 0.0


def test_names_of_columns_may_be_given():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 2)), columns=["a", "b"])
    y = X["b"] + 0.5 * rng.normal(size=100)
    named = bw.DecisionTreeRegressor(monotonic_cst={"b": 1}).fit(X, y)
    listed = bw.DecisionTreeRegressor(monotonic_cst=[0, 1]).fit(X, y)
    np.testing.assert_array_equal(named.predict(X), listed.predict(X))


@pytest.mark.parametrize(
    ("signs", "message"),
    [([1], "shape 1"), ([2, 0], "-1, 0 or 1"), ({"z": 1}, "names"), ([0, 1], "categories")],
)
def test_wrong_constraints(signs, message):
    X = pd.DataFrame({"a": [0.0, 1.0], "c": ["u", "v"]})
    with pytest.raises(ValueError, match=message):
        bw.DecisionTreeRegressor(monotonic_cst=signs).fit(X, [0.0, 1.0])


def test_several_classes_and_oblique_splits_are_refused():
    X, y = np.arange(12.0).reshape(6, 2), [0, 1, 2, 0, 1, 2]
    with pytest.raises(ValueError, match="multiclass"):
        bw.DecisionTreeClassifier(monotonic_cst=[1, 0]).fit(X, y)
    with pytest.raises(ValueError, match="oblique"):
        bw.DecisionTreeRegressor(monotonic_cst=[1, 0], oblique=1).fit(X, y)


@pytest.mark.parametrize("cls", CLASSES)
def test_a_single_class_is_what_it_is(cls):
    X = np.arange(20.0)[:, None]
    model = make(cls, monotonic_cst=[1]).fit(X, np.full(20, 7))
    np.testing.assert_array_equal(model.predict_proba(X), np.ones((20, 1)))
