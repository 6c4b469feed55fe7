"""Least squares: four solvers, standard errors, leave-one-out, weights, dependent and far columns."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.linear_model
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import boxwood as bw
from properties import examples

SOLVERS = ["auto", "cholesky", "pinv", "qr", "svd"]


def table(n=80, d=4, seed=0, n_targets=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d)
    beta = rng.normal(size=(d, max(1, n_targets)))
    Y = X @ beta + 2.0 + 0.5 * rng.normal(size=(n, max(1, n_targets)))
    return X, Y if n_targets else Y[:, 0]


def reference_fit(X, y, weights=None, fit_intercept=True):
    """Return coefficients, their covariance and the residual variance by the textbook's formulas."""
    design = np.column_stack([X, np.ones(len(X))]) if fit_intercept else X
    w = np.ones(len(X)) if weights is None else weights
    inverse = np.linalg.inv(design.T @ (design * w[:, None]))
    beta = inverse @ (design.T @ (w * y))
    variance = w @ (y - design @ beta) ** 2 / (w.sum() - design.shape[1])
    return beta, np.sqrt(variance * inverse.diagonal()), variance


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_every_solver_is_the_textbook_s(solver, fit_intercept, weighted):
    X, y = table()
    weights = np.random.default_rng(1).random(len(y)) + 0.5 if weighted else None
    model = bw.LinearRegression(solver=solver, fit_intercept=fit_intercept).fit(X, y, weights)
    beta, errors, variance = reference_fit(X, y, weights, fit_intercept)
    np.testing.assert_allclose(model.coef_, beta[:4], rtol=1e-8)
    np.testing.assert_allclose(model.coef_std_error_, errors[:4], rtol=1e-8)
    assert model.residual_variance_ == pytest.approx(variance)
    assert model.rank_ == 4
    if fit_intercept:
        assert model.intercept_ == pytest.approx(beta[4])
        assert model.intercept_std_error_ == pytest.approx(errors[4])
    else:
        assert model.intercept_ == 0.0 == model.intercept_std_error_
    centred = X - np.average(X, axis=0, weights=weights) * fit_intercept
    roots = 1.0 if weights is None else np.sqrt(weights)[:, None]
    np.testing.assert_allclose(model.singular_, np.linalg.svd(centred * roots, compute_uv=False), rtol=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_line_goes_through_the_centroid(solver):
    X, y = table(seed=3)
    model = bw.LinearRegression(solver=solver).fit(X, y)
    assert model.predict(X.mean(axis=0)[None])[0] == pytest.approx(y.mean())
    weights = np.arange(1.0, len(y) + 1.0)
    model.fit(X, y, weights)
    centroid = np.average(X, axis=0, weights=weights)
    assert model.predict(centroid[None])[0] == pytest.approx(np.average(y, weights=weights))


@given(st.integers(0, 100), st.integers(1, 5), st.booleans(), st.integers(0, 2))
@examples(25)
def test_leave_one_out_by_the_hat_matrix_is_brute_force(seed, d, fit_intercept, n_targets):
    X, y = table(n=d + 8, d=d, seed=seed, n_targets=n_targets)
    make = bw.LinearRegression(fit_intercept=fit_intercept)
    found = make.fit(X, y).leave_one_out(X, y)
    for i in range(len(X)):
        others = np.arange(len(X)) != i
        alone = bw.LinearRegression(fit_intercept=fit_intercept).fit(X[others], y[others])
        np.testing.assert_allclose(found[i], alone.predict(X[i : i + 1])[0], rtol=1e-6, atol=1e-8)


def test_leave_one_out_takes_one_copy_of_a_weighted_row():
    X, y = table(n=12)
    weights = np.array([1.0, 2.0, 3.0] * 4)
    found = bw.LinearRegression().fit(X, y, weights).leave_one_out(X, y)
    for i in range(len(X)):
        fewer = weights.copy()
        fewer[i] -= 1.0
        assert found[i] == pytest.approx(bw.LinearRegression().fit(X, y, fewer).predict(X[i : i + 1])[0])


def test_a_row_that_alone_settles_a_column_has_no_prediction_without_itself():
    X, y = np.array([[0.0], [0.0], [0.0], [5.0]]), np.array([1.0, 2.0, 3.0, 9.0])
    model = bw.LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.leverage(X), [1 / 3, 1 / 3, 1 / 3, 1.0])
    assert np.isnan(model.leave_one_out(X, y)).tolist() == [False, False, False, True]


@given(st.integers(0, 100), st.sampled_from(SOLVERS))
@examples(25)
def test_weights_are_repetitions_in_any_order(seed, solver):
    X, y = table(n=30, seed=seed)
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 4, len(y))
    rows = rng.permutation(np.repeat(np.arange(len(y)), weights))
    one = bw.LinearRegression(solver=solver).fit(X, y, weights.astype(float))
    two = bw.LinearRegression(solver=solver).fit(X[rows], y[rows])
    np.testing.assert_allclose(one.coef_, two.coef_, rtol=1e-7)
    np.testing.assert_allclose(one.coef_std_error_, two.coef_std_error_, rtol=1e-7)


@pytest.mark.parametrize("solver", SOLVERS)
def test_dependent_columns_give_the_least_norm(solver):
    X, y = table()
    wide = np.column_stack([X, X[:, 0] + 2.0 * X[:, 1], np.full(len(X), 7.0)])
    with pytest.warns(UserWarning, match="rank 4 of 6"):
        model = bw.LinearRegression(solver=solver).fit(wide, y)
    theirs = sklearn.linear_model.LinearRegression().fit(wide, y)
    np.testing.assert_allclose(model.coef_, theirs.coef_, atol=1e-10)
    np.testing.assert_allclose(model.predict(wide), theirs.predict(wide))
    assert model.rank_ == 4


@pytest.mark.parametrize("solver", SOLVERS)
def test_columns_of_any_unit_are_independent(solver):
    X, y = table()
    units = np.array([1e-12, 1.0, 1e7, 1e15])
    model = bw.LinearRegression(solver=solver).fit(X * units, y)
    np.testing.assert_allclose(model.coef_ * units, bw.LinearRegression().fit(X, y).coef_, rtol=1e-6)
    assert model.rank_ == 4


@pytest.mark.parametrize("solver", SOLVERS)
def test_far_from_zero_six_digits_stay(solver):
    X, y = table(n=5000)
    X = np.round(X * 2.0**20) / 2.0**20  # so that the shift rounds nothing
    near = bw.LinearRegression(solver=solver).fit(X, y)
    far = bw.LinearRegression(solver=solver).fit(X + 2.0**30, y + 2.0**30)
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-6)
    np.testing.assert_allclose(far.coef_std_error_, near.coef_std_error_, rtol=1e-6)
    np.testing.assert_allclose(far.predict(X + 2.0**30) - 2.0**30, near.predict(X), atol=1e-5)


def test_a_drift_that_the_sample_does_not_show():
    rng = np.random.default_rng(0)
    X = np.concatenate([np.full(20_000, 1e6), [0.0]])[:, None] + rng.normal(size=(20_001, 1)) * 1e-3
    X = X[rng.permutation(len(X))]
    y = X[:, 0] * 3.0
    assert bw.LinearRegression().fit(X, y).coef_[0] == pytest.approx(3.0, rel=1e-9)


def test_several_targets_are_each_alone():
    X, Y = table(n_targets=3)
    model = bw.LinearRegression().fit(X, Y)
    for t in range(3):
        alone = bw.LinearRegression().fit(X, Y[:, t])
        np.testing.assert_allclose(model.coef_[t], alone.coef_, rtol=1e-10)
        np.testing.assert_allclose(model.coef_std_error_[t], alone.coef_std_error_, rtol=1e-10)
        assert model.intercept_[t] == pytest.approx(alone.intercept_)
        np.testing.assert_allclose(model.predict(X)[:, t], alone.predict(X))


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array])
@pytest.mark.parametrize("solver", SOLVERS)
def test_sparse_is_dense(container, solver):
    X, y = table()
    X = np.where(X > 0.3, X, 0.0)
    weights = np.random.default_rng(0).random(len(y))
    dense = bw.LinearRegression(solver=solver).fit(X, y, weights)
    thin = bw.LinearRegression(solver=solver).fit(container(X), y, weights)
    np.testing.assert_allclose(thin.coef_, dense.coef_, rtol=1e-8)
    np.testing.assert_allclose(thin.predict(container(X)), dense.predict(X), rtol=1e-8)
    np.testing.assert_allclose(thin.coef_std_error_, dense.coef_std_error_, rtol=1e-8)


def test_a_large_sparse_table_stays_sparse(monkeypatch):
    monkeypatch.setattr("boxwood.regress.linear._MOST_NUMBERS", 10)
    X, y = table()
    dense = bw.LinearRegression().fit(X, y)
    thin = bw.LinearRegression(solver="svd", tol=1e-14).fit(sparse.csr_array(X), y)
    np.testing.assert_allclose(thin.coef_, dense.coef_, rtol=1e-6)
    assert thin.rank_ is None


def test_many_columns_and_few_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 10_000)), rng.normal(size=100)
    with pytest.warns(UserWarning, match="more columns than rows"):
        model = bw.LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.predict(X), y)
    centred = X - X.mean(axis=0)
    shortest = centred.T @ np.linalg.pinv(centred @ centred.T) @ (y - y.mean())
    np.testing.assert_allclose(model.coef_, shortest, atol=1e-10)
    assert np.isnan(model.residual_variance_)


def test_a_single_row():
    with pytest.warns(UserWarning, match="collinear"):
        model = bw.LinearRegression().fit([[1.0, 2.0]], [3.0])
    assert model.predict([[9.0, 9.0]]).tolist() == [3.0]


def test_positive():
    X, y = table()
    model = bw.LinearRegression(positive=True).fit(X, y)
    theirs = sklearn.linear_model.LinearRegression(positive=True).fit(X, y)
    np.testing.assert_allclose(model.coef_, theirs.coef_, atol=1e-9)
    with pytest.raises(AttributeError, match="positive"):
        _ = model.coef_std_error_
    with pytest.raises(ValueError, match="hat matrix"):
        model.leverage(X)


def test_a_noiseless_fit_has_an_exact_residual_variance():
    X, _ = table(n=500)
    y = X @ [1.0, 2.0, 3.0, 4.0] + 1e-7 * np.random.default_rng(0).normal(size=500)
    model = bw.LinearRegression().fit(X, y)
    assert model.residual_variance_ == pytest.approx(1e-14, rel=0.2)


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_is_not_finite_is_named(solver):
    X, y = table()
    for value, message in ((np.nan, "missing"), (np.inf, "infinity"), (1e200, "overflow")):
        bad = X.copy()
        bad[13, 2] = value
        with pytest.raises(ValueError, match=f"column 'x2', row 13.*{message}"):
            bw.LinearRegression(solver=solver).fit(bad, y)
    with pytest.raises(ValueError, match="Input y contains NaN"):
        bw.LinearRegression(solver=solver).fit(X, np.where(np.arange(len(y)) == 3, np.nan, y))
    with pytest.raises(ValueError, match="rows in X and y"):
        bw.LinearRegression(solver=solver).fit(X, y[:-1])


def test_tables():
    frame = {"size": [1.0, 2.0, 3.0, 4.0], "flag": [True, False, False, True]}
    model = bw.LinearRegression().fit(frame, [1.0, 2.0, 3.0, 5.0])
    assert model.feature_names_in_.tolist() == ["size", "flag"]
    with pytest.raises(TypeError, match="'city' is categorical"):
        bw.LinearRegression().fit({"city": ["Ulm", "Bonn"]}, [0.0, 1.0])


@pytest.mark.parametrize("n_targets", [0, 2])
def test_save_and_load(n_targets, tmp_path):
    X, y = table(n_targets=n_targets)
    model = bw.LinearRegression().fit(X, y)
    model.save(tmp_path / "m")
    again = bw.load(tmp_path / "m")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.coef_std_error_, model.coef_std_error_)
    np.testing.assert_array_equal(again.leave_one_out(X, y), model.leave_one_out(X, y))
    assert again.rank_ == 4


def in_parts(model, X, y, weights=None, n_parts=4):
    for part in np.array_split(np.arange(len(y)), n_parts):
        model.partial_fit(X[part], y[part], None if weights is None else weights[part])
    return model


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("n_targets", [0, 2])
@pytest.mark.parametrize("weighted", [True, False])
def test_partial_fit_is_the_fit_of_all_rows(fit_intercept, n_targets, weighted, tmp_path):
    X, y = table(n=90, n_targets=n_targets)
    X = X + 1e3 * fit_intercept  # far from 0, where plain sums of squares would lose digits
    weights = np.random.default_rng(1).integers(0, 3, len(y)) if weighted else None
    whole = bw.LinearRegression(fit_intercept=fit_intercept).fit(X, y, weights)
    grown = in_parts(bw.LinearRegression(fit_intercept=fit_intercept), X, y, weights)
    grown.save(tmp_path / "m")
    more = np.random.default_rng(2).permutation(len(y))[:30]
    twice = bw.load(tmp_path / "m").partial_fit(X[more], y[more])
    joined = np.concatenate([np.ones(90) if weights is None else weights, np.ones(30)])
    expected = bw.LinearRegression(fit_intercept=fit_intercept).fit(
        np.concatenate([X, X[more]]), np.concatenate([y, y[more]]), joined
    )
    for model, reference in ((grown, whole), (twice, expected)):
        for name in ("coef_", "intercept_", "residual_variance_", "coef_std_error_", "singular_"):
            found, wanted = getattr(model, name), getattr(reference, name)
            np.testing.assert_allclose(found, wanted, rtol=1e-6, err_msg=name)
        np.testing.assert_allclose(model.leverage(X), reference.leverage(X), rtol=1e-6)


def test_partial_fit_after_fit_and_with_few_rows():
    X, y = table(n=60)
    whole = bw.LinearRegression().fit(X, y)
    grown = bw.LinearRegression().fit(X[:40], y[:40]).partial_fit(X[40:], y[40:])
    np.testing.assert_allclose(grown.coef_, whole.coef_, rtol=1e-9)
    few = bw.LinearRegression()
    with pytest.warns(UserWarning, match="more columns than rows"):
        few.partial_fit(X[:3], y[:3])
    np.testing.assert_allclose(few.predict(X[:3]), y[:3])
    np.testing.assert_allclose(few.partial_fit(X[3:], y[3:]).coef_, whole.coef_, rtol=1e-9)


def test_what_partial_fit_refuses():
    X, y = table()
    for parameters in ({"solver": "qr"}, {"solver": "svd"}, {"positive": True}):
        with pytest.raises(AttributeError, match=r'LinearRegression\(solver="cholesky"\) has partial_fit'):
            _ = bw.LinearRegression(**parameters).partial_fit
    model = bw.LinearRegression().fit(X, y)
    with pytest.raises(ValueError, match="other targets"):
        model.partial_fit(X, np.column_stack([y, y]))
    by_rows = bw.LinearRegression(solver="svd").fit(X, y).set_params(solver="auto")
    with pytest.raises(ValueError, match=r"Begin with partial_fit"):
        by_rows.partial_fit(X, y)
