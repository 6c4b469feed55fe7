"""Histograms and products in the form of trees and forests."""

import numpy as np
import pytest

import boxwood as bw
from boxwood.columns import read_columns


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    return {
        "x": rng.normal(size=300),
        "n": rng.poisson(3.0, 300),
        "c": rng.choice(["a", "b", "c"], 300),
        "b": rng.random(300) < 0.3,
    }


@pytest.mark.parametrize("estimate", ["ml", "bayes"])
def test_scores_are_those_of_the_histogram(table, estimate):
    model = bw.Histogram(estimate=estimate).fit(table)
    form = model.to_mixture()
    np.testing.assert_allclose(form.log_density(read_columns(table)), model.score_samples(table), rtol=1e-12)
    outside = {"x": [99.0], "n": [2], "c": ["a"], "b": [True]}
    assert form.log_density(read_columns(outside)) == -np.inf == model.score_samples(outside)


def test_a_product_of_histograms_has_the_form_and_others_say_why_not(table):
    model = bw.ProductDensity().fit(table)
    scores = model.to_mixture().log_density(read_columns(table))
    np.testing.assert_allclose(scores, model.score_samples(table), rtol=1e-12)
    gaussian = bw.ProductDensity(marginal="gaussian").fit(table)
    with pytest.raises(ValueError, match="product of histograms without a rotation"):
        gaussian.to_mixture()


def test_events_have_the_probability_of_their_bins(table):
    model = bw.Histogram(bins={"x": [-5.0, -1.0, 0.0, 2.0, 5.0]}).fit({"x": table["x"]})
    form = model.to_mixture()
    bin_edges = form.mixture.bin_edges[0][0]
    marginal = form.mixture.marginal(0)
    np.testing.assert_allclose(marginal, model.counts_[0] / 300, rtol=1e-12)
    assert form.mixture.probability([(bin_edges[1], bin_edges[3])]) == pytest.approx(marginal[1:3].sum())


def test_missing_values_are_values_in_the_mixture():
    values = np.append(np.linspace(0.0, 1.0, 60), [np.nan] * 40)
    model = bw.Histogram(bins=4).fit({"x": values})
    form = model.to_mixture()
    present = read_columns({"x": [0.5]})
    expected = model.score_samples({"x": [0.5]})
    np.testing.assert_allclose(form.log_density(present), expected)
    assert np.isnan(form.sample(500, 0)["x"].values).mean() == pytest.approx(0.4, abs=0.07)


def test_samples_stay_in_bins_with_mass(table):
    model = bw.Histogram(bins={"x": [-9.0, -8.0, 0.0, 0.1, 9.0]}).fit({"x": table["x"]})
    drawn = model.to_mixture().sample(1000, 1)["x"].values
    assert np.all(np.isfinite(model.score_samples({"x": drawn})))


def test_a_column_without_values_has_the_form():
    model = bw.Histogram().fit({"x": [1.0, 2.0, 3.0], "gone": [None, None, None]})
    form = model.to_mixture()
    assert np.isfinite(form.log_density(read_columns({"x": [2.0], "gone": [None]}))).all()
    assert np.isnan(form.sample(5, 0)["gone"].values).all()
