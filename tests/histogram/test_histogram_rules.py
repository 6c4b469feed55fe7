"""The rules for the bins against their formulas written out, and the choice that is kept."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import boxwood as bw
from boxwood.histogram.rules import Scoring, cv_error, loo_error, loo_loss, shimazaki_cost
from boxwood.histogram.sorted_sample import sorted_sample
from properties import examples

RULES = ["scott", "fd", "shimazaki", "loo", "loo_likelihood", "cv"]


def values(n=800, seed=0):
    rng = np.random.default_rng(seed)
    return np.where(rng.random(n) < 0.6, rng.normal(size=n), rng.normal(4.0, 0.5, n))


def fitted(rule, x=None, **parameters):
    return bw.Histogram(bins=rule, **parameters).fit((values() if x is None else x)[:, None])


def loo_brute(x, edges):
    """∫p̂² − 2/N·Σ p̂₋ᵢ(xᵢ), each row left out in turn."""
    counts, _ = np.histogram(x, edges)
    n, widths = len(x), np.diff(edges)
    square = np.sum((counts / n) ** 2 / widths)
    left = 0.0
    for i in range(n):
        rest, _ = np.histogram(np.delete(x, i), edges)
        m = min(np.searchsorted(edges, x[i], side="right") - 1, len(rest) - 1)
        left += rest[m] / ((n - 1) * widths[m])
    return square - 2.0 * left / n


def test_scott_and_fd_are_their_formulas():
    x = values()
    n, extent = len(x), np.ptp(x)
    scott = 3.49083 * x.std() * n ** (-1 / 3)
    fd = 2.0 * np.subtract(*np.quantile(x, [0.75, 0.25])) * n ** (-1 / 3)
    assert len(fitted("scott").counts_[0]) == round(extent / scott)
    assert len(fitted("fd").counts_[0]) == round(extent / fd)


@pytest.mark.parametrize(("n", "n_bins"), [(10**3, 10), (10**6, 100)])
def test_fd_on_uniform_data(n, n_bins):
    x = (np.arange(n) + 0.5) / n
    assert len(fitted("fd", x).counts_[0]) == n_bins


def test_fd_without_interquartile_range_is_scott():
    x = np.concatenate([np.zeros(600), values(100)])
    assert len(fitted("fd", x).counts_[0]) > 1


def test_loo_is_brute_force_leave_one_out():
    x = values(60)
    model = fitted("loo", x, candidates=[1, 2, 5, 9, 20])
    selection = model.selection_[0]
    brute = [loo_brute(x, np.linspace(x.min(), x.max(), n + 1)) for n in selection.n_bins]
    np.testing.assert_allclose(selection.scores, brute, rtol=1e-10)
    assert selection.chosen == np.argmin(brute)


@pytest.mark.parametrize("estimate", ["map", "bayes", "ml"])
@pytest.mark.parametrize("alpha", [None, 1.5, 4.0])
def test_loo_likelihood_is_brute_force(estimate, alpha):
    """Bins are judged by the smoothed estimate, whatever the heights are estimated by."""
    x = values(50)
    model = fitted("loo_likelihood", x, candidates=[1, 2, 4, 8], estimate=estimate, alpha=alpha)
    selection = model.selection_[0]
    for n_bins, score in zip(selection.n_bins, selection.scores, strict=True):
        edges = np.linspace(x.min(), x.max(), n_bins + 1)
        total = 0.0
        for i in range(len(x)):
            rest = bw.Histogram(bins=edges, estimate="map", alpha=alpha).fit(np.delete(x, i)[:, None])
            total += rest.score_samples([[x[i]]])[0]
        assert score == pytest.approx(-total, rel=1e-10)


@pytest.mark.parametrize("estimate", ["map", "bayes", "ml"])
def test_loo_likelihood_finds_enough_bins_of_a_skewed_column(estimate):
    """By maximum likelihood a bin of one row had density 0 without it, and 2 to 11 bins won."""
    draws = [np.exp(np.random.default_rng(seed).normal(size=500)) for seed in range(10)]
    numbers = [len(fitted("loo_likelihood", x, estimate=estimate).counts_[0]) for x in draws]
    assert min(numbers) >= 10
    assert max(numbers) <= 33


def test_loo_likelihood_of_map_on_the_unit_interval():
    """B·N_m/(N − 1 + B) for α = 2, as METHODS has it."""
    counts = np.array([5.0, 0.0, 3.0, 1.0])
    n, b = counts.sum(), len(counts)
    held = counts > 0
    expected = counts[held] @ np.log(b * counts[held] / (n - 1 + b))
    assert loo_loss(counts, 1.0 / b, Scoring(2.0)) == pytest.approx(-expected)


def test_shimazaki_is_its_formula():
    x = values()
    selection = fitted("shimazaki").selection_[0]
    expected = []
    for n in selection.n_bins:
        counts, edges = np.histogram(x, n)
        expected.append((2 * counts.mean() - counts.var()) / (edges[1] - edges[0]) ** 2)
    np.testing.assert_allclose(selection.scores, expected, rtol=1e-9)
    assert len(fitted("shimazaki").counts_[0]) == selection.n_bins[np.argmin(expected)]


def test_cv_is_its_formula():
    folds = [np.array([3.0, 1.0]), np.array([2.0, 2.0]), np.array([0.0, 4.0])]
    errors = []
    for k, held_out in enumerate(folds):
        rest = sum(fold for i, fold in enumerate(folds) if i != k)
        p, q = rest / rest.sum(), held_out / held_out.sum()
        errors.append(np.sum(p**2 - 2 * p * q) / 0.5)
    assert cv_error(folds, 0.5) == pytest.approx(np.mean(errors))


def test_cv_agrees_with_loo_where_folds_are_many():
    x = values(3000)
    candidates = [3, 6, 12, 25, 50, 100, 400]
    loo = fitted("loo", x, candidates=candidates).selection_[0]
    cv = fitted("cv", x, candidates=candidates, n_folds=20).selection_[0]
    np.testing.assert_allclose(cv.scores, loo.scores, atol=0.01)


@pytest.mark.parametrize("rule", RULES)
def test_the_choice_is_kept(rule):
    model = fitted(rule)
    selection = model.selection_[0]
    edges = model.edges_[0]
    assert selection.rule == rule
    assert selection.n_bins[selection.chosen] == len(edges) - 1
    assert selection.widths[selection.chosen] == pytest.approx(edges[1] - edges[0])
    assert selection.origins[selection.chosen] == edges[0]
    if rule in ("scott", "fd"):
        assert len(selection.scores) == 0
    else:
        assert selection.scores[selection.chosen] == selection.scores.min()
        assert len(selection.scores) == 200


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_finds_two_modes(rule):
    model = fitted(rule, values(5000), estimate="map")
    dip = np.exp(model.score([[2.6]]))
    assert np.exp(model.score([[0.0]])) > 1.5 * dip
    assert np.exp(model.score([[4.0]])) > 1.5 * dip


def test_the_origin_is_searched_where_asked():
    x = np.random.default_rng(0).uniform(0.3, 1.7, 500)
    selection = fitted("loo", x, n_origins=4, candidates=[3, 5]).selection_[0]
    assert len(selection.scores) == 8
    moved = fitted("loo", x, n_origins=4)
    fixed = fitted("loo", x)
    assert moved.selection_[0].scores.min() <= fixed.selection_[0].scores.min()
    assert moved.edges_[0][0] <= x.min()
    assert moved.edges_[0][-1] >= x.max()
    assert moved.counts_[0].sum() == 500
    for n, low, width, score in zip(
        selection.n_bins, selection.origins, selection.widths, selection.scores, strict=True
    ):
        counts, _ = np.histogram(x, np.linspace(low, low + n * width, n + 1))
        assert score == pytest.approx(loo_error(counts.astype(float), width), rel=1e-9)


@pytest.mark.parametrize("rule", RULES)
def test_rows_in_another_order_choose_the_same(rule):
    x = values()
    one, two = fitted(rule, x), fitted(rule, x[np.random.default_rng(1).permutation(len(x))])
    np.testing.assert_array_equal(one.edges_[0], two.edges_[0])
    np.testing.assert_array_equal(one.counts_[0], two.counts_[0])


@pytest.mark.parametrize("rule", RULES)
def test_a_weight_is_a_repetition_for_every_rule(rule):
    x = values(150)
    weights = np.random.default_rng(1).integers(0, 4, len(x))
    weighted = bw.Histogram(bins=rule, estimate="map").fit(x[:, None], sample_weight=weights)
    repeated = bw.Histogram(bins=rule, estimate="map").fit(np.repeat(x, weights)[:, None])
    np.testing.assert_allclose(weighted.edges_[0], repeated.edges_[0])
    np.testing.assert_array_equal(weighted.counts_[0], repeated.counts_[0])


# ---- ties ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("step", [0.1, 0.25, 3.0])
def test_widths_of_rounded_data_are_multiples_of_its_step(rule, step):
    x = np.round(values(3000) / step) * step
    model = fitted(rule, x)
    width = np.diff(model.edges_[0])
    assert width[0] / step == pytest.approx(max(1, round(width[0] / step)), abs=1e-9)
    assert model.selection_[0].resolution == pytest.approx(step)
    # Every edge lies half way between values that can be.
    places = (model.edges_[0] - x.min()) / step
    np.testing.assert_allclose(np.abs(places - np.round(places)), 0.5, atol=1e-6)


def test_a_spike_does_not_choose_the_width():
    x = values(2000)
    spiked = np.concatenate([x, np.zeros(1000)])
    n_bins = len(fitted("loo", x).counts_[0])
    # The spike has a bin of its own, which cuts another one or stands between two.
    assert len(fitted("loo", spiked).counts_[0]) - n_bins in (1, 2)


def test_a_far_value_does_not_make_millions_of_bins():
    x = np.append(values(1000), 1e9)
    with pytest.warns(UserWarning, match="65536 bins are made instead"):
        model = fitted("fd", x)
    assert len(model.counts_[0]) == 65536


@examples(60)
@given(st.lists(st.floats(-1e299, 1e299), min_size=1, max_size=30), st.sampled_from(RULES))
@example([0.0, 0.0, 0.0, 0.0, 3e31, 1e-277], "scott")  # more steps than a double can count
@pytest.mark.filterwarnings("ignore:bins=")
def test_any_numbers_make_a_density(listed, rule):
    x = np.array(listed)
    model = fitted(rule, x, estimate="bayes")
    assert model.counts_[0].sum() == len(x)
    assert model.columns_[0].mass.sum() == pytest.approx(1.0)
    assert np.isfinite(model.score_samples(x[:, None])).all()
    assert np.isfinite(model.score_samples(model.sample(5, random_state=0))).all()


def test_the_sample_knows_its_quantiles_with_weights():
    x, w = np.array([3.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    weighted, repeated = sorted_sample(x, w), sorted_sample(np.repeat(x, w.astype(int)), None)
    for level in np.linspace(0, 1, 21):
        assert weighted.quantile(level) == pytest.approx(repeated.quantile(level))
        assert repeated.quantile(level) == pytest.approx(np.quantile(repeated.values, level))
    assert weighted.standard_deviation() == pytest.approx(repeated.values.std())


def test_shimazaki_takes_the_biased_variance():
    assert shimazaki_cost(np.array([1.0, 3.0]), 0.5) == pytest.approx((2 * 2 - 1) / 0.25)
