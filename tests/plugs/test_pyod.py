"""The detector in PyOD's manner, beside one that PyOD's own base class makes of the same scores."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

import boxwood as bw
from boxwood.datasets import load_census
from boxwood.plugs.pyod import BoxwoodDetector

X = np.random.default_rng(0).normal(size=(300, 3))
NEW = np.random.default_rng(1).normal(scale=2.0, size=(50, 3))


def test_signs_and_labels():
    detector = BoxwoodDetector(bw.GaussianDensity(), contamination=0.1).fit(X)
    np.testing.assert_array_equal(detector.decision_scores_, -bw.GaussianDensity().fit(X).score_samples(X))
    assert detector.labels_.sum() == 30
    np.testing.assert_array_equal(detector.labels_, detector.predict(X))
    np.testing.assert_array_equal(detector.labels_, clone(detector).fit_predict(X))
    assert detector.predict([[0.0, 0.0, 0.0], [9.0, 9.0, 9.0]]).tolist() == [0, 1]


@pytest.mark.parametrize("method", ["linear", "unify"])
def test_the_same_as_pyod_s_own_base_class(method):
    base = pytest.importorskip(
        "pyod.models.base", reason="pyod is not installed: `make test-plugs` installs it"
    )

    class Reference(base.BaseDetector):
        def __init__(self, contamination):
            super().__init__(contamination=contamination)

        def fit(self, X, y=None):
            self._set_n_classes(y)
            self.model_ = bw.GaussianDensity().fit(X)
            self.decision_scores_ = self.decision_function(X)
            self._process_decision_scores()
            return self

        def decision_function(self, X):
            return -self.model_.score_samples(X)

    theirs = Reference(contamination=0.07).fit(X)
    ours = BoxwoodDetector(bw.GaussianDensity(), contamination=0.07).fit(X)
    np.testing.assert_array_equal(ours.decision_scores_, theirs.decision_scores_)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    assert ours.threshold_ == pytest.approx(theirs.threshold_)
    np.testing.assert_array_equal(ours.predict(NEW), theirs.predict(NEW))
    np.testing.assert_allclose(
        ours.predict_proba(NEW, method), theirs.predict_proba(NEW, method=method), atol=1e-12
    )


def test_tables_of_any_kind():
    census = load_census().frame[:500]
    detector = BoxwoodDetector(contamination=0.02).fit(census)
    assert detector.labels_.sum() == 10
    assert detector.explain(census[:3]).shape == (3, 14)


def test_a_constant_table():
    same = np.ones((40, 2))
    detector = BoxwoodDetector(contamination=0.1).fit(same)
    assert detector.labels_.sum() == 0
    for method in ("linear", "unify"):
        np.testing.assert_array_equal(detector.predict_proba(same, method), [[1.0, 0.0]] * 40)


def test_wrong_parameters():
    with pytest.raises(ValueError, match="contamination must be in"):
        BoxwoodDetector(contamination=0.7).fit(X)
    with pytest.raises(ValueError, match="method must be 'linear' or 'unify'"):
        BoxwoodDetector(bw.GaussianDensity()).fit(X).predict_proba(X, "quadratic")
