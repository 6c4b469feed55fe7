"""Histograms and products in the form of trees and forests."""

import tracemalloc

import numpy as np
import pytest

import boxwood as bw
from boxwood.columns import Lattice, Schema, read_columns
from boxwood.histogram.bin_measure import BinMeasure
from boxwood.histogram.column import ColumnHistogram
from boxwood.histogram.mixture_form import mixture_of_histograms
from boxwood.query.column_law import ColumnLaw


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


@pytest.mark.parametrize(
    ("event", "match"),
    [
        (np.ones(3, dtype=bool), "column 1: one flag a bin is needed: [0-9]+ bins; got 3 flags"),
        (np.ones((2, 2), dtype=bool), "column 1: an event is None"),
        ([0, 1], "column 1: an event is None, a pair .low, high. or an array of flags"),
        ("all", "column 1: an event is None"),
        ((0.7, 0.2), r"column 1: .* needs low <= high; got \(0.7, 0.2\)"),
        ((float("nan"), 1.0), "column 1: .* needs low <= high"),
        ((0.1, 0.2, 0.3), "column 1: an interval is a pair of numbers"),
        (("a", "b"), "column 1: an interval is a pair of numbers"),
    ],
)
def test_wrong_events_name_their_column(table, event, match):
    model = bw.DensityForest(3, random_state=0).fit(table)
    with pytest.raises(ValueError, match=match):
        model.mixture_.probability([None, event, None, None])
    with pytest.raises(ValueError, match="one event a column is needed: 4 columns; got 2 events"):
        model.mixture_.probability([None, None])
    n_bins = [len(u) - 1 for u, _ in model.mixture_.bin_edges]
    striped = np.ones(2 * n_bins[1], dtype=bool)[::2]
    assert model.mixture_.probability([None, striped, None, (0.0, 1.0)]) == pytest.approx(1.0)


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


@pytest.mark.parametrize(
    "model", [bw.Histogram(), bw.ProductDensity(bw.Histogram())], ids=["histogram", "product"]
)
def test_moments_of_bins_with_nothing_between_them(model):
    # Points of a lattice, an atom and empty bins: places of the cube at which the value jumps.
    rng = np.random.default_rng(0)
    n = 400
    heavy = rng.exponential(size=n) * (1.0 + rng.normal(size=n) ** 2)
    table = {
        "tenths": np.round(3.0 * rng.normal(size=n), 1),
        "fives": 5.0 * np.round(30.0 * rng.normal(size=n)),
        "zeros": np.where(rng.random(n) < 0.4, 0.0, heavy),
        "few": rng.choice([-1e3, 0.0, 0.1, 7e4], n),
    }
    known = bw.Histogram().fit(table)
    query = model.fit(table).query()
    for j, name in enumerate(table):
        assert query.mean(name) == pytest.approx(known.mean_[j])
        assert query.variance(name) == pytest.approx(known.variance_[j])


@pytest.mark.parametrize("gap_weight", [1.0, 1e13, 1e300])
def test_values_beside_very_many_gaps_are_asked_about_all_the_same(table, gap_weight):
    x, weights = table["x"].copy(), np.ones(300)
    x[:100], weights[:100] = np.nan, gap_weight
    model = bw.Histogram(bins={"x": np.linspace(-5.0, 5.0, 11)}).partial_fit({"x": x}, sample_weight=weights)
    query = model.query()
    assert query.cdf("x", 1.0) == pytest.approx((x[100:] < 1.0).mean())
    assert query.mean("x") == pytest.approx(np.mean(np.floor(x[100:]) + 0.5))


def test_the_mode_among_very_many_single_values_takes_little_memory():
    measure = BinMeasure(Lattice(0.0, 0.25))
    edges, half = np.array([0.0, 100.0, 10_000.0]), np.full(2, 0.5)
    histogram = ColumnHistogram(edges, half, half, measure=measure)
    field = read_columns({"x": [0.25]}).schema.fields[0]
    margin = mixture_of_histograms(Schema((field,)), [histogram]).margins.columns[0]
    law = ColumnLaw(field, margin, margin.knots, np.ones(len(margin.knots) - 1))
    tracemalloc.start()
    mode = law.mode()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0.0 <= mode < 100.0
    assert peak < 30 * 40_000 * 8  # thirty numbers a value
