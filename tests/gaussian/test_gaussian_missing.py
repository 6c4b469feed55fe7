"""GaussianDensity of rows with missing values: EM against its reference implementation."""

from __future__ import annotations

import numpy as np
import pytest
from gaussian_rows import rows, with_holes
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from sklearn.exceptions import ConvergenceWarning

import boxwood as bw


def reference_em(X, n_iter):
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
    def test_em_equals_the_reference(self):
        X = with_holes(80)
        model = bw.GaussianDensity(tol=1e-12, max_iter=5000).fit(X)
        mean, covariance = reference_em(X, model.n_iter_)
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

    def test_no_convergence_is_warned_of(self):
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
