"""Bayes' rule over any density."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.discriminant_analysis
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

import boxwood as bw
from boxwood.evidence import share_measure
from properties import examples

ROOT = Path(__file__).parents[2]
PENGUINS = ROOT / "examples" / "penguins.csv"
RNG = np.random.default_rng(0)
X, y = load_iris(return_X_y=True)
CONTINUOUS = X + RNG.uniform(-0.05, 0.05, X.shape)

DENSITIES = [
    bw.GaussianDensity(),
    bw.Histogram(estimate="bayes"),
    bw.GridHistogram(bins=4, estimate="bayes"),
    bw.ProductDensity(marginal="gaussian"),
    bw.DensityTree(margins="smooth"),
    bw.DensityForest(n_estimators=5, random_state=0),
]


def name_of(density):
    return type(density).__name__


@pytest.fixture(scope="module")
def penguins():
    table = pd.read_csv(PENGUINS)
    return table.drop(columns="species"), table["species"].to_numpy()


@pytest.mark.parametrize("density", DENSITIES, ids=name_of)
def test_the_posterior_is_bayes_rule(density):
    X = CONTINUOUS  # of rounded values classes have atoms in common, which a density alone would not have
    if "bounds" in density.get_params():  # where values end at zero, too, is found on all classes
        density = clone(density).set_params(bounds=dict.fromkeys(range(X.shape[1]), (None, None)))
        density.set_params(missing="ignore")  # and gaps have the same probability in all
    model = bw.BayesClassifier(density, calibrate=False).fit(X, y)
    parts = [np.flatnonzero(y == k) for k in range(3)]
    shared = share_measure(bw.read_columns(X), parts)  # bins are those of the whole table
    joint = np.column_stack(
        [
            np.exp(clone(density).fit(shared.take(part)).score_samples(X)) * np.mean(y == k)
            for k, part in enumerate(parts)
        ]
    )
    total = joint.sum(axis=1)
    there = total > 0
    expected = joint[there] / total[there, None]
    np.testing.assert_allclose(model.predict_proba(X[there]), expected, atol=1e-9)
    np.testing.assert_allclose(np.exp(model.score_samples(X)), total, rtol=1e-9)
    np.testing.assert_array_equal(model.predict(X[there]), expected.argmax(axis=1))
    assert model.priors_ == pytest.approx([1 / 3] * 3)


def test_with_a_gaussian_it_is_quadratic_discriminant_analysis():
    model = bw.BayesClassifier(bw.GaussianDensity()).fit(X, y)
    quadratic = bw.QuadraticDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(
        model.predict_log_proba(X), quadratic.predict_log_proba(X), rtol=1e-7, atol=1e-7
    )
    peer = sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), peer.predict(X))


def test_with_a_product_of_gaussians_it_is_naive_bayes():
    model = bw.BayesClassifier(bw.ProductDensity(marginal="gaussian")).fit(X, y)
    naive = bw.GaussianNB(var_smoothing=0.0).fit(X, y)
    np.testing.assert_allclose(model.predict_log_proba(X), naive.predict_log_proba(X), rtol=1e-7, atol=1e-7)


def test_uniform_priors_give_the_maximum_likelihood_rule():
    part = np.r_[0:50, 50:60, 100:150]
    model = bw.BayesClassifier(bw.GaussianDensity(), priors="uniform").fit(X[part], y[part])
    likelihoods = np.column_stack([density.score_samples(X) for density in model.densities_])
    np.testing.assert_array_equal(model.predict(X), likelihoods.argmax(axis=1))
    given = bw.BayesClassifier(bw.GaussianDensity(), priors=[0.5, 0.25, 0.25]).fit(X[part], y[part])
    joint = given.predict_joint_log_proba(X)
    np.testing.assert_allclose(joint - likelihoods, np.log([[0.5, 0.25, 0.25]] * 150))


def test_bayes_error_of_two_triangles():
    """p(x|0) = 2 − 2x and p(x|1) = 2x cross at ½, where the rule errs with probability ¼."""
    u = (np.arange(20_000) + 0.5) / 20_000
    table = np.concatenate([1.0 - np.sqrt(1.0 - u), np.sqrt(u)])[:, None]  # quantiles of both
    labels = np.repeat([0, 1], 20_000)
    model = bw.BayesClassifier(bw.Histogram(bins=np.linspace(0, 1, 51))).fit(table, labels)
    x = (np.arange(1000) + 0.5)[:, None] / 1000
    posterior = model.predict_proba(x)[:, 1]
    np.testing.assert_allclose(posterior, np.floor(x[:, 0] * 50) / 50 + 0.01, atol=2e-3)  # x, in bins
    assert np.mean(model.predict(table) != labels) == pytest.approx(0.25, abs=1e-3)
    t = x[:, 0][np.argmax(model.predict(x) == 1)]
    assert t == pytest.approx(0.5, abs=1e-3)
    # 1 − max p, averaged over the rows' own density, which is level here.
    assert np.mean(1.0 - model.predict_proba(x).max(axis=1)) == pytest.approx(0.25, abs=1e-3)


def test_the_pens():
    """p(marker|red) = 5/7, p(marker|blue) = 2/7, equal priors: p(red|marker) = 5/7."""
    table = {"kind": ["marker"] * 5 + ["ballpoint"] * 2 + ["marker"] * 2 + ["ballpoint"] * 5}
    colours = ["red"] * 7 + ["blue"] * 7
    model = bw.BayesClassifier(bw.Histogram()).fit(table, colours)
    marker = {"kind": ["marker"]}
    assert model.classes_.tolist() == ["blue", "red"]
    np.testing.assert_allclose(model.predict_proba(marker), [[2 / 7, 5 / 7]])
    assert model.predict(marker).tolist() == ["red"]


def test_rows_that_no_class_explains_get_the_priors_and_a_warning():
    model = bw.BayesClassifier(bw.Histogram()).fit({"kind": ["a", "a", "b", "c"]}, [0, 0, 0, 1])
    rows = {"kind": ["a", "never seen"]}
    with pytest.warns(UserWarning, match="1 of 2 rows, row 1 the first, have density zero under every class"):
        predicted = model.predict_proba(rows)
    assert predicted[0, 0] > 0.75
    np.testing.assert_allclose(predicted[1], [0.75, 0.25])
    with pytest.warns(UserWarning, match="density zero"):
        assert model.predict(rows).tolist() == [0, 0]
    with pytest.warns(UserWarning, match="density zero"):
        np.testing.assert_allclose(model.predict_log_proba(rows)[1], np.log([0.75, 0.25]))
    assert np.isneginf(model.score_samples(rows)[1])


def test_far_rows_keep_their_digits():
    model = bw.BayesClassifier(bw.GaussianDensity()).fit(
        [[-1.0], [0.0], [1.0], [2.0], [3.0], [4.0]], [0] * 3 + [1] * 3
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        logs = model.predict_log_proba([[-1000.0]])
    assert np.exp(model.score_samples([[-1000.0]])) == 0.0  # the densities underflow, their ratio does not
    assert logs[0, 1] < -1000.0
    assert logs[0, 0] == 0.0


@pytest.mark.parametrize("density", DENSITIES, ids=name_of)
def test_weight_two_is_the_row_twice(density):
    weights = RNG.integers(0, 3, len(X))
    weights[:10] = 1
    weighted = bw.BayesClassifier(density).fit(X, y, sample_weight=weights)
    repeated = bw.BayesClassifier(density).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-9)
    np.testing.assert_allclose(weighted.class_count_, repeated.class_count_)


def test_a_class_without_weight_does_not_exist():
    model = bw.BayesClassifier(bw.GaussianDensity()).fit(X, y, sample_weight=(y != 1).astype(float))
    assert model.classes_.tolist() == [0, 2]


@pytest.mark.parametrize("density", DENSITIES, ids=name_of)
def test_row_order_leaves_no_trace(density):
    order = RNG.permutation(len(X))
    one, two = (bw.BayesClassifier(density).fit(X[rows], y[rows]) for rows in (np.arange(len(X)), order))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(X), atol=1e-9)


def test_frames_with_categories_and_missing_values(penguins):
    table, species = penguins
    forest = bw.DensityForest(n_estimators=20, random_state=0)
    model = bw.BayesClassifier(forest).fit(table, species)
    assert model.score(table, species) > 0.98
    assert model.feature_names_in_.tolist() == table.columns.tolist()
    frame = pl.from_pandas(table.convert_dtypes())  # whole floats with gaps as the integers that they are
    of_frame = bw.BayesClassifier(forest).fit(frame, species)
    np.testing.assert_allclose(of_frame.predict_proba(frame), model.predict_proba(table))
    nothing = pl.DataFrame({name: pl.Series([None, None], dtype=frame[name].dtype) for name in frame.columns})
    ignoring = bw.BayesClassifier(forest.set_params(missing="ignore")).fit(frame, species)
    np.testing.assert_allclose(ignoring.predict_proba(nothing), [model.priors_] * 2, atol=1e-9)
    # As events gaps speak for the species that have some, in `sex` and in measurements: one Adelie and one
    # Gentoo lack them all, no Chinstrap lacks any.
    adelie, chinstrap, gentoo = of_frame.predict_joint_log_proba(nothing)[0]
    assert min(adelie, gentoo) > chinstrap + 5.0
    assert abs(adelie - gentoo) < 1.5


def test_a_gap_that_no_class_has_shown_says_nothing():
    rng = np.random.default_rng(0)
    table, labels = rng.normal(size=(300, 2)), np.repeat([0, 1], [50, 250])
    model = bw.BayesClassifier(bw.DensityForest(5, random_state=0), calibrate=False).fit(table, labels)
    np.testing.assert_allclose(model.predict_proba([[np.nan, np.nan]])[0], model.priors_, atol=1e-9)


def test_classes_are_measured_alike():
    """A value that is an atom for one class, and one of many for the other, must not be compared across."""
    constant, spread = np.zeros(300), RNG.uniform(-1e-3, 1e-3, 300)
    table = np.concatenate([constant, spread])[:, None]
    labels = np.repeat(["constant", "spread"], 300)
    forest = bw.DensityForest(n_estimators=5, random_state=0)
    boosted = bw.BoostedDensity("quick", random_state=0)
    for density in (bw.DensityTree(), bw.DensityTree(margins="smooth"), forest, boosted):
        model = bw.BayesClassifier(density).fit(table, labels)
        predicted = model.predict_proba([[0.0], [5e-4]])
        # Without a shared measure the density of the spread class, hundreds, would beat a probability of 1.
        assert predicted[0, 0] > 0.99
        assert predicted[1, 1] > 0.99
        atoms = [density.margins_.columns[0].atoms.tolist() for density in model.densities_]
        assert atoms == [[0.0], [0.0]]


def test_simulated_rows(penguins):
    table, species = penguins
    model = bw.BayesClassifier(bw.DensityTree(margins="smooth", random_state=0)).fit(table, species)
    gentoo = model.sample(200, y="Gentoo", random_state=0)
    assert gentoo.columns.tolist() == table.columns.tolist()
    assert np.mean(model.predict(gentoo) == "Gentoo") > 0.95
    rows, labels = model.sample(500, random_state=1, return_y=True)
    assert np.mean(model.predict(rows) == labels) > 0.95
    fractions = [np.mean(labels == label) for label in model.classes_]
    np.testing.assert_allclose(fractions, model.priors_, atol=0.07)
    wanted = np.array(["Gentoo", "Adelie", "Gentoo"])
    rows, labels = model.sample(3, y=wanted, random_state=1, return_y=True)
    np.testing.assert_array_equal(labels, wanted)
    assert model.predict(rows).tolist() == wanted.tolist()
    again = model.sample(200, y="Gentoo", random_state=0)
    pd.testing.assert_frame_equal(gentoo, again)
    with pytest.raises(ValueError, match="y, row 0: 'Emperor' is not one of the known classes"):
        model.sample(1, y="Emperor")
    with pytest.raises(ValueError, match="y has 2 entries for 3 rows"):
        model.sample(3, y=["Gentoo", "Adelie"])
    with pytest.raises(ValueError, match="n_samples must be a positive integer"):
        model.sample(0)


def test_p_values_tell_rows_that_no_class_explains():
    rng = np.random.default_rng(3)
    centres = np.array([[0.0, 0.0], [6.0, 0.0]])
    labels = rng.integers(0, 2, 2000)
    table = rng.normal(size=(2000, 2)) + centres[labels]
    model = bw.BayesClassifier(bw.GaussianDensity()).fit(table, labels)
    new_labels = rng.integers(0, 2, 4000)
    new = rng.normal(size=(4000, 2)) + centres[new_labels]
    by_class = model.class_p_values(new)
    own = by_class[np.arange(4000), new_labels]
    for level in (0.01, 0.05, 0.2):
        assert np.mean(own <= level) == pytest.approx(level, abs=0.02)
        assert np.mean(model.p_values(new) <= level) <= level + 0.02
    np.testing.assert_array_equal(model.p_values(new), by_class.max(axis=1))
    assert model.p_values([[3.0, 9.0]])[0] < 0.002
    # Between the classes the posterior knows nothing, and far away it is sure: p-values tell these apart.
    assert model.predict_proba([[60.0, 0.0]]).max() > 0.99
    assert model.p_values([[60.0, 0.0]])[0] < 0.002


IN_PARTS = [bw.GaussianDensity(), bw.Histogram(bins=5, range=(0, 8), estimate="bayes")]


@pytest.mark.parametrize("density", IN_PARTS, ids=name_of)
def test_parts_make_the_whole(density):
    whole = bw.BayesClassifier(density).fit(X, y)
    model = bw.BayesClassifier(density)
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        model.partial_fit(X[:50], y[:50])
    model.partial_fit(X[:60], y[:60], classes=[0, 1, 2])
    assert model.densities_[2] is None
    assert model.predict_proba(X[:5])[:, 2].tolist() == [0.0] * 5
    assert (model.class_p_values(X)[:, 2] == 0.0).all()
    with pytest.raises(ValueError, match="the class 2 has no rows"):
        model.sample(1, y=2)
    model.partial_fit(X[60:], y[60:])
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), atol=1e-8)
    np.testing.assert_allclose(model.class_count_, whole.class_count_)
    with pytest.raises(ValueError, match="is not the same as on last call"):
        model.partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="y, row 0: 9 is not one of the known classes"):
        model.partial_fit(X[:1], [9])


def test_no_parts_where_the_density_needs_all_rows():
    assert not hasattr(bw.BayesClassifier(), "partial_fit")
    assert not hasattr(bw.BayesClassifier(bw.DensityTree()), "partial_fit")
    with pytest.raises(AttributeError, match="this DensityTree has no partial_fit"):
        bw.BayesClassifier(bw.DensityTree()).partial_fit  # noqa: B018


def test_the_density_inside_can_be_searched(penguins):
    table, species = penguins
    grid = {"density__max_depth": [1, 6], "priors": [None, "uniform"]}
    model = bw.BayesClassifier(bw.DensityTree(margins="smooth", random_state=0))
    search = GridSearchCV(model, grid, cv=3, scoring="neg_log_loss").fit(table, species)
    assert search.best_params_["density__max_depth"] in (1, 6)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_estimator_.density.max_depth == search.best_params_["density__max_depth"]


@pytest.mark.parametrize("density", [None, *DENSITIES], ids=name_of)
def test_saved_loaded_and_pickled(density, tmp_path):
    labels = np.array(["setosa", "versicolor", "virginica"])[y]
    model = bw.BayesClassifier(density, priors="uniform").fit(X, labels)
    model.save(tmp_path / "m.boxwood")
    for again in (bw.load(tmp_path / "m.boxwood"), pickle.loads(pickle.dumps(model))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        np.testing.assert_array_equal(again.p_values(X), model.p_values(X))
        np.testing.assert_array_equal(
            again.sample(5, y="setosa", random_state=0), model.sample(5, y="setosa", random_state=0)
        )
        assert again.priors == "uniform"


def test_a_half_seen_model_can_be_saved(tmp_path):
    model = bw.BayesClassifier(bw.GaussianDensity()).partial_fit(X[:60], y[:60], classes=[0, 1, 2])
    model.save(tmp_path / "m.boxwood")
    again = bw.load(tmp_path / "m.boxwood")
    assert again.densities_[2] is None
    again.partial_fit(X[60:], y[60:])
    np.testing.assert_allclose(
        again.predict_proba(X), bw.BayesClassifier(bw.GaussianDensity()).fit(X, y).predict_proba(X), atol=1e-8
    )


def test_a_file_whose_classes_lack_their_densities_is_refused(tmp_path):
    model = bw.BayesClassifier(bw.GaussianDensity()).fit(X, y)
    model.densities_[1] = None
    model.save(tmp_path / "m.boxwood")
    with pytest.raises(bw.ModelFileError, match="densities are not those of the classes that have rows"):
        bw.load(tmp_path / "m.boxwood")


def test_a_density_set_after_the_fit_is_not_saved(tmp_path):
    model = bw.BayesClassifier(bw.GaussianDensity()).fit(X, y).set_params(density=bw.DensityTree())
    with pytest.raises(bw.ModelFileError, match="density was changed since the fit"):
        model.save(tmp_path / "m.boxwood")


@pytest.mark.parametrize(
    ("priors", "message"),
    [
        ("equal", 'priors must be None, "uniform" or one number a class'),
        ([0.5, 0.6, 0.2], "should be 1; it is 1.3"),
        ([1.5, -0.5, 0.0], "finite and non-negative"),
        ([0.5, 0.5], "Number of priors must match number of classes"),
        ({"a": 1.0}, "one number a class"),
    ],
)
def test_priors_are_a_distribution(priors, message):
    with pytest.raises(ValueError, match=message):
        bw.BayesClassifier(bw.GaussianDensity(), priors=priors).fit(X, y)


def test_what_is_no_density_is_refused():
    with pytest.raises(TypeError, match="density must be a density of boxwood's"):
        bw.BayesClassifier(bw.DecisionTreeClassifier()).fit(X, y)
    with pytest.raises(TypeError, match="density must be"):
        bw.BayesClassifier("gaussian").fit(X, y)


@examples(40)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_posteriors_are_distributions(seed, n_classes):
    rng = np.random.default_rng(seed)
    rows = rng.choice([0.0, 1.0, 2.5, np.nan], size=(30, 2)) + rng.normal(size=(30, 2)) * (seed % 2)
    labels = rng.integers(0, n_classes, 30)
    model = bw.BayesClassifier(bw.DensityTree(margins="smooth")).fit(rows, labels)
    predicted = model.predict_proba(np.vstack([rows, [[1e9, -1e9]]]))
    assert np.isfinite(predicted).all()
    np.testing.assert_allclose(predicted.sum(axis=1), 1.0)
