"""GridHistogram: the product grid against numpy, its refusals, parts, missing values."""

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.histogram.grid_cells import GridAxis, GridCells, cell_keys, slots_of_keys

EDGES = np.linspace(-3, 3, 7)


def correlated(n_rows=1000, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n_rows, d)) @ (np.eye(d) + 0.6)


def dense(model):
    counts = np.zeros([axis.n_bins for axis in model.grid_.axes])
    counts[tuple(model.cells_.T)] = model.counts_
    return counts


@pytest.mark.parametrize("d", [1, 2, 3])
def test_counts_are_those_of_histogramdd(d):
    X = correlated(d=d)
    model = bw.GridHistogram(bins=EDGES).fit(X)
    expected, _ = np.histogramdd(X, [EDGES] * d)
    np.testing.assert_array_equal(dense(model), expected)
    assert model.outside_ == len(X) - expected.sum()
    density, _ = np.histogramdd(X, [EDGES] * d, density=True)
    inside = np.all(np.abs(X) < 3, axis=1)
    cells = tuple((np.searchsorted(EDGES, X[inside], side="right") - 1).T)
    np.testing.assert_allclose(np.exp(model.score_samples(X[inside])), density[cells])
    np.testing.assert_allclose(model.density_, density[tuple(model.cells_.T)])


@pytest.mark.parametrize("estimate", ["ml", "map", "bayes"])
def test_it_integrates_to_one(estimate):
    model = bw.GridHistogram(bins=EDGES, estimate=estimate).fit(correlated())
    centres = 0.5 * (EDGES[1:] + EDGES[:-1])
    every = np.array([(a, b) for a in centres for b in centres])
    assert np.exp(model.score_samples(every)).sum() == pytest.approx(1.0)


def test_one_column_is_a_histogram():
    X = correlated(d=1)
    grid, one = (cls(bins=EDGES, estimate="bayes").fit(X) for cls in (bw.GridHistogram, bw.Histogram))
    np.testing.assert_allclose(grid.score_samples(X), one.score_samples(X))
    np.testing.assert_allclose(grid.standard_errors_, one.standard_errors_[0][one.counts_[0] > 0])
    np.testing.assert_allclose(grid.calibration_scores_, one.calibration_scores_)


def test_the_marginals_are_histograms():
    X = correlated()
    X = X[np.all(np.abs(X) < 3, axis=1)]
    counts = dense(bw.GridHistogram(bins=EDGES).fit(X))
    model = bw.Histogram(bins=EDGES).fit(X)
    np.testing.assert_array_equal(counts.sum(axis=1), model.counts_[0])
    np.testing.assert_array_equal(counts.sum(axis=0), model.counts_[1])


def test_it_sees_what_independence_does_not():
    X, new = correlated(20_000), correlated(seed=1)
    bounds = {"bins": 20, "range": (-7, 7), "estimate": "map"}
    assert bw.GridHistogram(**bounds).fit(X).score(new) > bw.Histogram(**bounds).fit(X).score(new) + 0.1


def test_a_grid_that_cannot_be_filled_is_refused():
    with pytest.raises(
        ValueError, match=r"100 × 100 × 100 × 100 × 100 × 100 × … = 1e\+16 cells.*ProductDensity"
    ):
        bw.GridHistogram(bins=100).fit(correlated(d=8))
    with pytest.raises(ValueError, match="max_cells"):
        bw.GridHistogram(bins=10, max_cells=99).fit(correlated())
    assert bw.GridHistogram(bins=200, max_cells=40_000).fit(correlated()).n_cells_ == 40_000
    with pytest.raises(ValueError, match=r"1e\+24 cells"):
        bw.GridHistogram(bins=1000, max_cells=2**62).fit(correlated(d=8))
    assert bw.GridHistogram(bins=100).fit(correlated(10, d=1)).n_cells_ == 100


@pytest.mark.parametrize(("n", "d"), [(20, 2), (1000, 2), (1000, 4), (50, 10), (1, 3)])
def test_the_rule_keeps_to_what_can_be_filled(n, d):
    model = bw.GridHistogram().fit(correlated(n, d))
    assert model.n_cells_ <= max(10 * n, 1)


def test_scott_s_rule_for_several_columns():
    X = correlated(5000)
    width = 3.49083 * X[:, 0].std() * 5000 ** (-1 / 4)
    assert len(bw.GridHistogram().fit(X).edges_[0]) - 1 == round(np.ptp(X[:, 0]) / width)


def test_parts_are_the_whole():
    X = correlated()
    weights = np.random.default_rng(1).integers(0, 3, len(X))
    integer = bw.GridHistogram(bins=EDGES, estimate="map").fit(X, sample_weight=weights)
    parts = bw.GridHistogram(bins=EDGES, estimate="map")
    for rows in (slice(0, 300), slice(300, 310), slice(310, None)):
        parts.partial_fit(X[rows], sample_weight=weights[rows])
    one, two = (
        bw.GridHistogram(bins=EDGES, estimate="map").fit(X[rows], sample_weight=weights[rows])
        for rows in (slice(0, 500), slice(500, None))
    )
    for other in (parts, one.merge(two)):
        np.testing.assert_array_equal(other.grid_.cells.keys, integer.grid_.cells.keys)
        np.testing.assert_array_equal(other.counts_, integer.counts_)
        assert other.offset_ == integer.offset_
        np.testing.assert_array_equal(other.calibration_scores_, integer.calibration_scores_)
    with pytest.raises(ValueError, match="bins differ"):
        one.merge(bw.GridHistogram(bins=EDGES[1:]).fit(X))
    assert not hasattr(bw.GridHistogram(), "partial_fit")


def test_new_categories_in_parts_are_refused():
    model = bw.GridHistogram(bins={}).partial_fit(pd.DataFrame({"a": ["x", "y"]}))
    with pytest.raises(ValueError, match="column 'a' brings a category"):
        model.partial_fit(pd.DataFrame({"a": ["z"]}))


def test_missing_values_and_categories_are_slots():
    frame = pd.DataFrame({"a": ["x", "y", None, "x"], "b": [0.1, 0.2, 0.3, None]})
    model = bw.GridHistogram(bins={"b": [0.0, 0.25, 0.5]}).fit(frame)
    assert model.cells_.tolist() == [[0, 0], [0, -1], [1, 0], [-1, 1]]
    np.testing.assert_allclose(np.exp(model.score_samples(frame)), [1.0, 1.0, 1.0, 0.25])
    unknown = pd.DataFrame({"a": ["z"], "b": [0.1]})
    assert model.score_samples(unknown)[0] == -np.inf
    drawn = model.sample(500, random_state=0)
    assert np.isfinite(model.score_samples(drawn)).all()
    assert drawn["b"].isna().mean() == pytest.approx(0.25, abs=0.06)


@pytest.mark.parametrize("estimate", ["ml", "bayes"])
def test_samples_follow_the_cells(estimate):
    X = np.clip(correlated(300), -3, 3)
    model = bw.GridHistogram(bins=EDGES, estimate=estimate).fit(X)
    drawn = bw.GridHistogram(bins=EDGES).fit(model.sample(200_000, random_state=0))
    centres = 0.5 * (EDGES[1:] + EDGES[:-1])
    every = np.array([(a, b) for a in centres for b in centres])
    expected = np.exp(model.score_samples(every)).reshape(6, 6)
    np.testing.assert_allclose(dense(drawn) / 200_000, expected, atol=0.004)


def test_held_out_scores_are_those_of_refits():
    X = correlated(40)
    for estimate in ("ml", "bayes"):
        model = bw.GridHistogram(bins=EDGES, estimate=estimate).fit(X)
        refits = [
            bw.GridHistogram(bins=EDGES, estimate=estimate).fit(np.delete(X, i, 0)).score_samples(X[[i]])[0]
            for i in range(len(X))
        ]
        np.testing.assert_allclose(model.calibration_scores_, np.sort(refits), rtol=1e-12)


def test_an_empty_column_is_one_slot():
    X = np.column_stack([correlated(100, 1), np.full(100, np.nan)])
    model = bw.GridHistogram().fit(X)
    one = bw.GridHistogram(bins=model.edges_[0]).fit(X[:, [0]])
    np.testing.assert_allclose(model.score_samples(X), one.score_samples(X[:, [0]]))
    assert np.isnan(model.sample(3, random_state=0)[:, 1]).all()


def test_keys_and_slots():
    axes = [GridAxis(np.array([0.0, 1.0, 2.0]), 2), GridAxis(None, 2)]
    columns = bw.read_columns({"a": [0.5, 1.5, 7.0, np.nan], "b": ["x", "y", "x", "y"]})
    keys = cell_keys(axes, columns)
    assert keys.tolist() == [0, 4, -1, 7]
    assert slots_of_keys(axes, keys[[0, 1, 3]]).tolist() == [[0, 0], [1, 1], [2, 1]]
    cells = GridCells.of_rows(keys, None)
    assert cells.find(np.array([4, 5, -1])).tolist() == [1, -1, -1]


@pytest.mark.parametrize(
    ("parameters", "error", "match"),
    [
        ({"estimate": "x"}, ValueError, "estimate must be one of"),
        ({"alpha": [1.0, 2.0]}, TypeError, "one number for all cells"),
        ({"max_cells": 0}, ValueError, "max_cells"),
        ({"bins": "best"}, ValueError, "'best'"),
    ],
)
def test_parameters_are_checked(parameters, error, match):
    with pytest.raises(error, match=match):
        bw.GridHistogram(**parameters).fit(correlated())


def test_saved_models_are_equal(tmp_path):
    frame = pd.DataFrame({"a": correlated()[:, 0], "b": np.where(correlated()[:, 1] > 0, "p", "q")})
    model = bw.GridHistogram(bins={"a": 5}, estimate="bayes").fit(frame)
    model.save(tmp_path / "m")
    again = bw.load(tmp_path / "m")
    np.testing.assert_array_equal(again.score_samples(frame), model.score_samples(frame))
    np.testing.assert_array_equal(again.cells_, model.cells_)


@pytest.mark.parametrize(("n", "d"), [(20, 2), (100, 3), (1000, 2), (1000, 4), (50, 10), (1, 3)])
def test_by_default_there_are_no_more_cells_than_rows(n, d):
    X = correlated(n, d)
    assert bw.GridHistogram().fit(X).n_cells_ <= max(n, 1)
    X[:, 0] = np.round(X[:, 0])
    assert bw.GridHistogram().fit(X).n_cells_ <= max(n, 1)


def test_a_grid_names_bins_that_the_rows_can_fill():
    X = correlated(100, 3)
    with pytest.raises(
        ValueError, match=r"10 × 10 × 10 = 1,000 cells .* 100 rows can fill .*bins=4.*64 cells"
    ):
        bw.GridHistogram(bins=10).fit(X)
    assert bw.GridHistogram(bins=4).fit(X).n_cells_ == 64


def test_weights_that_sum_to_one_are_those_of_many_rows():
    X = correlated(100)
    model = bw.GridHistogram(bins=EDGES).fit(X, sample_weight=np.full(100, 0.01))
    assert model.n_cells_ == 36


@pytest.mark.parametrize("estimate", ["map", "bayes"])
def test_a_prior_adds_nothing_between_single_values(estimate):
    prices = np.repeat([0.99, 1.49, 4.99, 19.99], [30, 12, 20, 10])
    X = np.column_stack([prices, np.random.default_rng(0).normal(size=72)])
    model = bw.GridHistogram(bins={1: [-4.0, 0.0, 4.0]}, estimate=estimate).fit(X)
    assert model.n_cells_ == 8
    every = np.array([(price, x) for price in np.unique(prices) for x in (-1.0, 1.0)])
    assert 4.0 * np.exp(model.score_samples(every)).sum() == pytest.approx(1.0)
    assert np.isin(model.sample(300, random_state=0)[:, 0], prices).all()
