"""What holds for every tree and forest: weights, order, threads, tables of any kind, files."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import is_classifier

import boxwood as bw
from properties import examples

TREES = [bw.DecisionTreeClassifier, bw.DecisionTreeRegressor]
FORESTS = [bw.RandomForestClassifier, bw.RandomForestRegressor]
ALL = [*TREES, *FORESTS]


def make(cls, **parameters):
    if cls in FORESTS:
        parameters.setdefault("n_estimators", 8)
    return cls(random_state=0, **parameters)


def predicted(model, X) -> np.ndarray:
    return model.predict_proba(X) if is_classifier(model) else model.predict(X)


def nodes(model) -> list[bytes]:
    state = model.trees_.to_state()
    arrays = [*state.pop("directions").values(), *state.values()]
    return [np.asarray(array).tobytes() for array in arrays]


def mixed_table(n_rows: int = 200, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n_rows)
    colour = rng.choice(["red", "green", "blue", "grey"], n_rows).astype(object)
    y = (size + (colour == "red") > 0.3).astype(int) + (colour == "blue")
    colour[rng.random(n_rows) < 0.1] = None
    holes = np.where(rng.random(n_rows) < 0.1, np.nan, size)
    return pd.DataFrame({"size": holes, "colour": colour, "count": rng.integers(0, 5, n_rows)}), y


@pytest.mark.parametrize("cls", ALL)
@examples(25)
@given(copies=st.lists(st.integers(1, 3), min_size=60, max_size=60))
def test_a_weight_is_a_row_repeated_to_the_byte(cls, copies):
    X, y = mixed_table(60)
    copies = np.array(copies)
    weighted = make(cls).fit(X, y, sample_weight=copies)
    repeated = make(cls).fit(X.iloc[np.repeat(np.arange(60), copies)], y[np.repeat(np.arange(60), copies)])
    assert nodes(weighted) == nodes(repeated)


FRACTIONS = [
    {"min_samples_leaf": 0.1},
    {"min_samples_split": 0.3},
    {"min_weight_fraction_leaf": 0.1},
    {"min_impurity_decrease": 0.01},
]


@pytest.mark.parametrize("cls", ALL)
@pytest.mark.parametrize("parameters", FRACTIONS, ids=lambda parameters: next(iter(parameters)))
def test_fractions_are_of_the_weight(cls, parameters):
    X, y = mixed_table(60)
    copies = np.random.default_rng(0).integers(1, 4, 60)
    rows = np.repeat(np.arange(60), copies)
    weighted = make(cls, **parameters).fit(X, y, sample_weight=copies)
    assert nodes(weighted) == nodes(make(cls, **parameters).fit(X.iloc[rows], y[rows]))
    assert len(weighted.trees_.feature) < len(make(cls).fit(X, y, sample_weight=copies).trees_.feature)


@pytest.mark.parametrize("cls", TREES)
@pytest.mark.parametrize(
    "parameters", [{}, *FRACTIONS], ids=lambda parameters: next(iter(parameters), "none")
)
def test_weights_of_any_size_grow_the_same_tree(cls, parameters):
    X, y = mixed_table(60)
    integer = make(cls, **parameters).fit(X, y)
    small = make(cls, **parameters).fit(X, y, sample_weight=np.full(60, 2.0**-10))
    np.testing.assert_array_equal(small.trees_.feature, integer.trees_.feature)
    np.testing.assert_array_equal(predicted(small, X), predicted(integer, X))


@pytest.mark.parametrize("cls", FORESTS)
@pytest.mark.parametrize("parameters", FRACTIONS[2:], ids=lambda parameters: next(iter(parameters)))
def test_fractions_are_of_what_a_tree_sees(cls, parameters):
    X, y = mixed_table(400)
    forest = make(cls, max_samples=0.1, **parameters).fit(X, y)
    assert (np.diff(forest.trees_.start) > 1).all()


@pytest.mark.parametrize("cls", ALL)
@pytest.mark.parametrize("seed", range(5))
def test_a_row_of_weight_zero_is_none(cls, seed):
    X, y = mixed_table(60)
    copies = np.random.default_rng(seed).integers(0, 4, 60)
    rows = np.repeat(np.arange(60), copies)
    weighted = make(cls).fit(X, y, sample_weight=copies)
    assert nodes(weighted) == nodes(make(cls).fit(X.iloc[rows], y[rows]))


@pytest.mark.parametrize("cls", ALL)
def test_the_order_of_rows_does_not_matter(cls):
    X, y = mixed_table()
    order = np.random.default_rng(1).permutation(len(X))
    one, other = make(cls).fit(X, y), make(cls).fit(X.iloc[order], y[order])
    np.testing.assert_allclose(predicted(one, X), predicted(other, X), rtol=1e-12)


@pytest.mark.parametrize("cls", FORESTS)
def test_any_number_of_threads_gives_the_same_bytes(cls):
    X, y = mixed_table()
    models = [make(cls, n_estimators=30, n_jobs=n, oob_score=True).fit(X, y) for n in (1, 2, 5, -1)]
    assert len({tuple(nodes(model)) for model in models}) == 1
    assert len({predicted(model, X).tobytes() for model in models}) == 1
    assert len({model.oob_score_ for model in models}) == 1


@pytest.mark.parametrize("cls", ALL)
def test_one_seed_one_model(cls):
    X, y = mixed_table()
    assert nodes(make(cls, max_features=1).fit(X, y)) == nodes(make(cls, max_features=1).fit(X, y))
    other = make(cls, max_features=1).set_params(random_state=1).fit(X, y)
    assert nodes(make(cls, max_features=1).fit(X, y)) != nodes(other)


@pytest.mark.parametrize("cls", ALL)
@pytest.mark.parametrize("layout", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, sparse.csc_array])
def test_sparse_tables_are_as_dense_ones(cls, layout):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((120, 6)) < 0.7, 0.0, rng.normal(size=(120, 6)))
    y = (X[:, 0] + X[:, 1] > 0.1).astype(int)
    dense, thin = make(cls).fit(X, y), make(cls).fit(layout(X), y)
    assert nodes(dense) == nodes(thin)
    np.testing.assert_array_equal(predicted(dense, X), predicted(dense, layout(X)))
    np.testing.assert_array_equal(thin.apply(layout(X)), dense.apply(X))


@pytest.mark.parametrize("cls", ALL)
def test_frames_of_any_library_give_the_same(cls):
    X, y = mixed_table()
    model = make(cls).fit(X, y)
    other = make(cls).fit(pl.from_pandas(X), pl.Series(y))
    assert nodes(model) == nodes(other)
    np.testing.assert_array_equal(predicted(model, pl.from_pandas(X)), predicted(model, X))


@pytest.mark.parametrize("cls", ALL)
def test_one_row(cls):
    model = make(cls).fit([[1.0, 2.0]], [3])
    assert model.predict([[5.0, np.nan]]) == [3]
    assert (model.apply([[5.0, 0.0]]) == 0).all()
    assert (model.feature_importances_ == 0.0).all()


@pytest.mark.parametrize("cls", ALL)
@pytest.mark.parametrize("n_categories", [2, 64, 65, 1000, 70_000])
def test_categories_of_any_number(cls, n_categories):
    labels = np.char.add("c", np.arange(n_categories).astype(str)).astype(object)
    y = np.random.default_rng(0).integers(0, 2, n_categories)
    parameters = {"bootstrap": False, "n_estimators": 2} if cls in FORESTS else {}
    model = make(cls, **parameters).fit(pd.DataFrame({"c": labels}), y)
    assert (model.predict(pd.DataFrame({"c": labels})) == y).all()
    leaf = model.apply(pd.DataFrame({"c": ["never seen", None]}))
    assert leaf.shape[0] == 2


@pytest.mark.parametrize("cls", ALL)
def test_a_column_of_missing_values_is_no_obstacle(cls):
    X = np.column_stack([np.full(20, np.nan), np.arange(20.0)])
    y = (np.arange(20) > 9).astype(int)
    model = make(cls).fit(X, y)
    assert (model.predict([[3.0, 19.0]]) == 1).all()
    assert model.feature_importances_[0] == 0.0


@pytest.mark.parametrize("cls", ALL)
def test_missing_values_that_tell_are_parted_from_numbers(cls):
    X = np.array([[0.0], [1.0], [2.0], [np.nan], [3.0], [np.nan]] * 10)
    y = np.isnan(X[:, 0]).astype(int)
    parameters = {"max_depth": 1} if cls in TREES else {"max_depth": 1, "bootstrap": False}
    model = make(cls, **parameters).fit(X, y)
    assert (model.predict(X) == y).all()


@pytest.mark.parametrize("cls", ALL)
def test_saved_pickled_and_cloned(cls, tmp_path):
    X, y = mixed_table()
    model = make(cls).fit(X, y)
    model.save(tmp_path / "model.boxwood")
    loaded = bw.load(tmp_path / "model.boxwood")
    for other in (loaded, pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(predicted(other, X), predicted(model, X))
        np.testing.assert_array_equal(other.feature_importances_, model.feature_importances_)
        assert other.get_params() == model.get_params()
        assert nodes(other) == nodes(model)
    if cls in TREES:
        assert loaded.rules(0) == "any row"
        assert loaded.max_features_ == 3


@pytest.mark.parametrize("cls", ALL)
def test_paths_go_from_the_root_to_the_leaf(cls):
    X, y = mixed_table(80)
    model = make(cls).fit(X, y)
    found = model.decision_path(X)
    path, starts = found if cls in FORESTS else (found, np.array([0, found.shape[1]]))
    leaves = model.apply(X).reshape(80, -1)
    for t, (start, end) in enumerate(pairwise(starts)):
        part = path[:, start:end].toarray()
        assert (part[:, 0] == 1).all()
        assert (part[np.arange(80), leaves[:, t]] == 1).all()
        depth = model.trees_.depth(t)
        assert (part.sum(axis=1) == depth[leaves[:, t]] + 1).all()


@pytest.mark.parametrize("cls", ALL)
def test_a_fit_that_fails_changes_nothing(cls):
    X, y = mixed_table()
    model = make(cls).fit(X, y)
    before = nodes(model)
    with pytest.raises(ValueError, match="inconsistent"):
        model.fit(X, y[:-1])
    assert nodes(model) == before


@pytest.mark.parametrize(
    ("size", "place"), [(1e-300, 0.0), (1e300, 0.0), (1.0, -1e6), (1.0, 1e9), (0.1, 1e9)]
)
def test_values_of_any_size_and_place_are_predicted(size, place):
    X = np.random.default_rng(0).normal(size=(100, 3))
    y = size * X[:, 0] + place
    tree = bw.DecisionTreeRegressor(random_state=0).fit(X, y)
    assert tree.get_n_leaves() == 100
    np.testing.assert_allclose(tree.predict(X), y, rtol=1e-12)


def test_equal_values_far_from_zero_are_pure():
    X = np.random.default_rng(0).normal(size=(1000, 2))
    assert bw.DecisionTreeRegressor().fit(X, np.full(1000, 1e9 / 3.0)).get_n_leaves() == 1
    two = np.where(X[:, 0] > 0, 1e9 / 3.0, 1e9 / 3.0 + 1e-3)
    assert bw.DecisionTreeRegressor().fit(X, two).get_n_leaves() == 2


@pytest.mark.parametrize("cls", FORESTS)
def test_out_of_bag_rows_keep_their_places(cls):
    X, y = mixed_table(100)
    weights = np.arange(100) % 4 > 0
    forest = make(cls, n_estimators=60, oob_score=True)
    name = "oob_decision_function_" if is_classifier(forest) else "oob_prediction_"
    integer = getattr(forest.fit(X, y, sample_weight=weights), name)
    alone = getattr(forest.fit(X[weights], y[weights]), name)
    np.testing.assert_array_equal(integer[weights], alone)
    assert np.isnan(integer[~weights]).all()
    assert len(integer) == 100
