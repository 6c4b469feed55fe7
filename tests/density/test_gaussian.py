"""GaussianDensity against scipy, slow oracles and brute force."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize
from scipy.stats import kstest, multivariate_normal
from sklearn.covariance import oas
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

import boxwood as bw
from boxwood.gaussian.moments import Moments
from boxwood.gaussian.normal import oas_shrinkage, why_no_covariance

TYPES = ["full", "diag", "spherical"]
MIXING = np.array([[2.0, 0.6, 0.0], [0.0, 1.0, -0.5], [0.0, 0.0, 0.3]])


def rows(n, seed=0, d=3):
    return (np.random.default_rng(seed).normal(size=(n, 3)) @ MIXING + [5.0, -2.0, 100.0])[:, :d]


def with_holes(n, fraction=0.25, seed=0, d=3):
    X = rows(n, seed, d)
    X[np.random.default_rng(seed + 1).random(X.shape) < fraction] = np.nan
    return X


def fit_quietly(X, **params):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bw.GaussianDensity(**params).fit(X)


class TestComplete:
    def test_full_is_maximum_likelihood(self):
        X = rows(500)
        model = bw.GaussianDensity().fit(X)
        np.testing.assert_allclose(model.mean_, X.mean(axis=0), rtol=1e-12)
        np.testing.assert_allclose(model.covariance_, np.cov(X.T, bias=True), rtol=1e-9)
        expected = multivariate_normal(X.mean(axis=0), np.cov(X.T, bias=True)).logpdf(rows(50, 1))
        np.testing.assert_allclose(model.score_samples(rows(50, 1)), expected, rtol=1e-9)
        assert (model.n_iter_, model.shrinkage_) == (1, 0.0)

    def test_diagonal_and_spherical(self):
        X = rows(500)
        np.testing.assert_allclose(
            bw.GaussianDensity(covariance_type="diag").fit(X).covariance_, np.diag(X.var(axis=0)), rtol=1e-9
        )
        spherical = bw.GaussianDensity(covariance_type="spherical").fit(X)
        np.testing.assert_allclose(spherical.covariance_, np.eye(3) * X.var(axis=0).mean(), rtol=1e-9)
        expected = multivariate_normal(X.mean(axis=0), X.var(axis=0).mean()).logpdf(X)
        np.testing.assert_allclose(spherical.score_samples(X), expected, rtol=1e-9)

    def test_shrinkage_leaves_the_variances(self):
        X = rows(100)
        S = np.cov(X.T, bias=True)
        model = bw.GaussianDensity(shrinkage=0.3).fit(X)
        np.testing.assert_allclose(model.covariance_, 0.7 * S + 0.3 * np.diag(S.diagonal()), rtol=1e-9)
        integer = bw.GaussianDensity(shrinkage=1.0).fit(X)
        diagonal = bw.GaussianDensity(covariance_type="diag").fit(X)
        np.testing.assert_allclose(integer.score_samples(X), diagonal.score_samples(X), rtol=1e-9)

    def test_auto_shrinkage_does_not_depend_on_units(self):
        X = rows(20)
        one = bw.GaussianDensity(shrinkage="auto").fit(X)
        two = bw.GaussianDensity(shrinkage="auto").fit(X * [1e6, 1.0, 1e-6])
        assert 0.0 < one.shrinkage_ < 1.0
        assert one.shrinkage_ == pytest.approx(two.shrinkage_, rel=1e-9)

    def test_auto_shrinkage_is_near_scikit_learn_s(self):
        # There it is the same formula less terms of 1/d, on covariances: equal on standardised rows.
        X = np.random.default_rng(0).normal(size=(30, 40))
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        assert oas_shrinkage(Moments.of_rows(X)) == pytest.approx(oas(X)[1], abs=0.02)

    def test_integrates_to_one(self):
        model = bw.GaussianDensity().fit(rows(200, d=2))
        spread = np.sqrt(model.covariance_.diagonal())
        axes = [np.linspace(m - 8 * s, m + 8 * s, 400) for m, s in zip(model.mean_, spread, strict=True)]
        grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
        cell = np.prod([axis[1] - axis[0] for axis in axes])
        assert np.exp(model.score_samples(grid)).sum() * cell == pytest.approx(1.0, abs=1e-9)

    def test_samples_score_as_the_entropy_says(self):
        model = bw.GaussianDensity().fit(rows(200))
        sample = model.sample(100_000, random_state=0)
        entropy = multivariate_normal(model.mean_, model.covariance_).entropy()
        assert model.score(sample) == pytest.approx(-entropy, abs=0.02)
        again = bw.GaussianDensity().fit(sample)
        np.testing.assert_allclose(again.covariance_, model.covariance_, atol=0.1)

    @pytest.mark.parametrize("fraction", [0.0, 0.2])
    @pytest.mark.parametrize("covariance_type", TYPES)
    def test_p_values_of_new_rows_are_uniform(self, covariance_type, fraction):
        model = bw.GaussianDensity(covariance_type=covariance_type).fit(with_holes(2000, fraction, 0))
        p = model.p_values(with_holes(2000, fraction, 50))
        assert kstest(p, "uniform").pvalue > 1e-3

    def test_p_values_are_honest_where_training_scores_are_not(self):
        X = np.random.default_rng(0).normal(size=(6000, 12))
        p = np.concatenate(
            [bw.GaussianDensity().fit(X[i : i + 30]).p_values(X[-500:]) for i in range(0, 600, 30)]
        )
        assert np.mean(p <= 0.1) == pytest.approx(0.1, abs=0.03)


def brute_force(X, weights, **params):
    """Each row's score by a model fitted without one copy of it."""
    scores = []
    for i in range(len(X)):
        rest = weights.copy()
        rest[i] = max(0.0, rest[i] - 1.0)
        scores.append(bw.GaussianDensity(**params).fit(X, sample_weight=rest).score_samples(X[i : i + 1])[0])
    return np.array(scores)


class TestLeaveOneOut:
    @pytest.mark.parametrize("weights", [[1.0], [1.0, 2.0, 3.0], [0.5, 1.0, 2.5]])
    @pytest.mark.parametrize("shrinkage", [None, 0.25, 1.0])
    @pytest.mark.parametrize("covariance_type", TYPES)
    def test_closed_form_equals_refits(self, covariance_type, shrinkage, weights):
        X, w = rows(15), np.resize(weights, 15)
        params = {"covariance_type": covariance_type, "shrinkage": shrinkage}
        model = bw.GaussianDensity(**params).fit(X, sample_weight=w)
        got = held_out(model, X, w)
        np.testing.assert_allclose(got, brute_force(X, w, **params), rtol=1e-8)

    def test_calibration_scores_are_these(self):
        X = rows(15)
        expected = np.sort(brute_force(X, np.ones(15)))
        np.testing.assert_allclose(bw.GaussianDensity().fit(X).calibration_scores_, expected, rtol=1e-8)

    def test_the_series_for_many_rows_is_close(self):
        X = rows(1500)
        model = bw.GaussianDensity(shrinkage=0.4).fit(X)
        some = np.arange(0, 1500, 100)
        expected = [
            bw.GaussianDensity(shrinkage=0.4).fit(np.delete(X, i, axis=0)).score_samples(X[i : i + 1])[0]
            for i in some
        ]
        np.testing.assert_allclose(held_out(model, X, np.ones(1500))[some], expected, atol=1e-4)

    @pytest.mark.parametrize("covariance_type", TYPES)
    def test_rows_with_holes_are_close(self, covariance_type):
        X = with_holes(60)
        params = {"covariance_type": covariance_type, "missing": "ignore", "tol": 1e-12, "max_iter": 2000}
        model = bw.GaussianDensity(**params).fit(X)
        expected = brute_force(X, np.ones(60), **params)
        error = np.abs(held_out(model, X, np.ones(60)) - expected)
        uncorrected = np.abs(model.score_samples(X) - expected)
        assert error.mean() < 0.35 * uncorrected.mean()
        assert error.max() < 0.5 * uncorrected.max()

    def test_a_row_that_alone_holds_up_a_direction_is_finite(self):
        X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 5.0]])
        model = bw.GaussianDensity().fit(X)
        assert np.isfinite(model.calibration_scores_).all()
        assert model.calibration_scores_[0] < -1e6


def held_out(model, X, w):
    from boxwood.gaussian.normal_held_out import held_out_log_density

    return held_out_log_density(model.normal_, X, w, model.covariance_type)


def slow_em(X, n_iter):
    """One row at a time, with plain inverses."""
    d = X.shape[1]
    mean, covariance = np.nanmean(X, axis=0), np.diag(np.nanvar(X, axis=0))
    for _ in range(n_iter):
        filled, spare = np.array(X), np.zeros((d, d))
        for i, row in enumerate(X):
            m, o = np.isnan(row), ~np.isnan(row)
            if not m.any():
                continue
            slope = covariance[np.ix_(m, o)] @ np.linalg.inv(covariance[np.ix_(o, o)])
            filled[i, m] = mean[m] + slope @ (row[o] - mean[o])
            spare[np.ix_(m, m)] += covariance[np.ix_(m, m)] - slope @ covariance[np.ix_(o, m)]
        mean = filled.mean(axis=0)
        covariance = ((filled - mean).T @ (filled - mean) + spare) / len(X)
    return mean, covariance


class TestMissing:
    def test_em_equals_the_slow_one(self):
        X = with_holes(80)
        model = bw.GaussianDensity(tol=1e-12, max_iter=5000).fit(X)
        mean, covariance = slow_em(X, model.n_iter_)
        np.testing.assert_allclose(model.mean_, mean, rtol=1e-6)
        np.testing.assert_allclose(model.covariance_, covariance, rtol=1e-6)

    def test_em_finds_the_maximum(self):
        X = with_holes(40, d=2)
        model = bw.GaussianDensity(tol=1e-13, max_iter=10_000).fit(X)

        def loss(theta):
            root = np.array([[np.exp(theta[2]), 0.0], [theta[3], np.exp(theta[4])]])
            return -observed_log_likelihood(X, theta[:2], root @ root.T)

        best = minimize(loss, [5.0, -2.0, 0.0, 0.0, 0.0], method="BFGS", options={"gtol": 1e-7})
        assert observed_log_likelihood(X, model.mean_, model.covariance_) == pytest.approx(
            -best.fun, abs=1e-6
        )
        np.testing.assert_allclose(model.mean_, best.x[:2], atol=1e-3)

    def test_scores_are_of_what_is_observed(self):
        model = bw.GaussianDensity(missing="ignore").fit(rows(100))
        new = np.array([[4.0, np.nan, 100.5], [np.nan, np.nan, np.nan], [np.nan, -2.0, np.nan]])
        keep = [0, 2]
        first = multivariate_normal(model.mean_[keep], model.covariance_[np.ix_(keep, keep)]).logpdf(
            [4.0, 100.5]
        )
        last = multivariate_normal(model.mean_[1], model.covariance_[1, 1]).logpdf(-2.0)
        np.testing.assert_allclose(model.score_samples(new), [first, 0.0, last], rtol=1e-9)

    def test_a_column_without_values(self):
        X = rows(50)
        X[:, 1] = np.nan
        model = bw.GaussianDensity().fit(X)
        np.testing.assert_allclose(model.mean_[1], 0.0, atol=1e-12)
        np.testing.assert_allclose(model.covariance_[1], [0.0, 1.0, 0.0], atol=1e-9)
        without = bw.GaussianDensity().fit(X[:, [0, 2]])
        np.testing.assert_allclose(model.score_samples(X), without.score_samples(X[:, [0, 2]]), rtol=1e-6)

    def test_nothing_but_missing(self):
        model = bw.GaussianDensity(missing="ignore").fit(np.full((3, 2), np.nan))
        np.testing.assert_allclose(model.score_samples([[0.0, 0.0]]), -np.log(2.0 * np.pi))

    def test_no_convergence_is_told(self):
        with pytest.warns(ConvergenceWarning, match="EM did not converge in 2 iterations"):
            assert bw.GaussianDensity(max_iter=2, tol=0.0).fit(with_holes(30)).n_iter_ == 2

    def test_weights_are_repetitions(self):
        X, w = with_holes(30), np.resize([1, 2, 3], 30)
        weighted = bw.GaussianDensity(max_iter=2000).fit(X, sample_weight=w)
        repeated = bw.GaussianDensity(max_iter=2000).fit(np.repeat(X, w, axis=0))
        np.testing.assert_allclose(weighted.covariance_, repeated.covariance_, rtol=1e-6)
        np.testing.assert_allclose(weighted.calibration_scores_, repeated.calibration_scores_, rtol=1e-6)


def observed_log_likelihood(X, mean, covariance):
    total = 0.0
    for row in X:
        o = ~np.isnan(row)
        if o.any():
            total += multivariate_normal(mean[o], covariance[np.ix_(o, o)]).logpdf(row[o])
    return total


class TestPartialFit:
    @pytest.mark.parametrize("covariance_type", TYPES)
    def test_parts_make_the_whole(self, covariance_type):
        X, w = rows(900), np.resize([1.0, 2.0, 0.5], 900)
        model = bw.GaussianDensity(covariance_type=covariance_type)
        for part in (slice(0, 1), slice(1, 400), slice(400, None)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # one row has no spread
                model.partial_fit(X[part], sample_weight=w[part])
        integer = bw.GaussianDensity(covariance_type=covariance_type).fit(X, sample_weight=w)
        np.testing.assert_allclose(model.mean_, integer.mean_, rtol=1e-10)
        np.testing.assert_allclose(model.score_samples(X), integer.score_samples(X), rtol=1e-9)

    def test_threshold_and_p_values_follow_the_law(self):
        model = bw.GaussianDensity(false_alarm_rate=0.2).partial_fit(rows(5000))
        new = rows(5000, 1)
        assert np.mean(model.predict(new) == -1) == pytest.approx(0.2, abs=0.02)
        assert kstest(model.p_values(new), "uniform").pvalue > 1e-3

    def test_missing_values_are_refused_and_nothing_changes(self):
        model = bw.GaussianDensity().partial_fit(rows(50))
        before = dict(vars(model))
        with pytest.raises(ValueError, match="partial_fit takes no missing values"):
            model.partial_fit(with_holes(50))
        with pytest.raises(ValueError, match="2 features"):
            model.partial_fit(rows(50, d=2))
        assert all(vars(model)[name] is value for name, value in before.items())

    def test_it_goes_on_after_fit_save_and_load(self, tmp_path):
        bw.GaussianDensity().fit(rows(50)).save(tmp_path / "m")
        model = bw.load(tmp_path / "m").partial_fit(rows(50, 1))
        integer = bw.GaussianDensity().fit(np.vstack([rows(50), rows(50, 1)]))
        np.testing.assert_allclose(model.covariance_, integer.covariance_, rtol=1e-10)


class TestHardTables:
    def test_far_from_zero_keeps_six_digits(self):
        X = np.random.default_rng(0).choice([-1.0, 1.0], size=(10_001, 2))
        near = bw.GaussianDensity().fit(X)
        far = bw.GaussianDensity().fit(X + 1e9)
        np.testing.assert_allclose(far.mean_ - 1e9, near.mean_, atol=1e-6)
        np.testing.assert_allclose(far.covariance_, near.covariance_, atol=1e-6)
        np.testing.assert_allclose(far.score_samples(X + 1e9), near.score_samples(X), rtol=1e-6)

    @pytest.mark.parametrize("scale", [1e-140, 1e-9, 1.0, 1e9, 1e149])
    def test_scale_moves_the_scores_and_nothing_else(self, scale):
        X = rows(100) - [5.0, -2.0, 100.0]
        X = (X - X.mean(axis=0)) / np.abs(X).max()
        near, scaled = bw.GaussianDensity().fit(X), bw.GaussianDensity().fit(X * scale)
        expected = near.score_samples(X) - 3.0 * np.log(scale)
        np.testing.assert_allclose(scaled.score_samples(X * scale), expected, rtol=1e-9)
        assert np.isfinite(scaled.sample(10, random_state=0)).all()

    def test_the_smallest_and_largest_total_weight(self, tmp_path):
        X = rows(4)
        expected = bw.GaussianDensity().fit(X).covariance_
        for weight in (5e-324, 1e-300, 1e300):
            model = bw.GaussianDensity().fit(X, sample_weight=np.full(4, weight))
            model.save(tmp_path / "m")
            np.testing.assert_allclose(bw.load(tmp_path / "m").covariance_, expected, rtol=1e-7, atol=1e-12)
            assert np.isfinite(model.calibration_scores_).all()

    def test_the_largest_numbers(self):
        X = np.array([[1e150, -1e150], [-1e150, 1e150], [1e150, 1e150], [-1e150, -1e150]])
        model = bw.GaussianDensity().fit(X)
        np.testing.assert_allclose(model.covariance_, np.eye(2) * 1e300, rtol=1e-9, atol=1e290)
        assert np.isfinite(model.calibration_scores_).all()
        with pytest.raises(
            ValueError, match="column 'x1', row 2: squares of numbers beyond 1e\\+150 overflow"
        ):
            bw.GaussianDensity().fit([[0.0, 1.0], [1.0, 2.0], [2.0, 1e151]])

    def test_rows_beyond_all_measure_have_no_density(self):
        model = bw.GaussianDensity().fit(rows(100))
        assert model.score_samples([[1e300, -1e300, 1e300]])[0] == -np.inf
        assert model.predict([[1e300, -1e300, 1e300]])[0] == -1

    def test_numbers_too_small_to_square(self):
        model = fit_quietly(np.array([[1e-200], [2e-200], [3e-200]]))
        assert np.isfinite(model.score_samples([[1e-200], [0.0]])).all()

    @pytest.mark.parametrize("value", [0.0, 0.1, -3.0, 1e9, 1e-300, 1e150])
    def test_constant_columns(self, value):
        X = rows(100, d=2)
        X[:, 1] = value
        with pytest.warns(UserWarning, match="1 directions of the table have no spread"):
            model = bw.GaussianDensity().fit(X)
        alone = bw.GaussianDensity().fit(X[:, :1])
        difference = model.score_samples(X) - alone.score_samples(X[:, :1])
        np.testing.assert_allclose(difference, difference[0], atol=1e-6)
        assert difference[0] > 20.0 or abs(value) >= 1e9
        assert (model.predict(X) == 1).mean() == pytest.approx(0.95, abs=0.03)

    def test_dependent_columns(self):
        x = rows(100, d=1)
        with pytest.warns(UserWarning, match="linearly dependent"):
            model = bw.GaussianDensity().fit(np.hstack([x, 2.0 * x + 1.0]))
        assert np.isfinite(model.calibration_scores_).all()
        assert model.predict([[5.0, 11.0]])[0] == 1
        assert model.predict([[5.0, 11.5]])[0] == -1
        sample = model.sample(100, random_state=0)
        np.testing.assert_allclose(sample[:, 1], 2.0 * sample[:, 0] + 1.0, atol=1e-3)

    @pytest.mark.parametrize("covariance_type", TYPES)
    @pytest.mark.parametrize("n", [1, 2, 3])
    def test_few_rows(self, n, covariance_type, tmp_path):
        X = rows(n)
        model = fit_quietly(X, covariance_type=covariance_type)
        assert np.isfinite(model.score_samples(X)).all()
        assert not np.isnan(model.calibration_scores_).any()
        assert ((model.p_values(X) > 0.0) & (model.p_values(X) <= 1.0)).all()
        np.testing.assert_allclose(model.mean_, X.mean(axis=0), rtol=1e-12)
        model.save(tmp_path / "m")
        np.testing.assert_array_equal(bw.load(tmp_path / "m").score_samples(X), model.score_samples(X))

    def test_more_columns_than_rows(self):
        X = np.random.default_rng(0).normal(size=(10, 30))
        assert np.isfinite(fit_quietly(X).score_samples(X)).all()
        assert np.isfinite(bw.GaussianDensity(shrinkage="auto").fit(X).calibration_scores_).all()

    def test_a_warning_as_error_leaves_the_model_alone(self):
        model = bw.GaussianDensity().fit(rows(50))
        before = dict(vars(model))
        with pytest.raises(UserWarning, match="no spread"):
            model.fit(np.ones((5, 3)))
        assert all(vars(model)[name] is value for name, value in before.items())

    def test_categories_are_refused(self):
        with pytest.raises(TypeError, match="column 'b' is categorical, and a Gaussian"):
            bw.GaussianDensity().fit(pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]}))

    def test_an_unknown_rank_counts_as_missing(self):
        grades = pl.Enum(["low", "mid", "high"])
        frame = pl.DataFrame(
            {"a": [1.0, 2.0, 4.0, 3.0], "g": pl.Series(["low", "mid", "high", "low"], dtype=grades)}
        )
        model = bw.GaussianDensity(missing="ignore").fit(frame)
        new = pl.DataFrame({"a": [2.0, 2.0], "g": pl.Series(["top", None], dtype=pl.Enum(["top", "low"]))})
        scores = model.score_samples(new)
        assert scores[0] == scores[1]
        assert scores[1] == model.score_samples(pl.DataFrame({"a": [2.0], "g": [None]}))[0]

    def test_samples_stay_within_the_column_s_type(self):
        table = pl.DataFrame({"n": [2**53, -(2**53), 2**53 - 5, 0], "b": [True, False, True, True]})
        sample = bw.GaussianDensity().fit(table).sample(500, random_state=0)
        assert sample.schema == table.schema
        assert sample["n"].abs().max() == 2**53


class TestParameters:
    @pytest.mark.parametrize(
        "params",
        [
            {"covariance_type": "tied"},
            {"covariance_type": None},
            {"shrinkage": "ledoit"},
            {"shrinkage": -0.1},
            {"shrinkage": 1.1},
            {"shrinkage": True},
            {"shrinkage": [0.1]},
            {"tol": -1.0},
            {"tol": "small"},
            {"tol": 10**400},
            {"max_iter": 0},
            {"max_iter": 1.5},
        ],
        ids=repr,
    )
    def test_each_is_checked_in_fit(self, params):
        name = next(iter(params))
        with pytest.raises((ValueError, TypeError), match=f"GaussianDensity: {name} must"):
            bw.GaussianDensity(**params).fit(rows(10))
        with pytest.raises((ValueError, TypeError), match=f"GaussianDensity: {name} must"):
            bw.GaussianDensity(**params).partial_fit(rows(10))

    def test_grid_search_in_processes(self):
        X = np.random.default_rng(0).normal(size=(40, 15))
        search = GridSearchCV(bw.GaussianDensity(), {"shrinkage": [0.0, 1.0, "auto"]}, cv=4, n_jobs=2).fit(X)
        assert search.best_params_["shrinkage"] != 0.0  # independent columns: correlations are noise
        assert search.best_estimator_.sample(2, random_state=0).shape == (2, 15)

    def test_numpy_scalars_are_numbers(self, tmp_path):
        model = bw.GaussianDensity(
            shrinkage=np.float32(0.5), max_iter=np.int64(7), false_alarm_rate=np.float64(0.1)
        )
        model.fit(rows(10)).save(tmp_path / "m")
        assert bw.load(tmp_path / "m").get_params() == model.get_params()


@settings(deadline=None, max_examples=60)
@given(
    arrays(np.float64, (7, 2), elements=st.floats(-100.0, 100.0, width=32)),
    st.lists(st.integers(0, 3), min_size=7, max_size=7).filter(any),
    st.permutations(range(7)),
    st.sampled_from(TYPES),
)
def test_laws_of_rows_and_weights(X, weights, order, covariance_type):
    w = np.array(weights, dtype=float)
    new = np.array([[0.5, -0.5], [30.0, 40.0]])
    params = {"covariance_type": covariance_type, "shrinkage": 0.5}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one = bw.GaussianDensity(**params).fit(X, sample_weight=w)
        two = bw.GaussianDensity(**params).fit(np.repeat(X, weights, axis=0))
        three = bw.GaussianDensity(**params).fit(X[order], sample_weight=w[order])
    for other in (two, three):
        np.testing.assert_allclose(one.mean_, other.mean_, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(one.covariance_, other.covariance_, rtol=1e-7, atol=1e-9)
        assert not np.isnan(other.score_samples(new)).any()
        assert not np.isnan(other.calibration_scores_).any()


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        ([[1.0, 0.5], [0.5, 1.0]], None),
        ([[1.0, 1.0], [1.0, 1.0]], None),
        ([[0.0, 0.0], [0.0, 4.0]], None),
        ([[1.0, 0.5], [0.4, 1.0]], "is not symmetric"),
        ([[-1.0, 0.0], [0.0, 1.0]], "is negative on its diagonal"),
        ([[1.0, 2.0], [2.0, 1.0]], "is indefinite"),
        ([[0.0, 1.0], [1.0, 1.0]], "is indefinite"),
        ([[1e-300, 1e300], [1e300, 1.0]], "is not symmetric"),
    ],
)
def test_why_a_matrix_is_no_covariance(matrix, reason):
    assert why_no_covariance(np.array(matrix)) == reason
