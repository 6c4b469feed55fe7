"""GaussianDensity of tables that are hard: constant and collinear columns, few rows, extreme scales."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from gaussian_rows import TYPES, fit_quietly, rows

import boxwood as bw


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
