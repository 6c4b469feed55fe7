"""Gaussian naive Bayes: against scikit-learn and the formula, with weights, gaps and parts."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
import sklearn.naive_bayes
from gaussian_tables import blobs, reference_posterior
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from properties import examples


def test_it_is_scikit_learn_s():
    X, y = blobs()
    ours, theirs = bw.GaussianNB().fit(X, y), sklearn.naive_bayes.GaussianNB().fit(X, y)
    for name in ("theta_", "var_", "class_prior_", "class_count_", "epsilon_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-10, err_msg=name)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-8, atol=1e-300)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_it_is_quadratic_discriminant_analysis_with_diagonal_covariances():
    X, y = blobs()
    model = bw.GaussianNB(var_smoothing=0.0).fit(X, y)
    covariances = [np.diag(X[y == k].var(axis=0)) for k in range(3)]
    means = [X[y == k].mean(axis=0) for k in range(3)]
    reference = reference_posterior(X, means, covariances, np.bincount(y) / len(y))
    np.testing.assert_allclose(model.predict_proba(X), reference, rtol=1e-8)

    class Diagonal:
        def fit(self, rows):
            self.covariance_ = np.diag(rows.var(axis=0))

    quadratic = bw.QuadraticDiscriminantAnalysis(covariance_estimator=Diagonal()).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), quadratic.predict_proba(X), rtol=1e-8)


def test_the_factor_of_a_missing_value_is_left_out():
    X, y = blobs()
    model = bw.GaussianNB().fit(X, y)
    gappy = X.copy()
    gappy[:, 1] = np.nan
    alone = bw.GaussianNB(var_smoothing=0.0).fit(X[:, [0, 2]], y)
    alone.var_ = np.ascontiguousarray(model.var_[:, [0, 2]])
    np.testing.assert_allclose(model.predict_proba(gappy), alone.predict_proba(X[:, [0, 2]]), rtol=1e-10)
    np.testing.assert_allclose(
        model.predict_proba(np.full((1, 3), np.nan)), model.class_prior_[None], rtol=1e-12
    )


def test_missing_values_at_fit_leave_their_column_alone():
    X, y = blobs()
    holes = np.random.default_rng(1).random(X.shape) < 0.3
    model = bw.GaussianNB(var_smoothing=0.0).fit(np.where(holes, np.nan, X), y)
    for k in range(3):
        for j in range(3):
            seen = X[(y == k) & ~holes[:, j], j]
            assert model.theta_[k, j] == pytest.approx(seen.mean())
            assert model.var_[k, j] == pytest.approx(seen.var())


def test_a_column_that_a_class_never_shows_tells_nothing_about_it():
    X = np.array([[0.0, np.nan], [1.0, np.nan], [0.0, 5.0], [1.0, 7.0]])
    model = bw.GaussianNB().fit(X, [0, 0, 1, 1])
    np.testing.assert_allclose(model.predict_proba([[0.5, 6.0]]), [[0.5, 0.5]])


@given(st.integers(0, 50), st.integers(1, 5))
@examples(25)
def test_parts_are_the_whole(seed, n_parts):
    X, y = blobs(n=40, seed=seed)
    weights = np.random.default_rng(seed).random(len(y)) + 0.1
    whole = bw.GaussianNB().fit(X, y, weights)
    parts = np.array_split(np.random.default_rng(seed).permutation(len(y)), n_parts)
    online = bw.GaussianNB()
    merged = None
    for part in parts:
        online.partial_fit(X[part], y[part], classes=whole.classes_, sample_weight=weights[part])
        one = bw.GaussianNB().partial_fit(
            X[part], y[part], classes=whole.classes_, sample_weight=weights[part]
        )
        merged = one if merged is None else merged.merge(one)
    for other in (online, merged):
        np.testing.assert_allclose(other.theta_, whole.theta_, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(other.var_, whole.var_, rtol=1e-8)
        np.testing.assert_allclose(other.class_prior_, whole.class_prior_)


def test_far_from_zero_six_digits_stay():
    X, y = blobs(n=2000, spread=0.5)
    near, far = bw.GaussianNB().fit(X, y), bw.GaussianNB().fit(X + 1e9, y)
    # The table itself is rounded to 1e-7 there.
    np.testing.assert_allclose(far.var_, near.var_, rtol=1e-6)
    np.testing.assert_allclose(far.predict_proba(X + 1e9), near.predict_proba(X), atol=1e-6)


def test_labels_of_any_type_and_one_class():
    X = np.array([[0.0], [0.1], [5.0], [5.1]])
    for labels in (
        ["a", "a", "b", "b"],
        [True, True, False, False],
        [2.0, 2.0, 1.0, 1.0],
        [-5, -5, 300, 300],
    ):
        assert bw.GaussianNB().fit(X, labels).predict(X).tolist() == labels
    one = bw.GaussianNB().fit(X, ["only"] * 4)
    assert one.predict([[100.0]]).tolist() == ["only"]
    assert one.predict_proba([[100.0]]).tolist() == [[1.0]]
    assert bw.GaussianNB().fit([[1.0, 2.0]], ["row"]).predict([[0.0, 0.0]]).tolist() == ["row"]


def test_constant_columns_tell_nothing():
    X = np.full((6, 2), 3.0)
    model = bw.GaussianNB().fit(X, [0, 0, 0, 0, 1, 1])
    np.testing.assert_allclose(model.predict_proba([[3.0, 8.0]]), [[4 / 6, 2 / 6]])


def test_a_class_without_rows_has_no_probability():
    model = bw.GaussianNB().partial_fit([[0.0], [1.0]], ["a", "a"], classes=["a", "b"])
    assert model.predict_proba([[0.5]]).tolist() == [[1.0, 0.0]]


def test_samples_have_the_model_s_moments_and_the_table_s_kinds():
    X, y = blobs()
    model = bw.GaussianNB().fit(X, y)
    rows = model.sample(20_000, y=1, random_state=0)
    np.testing.assert_allclose(rows.mean(axis=0), model.theta_[1], atol=0.1)
    np.testing.assert_allclose(rows.var(axis=0), model.var_[1], rtol=0.1)
    rows, labels = model.sample(20_000, random_state=0, return_y=True)
    np.testing.assert_allclose(np.bincount(labels) / 20_000, model.class_prior_, atol=0.02)
    assert rows.shape == (20_000, 3)
    frame = pl.DataFrame({"n": [1, 2, 3, 4], "flag": [True, False, True, True]})
    drawn = bw.GaussianNB().fit(frame, list("aabb")).sample(5, y="a", random_state=0)
    assert drawn.schema == frame.schema
    with pytest.raises(ValueError, match="not one of the known classes"):
        model.sample(2, y="nobody")
    with pytest.raises(ValueError, match="positive integer"):
        model.sample(0)


def test_priors():
    X, y = blobs()
    uniform = bw.GaussianNB(priors="uniform").fit(X, y)
    np.testing.assert_allclose(uniform.class_prior_, 1 / 3)
    with pytest.raises(ValueError, match="Number of priors"):
        bw.GaussianNB(priors=[0.5, 0.5]).fit(X, y)
    with pytest.raises(ValueError, match="uniform"):
        bw.GaussianNB(priors="flat").fit(X, y)


def test_what_is_refused():
    X, y = blobs(n=20)
    with pytest.raises(TypeError, match="'city' is categorical"):
        bw.GaussianNB().fit({"city": ["Ulm", "Bonn"]}, [0, 1])
    with pytest.raises(ValueError, match="column 'x1', row 4: squares"):
        bw.GaussianNB().fit(np.where(np.arange(60).reshape(20, 3) == 13, 1e200, X), y)
    with pytest.raises(ValueError, match="rows in X and y"):
        bw.GaussianNB().fit(X, y[:-1])
    with pytest.raises(ValueError, match="classes differ"):
        bw.GaussianNB().fit(X, y).merge(bw.GaussianNB().fit(X, y + 1))
    with pytest.raises(TypeError, match="only a GaussianNB"):
        bw.GaussianNB().fit(X, y).merge(3)


def test_save_and_load(tmp_path):
    X, y = blobs()
    model = bw.GaussianNB(priors="uniform").fit(X, np.array(["x", "y", "z"])[y])
    model.save(tmp_path / "m")
    again = bw.load(tmp_path / "m")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    again.partial_fit(X[:5], np.array(["x", "y", "z"])[y[:5]])
    assert again.class_count_.sum() == len(y) + 5
