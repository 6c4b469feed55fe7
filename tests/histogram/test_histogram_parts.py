"""Histograms in parts: partial_fit, merge, boost-histogram, model files, hard tables."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from properties import examples

EDGES = np.linspace(-4, 4, 17)


def normal(n_rows=500, d=1, seed=0):
    return np.random.default_rng(seed).normal(size=(n_rows, d))


def assert_same(a, b):
    for one, two in zip(a.columns_, b.columns_, strict=True):
        np.testing.assert_array_equal(one.counts, two.counts)
        np.testing.assert_array_equal(one.mass, two.mass)
        assert (one.missing, one.outside) == (two.missing, two.outside)
    np.testing.assert_allclose(a.mean_, b.mean_, rtol=1e-12)
    np.testing.assert_allclose(a.variance_, b.variance_, rtol=1e-12)


@examples(30)
@given(st.lists(st.integers(1, 499), max_size=4), st.booleans())
def test_batches_change_nothing(cuts, weighted):
    X = normal()
    weights = np.random.default_rng(1).integers(0, 5, 500) if weighted else None
    integer = bw.Histogram(bins=EDGES).fit(X, sample_weight=weights)
    parts = bw.Histogram(bins=EDGES)
    for rows in np.split(np.arange(500), sorted(set(cuts))):
        if weights is None or weights[rows].any():
            parts.partial_fit(X[rows], sample_weight=None if weights is None else weights[rows])
    assert_same(integer, parts)
    assert integer.offset_ == parts.offset_
    np.testing.assert_array_equal(integer.calibration_scores_, parts.calibration_scores_)


def test_merge_is_the_fit_of_both():
    X = normal(500, 2)
    X[::7, 1] = np.nan
    make = bw.Histogram(bins=10, range=(-2, 2), estimate="bayes")
    one, two = (pickle.loads(pickle.dumps(make)).fit(part) for part in (X[:123], X[123:]))
    before = one.counts_[0].copy()
    merged = one.merge(two)
    assert_same(merged, pickle.loads(pickle.dumps(make)).fit(X))
    np.testing.assert_array_equal(one.counts_[0], before)
    in_parts = pickle.loads(pickle.dumps(make)).partial_fit(X[:123]).partial_fit(X[123:])
    assert_same(merged, in_parts)
    assert merged.offset_ == in_parts.offset_


def test_new_categories_are_added():
    one = pd.DataFrame({"a": ["x", "z", "x"]})
    two = pd.DataFrame({"a": ["y", "x", None]})
    integer = bw.Histogram(bins={}).fit(pd.concat([one, two]))
    parts = bw.Histogram(bins={}).partial_fit(one).partial_fit(two)
    assert_same(integer, parts)
    assert parts.schema_.fields == integer.schema_.fields
    assert_same(integer, bw.Histogram().fit(one).merge(bw.Histogram().fit(two)))


def test_a_rule_has_no_partial_fit():
    for bins in ("loo", 10):
        with pytest.raises(AttributeError, match="takes the edges from all rows"):
            bw.Histogram(bins=bins).partial_fit(normal())
    assert not hasattr(bw.Histogram(), "partial_fit")
    assert hasattr(bw.Histogram(bins=10, range=(0, 1)), "partial_fit")
    with pytest.raises(ValueError, match="column 'x1': bins='fd' takes the edges from all rows"):
        bw.Histogram(bins={"x0": EDGES, "x1": "fd"}).partial_fit(normal(9, 2))


def test_other_bins_are_not_merged():
    one = bw.Histogram(bins=EDGES).fit(normal())
    with pytest.raises(ValueError, match="column 'x0': the bins differ"):
        one.merge(bw.Histogram(bins=EDGES[:-1]).fit(normal()))
    with pytest.raises(ValueError, match="features"):
        one.merge(bw.Histogram(bins=EDGES).fit(normal(50, 2)))


def test_a_failed_partial_fit_changes_nothing():
    model = bw.Histogram(bins=EDGES).partial_fit(normal())
    before = dict(vars(model))
    with pytest.raises(ValueError, match="infinity"):
        model.partial_fit([[np.inf]])
    assert all(vars(model)[name] is value for name, value in before.items())


# ---- UHI -----------------------------------------------------------------------------------------------


def test_boost_histogram_there_and_back():
    bh = pytest.importorskip("boost_histogram")
    model = bw.Histogram(bins=EDGES).fit(normal())
    boost = model.to_boost_histogram()
    np.testing.assert_array_equal(boost.axes[0].edges, EDGES)
    np.testing.assert_array_equal(boost.values(), model.counts_[0])
    again = bw.Histogram.from_boost_histogram(boost)
    np.testing.assert_array_equal(again.edges_[0], EDGES)
    np.testing.assert_array_equal(again.density_[0], model.density_[0])
    filled = bh.Histogram(bh.axis.Regular(5, -1, 1), storage=bh.storage.Int64()).fill(normal()[:, 0])
    read = bw.Histogram.from_boost_histogram(filled, estimate="map")
    np.testing.assert_array_equal(read.counts_[0], filled.values())
    assert read.outside_[0] == filled.values(flow=True)[[0, -1]].sum()
    read.partial_fit(normal(seed=1))
    assert read.counts_[0].sum() + read.outside_[0] == 1000


def test_boost_histogram_of_categories():
    pytest.importorskip("boost_histogram")
    model = bw.Histogram().fit(pd.DataFrame({"a": ["x", "y", "x"], "b": [1.5, 2.5, 3.5]}))
    boost = model.to_boost_histogram("a")
    assert list(boost.axes[0]) == ["x", "y"]
    again = bw.Histogram.from_boost_histogram(boost, model.to_boost_histogram("b"))
    assert again.schema_.names == ("a", "b")
    assert again.counts_[0].tolist() == [2, 1]


def test_the_plottable_protocol():
    typing_classes = pytest.importorskip("uhi.typing.plottable")
    model = bw.Histogram(bins=EDGES).fit(normal())
    assert isinstance(model, typing_classes.PlottableHistogram)
    assert pytest.importorskip("uhi.numpy_plottable").ensure_plottable_histogram(model) is model
    np.testing.assert_array_equal(model.values(), model.counts_[0])
    np.testing.assert_array_equal(model.axes[0].edges, EDGES)
    assert next(iter(model.axes[0])) == (EDGES[0], EDGES[1])
    several = bw.Histogram(bins=EDGES).fit(normal(50, 2))
    assert not hasattr(several, "axes")
    assert isinstance(several.plottable(1), typing_classes.PlottableHistogram)
    np.testing.assert_allclose(
        model.variances(), model.counts_[0] * (1 - model.counts_[0] / model.counts_[0].sum())
    )


def test_hist_takes_it():
    hist = pytest.importorskip("hist")
    model = bw.Histogram(bins=EDGES).fit(normal())
    for taken in (hist.Hist(model.to_boost_histogram()), hist.Hist(model), hist.Hist(model.plottable(0))):
        assert taken.sum() == model.counts_[0].sum()


# ---- hard tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimate", ["ml", "map", "bayes"])
@pytest.mark.parametrize("bins", ["loo", "fd", "scott", "shimazaki", "loo_likelihood", "cv", 5])
@pytest.mark.parametrize(
    "x",
    [
        [3.0],
        [3.0, 3.0],
        [1.0, 2.0],
        [0.0, 5e-324],
        [1.0, np.nextafter(1.0, 2.0)],
        [-1e300, 1e300],
        [1e300, 1e300],
        [0.0, 0.0, 0.0, 1e-310],
        [1, 2**53],
        [2**53 - 2, 2**53 - 2],
        [np.nan, np.nan, 7.0],
    ],
    ids=str,
)
def test_hard_columns(x, bins, estimate):
    X = np.array(x)[:, None]
    model = bw.Histogram(bins=bins, estimate=estimate).fit(X)
    assert model.counts_[0].sum() == np.isfinite(x).sum()
    assert np.isfinite(model.score_samples(X)).all()
    drawn = model.sample(20, random_state=0)
    assert np.isfinite(model.score_samples(drawn)).all()
    assert np.isfinite(model.offset_) or len(X) < 20


def test_a_column_without_a_value_adds_nothing():
    X = np.column_stack([normal()[:, 0], np.full(500, np.nan)])
    model = bw.Histogram().fit(X)
    one = bw.Histogram().fit(X[:, [0]])
    np.testing.assert_array_equal(model.score_samples(X), one.score_samples(X[:, [0]]))
    assert len(model.edges_[1]) == len(model.counts_[1]) == 0
    assert model.missing_[1] == 500
    assert np.isnan(model.sample(5, random_state=0)[:, 1]).all()
    assert np.isnan(model.quantile(0.5)[0, 1])
    assert np.isnan(model.cdf([[0.0, 1.0]])[0, 1])
    assert bw.Histogram().fit(X[:, [1]]).offset_ == 0.0


def test_nothing_inside_the_edges():
    model = bw.Histogram(bins=[10.0, 11.0, 14.0]).fit(normal())
    np.testing.assert_allclose(model.density_[0], [0.25, 0.25])
    assert model.outside_[0] == 500
    assert model.offset_ == -np.inf  # a row in no bin is as ordinary as all rows of the table
    assert (model.predict(normal()) == 1).all()


def test_one_value_has_a_bin_of_width_one():
    model = bw.Histogram().fit([[3.0]])
    np.testing.assert_array_equal(model.edges_[0], [2.5, 3.5])


def test_one_value_that_comes_again_is_an_atom():
    model = bw.Histogram().fit([[3.0], [3.0]])
    np.testing.assert_array_equal(model.edges_[0], [3.0, np.nextafter(3.0, 4.0)])
    assert model.score_samples([[3.0]]).tolist() == [0.0]
    assert model.sample(2, random_state=0).tolist() == [[3.0], [3.0]]


def test_weights_that_are_no_whole_numbers():
    X, weights = normal(), np.random.default_rng(1).random(500)
    model = bw.Histogram(bins=EDGES).fit(X, sample_weight=weights)
    expected, _ = np.histogram(X[:, 0], EDGES, weights=weights)
    np.testing.assert_allclose(model.counts_[0], expected)
    bw.Histogram(bins="cv").fit(X, sample_weight=weights)
    bw.Histogram(bins="loo").fit(X[:3], sample_weight=[0.1, 0.2, 0.3])


@pytest.mark.parametrize("bins", ["loo", "fd", 7, {"a": EDGES}, {"c": 3}])
def test_saved_models_are_equal(bins, tmp_path):
    X = np.random.default_rng(0).normal(size=(80, 4))
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["kind"] = np.where(X[:, 0] > 0, "p", "q")
    frame["whole"] = np.arange(80) // 9
    model = bw.Histogram(bins=bins, estimate="bayes").fit(frame)
    model.save(tmp_path / "m")
    again = bw.load(tmp_path / "m")
    assert_same(model, again)
    np.testing.assert_array_equal(again.score_samples(frame), model.score_samples(frame))
    for one, two in zip(model.selection_, again.selection_, strict=True):
        assert (one is None) == (two is None)
        if one is not None:
            np.testing.assert_array_equal(one.scores, two.scores)
