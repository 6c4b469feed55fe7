"""Cross-validated errors of classifiers, and scores of class probabilities."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import LeaveOneOut, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import boxwood as bw
from boxwood.select.numbers import EncodedClassifier, TableEncoder
from boxwood.select.probabilities import brier_scores, calibration_error, log_losses

RNG = np.random.default_rng(0)
X, y = load_iris(return_X_y=True)
GAUSSIAN = bw.BayesClassifier(bw.GaussianDensity())
FOLDS = StratifiedKFold(4, shuffle=True, random_state=1)


def test_it_is_what_a_loop_would_find():
    found = bw.cross_val_error(GAUSSIAN, X, y, cv=FOLDS)
    predicted = cross_val_predict(GAUSSIAN, X, y, cv=FOLDS, method="predict_proba")
    np.testing.assert_allclose(found.probabilities, predicted)
    for k, (train, test) in enumerate(FOLDS.split(X, y)):
        model = clone(GAUSSIAN).fit(X[train], y[train])
        assert found.test_errors[k] == pytest.approx(1.0 - model.score(X[test], y[test]))
        assert found.train_errors[k] == pytest.approx(1.0 - model.score(X[train], y[train]))
        assert found.log_losses[k] == pytest.approx(log_loss(y[test], predicted[test]))
        in_training = log_loss(y[train], model.predict_proba(X[train]))
        assert found.train_log_losses[k] == pytest.approx(in_training)
    assert found.error == pytest.approx(found.test_errors.mean())
    assert found.std**2 == pytest.approx(found.variance) == pytest.approx(np.var(found.test_errors, ddof=1))
    assert found.optimism == pytest.approx(found.error - found.train_error)
    assert (found.fit_seconds > 0).all()
    assert (found.predict_seconds > 0).all()
    assert "optimism" in repr(found)


def test_one_neighbour_is_never_wrong_about_itself():
    found = bw.cross_val_error(KNeighborsClassifier(1), X[50:], y[50:], cv=5)
    assert found.train_error == 0.0
    assert found.optimism == found.error > 0.0


def test_ways_to_hold_out():
    one = bw.cross_val_error(GAUSSIAN, X, y, cv=0.3)
    assert one.test_errors.shape == (1,)
    assert np.isnan(one.std)
    assert np.isnan(one.probabilities[:, 0]).sum() == 105
    left = bw.cross_val_error(GAUSSIAN, X[::4], y[::4], cv="loo")
    expected = cross_val_predict(GAUSSIAN, X[::4], y[::4], cv=LeaveOneOut()) != y[::4]
    np.testing.assert_array_equal(left.test_errors, expected)


def test_weights_count_in_training_and_in_the_scores():
    weights = RNG.integers(0, 3, 150)
    copies = np.repeat(np.arange(150), weights)
    folds = [
        (np.flatnonzero(np.arange(150) % 3 != k), np.flatnonzero(np.arange(150) % 3 == k)) for k in range(3)
    ]
    again = [tuple(np.flatnonzero(np.isin(copies, part)) for part in fold) for fold in folds]
    for model in (GAUSSIAN, GaussianNB()):
        one = bw.cross_val_error(model, X, y, cv=folds, sample_weight=weights)
        two = bw.cross_val_error(model, X[copies], y[copies], cv=again)
        for name in ("test_errors", "train_errors", "log_losses", "brier_scores", "calibration_error"):
            np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=1e-6, atol=1e-9)
    with pytest.raises(TypeError, match="KNeighborsClassifier takes no sample_weight"):
        bw.cross_val_error(KNeighborsClassifier(), X, y, cv=folds, sample_weight=weights)


def test_pipelines_of_others_get_the_table_in_its_own_container():
    class Looks(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            assert isinstance(X, pd.DataFrame)
            self.classes_ = np.unique(y)
            return self

        def predict_proba(self, X):
            assert isinstance(X, pd.DataFrame)
            return np.tile([0.0, 1.0, 0.0], (len(X), 1))

    found = bw.cross_val_error(Looks(), pd.DataFrame(X), np.array(list("abc"))[y], cv=3)
    assert found.error == pytest.approx(2 / 3)
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    assert bw.cross_val_error(pipeline, X, y).error < 0.1


def test_a_class_that_a_fold_lacks_has_probability_zero():
    folds = [(np.arange(100), np.arange(100, 150))]
    found = bw.cross_val_error(GAUSSIAN, X, y, cv=folds)
    assert found.test_errors[0] == 1.0
    assert found.log_losses[0] == pytest.approx(-np.log(np.finfo(float).eps))


def test_warnings_of_the_model_are_shown_once():
    far = np.vstack([X, [[50.0] * 4]])  # counts as the largest values, which no class has together
    with pytest.warns(UserWarning, match="density zero under every class") as caught:
        found = bw.cross_val_error(bw.HistogramNB(alpha=0.0), far, np.append(y, 0), cv=3)
    assert len(caught) == len(found.warnings) == len(set(found.warnings))


@pytest.mark.parametrize(
    ("labels", "message"),
    [(None, "requires y to be passed"), (y[:-1], "X has 150 rows, y has 149"), (X[:, 0], "continuous")],
)
def test_labels_are_checked(labels, message):
    with pytest.raises(ValueError, match=message):
        bw.cross_val_error(GAUSSIAN, X, labels)


def test_scores_of_probabilities():
    predicted = RNG.dirichlet(np.ones(3), 200)
    codes = RNG.integers(0, 3, 200)
    assert log_losses(predicted, codes).mean() == pytest.approx(log_loss(codes, predicted))
    assert brier_scores(predicted, codes).mean() == pytest.approx(
        ((predicted - np.eye(3)[codes]) ** 2).sum(1).mean()
    )
    # Posteriors 0.8 and 0.2, right in 4 of 5 cases: nothing to complain of.
    exact = np.tile([0.8, 0.2], (10, 1))
    assert calibration_error(exact, np.array([0] * 8 + [1] * 2)) == pytest.approx(0.0, abs=1e-12)
    assert calibration_error(exact, np.zeros(10, dtype=int)) == pytest.approx(0.2)


def test_calibration_by_the_definition():
    predicted = RNG.dirichlet(np.ones(3), 400)
    codes = RNG.integers(0, 3, 400)
    order = np.argsort(predicted.max(axis=1))
    right = (predicted.argmax(axis=1) == codes)[order]
    bins = zip(np.split(predicted.max(axis=1)[order], 10), np.split(right, 10), strict=True)
    expected = np.mean([abs(p.mean() - r.mean()) for p, r in bins])
    assert calibration_error(predicted, codes) == pytest.approx(expected)
    weights = RNG.integers(1, 4, 400)
    repeated = calibration_error(predicted.repeat(weights, axis=0), codes.repeat(weights))
    assert calibration_error(predicted, codes, weights.astype(float)) == pytest.approx(repeated)
    shuffled = RNG.permutation(400)
    assert calibration_error(predicted[shuffled], codes[shuffled]) == pytest.approx(expected)


def test_numbers_of_a_table():
    table = pd.DataFrame(
        {
            "size": [1.0, 3.0, np.nan, 5.0],
            "colour": ["r", "g", "b", None],
            "big": [True, False, True, True],
            "grade": pd.Categorical(["low", "high", "low", "high"], ["low", "high"], ordered=True),
            "same": [2, 2, 2, 2],
        }
    )
    columns = bw.read_columns(table)
    numbers = TableEncoder.of_rows(columns)
    matrix = numbers.matrix(columns)
    assert matrix.shape == (4, 1 + 2 + 1 + 1 + 1)
    assert np.isfinite(matrix).all()
    np.testing.assert_allclose(matrix[:, 0], (np.array([1.0, 3.0, 3.0, 5.0]) - 3.0) / np.sqrt(8 / 3))
    # Columns b, g and r: indicators of g and r, centred; the missing colour lies at their means.
    np.testing.assert_allclose(matrix[:, 1:3] + 1 / 3, [[0, 1], [1, 0], [0, 0], [1 / 3, 1 / 3]], atol=1e-12)
    np.testing.assert_allclose(matrix[:, 5], 0.0)
    unseen = bw.read_columns(table.assign(colour="violet", size=np.nan)).matched(columns.schema)
    np.testing.assert_allclose(numbers.matrix(unseen)[:, :3], 0.0, atol=1e-12)
    weights = np.array([1.0, 2.0, 3.0, 1.0])
    weighted = TableEncoder.of_rows(columns.with_weights(weights)).matrix(columns)
    copies = columns.take(np.repeat(np.arange(4), [1, 2, 3, 1]))
    np.testing.assert_allclose(weighted, TableEncoder.of_rows(copies).matrix(columns))


def test_numbers_are_those_of_the_training_rows():
    """The scale of held-out rows leaves no trace in a fit."""
    table = X.copy()
    model = EncodedClassifier(LogisticRegression()).fit(bw.read_columns(table[:100]), y[:100])
    before = model.predict_proba(bw.read_columns(table[100:110]))
    after = model.predict_proba(bw.read_columns(np.vstack([table[100:110], 1e6 * table[:10]])))[:10]
    np.testing.assert_array_equal(before, after)
