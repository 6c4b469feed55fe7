"""Missing values under one measure: the values' density and the probability of a gap sum to one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from boxwood.columns import read_columns
from boxwood.gaps import GapRates
from properties import examples

FAMILIES = {
    "gaussian": bw.GaussianDensity,
    "histogram": lambda **given: bw.Histogram(bins=12, **given),
    "product": bw.ProductDensity,
    "grid": lambda **given: bw.GridHistogram(bins=12, **given),
}


def with_gaps(n: int = 400, d: int = 1, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[rng.random((n, d)) < 0.2] = np.nan
    return X


@pytest.mark.parametrize("family", FAMILIES)
def test_values_and_gaps_sum_to_one(family: str) -> None:
    X = with_gaps()
    model = FAMILIES[family]().fit(X)
    grid = np.linspace(-12.0, 12.0, 40_001)
    of_values = np.exp(model.score_samples(grid[:, None])).sum() * (grid[1] - grid[0])
    of_gap = np.exp(model.score_samples([[np.nan]])[0])
    assert of_values + of_gap == pytest.approx(1.0, abs=2e-3)
    assert of_gap == pytest.approx(np.isnan(X).mean())


@pytest.mark.parametrize("family", FAMILIES)
def test_samples_have_the_gaps_that_scores_speak_of(family: str) -> None:
    X = with_gaps(d=2)
    model = FAMILIES[family]().fit(X)
    drawn = np.isnan(np.asarray(model.sample(20_000, random_state=0)))
    np.testing.assert_allclose(drawn.mean(axis=0), np.isnan(X).mean(axis=0), atol=0.015)


@pytest.mark.parametrize("family", FAMILIES)
def test_ignored_gaps_are_summed_out(family: str) -> None:
    X = with_gaps(d=2)
    model = FAMILIES[family](missing="ignore").fit(X)
    grid = np.linspace(-12.0, 12.0, 8_001)
    rows = np.column_stack([grid, np.full(len(grid), np.nan)])
    of_values = np.exp(model.score_samples(rows)).sum() * (grid[1] - grid[0])
    expected = 1.0 - np.isnan(X[:, 0]).mean() if family == "grid" else 1.0
    assert of_values == pytest.approx(expected, abs=3e-3)
    assert model.score_samples([[np.nan, np.nan]])[0] == 0.0


@pytest.mark.parametrize("family", FAMILIES)
def test_a_gap_where_there_was_none_is_impossible_and_says_so(family: str) -> None:
    model = FAMILIES[family]().fit(np.random.default_rng(0).normal(size=(100, 2)))
    with pytest.warns(UserWarning, match="column 'x1', row 0: the value is missing"):
        assert model.score_samples([[0.0, np.nan]])[0] == -np.inf


@pytest.mark.parametrize("family", FAMILIES)
def test_gaps_survive_saving(family: str, tmp_path) -> None:
    X = with_gaps(d=2)
    model = FAMILIES[family]().fit(X)
    model.save(tmp_path / "model.boxwood")
    again = bw.load(tmp_path / "model.boxwood")
    np.testing.assert_array_equal(again.score_samples(X), model.score_samples(X))


def test_families_agree_on_independent_rows_with_gaps() -> None:
    X, new = with_gaps(5000, 3), with_gaps(2000, 3, seed=1)
    scores = [
        bw.GaussianDensity().fit(X).score(new),
        bw.ProductDensity(marginal="gaussian").fit(X).score(new),
    ]
    scores.append(bw.Histogram(estimate="bayes", range=(-6, 6)).fit(X).score(new))
    assert max(scores) - min(scores) < 0.05 * 3


@examples(60)
@given(
    gaps=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12),
    weights=st.lists(st.integers(1, 4), min_size=12, max_size=12),
)
def test_rates_are_fractions_of_the_weight(gaps, weights) -> None:
    X = np.where(np.array(gaps), np.nan, 1.5)
    w = np.array(weights[: len(X)], dtype=float)
    rates = GapRates.of_rows(read_columns(X, sample_weight=w))
    repeated = GapRates.of_rows(read_columns(np.repeat(X, w.astype(int), axis=0)))
    np.testing.assert_array_equal(rates.rates, repeated.rates)
    expected = [np.average(np.isnan(X[:, j]), weights=w) for j in range(2)]
    np.testing.assert_allclose(rates.rates, expected)


@examples(60)
@given(gaps=st.lists(st.booleans(), min_size=2, max_size=12))
def test_left_out_is_the_fit_without_the_row(gaps) -> None:
    X = np.where(np.array(gaps), np.nan, 1.5)[:, None]
    columns = read_columns(X)
    left_out = GapRates.of_rows(columns).left_out_log_probability(columns)
    for i in range(len(X)):
        others = GapRates.of_rows(read_columns(np.delete(X, i, axis=0)))
        with np.errstate(divide="ignore"):
            assert left_out[i] == pytest.approx(others.log_probability(read_columns(X[[i]]))[0])
