"""Class densities share the support of the whole table: five folds of real tables, with every density."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.model_selection import StratifiedKFold

import boxwood as bw

PENGUINS = Path(__file__).parents[2] / "examples" / "penguins.csv"

DENSITIES = {
    "histogram": bw.Histogram(),
    "smoothed histogram": bw.Histogram(estimate="bayes"),
    "grid": bw.GridHistogram(),
    "Gaussian": bw.GaussianDensity(),
    "product": bw.ProductDensity(),
    "product of Gaussians": bw.ProductDensity(marginal="gaussian"),
    "product of trees": bw.ProductDensity(marginal=bw.DensityTree(margins="linear")),
    "tree": bw.DensityTree(),
    "tree with linear margins": bw.DensityTree(margins="linear"),
    "forest": bw.DensityForest(5, random_state=0),
    "forest with linear margins": bw.DensityForest(5, margins="linear", random_state=0),
    "neighbours": bw.NeighborDensity(),
    "normalised neighbours": bw.NeighborDensity(normalize=True),
}
SLOW = {"product of trees", "forest", "forest with linear margins", "normalised neighbours"}
BOOSTED = bw.BoostedDensity(preset="quick", n_estimators=5)


@cache
def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    if name == "digits":
        X, y = load_digits(return_X_y=True)
        return PCA(20, svd_solver="full").fit_transform(X), y
    if name == "penguins":
        rows = pd.read_csv(PENGUINS)
        measures = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
        rows = rows.dropna(subset=measures)
        return rows[measures].to_numpy(np.float64), rows["species"].to_numpy(str)
    load = {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer}[name]
    return load(return_X_y=True)


TABLES = ["iris", "wine", "cancer", "digits", "penguins"]


def accuracy_in_folds(name: str, make: Callable[[], Any]) -> float:
    """Return the mean accuracy; every row within the training rows' range must be possible for a class."""
    X, y = table(name)
    found = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # small classes calibrate no p-value of 0.05
            model = make().fit(X[train], y[train])
            low, high = X[train].min(axis=0), X[train].max(axis=0)
            inside = X[test][((X[test] >= low) & (X[test] <= high)).all(axis=1)]
            assert np.isfinite(model.predict_joint_log_proba(inside)).any(axis=1).all()
            found.append(model.score(X[test], y[test]))
    return float(np.mean(found))


@cache
def floor(name: str) -> float:
    return float(np.mean(table(name)[1] == bw.PriorClassifier().fit(*table(name)).predict(table(name)[0])[0]))


@cache
def gaussian(name: str) -> float:
    return accuracy_in_folds(name, bw.GaussianNB)


def cases() -> list[Any]:
    listed = []
    for name in TABLES:
        for kind, density in DENSITIES.items():
            marks = [pytest.mark.slow] if kind in SLOW and name in ("cancer", "digits") else []
            listed.append(pytest.param(name, density, id=f"{name}-{kind}", marks=marks))
        marks = [] if name == "iris" else [pytest.mark.slow]
        listed.append(pytest.param(name, BOOSTED, id=f"{name}-boosted", marks=marks))
    return listed


@pytest.mark.parametrize(("name", "density"), cases())
def test_no_density_makes_a_classifier_worse_than_the_priors(name: str, density: Any) -> None:
    assert accuracy_in_folds(name, lambda: bw.BayesClassifier(density)) >= floor(name)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    "make", [bw.HistogramNB, lambda: bw.BayesClassifier(bw.ProductDensity())], ids=["HistogramNB", "product"]
)
def test_the_defaults_are_as_accurate_as_gaussian_naive_bayes(name: str, make: Callable[[], Any]) -> None:
    assert accuracy_in_folds(name, make) > gaussian(name) - 0.02


@pytest.mark.parametrize("name", TABLES)
def test_simulated_rows_have_the_means_and_spreads_of_their_class(name: str) -> None:
    X, y = table(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = bw.HistogramNB().fit(X, y)
    for label in np.unique(y):
        rows, drawn = X[y == label], model.sample(20_000, y=label, random_state=0)
        mean, spread = rows.mean(axis=0), rows.std(axis=0)
        varies = spread > 0.0
        shift = np.abs(drawn.mean(axis=0) - mean)[varies] / spread[varies]
        assert shift.max() < 0.1
        np.testing.assert_allclose(drawn.std(axis=0)[varies], spread[varies], rtol=0.15)


MIXED = {
    "forest": bw.BayesClassifier(bw.DensityForest(5, random_state=0)),
    "tree": bw.BayesClassifier(bw.DensityTree()),
    "product": bw.BayesClassifier(bw.ProductDensity()),
    "product of Gaussians": bw.BayesClassifier(bw.ProductDensity(marginal="gaussian")),
    "histogram": bw.BayesClassifier(bw.Histogram()),
    "grid": bw.BayesClassifier(bw.GridHistogram(bins=2, max_cells=10**5)),
    "HistogramNB": bw.HistogramNB(),
}


@pytest.mark.parametrize("model", MIXED.values(), ids=MIXED.keys())
def test_a_gap_that_a_class_never_showed_has_the_probability_of_the_table(model: Any, tmp_path: Path) -> None:
    """No Chinstrap has an unknown sex: a penguin with one must not stop being a Chinstrap."""
    rows = pd.read_csv(PENGUINS)
    X, y = rows.drop(columns="species"), rows["species"]
    some = X[y == "Chinstrap"].iloc[:5]
    assert not some["sex"].isna().any()
    assert X["sex"].isna().any()
    assert not X["sex"][y == "Chinstrap"].isna().any()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        fitted = model.fit(X, y)
        known = fitted.predict_proba(some)[:, 1]
        unknown = fitted.predict_proba(some.assign(sex=None))[:, 1]
        fitted.save(tmp_path / "model")
        again = bw.load(tmp_path / "model").predict_proba(some.assign(sex=None))[:, 1]
    assert (unknown > 0.8 * known).all()
    np.testing.assert_array_equal(again, unknown)


def test_gaussians_give_a_gap_the_probability_of_the_table() -> None:
    X, y = table("iris")
    X = X.copy()
    X[(y == 0) & (np.arange(150) % 5 == 0), 2] = np.nan  # one row in 15; only setosa has gaps
    model = bw.BayesClassifier(bw.GaussianDensity()).fit(X, y)
    rate = np.isnan(X[:, 2]).mean()
    for density in model.densities_[1:]:
        assert density.gaps_.rates == pytest.approx([0.0, 0.0, rate, 0.0])
    row = X[y == 2][:1].copy()
    row[0, 2] = np.nan
    assert model.predict_proba(row)[0, 2] > 0.5


def test_values_beyond_the_range_count_as_its_ends() -> None:
    model = bw.BayesClassifier(bw.ProductDensity()).fit(*table("iris"))
    low, high = table("iris")[0].min(axis=0), table("iris")[0].max(axis=0)
    beyond = np.array([[5.0, 3.0, 1.4, -3.0], [6.5, 3.0, 9.0, 2.0]])
    assert np.isneginf(model.score_samples(beyond)).all()
    np.testing.assert_array_equal(model.predict_proba(beyond), model.predict_proba(beyond.clip(low, high)))
