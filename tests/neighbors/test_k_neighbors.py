"""The classifier and the regressor: against scikit-learn and all distances, weights, gaps, categories."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn.neighbors as theirs
from hypothesis import given
from hypothesis import strategies as st
from reference_neighbors import reference_distances
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.model_selection import cross_val_score

import boxwood as bw
from boxwood.neighbors.base import log_neighbors
from properties import examples

BOTH = ("KNeighborsClassifier", "KNeighborsRegressor")


def data(n=300, d=4, seed=0, n_classes=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = (X[:, 0] + rng.normal(scale=0.5, size=n) > 0).astype(int) + (X[:, 1] > 0.5) * (n_classes - 2)
    return X, y


def predicted(model, X):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: np.exp(-d)])
@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("minkowski", {}),
        ("minkowski", {"p": 1}),
        ("minkowski", {"p": 3.5}),
        ("minkowski", {"p": 3, "metric_params": {"w": np.array([1.0, 2.0, 0.5, 0.0])}}),
        ("chebyshev", {}),
        ("manhattan", {}),
        ("cosine", {}),
        ("canberra", {}),
        ("seuclidean", {"metric_params": {"V": np.array([1.0, 4.0, 0.25, 2.0])}}),
        ("mahalanobis", {"metric_params": {"VI": np.diag([1.0, 2.0, 3.0, 4.0]) + 0.2}}),
        (lambda a, b: np.abs(a - b).max(), {}),
    ],
)
def test_the_same_as_scikit_learn(name, weights, metric, options):
    X, y = data(80 if callable(metric) else 300)
    new = data(50, seed=1)[0]
    options = {"n_neighbors": 7, "weights": weights, "metric": metric, "algorithm": "brute", **options}
    one = getattr(bw, name)(**options).fit(X, y)
    other = getattr(theirs, name)(**copy.deepcopy(options)).fit(X, y)  # theirs writes to metric_params
    np.testing.assert_allclose(predicted(one, new), predicted(other, new), rtol=1e-9, atol=1e-12)
    for ours, expected in zip(one.kneighbors(new), other.kneighbors(new), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-9)
    for ours, expected in zip(one.kneighbors(), other.kneighbors(), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-9)
    graph = one.kneighbors_graph(new, mode="distance")
    np.testing.assert_allclose(graph.toarray(), other.kneighbors_graph(new, mode="distance").toarray())


def test_precomputed_distances():
    X, y = data(60)
    new = data(20, seed=1)[0]
    plain = bw.KNeighborsClassifier(3).fit(X, y)
    given_distances = bw.KNeighborsClassifier(3, metric="precomputed").fit(reference_distances(X, X), y)
    np.testing.assert_array_equal(
        given_distances.predict_proba(reference_distances(new, X)), plain.predict_proba(new)
    )
    with pytest.raises(ValueError, match="square table"):
        bw.KNeighborsClassifier(3, metric="precomputed").fit(X, y)
    assert cross_val_score(clone(given_distances), reference_distances(X, X), y).mean() > 0.5


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("algorithm", ["auto", "kd_tree", "ball_tree", "brute"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_algorithms_and_types_agree(name, algorithm, dtype):
    X, y = data(2500, 6)
    X = (X + 1e3).astype(dtype)
    new = (data(100, 6, seed=1)[0] + 1e3).astype(dtype)
    expected = getattr(bw, name)(4, metric="euclidean", algorithm="kd_tree").fit(X.astype(float), y)
    model = getattr(bw, name)(4, algorithm=algorithm).fit(X, y)
    np.testing.assert_array_equal(predicted(model, new), predicted(expected, new))


@given(
    st.lists(st.integers(0, 4), min_size=8, max_size=30),
    st.integers(1, 5),
    st.sampled_from(["uniform", "distance"]),
    st.sampled_from(BOTH),
)
@examples(60)
def test_a_weight_is_a_repetition(frequencies, k, weights, name):
    frequencies = np.array(frequencies)
    if frequencies.sum() < k:
        frequencies[0] += k
    X, y = data(len(frequencies), 2)
    new = data(20, 2, seed=1)[0]
    weighted = getattr(bw, name)(k, weights=weights).fit(X, y, sample_weight=frequencies)
    repeated = getattr(bw, name)(k, weights=weights).fit(X.repeat(frequencies, axis=0), y.repeat(frequencies))
    np.testing.assert_allclose(weighted.predict(new), repeated.predict(new), rtol=1e-12)
    if name == "KNeighborsClassifier":
        np.testing.assert_allclose(weighted.predict_proba(new), repeated.predict_proba(new), rtol=1e-12)


def test_fractional_weights_fill_the_places():
    X, y = [[0.0], [1.0], [2.0], [9.0]], [0, 1, 1, 0]
    model = bw.KNeighborsClassifier(1).fit(X, y, sample_weight=[0.25, 0.5, 0.5, 1.0])
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[0.25, 0.75]])
    with pytest.raises(ValueError, match=r"weights add up to 2\.25"):
        bw.KNeighborsClassifier(3).fit(X, y, sample_weight=[0.25, 0.5, 0.5, 1.0]).predict(X)


def test_class_weights_multiply_votes():
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "b", "b", "b"]
    model = bw.KNeighborsClassifier(4, class_weight={"a": 9.0, "b": 1.0}).fit(X, y)
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[0.75, 0.25]])
    balanced = bw.KNeighborsClassifier(4, class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(balanced.predict_proba([[0.0]]), [[0.5, 0.5]])


def test_ties_have_one_answer():
    X = np.array([[1.0], [-1.0], [1.0], [-1.0]])
    model = bw.KNeighborsClassifier(3).fit(X, [1, 0, 0, 1])
    assert model.kneighbors([[0.0]], return_distance=False).tolist() == [[0, 1, 2]]
    assert bw.KNeighborsClassifier(4).fit(X, [1, 0, 0, 1]).predict([[0.0]]).tolist() == [0]
    assert model.kneighbors(return_distance=False)[2].tolist() == [0, 1, 3]


@pytest.mark.parametrize("name", BOTH)
def test_missing_values_by_partial_distance(name):
    rng = np.random.default_rng(0)
    X, y = data(200)
    X[rng.random(X.shape) < 0.2] = np.nan
    new = data(50, seed=1)[0]
    new[rng.random(new.shape) < 0.2] = np.nan
    X, y = X[~np.isnan(X).all(axis=1)], y[~np.isnan(X).all(axis=1)]
    new = new[~np.isnan(new).all(axis=1)]
    model = getattr(bw, name)(5, missing="partial").fit(X, y)
    distances, _ = model.kneighbors(new)
    expected = np.sort(reference_distances(new, X), axis=1)[:, :5]
    np.testing.assert_allclose(distances, expected, rtol=1e-12)
    other = getattr(theirs, name)(5, metric="nan_euclidean").fit(X, y)
    alike = np.isfinite(other.kneighbors(new)[0]).all(axis=1)
    np.testing.assert_allclose(predicted(model, new)[alike], predicted(other, new)[alike], rtol=1e-9)
    named = getattr(bw, name)(5, metric="nan_euclidean").fit(X, y)
    np.testing.assert_array_equal(predicted(named, new), predicted(model, new))
    with pytest.raises(ValueError, match=r"row .*missing='partial'"):
        getattr(bw, name)(5).fit(X, y)


def test_frames_with_categories_gaps_and_dates():
    penguins = pd.read_csv(Path(__file__).parents[2] / "examples" / "penguins.csv")
    X, y = penguins.drop(columns="species"), penguins["species"]
    model = bw.KNeighborsClassifier(5, standardize=True, missing="partial").fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.95
    assert list(model.feature_names_in_) == list(X.columns)
    unknown = X[:3].assign(island="Atlantis")
    assert model.predict(unknown).shape == (3,)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_a_category_differs_by_one():
    table = {"a": [0.0, 0.0, 0.9], "b": ["x", "y", "x"]}
    model = bw.KNeighborsRegressor(1).fit(table, [1.0, 2.0, 3.0])
    distances, rows = model.kneighbors({"a": [0.0], "b": ["x"]}, 3)
    np.testing.assert_allclose(distances, [[0.0, 0.9, 1.0]])
    assert rows.tolist() == [[0, 2, 1]]
    with pytest.raises(ValueError, match="column 'b' is categorical"):
        bw.KNeighborsRegressor(1, metric="mahalanobis").fit(table, [1.0, 2.0, 3.0])


@pytest.mark.parametrize("name", BOTH)
def test_standardised_columns(name):
    X, y = data(400)
    scaled = X * [1.0, 1e4, 1e-3, 1.0]
    new = data(50, seed=1)[0]
    one = getattr(bw, name)(5, standardize=True).fit(scaled, y)
    other = getattr(bw, name)(5, standardize=True).fit(X, y)
    np.testing.assert_allclose(predicted(one, new * [1.0, 1e4, 1e-3, 1.0]), predicted(other, new), rtol=1e-9)
    weights = np.random.default_rng(0).integers(0, 3, len(X))
    weighted = getattr(bw, name)(3, standardize=True).fit(X, y, sample_weight=weights)
    repeated = getattr(bw, name)(3, standardize=True).fit(X.repeat(weights, axis=0), y.repeat(weights))
    np.testing.assert_allclose(predicted(weighted, new), predicted(repeated, new), rtol=1e-9)


def test_a_learnt_metric_sees_through_noise():
    X, y = make_classification(
        600, 12, n_informative=2, n_redundant=0, n_clusters_per_class=1, class_sep=1.2, random_state=0
    )
    X[:, 5:] *= 4.0
    plain = bw.KNeighborsClassifier(5).fit(X[:300], y[:300]).score(X[300:], y[300:])
    learnt = bw.KNeighborsClassifier(5, metric="nca").fit(X[:300], y[:300])
    assert learnt.score(X[300:], y[300:]) > plain + 0.05
    with pytest.raises(ValueError, match="learns from classes"):
        bw.KNeighborsRegressor(metric="nca").fit(X, y)


@pytest.mark.parametrize("name", BOTH)
def test_partial_fit_adds_rows(name):
    X, y = data(500)
    new = data(60, seed=1)[0]
    whole = getattr(bw, name)(5).fit(X, y)
    model = getattr(bw, name)(5)
    options = {"classes": [0, 1, 2]} if name == "KNeighborsClassifier" else {}
    for start in range(0, 500, 37):
        part = slice(start, start + 37)
        model.partial_fit(X[part], y[part], **options)
        predicted(model, new)
    np.testing.assert_array_equal(predicted(model, new), predicted(whole, new))
    assert model.n_samples_fit_ == 500
    np.testing.assert_array_equal(model.kneighbors()[1], whole.kneighbors()[1])


def test_partial_fit_with_weights_and_unknown_classes():
    X, y = data(60)
    model = bw.KNeighborsClassifier(3).partial_fit(X[:30], y[:30], classes=[0, 1, 2])
    model.partial_fit(X[30:], y[30:], sample_weight=np.full(30, 2.0))
    expected = bw.KNeighborsClassifier(3).fit(X, y, sample_weight=np.repeat([1.0, 2.0], 30))
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    with pytest.raises(ValueError, match="row 0: 7 is not one of the known classes"):
        model.partial_fit(X[:1], [7])
    with pytest.raises(ValueError, match="classes"):
        model.partial_fit(X[:1], y[:1], classes=[0, 1])


@pytest.mark.parametrize(
    ("n", "classes", "k"),
    [(1, 2, 1), (2, 2, 1), (8, 2, 3), (8, 3, 2), (1000, 3, 7), (3000, 2, 9), (3000, 3, 8)],
)
def test_the_rule_for_k(n, classes, k):
    assert log_neighbors(n, classes) == k


def test_k_by_the_logarithm():
    X, y = data(1000, n_classes=2)
    model = bw.KNeighborsClassifier("log").fit(X, y)
    np.testing.assert_array_equal(model.predict(X), bw.KNeighborsClassifier(7).fit(X, y).predict(X))
    assert bw.KNeighborsRegressor("log").fit(X, y).kneighbors(X[:2])[0].shape == (2, 7)
    assert model.n_neighbors_ == 7
    assert model.partial_fit(*data(3000, n_classes=2, seed=1)).n_neighbors_ == log_neighbors(4000, 2) == 9
    assert bw.KNeighborsRegressor("log").fit(X, y).n_neighbors_ == 7
    assert bw.KNeighborsRegressor(4).fit(X, y).n_neighbors_ == 4
    assert bw.NeighborDensity("sqrt").fit(X).n_neighbors_ == 32
    assert not hasattr(bw.KNeighborsClassifier("log"), "n_neighbors_")


def test_leave_one_out_by_none():
    X, y = load_iris(return_X_y=True)
    model = bw.KNeighborsClassifier(5).fit(X, y)
    expected = [
        bw.KNeighborsClassifier(5).fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[[i]])[0]
        for i in range(150)
    ]
    np.testing.assert_array_equal(model.predict(None), expected)
    assert model.score(None, y) == np.mean(expected == y)


def test_several_targets():
    X, y = data(100)
    both = np.column_stack([y, -2.0 * y])
    model = bw.KNeighborsRegressor(3, weights="distance").fit(X, both)
    np.testing.assert_allclose(model.predict(X[:9]), both[:9])
    assert model.predict(data(5, seed=1)[0]).shape == (5, 2)


def test_sparse_tables():
    from scipy import sparse

    X, y = data(100)
    X[X < 0.5] = 0.0
    dense = bw.KNeighborsClassifier(3).fit(X, y)
    model = bw.KNeighborsClassifier(3).fit(sparse.csr_matrix(X), y)
    np.testing.assert_allclose(model.predict_proba(sparse.csr_matrix(X)), dense.predict_proba(X))
    with pytest.raises(TypeError, match="sparse table cannot be saved"):
        model.save("nowhere")
    with pytest.raises(ValueError, match="not valid for sparse"):
        bw.KNeighborsClassifier(3, metric="chebyshev").fit(sparse.csr_matrix(X), y)


@pytest.mark.parametrize("name", BOTH)
def test_malformed_input_is_named_plainly(name):
    X, y = data(10)
    model = getattr(bw, name)
    with pytest.raises(ValueError, match=r"n_neighbors = 11, n_samples_fit = 10"):
        model(11).fit(X, y).predict(X)
    with pytest.raises(ValueError, match="0 sample"):
        model().fit(X[:0], y[:0])
    with pytest.raises(ValueError, match="n_neighbors must be at least 1"):
        model(0).fit(X, y)
    with pytest.raises(TypeError, match="n_neighbors must be an integer"):
        model(2.5).fit(X, y)
    with pytest.raises(ValueError, match="n_neighbors must be one of 'log'"):
        model("sqrt").fit(X, y)
    with pytest.raises(ValueError, match="algorithm must be one of"):
        model(algorithm="quad_tree").fit(X, y)
    with pytest.raises(ValueError, match="metric must be one of"):
        model(metric="taxi").fit(X, y)
    with pytest.raises(ValueError, match="weights must be one of"):
        model(weights="near").fit(X, y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model().fit(X, y[:5])
    with pytest.raises(ValueError, match="row 3: squares of numbers beyond 1e\\+150 overflow"):
        model().fit(np.where(np.arange(10)[:, None] == 3, 1e200, X), y)
    with pytest.raises(ValueError, match="missing='partial' needs a metric"):
        model(missing="partial", metric="mahalanobis").fit(X, y)


def test_strings_one_class_and_copies():
    X, y = data(30)
    words = np.array(["no", "yes", "maybe"])[y]
    model = bw.KNeighborsClassifier(3).fit(X, words)
    assert set(model.predict(X)) <= set(words)
    one = bw.KNeighborsClassifier(3).fit(X, ["a"] * 30)
    assert (one.predict_proba(X) == 1.0).all()
    copies = bw.KNeighborsClassifier(3).fit(np.ones((30, 2)), y)
    np.testing.assert_allclose(copies.predict_proba([[1.0, 1.0]])[0], np.bincount(y[:3], minlength=3) / 3)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(
    "options",
    [
        {"metric": "mahalanobis", "standardize": True},
        {"metric": "minkowski", "p": 3, "weights": "distance"},
        {"metric": "cosine"},
        {"missing": "partial"},
    ],
)
def test_saved_models_answer_the_same(name, options, tmp_path):
    X, y = data(80)
    if options.get("missing"):
        X[::7, 1] = np.nan
    weights = np.random.default_rng(0).integers(1, 3, 80)
    model = getattr(bw, name)(4, **options).fit(X, y, sample_weight=weights)
    model.save(tmp_path / "model")
    loaded = bw.load(tmp_path / "model")
    np.testing.assert_array_equal(predicted(loaded, X), predicted(model, X))
    np.testing.assert_array_equal(predicted(pickle.loads(pickle.dumps(model)), X), predicted(model, X))
    loaded.partial_fit(X[:5], y[:5])


def test_a_metric_of_your_own_is_not_saved(tmp_path):
    X, y = data(20)
    model = bw.KNeighborsClassifier(3, metric=lambda a, b: np.abs(a - b).sum()).fit(X, y)
    with pytest.raises(bw.ModelFileError, match="metric holds a function"):
        model.save(tmp_path / "model")
