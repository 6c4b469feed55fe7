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
from boxwood.datasets import load_penguins

PENGUINS = Path(__file__).parents[2] / "examples" / "penguins.csv"

DENSITIES = {
    "histogram": bw.Histogram(),
    "smoothed histogram": bw.Histogram(estimate="bayes"),
    "grid": bw.GridHistogram(),
    "Gaussian": bw.GaussianDensity(),
    "product of Gaussians": bw.ProductDensity(marginal="gaussian"),
    "product of trees": bw.ProductDensity(marginal=bw.DensityTree(margins="linear")),
    "tree": bw.DensityTree(),
    "tree with linear margins": bw.DensityTree(margins="linear"),
    "forest": bw.DensityForest(5, random_state=0),
    "forest with linear margins": bw.DensityForest(5, margins="linear", random_state=0),
    "neighbours": bw.NeighborDensity(),
    "normalised neighbours": bw.NeighborDensity(normalize=True),
}
# Seconds of CPU time on large tables. Every density runs in the fast part on iris, wine or the penguins.
SLOW_ON_LARGE = {
    "smoothed histogram",
    "product of trees",
    "tree with linear margins",
    "forest",
    "forest with linear margins",
    "normalised neighbours",
}
SLOW = {(name, kind) for name in ("cancer", "digits") for kind in SLOW_ON_LARGE} | {
    ("wine", "product of trees")
}
BOOSTED = bw.BoostedDensity(preset="quick", n_estimators=3, components=["forest"])


@cache
def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    if name == "digits":
        X, y = load_digits(return_X_y=True)
        return PCA(20, svd_solver="full").fit_transform(X)[:900], y[:900]
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
            marks = [pytest.mark.slow] if (name, kind) in SLOW else []
            listed.append(pytest.param(name, density, id=f"{name}-{kind}", marks=marks))
        marks = [] if name == "iris" else [pytest.mark.slow]
        listed.append(pytest.param(name, BOOSTED, id=f"{name}-boosted", marks=marks))
    return listed


@pytest.mark.parametrize(("name", "density"), cases())
def test_no_density_makes_a_classifier_worse_than_the_priors(name: str, density: Any) -> None:
    assert accuracy_in_folds(name, lambda: bw.BayesClassifier(density)) >= floor(name)


DEFAULTS: dict[str, Callable[[], Any]] = {
    "HistogramNB": bw.HistogramNB,
    "product": lambda: bw.BayesClassifier(bw.ProductDensity()),
}
# Two to three seconds of CPU time each; the other default runs on the same table.
SLOW_DEFAULTS = {("HistogramNB", "cancer"), ("product", "digits")}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        pytest.param(kind, name, marks=[pytest.mark.slow] if (kind, name) in SLOW_DEFAULTS else [])
        for kind in DEFAULTS
        for name in TABLES
    ],
)
def test_the_defaults_are_as_accurate_as_gaussian_naive_bayes(kind: str, name: str) -> None:
    make = DEFAULTS[kind]
    assert accuracy_in_folds(name, make) > max(gaussian(name) - 0.02, floor(name))


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
    assert (unknown > 0.4 * known).all()
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


@pytest.mark.parametrize("bins", ["loo", "shimazaki", "cv", "loo_likelihood"])
def test_shared_bins_suit_the_classes_and_not_their_mixture(bins: str) -> None:
    """The densities 2 − 2x and 2x of the notes: their mixture is uniform, for which one bin is best."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, 1000)
        root = np.sqrt(rng.random(1000))
        x = np.where(y == 1, root, 1.0 - root)[:, None]
        model = bw.BayesClassifier(bw.Histogram(bins=bins)).fit(x, y)
        assert len(model.densities_[0].counts_[0]) >= 3
        assert 1.0 - model.score(x, y) == pytest.approx(0.25, abs=0.04)


@pytest.mark.parametrize("density", [bw.ProductDensity(), bw.Histogram(), bw.GridHistogram()], ids=str)
def test_a_gap_in_a_column_without_gaps_leaves_the_other_columns(density: Any) -> None:
    table = load_penguins().frame.dropna()
    rows, species = table.drop(columns="species"), table["species"]
    model = bw.BayesClassifier(density).fit(rows, species)
    row = rows[species == "Gentoo"][:1]
    without = row.assign(sex=None)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "column 'sex'|.*density 0")
        found = model.predict_proba(without)
    assert found[0].max() > 0.9
    assert model.predict(row)[0] == model.classes_[found[0].argmax()] == "Gentoo"


def test_the_total_of_the_prior_has_the_highest_leave_one_out_likelihood() -> None:
    """The pens ten and a hundred times: 5/7 is approached as fast as that likelihood allows."""
    for times, expected in ((1, 0.552), (10, 0.695), (100, 0.712)):
        pens = (["marker"] * 5 + ["pen"] * 2) * times + (["marker"] * 2 + ["pen"] * 5) * times
        model = bw.HistogramNB().fit({"kind": pens}, ["red"] * 7 * times + ["white"] * 7 * times)
        assert model.predict_proba({"kind": ["marker"]})[0, 0] == pytest.approx(expected, abs=0.015)
