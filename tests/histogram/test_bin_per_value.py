"""Discrete values: a bin for each value of a short lattice, and the notes' answers for dice."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from properties import examples

SEARCHED = ("shimazaki", "loo", "loo_likelihood", "cv")
FACES = np.arange(1, 7)
COUNTS = np.array([3, 0, 5, 2, 4, 6])
THROWS = np.repeat(FACES, COUNTS)[:, None]
ESTIMATES = [("ml", 0, 0), ("map", 1, 6), ("bayes", 2, 12)]
"""Estimate, rows that α = 2 adds to each face, and in all."""


def probability(model: Any, values: Any) -> np.ndarray:
    """Return the probability of each row, without the warning that some have none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.exp(model.score_samples(values))


def estimated_by(estimate: str, alpha: float | None = 2) -> dict[str, Any]:
    """Return the parameters of an estimate; the maximum-likelihood estimate has no prior."""
    return {"estimate": estimate, "alpha": None if estimate == "ml" else alpha}


def n_bins(X: np.ndarray, **parameters: Any) -> int:
    return len(bw.Histogram(**parameters).fit(X).counts_[0])


# ---- known answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("estimate", "each", "total"), ESTIMATES)
@pytest.mark.parametrize("alpha", [None, 2.0])
@pytest.mark.parametrize("step", [1, 1.0, 0.1, 25.0])
def test_a_die_has_the_notes_probabilities(
    estimate: str, each: int, total: int, alpha: Any, step: Any
) -> None:
    model = bw.Histogram(**estimated_by(estimate, alpha)).fit(np.round(THROWS * step, 10))
    expected = (COUNTS + each) / (20 + total)
    np.testing.assert_allclose(probability(model, FACES[:, None] * step), expected)
    assert model.counts_[0].tolist() == COUNTS.tolist()


@pytest.mark.parametrize(("estimate", "each", "total"), ESTIMATES)
def test_one_die_in_a_grid_has_them_too(estimate: str, each: int, total: int) -> None:
    model = bw.GridHistogram(**estimated_by(estimate)).fit(THROWS)
    np.testing.assert_allclose(probability(model, FACES[:, None]), (COUNTS + each) / (20 + total))


def two_dice(n: int = 40, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(1, 7, (n, 2))


PAIRS = np.array(list(itertools.product(FACES, FACES)))


@pytest.mark.parametrize(("estimate", "each"), [("ml", 0), ("map", 1), ("bayes", 2)])
@pytest.mark.parametrize("kind", [int, float])
def test_two_dice_in_a_grid(estimate: str, each: int, kind: type) -> None:
    X = two_dice()
    model = bw.GridHistogram(**estimated_by(estimate)).fit(X.astype(kind))
    counts = np.array([np.all(pair == X, axis=1).sum() for pair in PAIRS])
    assert counts.min() == 0
    np.testing.assert_allclose(probability(model, PAIRS.astype(kind)), (counts + each) / (40 + 36 * each))
    assert probability(model, PAIRS.astype(kind)).sum() == pytest.approx(1.0)


@pytest.mark.parametrize(("estimate", "each", "total"), ESTIMATES)
def test_two_dice_as_a_product(estimate: str, each: int, total: int) -> None:
    X = two_dice(20)
    X[0], X[1] = 1, 6
    product = bw.ProductDensity(marginal=bw.Histogram(**estimated_by(estimate))).fit(X)
    histogram = bw.Histogram(**estimated_by(estimate)).fit(X)
    marginals = [np.bincount(X[:, j], minlength=7)[1:] for j in range(2)]
    faces = [(counts + each) / (20 + total) for counts in marginals]
    expected = [faces[0][a - 1] * faces[1][b - 1] for a, b in PAIRS]
    np.testing.assert_allclose(probability(product, PAIRS), expected)
    np.testing.assert_allclose(probability(histogram, PAIRS), expected)


def test_naive_bayes_of_a_fair_and_a_loaded_die() -> None:
    """(N_m + α)/(N + 6α) in each class, faces that a class never threw among them."""
    fair, loaded = np.array([4, 3, 5, 2, 4, 2]), np.array([0, 0, 1, 2, 5, 12])
    X = np.concatenate([np.repeat(FACES, fair), np.repeat(FACES, loaded)])[:, None]
    y = np.repeat(["fair", "loaded"], 20)
    for alpha in (1.0, 2.0):
        model = bw.HistogramNB(alpha=alpha).fit(X, y)
        likelihoods = np.stack([fair + alpha, loaded + alpha], axis=1) / (20 + 6 * alpha)
        expected = likelihoods / likelihoods.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.predict_proba(FACES[:, None]), expected)


def test_values_that_are_not_equally_far_apart() -> None:
    """A prior adds nothing to the gaps between them, where nothing can be."""
    prices = np.array([0.99, 1.49, 4.99, 19.99])
    counts = np.array([30, 12, 20, 10])
    X = np.column_stack([np.repeat(prices, counts), np.random.default_rng(0).normal(size=72)])
    for estimate, each in (("map", 1), ("bayes", 2)):
        model = bw.Histogram(estimate=estimate).fit(X)
        np.testing.assert_allclose(model.density_[0][::2], (counts + each) / (72 + 4 * each))
        assert np.all(model.density_[0][1::2] == 0.0)
        assert np.isin(model.sample(50, random_state=0)[:, 0], prices).all()


# ---- which columns -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_every_fair_die_keeps_six_bins(seed: int) -> None:
    X = np.random.default_rng(seed).integers(1, 7, (600, 1))
    for parameters in ({}, {"bins": "loo_likelihood"}, {"bins": "shimazaki", "n_origins": 3}):
        assert n_bins(X, **parameters) == 6
    assert len(bw.GridHistogram().fit(X).edges_[0]) == 7
    assert len(bw.ProductDensity().fit(X).marginals_[0].counts_[0]) == 6


@pytest.mark.parametrize("rule", SEARCHED)
@pytest.mark.parametrize("step", [1, 0.5, 0.1, 3.0])
def test_every_searching_rule_gives_each_value_a_bin(rule: str, step: Any) -> None:
    model = bw.Histogram(bins=rule).fit(np.round(THROWS * step, 10))
    np.testing.assert_allclose(model.edges_[0], (np.arange(7) + 0.5) * step)
    selection = model.selection_[0]
    assert (selection.rule, selection.n_bins.tolist(), len(selection.scores)) == (rule, [6], 0)


@pytest.mark.parametrize("kind", [int, float])
@pytest.mark.parametrize("n_coins", [1, 2, 5])
def test_a_coin_has_two_values(kind: type, n_coins: int) -> None:
    X = np.random.default_rng(0).integers(0, 2, (10, n_coins)).astype(kind)
    X[:2] = [[0], [1]]
    model = bw.Histogram(estimate="bayes").fit(X)
    for j in range(n_coins):
        heads = X[:, j].sum()
        np.testing.assert_allclose(model.density_[j], [(12 - heads) / 14, (2 + heads) / 14])


def test_dates_by_day_have_a_bin_for_each_day() -> None:
    days = pd.to_datetime("2024-05-06") + pd.to_timedelta(np.repeat(np.arange(5), [4, 0, 5, 2, 9]), unit="D")
    model = bw.Histogram(estimate="bayes").fit(pd.DataFrame({"day": days}))
    assert model.counts_[0].tolist() == [4, 0, 5, 2, 9]
    np.testing.assert_allclose(model.density_[0], (np.array([4, 0, 5, 2, 9]) + 2) / 30)


def test_long_ranges_have_wider_bins() -> None:
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(0.0, 30.0, (500, 1)))
    model = bw.Histogram().fit(X)
    assert len(model.counts_[0]) < 30
    assert np.all(np.diff(model.edges_[0]) % 1.0 == 0.0)


def test_candidates_that_are_listed_are_compared() -> None:
    model = bw.Histogram(candidates=[1, 2, 3]).fit(THROWS)
    assert model.selection_[0].n_bins.tolist() == [1, 2, 3]
    assert len(model.selection_[0].scores) == 3


@pytest.mark.parametrize("kind", [int, float])
def test_what_is_asked_for_is_made_of_whole_steps(kind: type) -> None:
    X = THROWS.astype(kind)
    for number, expected in {1: 1, 2: 2, 3: 3, 4: 4, 6: 6, 50: 6}.items():
        model = bw.Histogram(bins=number).fit(X)
        assert len(model.counts_[0]) == expected
        assert np.all(model.edges_[0] % 1.0 == 0.5)
        assert probability(model, FACES[:, None].astype(kind)).sum() == pytest.approx(1.0)
    for rule in ("scott", "fd"):
        model = bw.Histogram(bins=rule).fit(X)
        assert len(model.counts_[0]) < 6
        assert np.all(model.edges_[0] % 1.0 == 0.5)
    model = bw.Histogram(bins=[0.5, 3.5, 6.5] if kind is float else [1, 4, 6]).fit(X)
    assert model.counts_[0].tolist() == [8, 12]


def test_a_range_has_a_bin_for_each_of_its_values() -> None:
    X = np.array([2, 2, 3, 5, 5, 4, 3, 2, 5, 5])[:, None]
    model = bw.Histogram(range=(1, 6), estimate="map").fit(X)
    np.testing.assert_allclose(model.density_[0], (np.array([0, 3, 2, 1, 4, 0]) + 1) / 16)


# ---- laws ----------------------------------------------------------------------------------------------

throws = st.lists(st.integers(-3, 4), min_size=20, max_size=60)


@examples(60)
@given(throws, st.sampled_from(["map", "bayes"]), st.sampled_from([1.0, 0.25, 7.0]), st.floats(1.0, 5.0))
def test_probabilities_are_those_of_the_counts(
    listed: list[int], estimate: str, step: float, alpha: float
) -> None:
    """They sum to one, and each unseen value inside the range has its part of the prior."""
    values = np.array([*listed, 0, 1])
    model = bw.Histogram(estimate=estimate, alpha=alpha).fit(values[:, None] * step)
    points = np.arange(values.min(), values.max() + 1)
    virtual = alpha - 1.0 if estimate == "map" else alpha
    counts = np.array([(values == point).sum() for point in points])
    expected = (counts + virtual) / (len(values) + virtual * len(points))
    np.testing.assert_allclose(probability(model, points[:, None] * step), expected, rtol=1e-9)
    assert model.columns_[0].mass.sum() == pytest.approx(1.0)
    assert probability(model, [[(points[-1] + 2) * step]])[0] == 0.0


@examples(40)
@given(throws, st.randoms(use_true_random=False), st.sampled_from(SEARCHED))
def test_row_order_weights_and_parts_leave_no_trace(listed: list[int], random: Any, rule: str) -> None:
    values = np.array([-3, 4, *listed])
    whole = bw.Histogram(bins=rule).fit(values[:, None])
    shuffled = values.tolist()
    random.shuffle(shuffled)
    points, weights = np.unique(values, return_counts=True)
    weighted = bw.Histogram(bins=rule).fit(points[:, None], sample_weight=weights)
    for other in (bw.Histogram(bins=rule).fit(np.array(shuffled)[:, None]), weighted):
        assert np.array_equal(other.edges_[0], whole.edges_[0])
        assert np.array_equal(other.counts_[0], whole.counts_[0])
    half = bw.Histogram(bins=rule, duplicates="evidence").fit(np.append(values, [-3, 4])[:, None])
    both = half.merge(whole)
    assert np.array_equal(both.counts_[0], half.counts_[0] + whole.counts_[0])


# ---- far values ----------------------------------------------------------------------------------------


def with_far_value(whole: bool) -> np.ndarray:
    x = np.append(np.random.default_rng(0).normal(size=500), 1e6)
    return (np.round(100.0 * x).astype(int) if whole else x)[:, None]


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(
    "model",
    [
        bw.Histogram(),
        bw.Histogram(bins=20),
        bw.Histogram(bins="scott"),
        bw.GridHistogram(),
        bw.ProductDensity(marginal=bw.Histogram()),
    ],
)
def test_a_far_value_that_makes_bins_useless_is_reported(model: Any, whole: bool) -> None:
    with pytest.warns(UserWarning, match=r"99\.8% of the rows into one of .*'x0'.*range=.*log scale"):
        model.fit(with_far_value(whole))


@pytest.mark.parametrize("law", ["normal", "exponential", "lognormal", "uniform", "poisson", "geometric"])
@pytest.mark.parametrize("bins", ["loo", "fd", 10])
def test_ordinary_columns_are_not_reported(law: str, bins: Any) -> None:
    rng = np.random.default_rng(0)
    draw = {"poisson": rng.poisson, "geometric": lambda size: rng.geometric(0.2, size)}.get(law)
    x = draw(size=1000) if draw is not None else getattr(rng, law)(size=1000)
    bw.Histogram(bins=bins).fit(np.asarray(x)[:, None])


def test_the_truth_is_not_reported() -> None:
    """A point or an atom with nearly all rows, a constant column, and edges or a range that were given."""
    rng = np.random.default_rng(0)
    rare = rng.random(1000) < 0.05
    bw.Histogram().fit(np.where(rare, rng.integers(1, 2000, 1000), 0)[:, None])
    bw.Histogram().fit(np.where(rare, 1000.0 * rng.normal(size=1000), 0.0)[:, None])
    bw.Histogram().fit(np.ones((100, 1)))
    bw.Histogram(range=(-4, 4)).fit(with_far_value(False))
    bw.Histogram(bins=[-4.0, 0.0, 4.0, 2e6]).fit(with_far_value(False))
