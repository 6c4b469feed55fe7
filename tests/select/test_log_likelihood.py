"""Cross-validated log-likelihood and the score of searches."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold, LeaveOneOut, cross_val_score

import boxwood as bw

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 2)) @ [[1.0, 0.5], [0.0, 1.0]]


def test_it_is_what_a_loop_would_find():
    folds = KFold(4, shuffle=True, random_state=3)
    found = bw.cross_val_log_likelihood(bw.GaussianDensity(), X, cv=folds, floor=None)
    loop = [(bw.GaussianDensity().fit(X[a]), a, b) for a, b in folds.split(X)]
    np.testing.assert_allclose(found.test_scores, [model.score(X[b]) for model, _, b in loop])
    np.testing.assert_allclose(found.train_scores, [model.score(X[a]) for model, a, _ in loop])
    assert found.mean == pytest.approx(found.test_scores.mean())
    assert found.std**2 == pytest.approx(found.variance) == pytest.approx(np.var(found.test_scores, ddof=1))
    assert found.optimism == pytest.approx(found.train_scores.mean() - found.mean)
    assert found.floor == -np.inf
    assert found.n_floored == 0
    assert "optimism" in repr(found)


def test_a_deep_tree_is_optimistic():
    deep = bw.cross_val_log_likelihood(bw.DensityTree(prune=None, min_samples_split=2), X)
    pruned = bw.cross_val_log_likelihood(bw.DensityTree(), X)
    assert deep.optimism > pruned.optimism + 0.5
    assert deep.mean < pruned.mean


def test_a_row_outside_the_box_counts_as_the_floor():
    far = np.vstack([X, [[50.0, 50.0]]])
    without = bw.cross_val_log_likelihood(bw.DensityTree(), far, floor=None)
    assert without.mean == -np.inf
    found = bw.cross_val_log_likelihood(bw.DensityTree(), far)
    assert np.isfinite(found.test_scores).all()
    assert found.n_floored >= 1
    assert found.floor == pytest.approx(-2.0 * np.log(202) - np.log(np.ptp(far, axis=0)).sum())
    given = bw.cross_val_log_likelihood(bw.DensityTree(), far, floor=-100.0)
    assert given.floor == -100.0
    assert given.mean < found.mean


def test_the_floor_follows_a_change_of_units():
    far = np.vstack([X, [[50.0, 50.0]]])
    folds = KFold(5, shuffle=True, random_state=0)  # those of a number depend on the rows' content
    one = bw.cross_val_log_likelihood(bw.DensityTree(), far, cv=folds)
    two = bw.cross_val_log_likelihood(bw.DensityTree(), far * 1024.0, cv=folds)
    np.testing.assert_allclose(two.test_scores, one.test_scores - 2.0 * np.log(1024.0), atol=1e-6)
    assert one.n_floored == two.n_floored


def test_the_floor_of_every_kind_of_column():
    table = pd.DataFrame(
        {
            "number": [0.5, 4.5, np.nan],
            "whole": [1, 5, 3],
            "label": ["a", "b", "a"],
            "flag": [True, True, True],
            "constant": [2.5, 2.5, 2.5],
            "nothing": [np.nan, np.nan, np.nan],
        }
    )
    scorer = bw.log_likelihood_scorer()
    density = bw.DensityTree().fit(table)
    # No row is impossible here, so that the floor is asked for with one that is.
    impossible = table.assign(number=[1e6 + 0.5, 1e6 + 4.5, np.nan])
    floor = -2.0 * np.log(4.0) - np.log(4.0) - np.log(5.0) - np.log(2.0)
    scores = density.score_samples(impossible)
    assert np.isneginf(scores[:2]).all()
    expected = np.maximum(scores, floor).mean()
    assert scorer(density, impossible) == pytest.approx(expected)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, bw.read_columns, dict])
def test_tables_of_any_container(make):
    data = {"x": X[:, 0], "y": (X[:, 1] > 0).tolist(), "z": [["u", "v", None][i % 3] for i in range(200)]}
    expected = bw.cross_val_log_likelihood(bw.DensityTree(), pd.DataFrame(data))
    found = bw.cross_val_log_likelihood(bw.DensityTree(), make(data))
    np.testing.assert_array_equal(found.test_scores, expected.test_scores)


def test_weights_count_in_training_and_in_the_score():
    folds = [(np.arange(100), np.arange(100, 200)), (np.arange(100, 200), np.arange(100))]
    weights = RNG.integers(1, 4, 200)
    repeated_folds = [
        tuple(np.flatnonzero(np.isin(np.repeat(np.arange(200), weights), part)) for part in fold)
        for fold in folds
    ]
    one = bw.cross_val_log_likelihood(bw.DensityTree(), X, cv=folds, sample_weight=weights)
    two = bw.cross_val_log_likelihood(bw.DensityTree(), np.repeat(X, weights, axis=0), cv=repeated_folds)
    np.testing.assert_allclose(one.test_scores, two.test_scores, rtol=1e-12)
    np.testing.assert_allclose(one.train_scores, two.train_scores, rtol=1e-12)
    assert one.floor == pytest.approx(two.floor)


def test_the_estimator_is_not_changed_and_folds_repeat():
    tree = bw.DensityTree()
    one, two = (bw.cross_val_log_likelihood(tree, X) for _ in range(2))
    np.testing.assert_array_equal(one.test_scores, two.test_scores)
    assert not hasattr(tree, "schema_")
    other = bw.cross_val_log_likelihood(tree, X, random_state=1)
    assert not np.array_equal(one.test_scores, other.test_scores)


def test_a_search_chooses_among_densities_of_zero():
    scorer = bw.log_likelihood_scorer()
    search = GridSearchCV(
        bw.DensityTree(), {"prune": [None, "loo"], "max_depth": [2, 20]}, scoring=scorer, cv=4
    )
    search.fit(pd.DataFrame(X, columns=["a", "b"]))
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_params_["prune"] == "loo"
    plain = cross_val_score(bw.GaussianDensity(), X, cv=3)
    np.testing.assert_allclose(cross_val_score(bw.GaussianDensity(), X, cv=3, scoring=scorer), plain)


def test_the_scorer_weighs_rows():
    scorer, density = bw.log_likelihood_scorer(floor=-1e9), bw.GaussianDensity().fit(X)
    weights = RNG.integers(0, 3, 200)
    expected = density.score(X, sample_weight=weights)
    assert scorer(density, X, sample_weight=weights) == pytest.approx(expected)
    assert pickle.loads(pickle.dumps(scorer)).floor == -1e9
    assert repr(scorer) == "log_likelihood_scorer(floor=-1000000000.0)"


@pytest.mark.parametrize("floor", ["low", np.nan, np.inf, -np.inf, True, [1.0]])
def test_a_floor_is_a_number(floor):
    with pytest.raises(ValueError, match='floor must be "range", a finite number or None'):
        bw.log_likelihood_scorer(floor)
    with pytest.raises(ValueError, match="floor must be"):
        bw.cross_val_log_likelihood(bw.GaussianDensity(), X, floor=floor)


FIXED = [
    bw.GaussianDensity(duplicates="evidence"),
    bw.GaussianDensity(covariance_type="diag", duplicates="evidence"),
    bw.Histogram(bins=5, range=(-5, 5), estimate="bayes", duplicates="evidence"),
    bw.GridHistogram(bins=4, range=(-5, 5), estimate="bayes", duplicates="evidence"),
    bw.ProductDensity(marginal="gaussian", duplicates="evidence"),
]


@pytest.mark.parametrize("density", FIXED, ids=lambda density: type(density).__name__)
@pytest.mark.parametrize("weighted", [False, True])
def test_one_row_left_out_by_formula_is_brute_force(density, weighted):
    rows, weights = X[:40], RNG.integers(1, 3, 40) if weighted else None
    found = bw.cross_val_log_likelihood(density, rows, cv="loo", sample_weight=weights, floor=None)
    copies = np.repeat(np.arange(40), weights) if weighted else np.arange(40)
    table = rows[copies]
    brute = [
        clone(density).fit(np.delete(table, i, axis=0)).score_samples(table[i : i + 1])[0]
        for i in range(len(table))
    ]
    np.testing.assert_allclose(found.test_scores[copies], brute, rtol=1e-8)
    assert found.mean == pytest.approx(np.mean(brute))
    assert found.variance == pytest.approx(np.var(brute, ddof=1))
    assert found.optimism == pytest.approx(clone(density).fit(table).score(table) - np.mean(brute))


@pytest.mark.parametrize("weighted", [False, True])
def test_where_there_is_no_formula_rows_are_left_out_in_turn(weighted):
    weights = np.array([1.0, 2.0, 1.0] * 8) if weighted else None
    found = bw.cross_val_log_likelihood(
        bw.DensityTree(margins="smooth"), X[:24], cv=LeaveOneOut(), sample_weight=weights
    )
    keep = np.arange(24) != 1  # a continuous row leaves with all its copies
    model = bw.DensityTree(margins="smooth").fit(
        X[:24][keep], sample_weight=None if weights is None else weights[keep]
    )
    assert found.test_scores[1] == pytest.approx(model.score_samples(X[1:2])[0])


def test_a_validation_part():
    found = bw.cross_val_log_likelihood(bw.GaussianDensity(), X, cv=0.25)
    assert found.test_scores.shape == (1,)
    assert np.isnan(found.std)
    assert "1 fold," in repr(found)
    with pytest.raises(ValueError, match=r"cv: the fraction of rows to hold out must lie in \(0, 1\)"):
        bw.cross_val_log_likelihood(bw.GaussianDensity(), X, cv=1.5)
    with pytest.raises(ValueError, match="cv must be a number"):
        bw.cross_val_log_likelihood(bw.GaussianDensity(), X, cv="five")
