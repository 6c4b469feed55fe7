"""Searches over hyper-parameters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold

import boxwood as bw

ROOT = Path(__file__).parents[2]
PENGUINS = ROOT / "examples" / "penguins.csv"
RNG = np.random.default_rng(0)
X, y = load_iris(return_X_y=True)
GAUSSIAN = bw.BayesClassifier(bw.GaussianDensity())


def test_a_density_is_searched_as_scikit_learn_would():
    folds = KFold(4, shuffle=True, random_state=1)
    grid = [
        {"covariance_type": ["diag", "spherical"]},
        {"covariance_type": ["full"], "shrinkage": [None, 0.1, 0.5, 0.9]},
    ]
    found = bw.grid_search(bw.GaussianDensity(), grid, X, cv=folds)
    peer = GridSearchCV(bw.GaussianDensity(), grid, cv=folds, scoring=bw.log_likelihood_scorer(-1e9)).fit(X)
    assert found.params == peer.cv_results_["params"]
    np.testing.assert_allclose(-found.losses, peer.cv_results_["mean_test_score"])
    assert found.best_params == peer.best_params_
    np.testing.assert_allclose(found.best_estimator.score_samples(X), peer.best_estimator_.score_samples(X))
    frame = found.frame
    assert frame["chosen"].sum() == 1
    np.testing.assert_allclose(frame["optimism"], frame["loss"] - frame["train_loss"])
    assert repr(found).startswith("best of 6 by log_likelihood")


@pytest.mark.parametrize("scoring", ["log_loss", "error"])
def test_a_classifier_is_searched_as_scikit_learn_would(scoring):
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    grid = {"density__covariance_type": ["full", "diag"], "priors": [None, [0.8, 0.1, 0.1]]}
    found = bw.grid_search(GAUSSIAN, grid, X, y, cv=folds, scoring=scoring)
    peer_scoring = {"log_loss": "neg_log_loss", "error": "accuracy"}[scoring]
    peer = GridSearchCV(GAUSSIAN, grid, cv=folds, scoring=peer_scoring).fit(X, y)
    expected = peer.cv_results_["mean_test_score"]
    np.testing.assert_allclose(found.losses, -expected if scoring == "log_loss" else 1.0 - expected)
    assert found.losses[found.best_index] == found.losses.min()
    assert found.best_estimator.classes_.tolist() == [0, 1, 2]
    assert (found.train_losses < 0.2).any()


def test_tables_of_any_kind_and_parameters_of_any_type():
    table = pd.read_csv(PENGUINS)
    species = table.pop("species")
    model = bw.BayesClassifier(bw.DensityTree(margins="smooth"))
    grid = [{"density__max_depth": [1, 4]}, {"density": [bw.Histogram(estimate="bayes")]}]
    found = bw.grid_search(model, grid, pl.from_pandas(table), species, cv=3)
    assert isinstance(found.frame, pl.DataFrame)
    assert found.frame.columns[:2] == ["density", "density__max_depth"]
    assert len(found.frame) == 3
    from_file = bw.grid_search(bw.DensityTree(), {"max_depth": [1, 2]}, PENGUINS, cv=2)
    assert from_file.best_params["max_depth"] in (1, 2)
    assert not hasattr(model, "schema_")


def test_one_standard_error_prefers_what_comes_first():
    rows = RNG.normal(size=(200, 1))
    grid = {"bins": [4, 6, 8, 10, 12, 14]}
    best = bw.grid_search(bw.Histogram(range=(-6, 6), estimate="bayes"), grid, rows)
    simple = bw.grid_search(
        bw.Histogram(range=(-6, 6), estimate="bayes"), grid, rows, one_standard_error=True
    )
    allowed = best.losses.min() + best.spreads[best.best_index] / np.sqrt(5)
    assert simple.best_index == np.flatnonzero(best.losses <= allowed)[0]
    assert simple.best_index <= best.best_index


def test_weights_are_frequencies():
    weights = RNG.integers(1, 3, 150)
    folds = [(np.arange(0, 150, 2), np.arange(1, 150, 2))]
    copies = np.repeat(np.arange(150), weights)
    again = [tuple(np.flatnonzero(np.isin(copies, part)) for part in fold) for fold in folds]
    grid = {"covariance_type": ["full", "diag"]}
    one = bw.grid_search(bw.GaussianDensity(), grid, X, cv=folds, sample_weight=weights)
    two = bw.grid_search(bw.GaussianDensity(), grid, X[copies], cv=again)
    np.testing.assert_allclose(one.losses, two.losses)
    np.testing.assert_allclose(one.best_estimator.mean_, two.best_estimator.mean_)


@pytest.mark.parametrize(
    ("estimator", "scoring", "error", "message"),
    [
        (bw.GaussianDensity(), "error", ValueError, "scoring of a GaussianDensity must be 'log_likelihood'"),
        (GAUSSIAN, "accuracy", ValueError, "must be 'log_loss' or 'error'; got 'accuracy'"),
        (
            bw.DecisionTreeRegressor(),
            None,
            TypeError,
            "takes densities of boxwood's and classifiers",
        ),
    ],
)
def test_errors(estimator, scoring, error, message):
    with pytest.raises(error, match=message):
        bw.grid_search(estimator, {"x": [1]}, X, y, scoring=scoring)
