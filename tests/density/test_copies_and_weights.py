"""Copies and weights: the same model from a table given twice, or with weights of another scale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from properties import examples

FAMILIES = {
    "histogram": lambda: bw.Histogram(),
    "histogram cv": lambda: bw.Histogram(bins="cv", estimate="bayes"),
    "histogram map": lambda: bw.Histogram(bins="loo_likelihood", estimate="map"),
    "product": lambda: bw.ProductDensity(),
    "product gaussian": lambda: bw.ProductDensity(marginal="gaussian", rotation="pca"),
    "grid": lambda: bw.GridHistogram(estimate="map"),
    "gaussian": lambda: bw.GaussianDensity(shrinkage="auto"),
    "neighbors": lambda: bw.NeighborDensity(),
}


def continuous(seed: int, n: int = 80) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, 2)) @ [[1.0, 0.5], [0.0, 1.0]]


def fitted(family: str, rows: Any, weights: Any = None) -> Any:
    return FAMILIES[family]().fit(rows, sample_weight=weights)


def assert_same(model: Any, other: Any, new: Any) -> None:
    assert np.array_equal(model.score_samples(new), other.score_samples(new))
    assert np.array_equal(model.calibration_scores_, other.calibration_scores_)
    assert model.offset_ == other.offset_


@pytest.mark.filterwarnings("ignore:sample_weight. read as frequencies")
@examples(8)
@given(seed=st.integers(0, 1000), scale=st.sampled_from([2.0, 1.0 / 80.0, 1e6]))
@pytest.mark.parametrize("family", FAMILIES)
def test_a_continuous_table_given_twice_is_the_same_table(family: str, seed: int, scale: float) -> None:
    rows, new = continuous(seed), continuous(seed + 1)[:5] * 0.1
    model = fitted(family, rows)
    assert_same(fitted(family, np.tile(rows, (2, 1))), model, new)
    assert_same(fitted(family, rows, np.full(len(rows), scale)), model, new)
    assert_same(fitted(family, rows[::-1]), model, new)


@examples(8)
@given(seed=st.integers(0, 1000))
@pytest.mark.parametrize("family", FAMILIES)
def test_survey_weights_have_no_scale(family: str, seed: int) -> None:
    rows, new = continuous(seed), continuous(seed + 1)[:5] * 0.1
    weights = np.random.default_rng(seed).exponential(size=len(rows)) + 0.1
    model = fitted(family, rows, weights)
    assert_same(fitted(family, rows, weights / weights.sum()), model, new)


@examples(15)
@given(weights=st.lists(st.integers(1, 4), min_size=12, max_size=12))
@pytest.mark.parametrize("family", ["histogram", "histogram cv", "histogram map", "product", "grid"])
def test_weight_two_is_the_row_twice_in_a_discrete_table(family: str, weights: list[int]) -> None:
    table = pd.DataFrame({"kind": list("aabbccabcabc"), "count": [0, 1, 2, 3, 0, 1, 0, 1, 2, 2, 1, 0]})
    repeated = table.loc[np.repeat(table.index, weights)]
    model, other = fitted(family, table, np.array(weights)), fitted(family, repeated)
    assert_same(model, other, table)
    again = fitted(family, pd.concat([repeated, repeated]))
    assert len(again.calibration_scores_) == 2 * len(model.calibration_scores_)


def test_training_p_values_are_of_the_given_rows() -> None:
    rows = continuous(0)
    for family in ("histogram", "product", "gaussian"):
        once = fitted(family, rows).training_p_values_
        twice = fitted(family, np.repeat(rows, 2, axis=0)).training_p_values_
        assert np.array_equal(np.repeat(once, 2), twice)


def test_counts_that_are_shown_are_those_of_the_given_weights() -> None:
    rows, weights = continuous(0), np.random.default_rng(1).integers(1, 9, 80).astype(float)
    model = bw.Histogram().fit(rows, sample_weight=weights)
    for j in range(2):
        expected = np.histogram(rows[:, j], model.edges_[j], weights=weights)[0]
        assert np.array_equal(model.counts_[j], expected)
    assert bw.GridHistogram().fit(rows, sample_weight=weights).counts_.sum() == weights.sum()


def test_edges_that_are_given_count_what_rows_weigh() -> None:
    """Rows in parts cannot be compared for copies: fit and partial_fit must agree."""
    rows, edges = continuous(0), np.linspace(-6.0, 6.0, 8)
    twice = np.repeat(rows, 2, axis=0)
    whole = bw.Histogram(bins=edges, estimate="bayes").fit(twice)
    parts = bw.Histogram(bins=edges, estimate="bayes").partial_fit(twice[::2]).partial_fit(twice[1::2])
    assert np.array_equal(whole.score_samples(rows), parts.score_samples(rows))
    assert np.array_equal(whole.standard_errors_[0], parts.standard_errors_[0])


def test_duplicates_may_be_evidence() -> None:
    rows = np.repeat(continuous(0), 3, axis=0)
    assert len(bw.Histogram().fit(rows).counts_[0]) < 20
    assert len(bw.Histogram(duplicates="evidence").fit(rows).counts_[0]) > 50
    weighted = bw.Histogram(duplicates="evidence").fit(continuous(0), sample_weight=np.full(80, 3))
    assert len(weighted.counts_[0]) > 50


def test_rows_of_a_group_are_in_one_fold() -> None:
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(40, 1))
    rows = (centres[:, None] + 1e-3 * rng.normal(size=(40, 10, 1))).reshape(-1, 1)
    groups = np.repeat(np.arange(40), 10)
    alone = bw.Histogram(bins="cv").fit(rows)
    together = bw.Histogram(bins="cv").fit(rows, groups=groups)
    assert len(alone.counts_[0]) > 5 * len(together.counts_[0])
    product = bw.ProductDensity(marginal=bw.Histogram(bins="cv")).fit(rows, groups=groups)
    assert np.array_equal(product.score_samples(centres), together.score_samples(centres))


def test_bins_of_naive_bayes_do_not_follow_copies() -> None:
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(300, 2)), rng.integers(0, 2, 300)
    once = bw.HistogramNB().fit(rows, labels)
    twice = bw.HistogramNB().fit(np.tile(rows, (2, 1)), np.tile(labels, 2))
    assert all(np.array_equal(a, b) for a, b in zip(once.edges_, twice.edges_, strict=True))
