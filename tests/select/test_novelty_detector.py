"""Novelty over any model."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import IsolationForest
from sklearn.mixture import GaussianMixture
from sklearn.naive_bayes import GaussianNB

import boxwood as bw

ROOT = Path(__file__).parents[2]
PENGUINS = ROOT / "examples" / "penguins.csv"
X, y = load_iris(return_X_y=True)
RNG = np.random.default_rng(0)
MODELS = [
    None,
    bw.GaussianDensity(),
    bw.BayesClassifier(bw.GaussianDensity()),
    bw.HistogramNB(range=(0.0, 10.0)),  # in centimetres: unseen rows have a positive density
    GaussianMixture(2, random_state=0),
    IsolationForest(n_estimators=20, random_state=0),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_what_is_far_from_all_rows_is_odd(model):
    detector = bw.NoveltyDetector(model).fit(X, y)
    assert np.mean(detector.training_p_values_ < 0.05) == pytest.approx(0.05, abs=0.02)
    assert np.mean(detector.predict(X) == -1) <= 0.06
    far = [[30.0, -30.0, 30.0, -30.0]]
    assert detector.predict(far).tolist() == [-1]
    assert detector.p_values(far)[0] < 0.05
    assert detector.decision_function(far)[0] < 0.0


def test_rows_beyond_the_bins_are_as_odd_as_the_oddest_rows():
    """The bins of each fold end with its rows, so left-out rows beyond them have density zero, too."""
    detector = bw.NoveltyDetector(bw.HistogramNB(), false_alarm_rate=0.06).fit(X, y)
    far = [[30.0, -30.0, 30.0, -30.0]]
    assert np.isneginf(detector.score_samples(far)[0])
    n_beyond = np.isneginf(detector.calibration_scores_).sum()
    n_scores = len(detector.calibration_scores_)
    assert 0 < n_beyond < 0.05 * n_scores
    assert detector.p_values(far)[0] == pytest.approx((n_beyond + 1) / (n_scores + 1), abs=1e-3)
    assert detector.p_values(far)[0] <= detector.p_values(X).min()
    assert detector.predict(far).tolist() == [-1]


def test_scores_are_the_models_own():
    gaussian = bw.GaussianDensity().fit(X)
    detector = bw.NoveltyDetector(bw.GaussianDensity()).fit(X)
    np.testing.assert_array_equal(detector.score_samples(X), gaussian.score_samples(X))
    assert detector.offset_ == pytest.approx(gaussian.offset_, abs=1.0)  # folds, and one row at a time


def test_held_out_scores_are_those_of_models_that_had_not_seen_the_rows():
    folds = [(np.arange(75), np.arange(75, 150)), (np.arange(75, 150), np.arange(75))]
    rows = np.random.default_rng(0).normal(size=(150, 3))
    detector = bw.NoveltyDetector(bw.GaussianDensity(), cv=folds).fit(rows)
    expected = [bw.GaussianDensity().fit(rows[a]).score_samples(rows[b]) for a, b in folds]
    np.testing.assert_allclose(detector.calibration_scores_, np.sort(np.concatenate(expected)))


def test_p_values_are_uniform():
    rows = RNG.normal(size=(2000, 2))
    detector = bw.NoveltyDetector(bw.DensityTree(margins="smooth")).fit(rows)
    p = detector.p_values(RNG.normal(size=(4000, 2)))
    for level in (0.05, 0.2, 0.5):
        assert np.mean(p <= level) == pytest.approx(level, abs=0.04)


def test_a_classifier_without_a_density_doubts():
    detector = bw.NoveltyDetector(GaussianNB()).fit(X, y)
    predicted = GaussianNB().fit(X, y).predict_proba(X)
    np.testing.assert_allclose(detector.score_samples(X), np.log(predicted.max(axis=1)), atol=1e-12)


def test_tables_weights_and_few_rows(tmp_path):
    table = pd.read_csv(PENGUINS)
    species = table.pop("species")
    detector = bw.NoveltyDetector(bw.HistogramNB(), false_alarm_rate=0.05).fit(table, species)
    detector.save(tmp_path / "m.boxwood")
    for again in (bw.load(tmp_path / "m.boxwood"), pickle.loads(pickle.dumps(detector))):
        np.testing.assert_array_equal(again.p_values(table), detector.p_values(table))
        np.testing.assert_array_equal(again.predict(table), detector.predict(table))
    weights = RNG.integers(0, 3, 150)
    weighted = bw.NoveltyDetector(bw.GaussianDensity()).fit(X, sample_weight=weights)
    repeated = bw.NoveltyDetector(bw.GaussianDensity()).fit(X.repeat(weights, axis=0))
    np.testing.assert_allclose(weighted.score_samples(X), repeated.score_samples(X), rtol=1e-8)
    assert bw.NoveltyDetector(bw.Histogram(bins=2)).fit(X[:3]).p_values(X[:1]) > 0


def test_models_of_others_cannot_be_saved(tmp_path):
    detector = bw.NoveltyDetector(GaussianMixture()).fit(X)
    with pytest.raises(bw.ModelFileError, match="GaussianMixture"):
        detector.save(tmp_path / "m.boxwood")
    changed = bw.NoveltyDetector(bw.GaussianDensity()).fit(X).set_params(model=bw.DensityTree())
    with pytest.raises(bw.ModelFileError, match="model was changed since the fit"):
        changed.save(tmp_path / "m.boxwood")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"model": bw.DecisionTreeRegressor()}, "must have score_samples or predict_proba"),
        ({"model": "forest"}, "model must be an estimator; got 'forest'"),
    ],
)
def test_models_are_checked(parameters, message):
    with pytest.raises(TypeError, match=message):
        bw.NoveltyDetector(**parameters).fit(X)
