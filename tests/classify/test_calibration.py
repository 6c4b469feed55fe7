"""Calibrated likelihoods: exponent and offsets from left-out rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.special import log_softmax
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

import boxwood as bw
from boxwood.classify.calibration import ABOVE, BELOW, OFFSET, Calibration, _loss, fit_calibration
from boxwood.density.left_out import cross_fitted_scores

FOREST = bw.DensityForest(n_estimators=20, random_state=0)


def likelihoods_of(exponent, n=4000, seed=0):
    """Return log-likelihoods whose true posterior has this exponent, and classes by it."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(-5.0, 6.0, size=(n, 3))
    codes = np.argmax(log_softmax(exponent * scores, axis=1) + rng.gumbel(size=(n, 3)), axis=1)
    return scores, codes


@pytest.mark.parametrize("exponent", [0.1, 0.5, 1.0, 1.7])
def test_the_exponent_is_found(exponent):
    scores, codes = likelihoods_of(exponent)
    found = fit_calibration(scores, codes, np.ones(len(codes)))
    assert found.exponent == pytest.approx(exponent, rel=0.15)
    np.testing.assert_allclose(found.offsets, 0.0, atol=0.2)


def test_offsets_are_found_and_the_prior_keeps_its_place():
    scores, _ = likelihoods_of(0.5)
    true, log_priors = np.array([1.0, 0.0, -1.0]), np.log([0.2, 0.3, 0.5])
    noise = np.random.default_rng(1).gumbel(size=scores.shape)
    codes = np.argmax(0.5 * scores + true + log_priors + noise, axis=1)
    found = fit_calibration(scores, codes, np.ones(len(codes)))
    expected = true + log_priors - np.log(np.bincount(codes) / len(codes))  # priors are those of the rows
    np.testing.assert_allclose(found.offsets, expected - expected.mean(), atol=0.2)


def test_a_class_of_which_fewer_rows_were_left_out_is_not_thought_rarer():
    scores, codes = likelihoods_of(0.5, n=20000)
    scores[:, 0] += 2.0  # an offset of -1 is to be found
    seen = (codes == 0) & (np.arange(len(codes)) % 10 > 0)
    few = np.where(seen[:, None], np.nan, scores)
    whole, found = (fit_calibration(of, codes, np.ones(len(codes))) for of in (scores, few))
    np.testing.assert_allclose(found.offsets, whole.offsets, atol=0.15)
    assert found.exponent == pytest.approx(whole.exponent, rel=0.05)


def test_a_class_of_which_no_row_was_left_out_has_no_offset_of_its_own():
    scores, codes = likelihoods_of(0.5)
    found = fit_calibration(np.where((codes == 0)[:, None], np.nan, scores), codes, np.ones(len(codes)))
    assert np.isfinite(found.offsets).all()
    assert 0.4 < found.exponent < 0.6


def test_the_loss_is_the_obvious_sum_and_the_gradient_is_its_own():
    scores, codes = likelihoods_of(0.5, n=20)
    weights, log_priors = np.linspace(0.5, 2.0, 20), np.log([0.2, 0.3, 0.5])
    point = np.array([-0.3, 0.2, 0.1, -0.4])
    value, gradient = _loss(point, scores, codes, weights, log_priors)
    expected = (ABOVE if point[0] > 0.0 else BELOW) * point[0] ** 2 + OFFSET * sum(b**2 for b in point[1:])
    for row, code, weight in zip(scores, codes, weights, strict=True):
        joint = np.exp(log_priors + point[1:]) * np.exp(row) ** np.exp(point[0])
        expected -= weight * np.log(joint[code] / joint.sum())
    assert value == pytest.approx(expected)
    slope = approx_fprime(point, lambda at: _loss(at, scores, codes, weights, log_priors)[0], 1e-7)
    np.testing.assert_allclose(gradient, slope, rtol=1e-4, atol=1e-3)


def test_few_rows_keep_bayes_rule():
    scores, codes = likelihoods_of(0.1, n=2)
    found = fit_calibration(scores / 10.0, codes, np.ones(2))
    assert 0.6 < found.exponent < 1.6


def test_rows_that_were_not_left_out_say_nothing():
    scores, codes = likelihoods_of(0.5, n=200)
    some = np.where(np.arange(200)[:, None] % 2 == 0, scores, np.nan)
    found = fit_calibration(some, codes, np.ones(200))
    alone = fit_calibration(scores[::2], codes[::2], np.ones(100))
    assert found.exponent == alone.exponent
    assert fit_calibration(np.full((200, 3), np.nan), codes, np.ones(200)) is None


def test_impossible_classes_stay_impossible():
    scores = Calibration(0.5, np.zeros(2)).apply(np.array([[0.0, -np.inf]]))
    np.testing.assert_array_equal(scores, [[0.0, -np.inf]])


TABLES = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "breast cancer": load_breast_cancer(return_X_y=True),
    "redundant": make_classification(400, 20, n_informative=5, n_redundant=10, random_state=0),
}


@pytest.mark.parametrize("name", TABLES)
def test_new_rows_are_not_worse_off(name):
    X, y = TABLES[name]
    losses = {True: [], False: []}
    for seed in range(2):
        train, test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=seed)
        for calibrate in losses:
            model = bw.BayesClassifier(FOREST, calibrate=calibrate).fit(train, y_train)
            losses[calibrate].append(log_loss(y_test, model.predict_proba(test)))
    assert np.mean(losses[True]) < np.mean(losses[False]) + 0.03


def test_many_correlated_columns_no_longer_make_it_too_sure():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 300)
    X = rng.normal(size=(600, 1)) + y[:, None] + 0.1 * rng.normal(size=(600, 15))
    train = np.arange(600) % 2 == 0
    plain, calibrated = (
        bw.BayesClassifier(FOREST, calibrate=how).fit(X[train], y[train]) for how in (False, "auto")
    )
    assert calibrated.calibration_.exponent < 0.8
    losses = [log_loss(y[~train], model.predict_proba(X[~train])) for model in (plain, calibrated)]
    assert losses[1] < losses[0] - 0.02
    np.testing.assert_array_equal(plain.score_samples(X), calibrated.score_samples(X))
    np.testing.assert_array_equal(plain.predict_joint_log_proba(X), calibrated.predict_joint_log_proba(X))


@pytest.mark.parametrize("n", [60, 600])  # rows of folds, and rows held out
def test_boosted_densities_are_calibrated_by_the_rows_they_left_out(n):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 2 * n)
    X = rng.normal(size=(4 * n, 1)) + y[:, None] + 0.5 * rng.normal(size=(4 * n, 10))
    train = np.arange(4 * n) % 2 == 0
    density = bw.BoostedDensity(preset="quick", n_trees=10, components=["forest"], random_state=0)
    model = bw.BayesClassifier(density).fit(X[train], y[train])
    assert model.calibration_.exponent < 0.9
    plain = bw.BayesClassifier(density, calibrate=False).fit(X[train], y[train])
    losses = [log_loss(y[~train], of.predict_proba(X[~train])) for of in (plain, model)]
    assert losses[1] < losses[0]


def zoo_of_classes():
    """Yield awkward tables of three classes: a name, rows and classes to learn, rows and classes unseen."""
    rng = np.random.default_rng(0)
    y = np.arange(600) % 3
    X = rng.normal(size=(600, 4)) + y[:, None] * (np.arange(4) < 2)
    gappy = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    wide = np.hstack([X, rng.normal(size=(600, 30))])
    tables = {"discrete": np.clip(np.round(X), -1.0, 1.0), "gaps": gappy, "wide": wide}
    for name, rows in tables.items():
        yield name, rows[:200], y[:200], rows[200:], y[200:]
    yield "tiny", X[:12], y[:12], X[200:], y[200:]


@pytest.mark.parametrize("table", list(zoo_of_classes()), ids=lambda table: table[0])
def test_boosted_densities_lose_next_to_nothing_by_their_calibration(table):
    _, X, y, new, truth = table
    density = bw.BoostedDensity(preset="quick", n_trees=10, components=["forest"], random_state=0)
    models = (bw.BayesClassifier(density, calibrate=how).fit(X, y) for how in (False, "auto"))
    plain, calibrated = (log_loss(truth, model.predict_proba(new)) for model in models)
    assert calibrated < plain + 0.03


def test_a_class_of_one_row_leaves_the_others_their_calibration():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 1)) + y[:, None] + 0.1 * rng.normal(size=(200, 8))
    y[7] = 2
    density = bw.BoostedDensity(preset="quick", n_trees=10, components=["forest"], random_state=0)
    model = bw.BayesClassifier(density).fit(X, y)
    assert model.calibration_.exponent < 0.9
    assert np.isfinite(model.predict_proba(X)).all()


def test_auto_leaves_formulas_as_they_are():
    X, y = TABLES["iris"]
    assert bw.BayesClassifier(bw.GaussianDensity()).fit(X, y).calibration_ is None
    assert bw.BayesClassifier(bw.GaussianDensity(), calibrate=True).fit(X, y).calibration_ is not None


def test_weight_two_is_the_row_twice():
    X, y = TABLES["redundant"]
    twice = np.arange(len(X)) % 3 == 0
    repeated = np.concatenate([X, X[twice]]), np.concatenate([y, y[twice]])
    one = bw.BayesClassifier(FOREST).fit(*repeated)
    other = bw.BayesClassifier(FOREST).fit(X, y, sample_weight=1.0 + twice)
    assert one.calibration_.exponent == pytest.approx(other.calibration_.exponent, rel=1e-4)


def test_copies_of_a_continuous_table_change_nothing():
    X, y = TABLES["redundant"]
    one = bw.BayesClassifier(FOREST).fit(X, y)
    other = bw.BayesClassifier(FOREST).fit(np.repeat(X, 2, axis=0), np.repeat(y, 2))
    assert one.calibration_.exponent == pytest.approx(other.calibration_.exponent, rel=1e-4)


def test_cross_fitted_scores_are_of_other_folds():
    X = np.random.default_rng(0).normal(size=(200, 2))
    X[0] = 8.0
    scores = cross_fitted_scores(bw.GaussianDensity(), bw.read_columns(X))
    seen = bw.GaussianDensity().fit(X).score_samples(X)
    without = bw.GaussianDensity().fit(X[1:]).score_samples(X[:1])[0]
    assert scores[0] == pytest.approx(without, rel=0.25)
    assert scores[0] < 1.4 * seen[0]
    assert np.isnan(cross_fitted_scores(bw.GaussianDensity(), bw.read_columns(X[:3]))).all()


def test_saved_and_loaded(tmp_path):
    X, y = TABLES["iris"]
    model = bw.BayesClassifier(FOREST).fit(X, y)
    model.save(tmp_path / "model.boxwood")
    loaded = bw.load(tmp_path / "model.boxwood")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.calibration_.exponent == model.calibration_.exponent
