"""The classifier that looks at no column."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.dummy import DummyClassifier

import boxwood as bw

X = np.random.default_rng(0).normal(size=(60, 2))
y = np.repeat(["a", "b", "c"], [15, 30, 15])


def test_it_tells_the_largest_prior_always():
    model = bw.PriorClassifier().fit(X, y)
    peer = DummyClassifier(strategy="prior").fit(X, y)
    assert model.predict(X).tolist() == ["b"] * 60
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X))
    np.testing.assert_allclose(model.predict_log_proba(X), peer.predict_log_proba(X))
    assert 1.0 - model.score(X, y) == pytest.approx(1.0 - model.priors_.max())


def test_priors_weights_and_ties():
    weights = np.repeat([4, 1, 0], [15, 30, 15])
    model = bw.PriorClassifier().fit(X, y, sample_weight=weights)
    assert model.classes_.tolist() == ["a", "b"]
    np.testing.assert_allclose(model.priors_, [2 / 3, 1 / 3])
    assert bw.PriorClassifier(priors="uniform").fit(X, y).predict(X[:1]).tolist() == ["a"]
    assert bw.PriorClassifier(priors=[0.0, 0.0, 1.0]).fit(X, y).predict(X[:1]).tolist() == ["c"]
    with pytest.raises(ValueError, match="Number of priors"):
        bw.PriorClassifier(priors=[0.5, 0.5]).fit(X, y)


def test_tables_of_any_kind(tmp_path):
    model = bw.PriorClassifier().fit(sparse.csr_matrix(X), y)
    assert model.predict(sparse.csr_matrix(X)).shape == (60,)
    frame = {"size": [1.0, None, 2.0], "colour": ["r", "g", None]}
    model = bw.PriorClassifier().fit(frame, [True, True, False])
    model.save(tmp_path / "m.boxwood")
    again = bw.load(tmp_path / "m.boxwood")
    np.testing.assert_array_equal(again.predict_proba(frame), model.predict_proba(frame))
    assert again.predict(frame).tolist() == [True, True, True]


def test_it_is_the_floor():
    labels = (X[:, 0] > 0).astype(int)
    floor = bw.PriorClassifier().fit(X, labels).score(X, labels)
    for model in (bw.HistogramNB(), bw.BayesClassifier(bw.GaussianDensity()), bw.DecisionTreeClassifier()):
        assert model.fit(X, labels).score(X, labels) > floor


def test_partial_fit_is_the_fit_of_all_rows(tmp_path):
    weights = np.random.default_rng(1).integers(0, 3, len(X))
    model = bw.PriorClassifier()
    with pytest.raises(ValueError, match="first call"):
        model.partial_fit(X, y)
    for part in np.array_split(np.arange(len(y)), 4):  # the first parts lack classes
        model.partial_fit(X[part], y[part], ["a", "b", "c"], weights[part])
        assert len(model.predict(X)) == len(X)
    whole = bw.PriorClassifier().fit(X, y, weights)
    np.testing.assert_array_equal(model.class_count_, whole.class_count_)
    np.testing.assert_array_equal(model.priors_, whole.priors_)
    model.save(tmp_path / "m")
    again = bw.load(tmp_path / "m").partial_fit(X, y)
    np.testing.assert_array_equal(again.class_count_, whole.class_count_ + np.array([15, 30, 15]))
