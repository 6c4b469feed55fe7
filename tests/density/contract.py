"""What every density promises: one class of tests, run over every density that boxwood exports."""

from __future__ import annotations

import inspect
import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import boxwood as bw
from boxwood.density.base import DensityEstimator

N_COLUMNS: dict[str, int] = {}
"""Densities of a fixed number of columns; all others get tables of three."""

EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "BoostedDensity": [
        {"n_estimators": 20, "n_trees": 4, "n_networks": 2, "random_state": 0},
        {"preset": "quick", "n_estimators": 5, "random_state": 1, "components": ["network"]},
    ],
    "DensityForest": [
        {"n_estimators": 10, "random_state": 0},
        {"n_estimators": 4, "random_state": 1, "margins": "linear", "leaf": "uniform", "splitter": "exact"},
        {"n_estimators": 4, "random_state": 2, "bootstrap": True, "criterion": "loo", "leaf": "gaussian"},
    ],
    "DensityTree": [
        {},
        {"margins": "smooth", "leaf": "histogram", "prune": "cv", "random_state": 0},
        {"criterion": "gaussian_entropy", "leaf": "gaussian", "prune": "validation", "random_state": 0},
        {"splitter": "random", "max_leaf_nodes": 5, "prune": None, "random_state": 0},
    ],
    "GaussianDensity": [
        {},
        {"covariance_type": "diag", "false_alarm_rate": 0.3},
        {"covariance_type": "spherical"},
        {"shrinkage": "auto"},
        {"shrinkage": 0.4},
    ],
    "GridHistogram": [{}, {"estimate": "bayes", "bins": 2}],
    "Histogram": [{}, {"bins": "cv", "estimate": "bayes"}, {"bins": "fd", "estimate": "map"}, {"bins": 8}],
    "NeighborDensity": [
        {},
        {"n_neighbors": 3, "metric": "minkowski", "p": 3.0, "unbiased": True, "false_alarm_rate": 0.3},
        {"n_neighbors": 5, "standardize": True, "normalize": True},
    ],
    "ProductDensity": [{}, {"marginal": "gaussian"}],
}
"""Parameters worth running beside the defaults; a new density is covered without an entry."""


def densities() -> list[type[DensityEstimator]]:
    exported = (getattr(bw, name) for name in bw.__all__)
    return [cls for cls in exported if inspect.isclass(cls) and issubclass(cls, DensityEstimator)]


def examples() -> list[DensityEstimator]:
    return [cls(**params) for cls in densities() for params in EXAMPLES.get(cls.__name__, [{}])]


def numbers(model: DensityEstimator, n_rows: int = 60, seed: int = 0) -> np.ndarray:
    d = N_COLUMNS.get(type(model).__name__, 3)
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_rows, d)) @ (np.eye(d) + 0.3) + np.arange(d)


def mixed(n_rows: int = 50) -> dict[str, Any]:
    """Columns of every kind that is a number in some way."""
    rng = np.random.default_rng(1)
    days = np.datetime64("2024-01-01", "us") + rng.integers(0, 10**13, n_rows)
    return {
        "size": rng.normal(10.0, 2.0, n_rows),
        "count": rng.integers(0, 9, n_rows),
        "flag": rng.random(n_rows) < 0.4,
        "day": days.astype("datetime64[us]"),
        "grade": rng.integers(0, 3, n_rows),
    }


GRADES = ["low", "mid", "high"]


def mixed_pandas() -> pd.DataFrame:
    data = mixed()
    data["grade"] = pd.Categorical.from_codes(data["grade"], GRADES, ordered=True)
    return pd.DataFrame(data)


def mixed_polars() -> pl.DataFrame:
    data = mixed()
    labels = [GRADES[code] for code in data.pop("grade")]
    return pl.DataFrame(data).with_columns(pl.Series("grade", labels, dtype=pl.Enum(GRADES)))


def mixed_pyarrow() -> pa.Table:
    data = mixed()
    del data["grade"]
    return pa.table(data)


def learnt(model: DensityEstimator) -> dict[str, Any]:
    return {name: value for name, value in vars(model).items() if name.endswith("_")}


def fitted(model: DensityEstimator) -> DensityEstimator:
    """Return the example fitted once for all tests, which leave it as it is."""
    return fitted_example(repr(model))


@cache
def fitted_example(text: str) -> DensityEstimator:
    model = next(example for example in examples() if repr(example) == text)
    return model.fit(numbers(model))


class DensityContract:
    """Subclassed by a test class; each test runs once for every example of every density."""

    @pytest.fixture(params=examples(), ids=lambda model: repr(model))
    def model(self, request: pytest.FixtureRequest) -> DensityEstimator:
        return clone(request.param)

    def test_scores_are_finite_floats(self, model):
        scores = fitted(model).score_samples(numbers(model, seed=1))
        assert scores.shape == (60,)
        assert scores.dtype == np.float64
        assert not np.isnan(scores).any()

    def test_score_is_the_weighted_mean(self, model):
        density, X = fitted(model), numbers(model, seed=1)
        weights = np.random.default_rng(2).integers(0, 4, len(X))
        scores = density.score_samples(X)
        assert density.score(X) == pytest.approx(scores.mean(), rel=1e-12)
        repeated = density.score(np.repeat(X, weights, axis=0))
        assert density.score(X, sample_weight=weights) == pytest.approx(repeated, rel=1e-12)

    def test_frames_and_arrays_score_equal(self, model):
        X = numbers(model)
        names = [f"c{j}" for j in range(X.shape[1])]
        expected = clone(model).fit(X).score_samples(X)
        for frame in (
            pd.DataFrame(X, columns=names),
            pl.DataFrame(X, schema=names),
            pa.table(dict(zip(names, X.T, strict=True))),
        ):
            density = clone(model).fit(frame)
            np.testing.assert_array_equal(density.score_samples(frame), expected)
            assert list(density.feature_names_in_) == names
            assert density.n_features_in_ == len(names)

    def test_other_names_are_refused(self, model):
        X = numbers(model)
        names = [f"c{j}" for j in range(X.shape[1])]
        density = clone(model).fit(pd.DataFrame(X, columns=names))
        with pytest.raises(ValueError, match="feature names should match"):
            density.score_samples(pd.DataFrame(X, columns=[*names[:-1], "other"]))

    @pytest.mark.parametrize("dtype", [np.float64, np.int64, bool])
    def test_samples_come_as_arrays(self, model, dtype):
        X = (numbers(model) > 0.5).astype(dtype) if dtype is bool else (3 * numbers(model)).astype(dtype)
        sample = clone(model).fit(X).sample(7, random_state=0)
        assert isinstance(sample, np.ndarray)
        assert sample.dtype == dtype
        assert sample.shape == (7, X.shape[1])

    @pytest.mark.parametrize("make", [mixed_pandas, mixed_polars, mixed_pyarrow])
    def test_samples_come_in_the_same_container(self, model, make):
        if type(model).__name__ in N_COLUMNS:
            pytest.skip("a fixed number of columns")
        table = make()
        density = clone(model).fit(table)
        sample = density.sample(20, random_state=0)
        assert type(sample) is type(table)
        assert self.kinds(sample) == self.kinds(table)
        assert np.isfinite(density.score_samples(sample)).all()

    @staticmethod
    def kinds(table: Any) -> list[tuple[str, str]]:
        return [(field.name, field.kind.value) for field in bw.read_columns(table).schema.fields]

    def test_samples_repeat_with_the_seed(self, model):
        density = fitted(model)
        one, two = density.sample(5, random_state=3), density.sample(5, random_state=3)
        np.testing.assert_array_equal(one, two)
        assert not np.array_equal(one, density.sample(5, random_state=4))
        assert density.sample(random_state=np.random.RandomState(0)).shape[0] == 1

    @pytest.mark.parametrize("n_samples", [0, -1, 1.5, True, None, "3"])
    def test_sample_wants_a_positive_whole_number(self, model, n_samples):
        with pytest.raises(ValueError, match="n_samples must be a positive integer"):
            fitted(model).sample(n_samples)

    def test_predict_follows_the_offset(self, model):
        density, X = fitted(model), numbers(model)
        scores = density.score_samples(X)
        decisions = scores - density.offset_ if np.isfinite(density.offset_) else np.full(len(X), np.inf)
        np.testing.assert_array_equal(density.decision_function(X), decisions)
        np.testing.assert_array_equal(density.predict(X), np.where(scores < density.offset_, -1, 1))
        expected = np.where(density.p_values(X) < density.false_alarm_rate, -1, 1)
        np.testing.assert_array_equal(density.predict(X), expected)
        np.testing.assert_array_equal(clone(model).fit_predict(X), density.predict(X))

    @pytest.mark.parametrize("false_alarm_rate", [0.0, -0.1, 0.6, np.nan, "auto", None, True])
    def test_the_false_alarm_rate_is_checked(self, model, false_alarm_rate):
        model.set_params(false_alarm_rate=false_alarm_rate)
        with pytest.raises((ValueError, TypeError), match="false_alarm_rate must"):
            model.fit(numbers(model))

    def test_p_values_follow_the_scores(self, model):
        density, X = fitted(model), numbers(model, 200, seed=5)
        p = density.p_values(X)
        assert ((p > 0.0) & (p <= 1.0)).all()
        order = np.argsort(density.score_samples(X), kind="stable")
        assert (np.diff(p[order]) >= 0.0).all()
        assert (
            density.calibration_scores_[1:] >= density.calibration_scores_[:-1]
        ).all()  # −inf may be there

    def test_copies_are_equal(self, model, tmp_path):
        density, X = fitted(model), numbers(model, seed=1)
        density.save(tmp_path / "model.boxwood")
        joblib.dump(density, tmp_path / "model.joblib")
        copies = [
            bw.load(tmp_path / "model.boxwood"),
            pickle.loads(pickle.dumps(density)),
            joblib.load(tmp_path / "model.joblib"),
            joblib.load(tmp_path / "model.joblib", mmap_mode="r"),
        ]
        for copy in copies:
            assert type(copy) is type(density)
            assert copy.get_params() == density.get_params()
            assert copy.schema_ == density.schema_
            assert copy.offset_ == density.offset_
            np.testing.assert_array_equal(copy.score_samples(X), density.score_samples(X))
            np.testing.assert_array_equal(copy.p_values(X), density.p_values(X))
            np.testing.assert_array_equal(copy.sample(9, random_state=0), density.sample(9, random_state=0))

    def test_files_are_equal_to_the_byte(self, model, tmp_path):
        density = fitted(model)
        density.save(tmp_path / "one")
        density.save(tmp_path / "two")
        bw.load(tmp_path / "one").save(tmp_path / "three")
        clone(density).fit(numbers(model)).save(tmp_path / "four")
        contents = {(tmp_path / name).read_bytes() for name in ("one", "two", "three", "four")}
        assert len(contents) == 1

    def test_a_weight_is_a_repetition(self, model):
        X = numbers(model, 40)
        weights = np.random.default_rng(3).integers(0, 4, len(X)).astype(float)
        weighted = clone(model).fit(X, sample_weight=weights)
        repeated = clone(model).fit(np.repeat(X, weights.astype(int), axis=0))
        new = numbers(model, seed=9)
        np.testing.assert_allclose(weighted.score_samples(new), repeated.score_samples(new), rtol=1e-9)
        assert weighted.offset_ == pytest.approx(repeated.offset_, rel=1e-9)
        np.testing.assert_allclose(weighted.calibration_scores_, repeated.calibration_scores_, rtol=1e-9)
        np.testing.assert_array_equal(weighted.p_values(new), repeated.p_values(new))

    def test_rows_of_weight_zero_do_not_exist(self, model):
        X = numbers(model, 40)
        weights = np.ones(len(X))
        weights[::4] = 0.0
        malformed = X.copy()
        malformed[::4] = 1e200
        weighted = clone(model).fit(malformed, sample_weight=weights)
        without = clone(model).fit(X[weights > 0.0], sample_weight=weights[weights > 0.0])
        for name, value in learnt(without).items():
            if isinstance(value, np.ndarray | float):
                np.testing.assert_array_equal(learnt(weighted)[name], value)

    @pytest.mark.parametrize("weights", [[-1.0], [np.nan], [np.inf], [0.0], [1e308]])
    def test_impossible_weights_are_refused(self, model, weights):
        X = numbers(model)
        with pytest.raises(ValueError, match="weight"):
            model.fit(X, sample_weight=np.resize(weights, len(X)))

    def test_the_order_of_rows_does_not_matter(self, model):
        X, new = numbers(model), numbers(model, seed=9)
        shuffled = clone(model).fit(X[::-1].copy())
        expected = clone(model).fit(X).score_samples(new)
        np.testing.assert_allclose(shuffled.score_samples(new), expected, rtol=1e-9)

    def test_before_the_fit_there_is_nothing(self, model, tmp_path):
        X = numbers(model)
        for call in (
            model.score_samples,
            model.score,
            model.predict,
            model.p_values,
            model.decision_function,
        ):
            with pytest.raises(NotFittedError):
                call(X)
        with pytest.raises(NotFittedError):
            model.sample()
        with pytest.raises(NotFittedError):
            model.save(tmp_path / "model.boxwood")
        assert list(tmp_path.iterdir()) == []

    def test_a_failed_fit_changes_nothing(self, model):
        density, X = fitted(model), numbers(model)
        before = dict(vars(density))
        broken = X.copy()
        broken[3, 0] = np.inf
        for table, weights in ((broken, None), (X, -np.ones(len(X))), (X[:0], None), (X[0], None)):
            with pytest.raises(ValueError):  # noqa: PT011 (the words differ)
                density.fit(table, sample_weight=weights)
        assert vars(density).keys() == before.keys()
        assert all(vars(density)[name] is value for name, value in before.items())

    def test_a_fit_forgets_the_one_before(self, model):
        X = numbers(model)
        density = clone(model).fit(pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])]))
        density.fit(X)
        assert not hasattr(density, "feature_names_in_")
        np.testing.assert_array_equal(density.score_samples(X), fitted(model).score_samples(X))

    def test_fit_does_not_write_to_its_table(self, model):
        X = numbers(model)
        X.flags.writeable = False
        clone(model).fit(X).score_samples(X)

    def test_threads_may_fraction_a_model(self, model):
        density = fitted(model)
        tables = [numbers(model, seed=seed) for seed in range(16)]
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(density.score_samples, tables))
        for scores, table in zip(together, tables, strict=True):
            np.testing.assert_array_equal(scores, density.score_samples(table))
