"""Trees and forests as scikit-learn's own."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import export_text, plot_tree

import boxwood as bw
from properties import examples

MODELS = [
    bw.DecisionTreeClassifier(random_state=0),
    bw.DecisionTreeClassifier(criterion="entropy", ccp_alpha="cv", random_state=0),
    bw.RandomForestClassifier(n_estimators=7, random_state=0),
    bw.RandomForestClassifier(n_estimators=7, voting="hard", class_weight="balanced", random_state=0),
    bw.DecisionTreeRegressor(max_leaf_nodes=20, random_state=0),
    bw.RandomForestRegressor(n_estimators=7, random_state=0),
]


def data(model) -> tuple[np.ndarray, np.ndarray]:
    load = load_iris if hasattr(model, "predict_proba") else load_diabetes
    X, y = load(return_X_y=True)
    X = X.astype(np.float32)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    return X, np.array(["no", "yes", "maybe"])[y] if load is load_iris else y


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_scikit_learn_s_tree_predicts_the_same(model):
    X, y = data(model)
    exported = model.fit(X, y).to_sklearn()
    assert type(exported).__module__.startswith("sklearn.")
    assert type(exported).__name__ == type(model).__name__
    np.testing.assert_array_equal(exported.apply(X), model.apply(X))
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(exported.predict_proba(X), model.predict_proba(X), atol=1e-12)
        np.testing.assert_array_equal(exported.predict(X), model.predict(X))
        np.testing.assert_array_equal(exported.classes_, model.classes_)
    else:
        np.testing.assert_allclose(exported.predict(X), model.predict(X), rtol=1e-12)
    np.testing.assert_allclose(exported.feature_importances_, model.feature_importances_, atol=1e-9)


@examples(60)
@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=2, max_size=12), st.data())
def test_single_precision_values_go_the_same_way(values, draw):
    X = np.array(values, dtype=np.float32)[:, None]
    y = draw.draw(st.lists(st.integers(0, 2), min_size=len(X), max_size=len(X)))
    model = bw.DecisionTreeClassifier(random_state=0).fit(X, y)
    near = np.concatenate([X, np.nextafter(X, np.float32(np.inf)), np.nextafter(X, np.float32(-np.inf))])
    np.testing.assert_array_equal(model.to_sklearn().apply(near), model.apply(near))


def test_charts_and_text_of_scikit_learn():
    pytest.importorskip("matplotlib").use("agg")
    X, y = load_iris(return_X_y=True)
    exported = bw.DecisionTreeClassifier(max_depth=2).fit(X, y).to_sklearn()
    assert "feature_2 <= 2.45" in export_text(exported) or "feature_3 <= 0.80" in export_text(exported)
    assert len(plot_tree(exported)) > 4


def test_names_of_columns_go_along():
    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [1.0, 1.0, 1.0]})
    model = bw.DecisionTreeRegressor().fit(frame, [1.0, 2.0, 4.0])
    exported = model.to_sklearn()
    assert list(exported.feature_names_in_) == ["a", "b"]
    np.testing.assert_allclose(exported.predict(frame), [1.0, 2.0, 4.0])


@pytest.mark.parametrize("cls", [bw.DecisionTreeClassifier, bw.RandomForestRegressor])
def test_sets_of_categories_are_refused_with_a_sentence(cls):
    model = cls(random_state=0).fit(pd.DataFrame({"colour": ["red", "blue"] * 10}), [0, 1] * 10)
    with pytest.raises(ValueError, match="splits column 'colour' into sets of categories"):
        model.to_sklearn()


@pytest.mark.parametrize(
    "parameters",
    [{"criterion": "gaussian_conditional_entropy"}, {"monotonic_cst": {"b": -1}, "max_features": 1}],
    ids=["gaussian", "monotone"],
)
@pytest.mark.parametrize("cls", [bw.DecisionTreeClassifier, bw.RandomForestClassifier])
def test_the_exported_tree_can_be_drawn_and_fitted_anew(cls, parameters):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 2)), columns=["a", "b"])
    y = (X["a"] - X["b"] > 0).to_numpy()
    exported = cls(**parameters, max_depth=3, random_state=0).fit(X, y).to_sklearn()
    single = exported if cls is bw.DecisionTreeClassifier else exported.estimators_[0]
    assert "a" in export_text(single, feature_names=["a", "b"])
    assert single.max_features_ == (1 if "max_features" in parameters or single is not exported else 2)
    assert clone(exported).fit(X, y).score(X, y) > 0.7


def test_no_tree_where_there_is_no_counterpart():
    X = pd.DataFrame({"a": ["x", "y", "z"]})
    tree = bw.DecisionTreeClassifier().fit(X, [0, 1, 0])
    assert not hasattr(tree, "tree_")
    with pytest.raises(AttributeError, match="splits column 'a' into sets of categories"):
        tree.tree_  # noqa: B018
