"""GaussianDensity against scipy, reference implementations and brute force."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from gaussian_rows import TYPES, rows, with_holes
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kstest, multivariate_normal
from sklearn.covariance import oas
from sklearn.model_selection import GridSearchCV

import boxwood as bw
from boxwood.gaussian.moments import Moments
from boxwood.gaussian.normal import oas_shrinkage, why_no_covariance
from properties import examples

# All shapes are crossed with all amounts of shrinkage, also with those that have no effect.
pytestmark = pytest.mark.filterwarnings("ignore:GaussianDensity. .* has no effect")


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
        # What rows are worth is rounded to 20 bits.
        np.testing.assert_allclose(got, brute_force(X, w, **params), rtol=1e-5)

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
        # What rows are worth, which rows in parts do not tell, is rounded to 20 bits.
        np.testing.assert_allclose(model.mean_, integer.mean_, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(model.score_samples(X), integer.score_samples(X), rtol=1e-5)

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


@examples(60)
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
