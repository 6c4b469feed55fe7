"""Logistic regression: the optimum by every solver, weights, sparse tables, degenerate ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sklearn.linear_model
from gaussian_tables import beside_sklearn_1_9, blobs
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

import boxwood as bw
from boxwood.linear import logistic_fit
from properties import examples

LR = bw.LogisticRegression
SOLVERS = ["lbfgs", "newton", "newton-cg", "newton-cholesky", "liblinear", "sag", "saga"]


def tightest(X, y, weights=None, **parameters):
    model = sklearn.linear_model.LogisticRegression(
        solver="newton-cholesky", tol=1e-12, max_iter=1000, **parameters
    )
    return model.fit(X, y, weights)


def objective(model, X, y, C=1.0, weights=None):
    log_fractions = model.predict_log_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    weights = np.ones(len(y)) if weights is None else weights
    return -C * weights @ log_fractions + 0.5 * np.sum(model.coef_**2)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_every_solver_finds_the_optimum(solver, n_classes, fit_intercept):
    if solver == "liblinear" and n_classes > 2:
        return
    X, y = blobs(n_classes=n_classes)
    for C in (0.01, 1.0, 100.0):
        model = LR(solver=solver, C=C, tol=1e-8, fit_intercept=fit_intercept).fit(X, y)
        theirs = tightest(X, y, C=C, fit_intercept=fit_intercept)
        np.testing.assert_allclose(model.coef_, theirs.coef_, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(model.intercept_, theirs.intercept_, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(model.predict_proba(X), theirs.predict_proba(X), rtol=1e-4, atol=1e-7)


def test_the_default_tolerance_is_within_a_millionth():
    for n_classes in (2, 3):
        X, y = blobs(n=3000, n_classes=n_classes)
        ours, theirs = LR().fit(X, y), tightest(X, y)
        assert objective(ours, X, y) == pytest.approx(objective(theirs, X, y), rel=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_sample_of_the_rows_changes_the_way_and_not_the_end(n_classes, monkeypatch):
    X, y = blobs(n=3000, n_classes=n_classes)
    plain = LR(tol=1e-8).fit(X, y)
    monkeypatch.setattr(logistic_fit, "_SMALLEST_SAMPLE", 100)
    monkeypatch.setattr(logistic_fit, "_ROWS_A_PARAMETER", 30)
    order = np.argsort(y, kind="stable")  # a sample must not see one class only
    sampled = LR(tol=1e-8).fit(X[order], y[order])
    np.testing.assert_allclose(sampled.coef_, plain.coef_, rtol=1e-5, atol=1e-7)


@given(st.integers(0, 50), st.sampled_from(["lbfgs", "newton", "saga"]))
@examples(15)
def test_weights_are_repetitions_in_any_order(seed, solver):
    X, y = blobs(n=60, n_classes=2, seed=seed)
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 4, len(y))
    rows = rng.permutation(np.repeat(np.arange(len(y)), weights))
    one = LR(solver=solver, tol=1e-9).fit(X, y, weights.astype(float))
    two = LR(solver=solver, tol=1e-9).fit(X[rows], y[rows])
    np.testing.assert_allclose(one.coef_, two.coef_, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("class_weight", ["balanced", {0: 1.0, 1: 3.0, 2: 0.5}])
def test_class_weights_are_scikit_learn_s(class_weight):
    X, y = blobs()
    weights = np.random.default_rng(0).random(len(y))
    model = LR(class_weight=class_weight, tol=1e-8).fit(X, y, weights)
    theirs = tightest(X, y, weights, class_weight=class_weight)
    np.testing.assert_allclose(model.coef_, theirs.coef_, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array])
@pytest.mark.parametrize("solver", ["lbfgs", "newton", "saga"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_sparse_is_dense(container, solver, n_classes):
    X, y = blobs(n_classes=n_classes)
    X = np.where(X > 0.3, X, 0.0)
    ratio = 0.5 if solver == "saga" else 0.0
    dense = LR(solver=solver, tol=1e-8, l1_ratio=ratio).fit(X, y)
    thin = LR(solver=solver, tol=1e-8, l1_ratio=ratio).fit(container(X), y)
    np.testing.assert_allclose(thin.coef_, dense.coef_, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(thin.predict_proba(container(X)), dense.predict_proba(X), atol=1e-5)


@pytest.mark.filterwarnings("ignore:sgd did not converge")  # few rows are few steps of "sgd"
@pytest.mark.parametrize("solver", ["lbfgs", "newton", "sgd"])
@pytest.mark.parametrize("C", [1.0, 1e6, math.inf])
def test_separable_classes_do_not_blow_up(solver, C):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(-5.0, 1.0, (50, 2)), rng.normal(5.0, 1.0, (50, 2))])
    y = np.repeat(["a", "b"], 50)
    model = LR(solver=solver, C=C, random_state=0).fit(X, y)
    assert np.isfinite(model.coef_).all()
    assert model.score(X, y) == 1.0
    assert np.isfinite(model.predict_log_proba(X)).all()


@pytest.mark.parametrize("solver", ["lbfgs", "newton"])
def test_collinear_constant_and_oddly_scaled_columns(solver):
    X, y = blobs(n_classes=2)
    wide = np.column_stack([X, X[:, 0] + X[:, 1], np.full(len(X), 3.0), np.zeros(len(X))])
    model = LR(solver=solver, C=math.inf, tol=1e-7).fit(wide, y)
    plain = LR(solver=solver, C=math.inf, tol=1e-7).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(wide), plain.predict_proba(X), atol=1e-5)
    units = np.array([1e-6, 1.0, 1e9])
    scaled = LR(solver=solver, C=math.inf, tol=1e-7).fit(X * units, y)
    np.testing.assert_allclose(scaled.coef_ * units, plain.coef_, rtol=1e-4)
    far = LR(solver=solver, C=math.inf, tol=1e-6).fit(X + 1e8, y)
    np.testing.assert_allclose(far.predict_proba(X + 1e8), plain.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize("solver", ["lbfgs", "newton"])
def test_many_columns_and_few_rows(solver):
    rng = np.random.default_rng(0)
    y = np.repeat(["cat", "dog"], 50)
    X = rng.normal(size=(100, 10_000))
    X[:, :20] += np.where(y == "dog", 1.0, 0.0)[:, None]
    model = LR(solver=solver).fit(X, y)
    assert model.score(X, y) == 1.0
    assert np.isfinite(model.coef_).all()


def test_labels_of_any_type():
    X = np.array([[0.0], [0.1], [5.0], [5.1]])
    for a, b in (("a", "b"), (True, False), (2.0, 1.0), (-5, 300)):
        assert LR(C=10.0).fit(X, [a, a, b, b]).predict(X).tolist() == [a, a, b, b]
    with pytest.raises(ValueError, match="only one class"):
        LR().fit(X, ["a"] * 4)
    with pytest.raises(ValueError, match="only one class"):
        LR().fit(X[:1], ["a"])


@pytest.mark.parametrize("l1_ratio", [0.3, 1.0])
@pytest.mark.parametrize("n_classes", [2, 3])
@beside_sklearn_1_9
def test_absolute_values_are_scikit_learn_s(l1_ratio, n_classes):
    X, y = blobs(d=6, n_classes=n_classes)
    parameters = {"C": 0.05, "l1_ratio": l1_ratio, "solver": "saga"}
    model = LR(tol=1e-8, max_iter=2000, **parameters).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression(tol=1e-9, max_iter=20_000, **parameters).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), theirs.predict_proba(X), atol=1e-4)
    assert ((model.coef_ == 0.0) == (np.abs(theirs.coef_) < 1e-6)).mean() > 0.9
    if l1_ratio == 1.0:
        assert (model.coef_ == 0.0).any()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_stochastic_descent_comes_close(n_classes):
    X, y = blobs(n=2000, n_classes=n_classes)
    X = X * [1.0, 100.0, 1e-3]
    model = LR(solver="sgd", tol=1e-5, random_state=0).fit(X, y)
    best = objective(tightest(X, y), X, y)
    assert objective(model, X, y) < 1.01 * best
    again = LR(solver="sgd", tol=1e-5, random_state=0).fit(X, y)
    np.testing.assert_array_equal(again.coef_, model.coef_)


def test_stochastic_descent_honours_tol_and_max_iter():
    X, y = blobs(n=4000, n_classes=2)
    best = objective(tightest(X, y), X, y)
    passes, excess = [], []
    for tol in (1e-2, 1e-4, 1e-6):
        model = LR(solver="sgd", tol=tol, max_iter=1000, random_state=0).fit(X, y)
        passes.append(int(model.n_iter_[0]))
        excess.append(objective(model, X, y) / best - 1.0)
    assert passes == sorted(passes)
    assert 1 <= passes[0] < passes[-1] < 1000
    assert (np.array(excess) < [5e-2, 5e-4, 5e-6]).all()  # a gradient bounds the loss up to its condition
    for max_iter in (0, 1, 3):
        with pytest.warns(ConvergenceWarning, match=f"did not converge in max_iter = {max_iter} passes"):
            model = LR(solver="sgd", tol=1e-12, max_iter=max_iter, random_state=0).fit(X, y)
        assert model.n_iter_[0] == max_iter
    with pytest.warns(ConvergenceWarning, match="sgd did not converge"):  # tol=0 is never reached
        LR(solver="sgd", tol=0.0, max_iter=20, random_state=0).fit(X, y)


def test_partial_fit():
    X, y = blobs(n=6000)
    labels = np.array(["x", "y", "z"])[y]
    model = LR(solver="sgd", random_state=0)
    for part in np.array_split(np.arange(len(y)), 12):
        model.partial_fit(X[part], labels[part], classes=["x", "y", "z"])
    assert objective(model, X, labels) < 1.03 * objective(tightest(X, labels), X, labels)
    with pytest.raises(ValueError, match="not the same as on last call"):
        model.partial_fit(X, labels, classes=["x", "y"])
    with pytest.raises(ValueError, match="first call"):
        LR(solver="sgd").partial_fit(X, labels)
    assert not hasattr(LR(), "partial_fit")
    with pytest.raises(AttributeError, match=r"LogisticRegression\(solver='sgd'\) has partial_fit"):
        LR().partial_fit(X, labels)


def test_warm_start_takes_fewer_steps():
    X, y = blobs(n=500)
    model = LR(warm_start=True, tol=1e-7).fit(X, y)
    first, coef = int(model.n_iter_[0]), model.coef_
    model.fit(X, y)
    assert model.n_iter_[0] <= 1 < first
    np.testing.assert_allclose(model.coef_, coef, rtol=1e-6)
    model.fit(X[:, :2], y)
    assert model.coef_.shape == (3, 2)


def test_too_few_steps_are_warned_of():
    X, y = blobs()
    with pytest.warns(ConvergenceWarning, match="lbfgs failed to converge"):
        LR(max_iter=1, tol=1e-12).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"solver": "magic"}, "solver must be one of"),
        ({"C": 0.0}, r"C must lie in \(0, ∞\]; got 0.0"),
        ({"C": -1.0}, "C must lie"),
        ({"l1_ratio": 1.5}, "l1_ratio must lie"),
        ({"l1_ratio": 0.5}, "supports only 'l2'"),
        ({"penalty": "l3"}, "penalty must be"),
        ({"max_iter": -1}, "max_iter must be at least 0"),
    ],
)
def test_what_is_refused(parameters, message):
    X, y = blobs(n=20)
    with pytest.raises(ValueError, match=message):
        LR(**parameters).fit(X, y)


def test_tables():
    frame = {"size": [1.0, 2.0, 3.0, 4.0], "flag": [True, False, False, True]}
    assert LR().fit(frame, list("aabb")).predict(frame).tolist() == list("aabb")
    with pytest.raises(TypeError, match="'city' is categorical"):
        LR().fit({"city": ["Ulm", "Bonn"]}, [0, 1])
    with pytest.raises(ValueError, match="column 'x0', row 1: the value is missing"):
        LR().fit([[1.0], [math.nan]], [0, 1])


@pytest.mark.parametrize("model", [LR(), LR(fit_intercept=False), LR(solver="sgd", random_state=0)], ids=str)
def test_save_and_load(model, tmp_path):
    X, y = blobs()
    labels = np.array(["x", "y", "z"])[y]
    model.fit(X, labels)
    model.save(tmp_path / "m")
    again = bw.load(tmp_path / "m")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    if model.solver == "sgd":
        again.partial_fit(X, labels)
        assert again.score(X, labels) > 0.5
