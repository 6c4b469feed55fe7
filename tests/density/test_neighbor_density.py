"""The density by neighbours: its formula by hand, ties, weights, the box."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import kstest, multivariate_normal

import boxwood as bw
from boxwood.neighbors.balls import draw_in_balls, log_ball_volume
from boxwood.neighbors.box_cells import cells_of_rows


def by_hand(x, rows, k, *, unbiased=False):
    """Return log K/(N·V) at one point: rows that coincide with it count once less."""
    distances = np.sort(np.sqrt(((rows - x) ** 2).sum(axis=1)))
    n, d = rows.shape
    if distances[0] == 0.0:
        distances, n = distances[1:], n - 1
    if distances[k - 1] > 0.0:
        radius, held = distances[k - 1], k
    else:
        radius = distances[distances > 0.0].min()
        held = int((distances <= radius).sum())
    volume = d / 2 * math.log(math.pi) - gammaln(d / 2 + 1) + d * math.log(radius)
    return math.log(held - unbiased) - math.log(n) - volume


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("k", [1, 2, 7])
def test_the_formula(d, k):
    rng = np.random.default_rng(0)
    rows, new = rng.normal(size=(80, d)), rng.normal(size=(20, d))
    model = bw.NeighborDensity(k).fit(rows)
    for points in (rows, new):
        expected = [by_hand(x, rows, k) for x in points]
        np.testing.assert_allclose(model.score_samples(points), expected, rtol=1e-12)
    if k > 1:
        unbiased = bw.NeighborDensity(k, unbiased=True).fit(rows).score_samples(new)
        np.testing.assert_allclose(unbiased, [by_hand(x, rows, k, unbiased=True) for x in new], rtol=1e-12)


def test_the_unbiased_form_is_right_on_average():
    rng = np.random.default_rng(0)
    biased, unbiased = [], []
    for _ in range(400):
        rows = rng.random((200, 2)) - 0.5  # density 1 around the middle
        for form, found in ((False, biased), (True, unbiased)):
            model = bw.NeighborDensity(5, unbiased=form).fit(rows)
            found.append(math.exp(model.score_samples([[0.0, 0.0]])[0]))
    assert np.mean(unbiased) == pytest.approx(1.0, abs=4 * np.std(unbiased) / 20)
    assert np.mean(biased) == pytest.approx(1.25, abs=4 * np.std(biased) / 20)


def test_coinciding_rows_stay_finite():
    rows = np.repeat(np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 1.0]]), [6, 2, 1], axis=0)
    model = bw.NeighborDensity(3, duplicates="evidence").fit(rows)
    new = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.5]])
    np.testing.assert_allclose(model.score_samples(new), [by_hand(x, rows, 3) for x in new], rtol=1e-12)
    all_equal = bw.NeighborDensity(2, duplicates="evidence").fit(np.ones((5, 3)))
    assert np.isfinite(all_equal.score_samples([[1.0, 1.0, 1.0], [2.0, 1.0, 1.0]])).all()


def test_many_dimensions():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 500))
    scores = bw.NeighborDensity(5).fit(rows).score_samples(rng.normal(size=(10, 500)))
    assert np.isfinite(scores).all()
    assert log_ball_volume(500) == pytest.approx(250 * math.log(math.pi) - gammaln(251))


def test_standardised_columns_change_the_balls_not_the_units():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(500, 2)) * [1.0, 1000.0]
    new = rng.normal(size=(300, 2)) * [1.0, 1000.0]
    truth = multivariate_normal([0, 0], [[1, 0], [0, 1e6]]).logpdf(new)
    error = {
        flag: np.abs(bw.NeighborDensity(20, standardize=flag).fit(rows).score_samples(new) - truth).mean()
        for flag in (True, False)
    }
    assert error[True] < 0.3 < error[False]
    scaled = bw.NeighborDensity(20, standardize=True).fit(rows / [1.0, 1000.0])
    expected = scaled.score_samples(new / [1.0, 1000.0]) - math.log(1000.0)
    model = bw.NeighborDensity(20, standardize=True).fit(rows)
    np.testing.assert_allclose(model.score_samples(new), expected, rtol=1e-6)


@pytest.mark.parametrize("unbiased", [False, True])
def test_the_normalised_form_integrates_to_one(unbiased):
    rows = np.random.default_rng(0).normal(size=(60, 1))
    model = bw.NeighborDensity(4, normalize=True, bounds=[[-5.0, 6.0]], unbiased=unbiased).fit(rows)
    grid = np.linspace(-5.0, 6.0, 50_001)
    integral = np.trapezoid(np.exp(model.score_samples(grid[:, None])), grid)
    assert integral == pytest.approx(1.0, abs=5 * model.normalizer_error_)
    assert model.normalizer_error_ < 0.02
    assert model.score_samples([[-5.1]])[0] == -np.inf


def test_the_normalised_form_in_the_plane():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 2))
    model = bw.NeighborDensity(10, normalize=True).fit(rows)
    low, high = rows.min(axis=0), rows.max(axis=0)
    points = low + (high - low) * rng.random((200_000, 2))
    integral = np.exp(model.score_samples(points)).mean() * np.prod(high - low)
    assert integral == pytest.approx(1.0, abs=0.03)
    sample = model.sample(4000, random_state=0)
    truth = rows[rng.integers(0, 300, 4000)] + rng.normal(scale=0.2, size=(4000, 2))
    assert np.abs(sample.mean(axis=0) - truth.mean(axis=0)).max() < 0.15
    assert ((sample >= low) & (sample <= high)).all()


def test_normalised_samples_follow_the_density_without_repeats():
    rows = np.random.default_rng(0).normal(size=(200, 1))
    model = bw.NeighborDensity(20, normalize=True, bounds=[[-5.0, 5.0]]).fit(rows)
    sample = model.sample(20_000, random_state=0)
    assert len(np.unique(sample)) == len(sample)
    grid = np.linspace(-5.0, 5.0, 20_001)
    density = np.exp(model.score_samples(grid[:, None]))
    below = np.concatenate([[0.0], np.cumsum(0.5 * (density[1:] + density[:-1]))])
    assert kstest(sample[:, 0], lambda x: np.interp(x, grid, below / below[-1])).pvalue > 1e-3
    ones = np.concatenate([model.sample(1, random_state=seed) for seed in range(300)])
    assert kstest(ones[:, 0], lambda x: np.interp(x, grid, below / below[-1])).pvalue > 1e-3


def test_the_normalised_form_is_bounded_where_rows_coincide():
    """K rows in one place: K/(N·V) has an infinite integral there, and the balls take in another row."""
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.normal(size=(40, 1)), np.full((6, 1), 0.25)])
    new = np.concatenate([0.25 + np.logspace(-12, -1, 12), [1.0, -2.0]])[:, None]
    params = {"normalize": True, "bounds": [[-4.0, 4.0]], "duplicates": "evidence"}
    model = bw.NeighborDensity(5, **params).fit(rows)
    distinct, copies = np.unique(rows, return_counts=True)
    for x, score in zip(new[:, 0], model.score_samples(new), strict=True):
        order = np.argsort(np.abs(distinct - x))
        held = np.cumsum(copies[order])
        last = max(1, int(np.argmax(held >= 5)))
        count = held[last] if held[last - 1] >= 5 else 5
        expected = math.log(count / 46 / (2.0 * abs(distinct[order[last]] - x)))
        assert score + model.log_normalizer_ == pytest.approx(expected)
    grid = np.linspace(-4.0, 4.0, 400_001)
    integral = np.trapezoid(np.exp(model.score_samples(grid[:, None])), grid)
    assert integral == pytest.approx(1.0, abs=5 * model.normalizer_error_)
    assert model.normalizer_error_ < 0.03
    same = bw.NeighborDensity(7, **params).fit(rows)  # more than coincide
    plain = bw.NeighborDensity(7, duplicates="evidence").fit(rows).score_samples(new)
    np.testing.assert_allclose(same.score_samples(new) + same.log_normalizer_, plain, rtol=1e-12)


def test_samples_keep_the_scale_of_the_data():
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.normal(0.0, 0.1, (500, 1)), rng.normal(10.0, 2.0, (500, 1))])
    sample = bw.NeighborDensity(20).fit(rows).sample(5000, random_state=0)
    near = sample[np.abs(sample) < 1.0]
    assert len(near) / 5000 == pytest.approx(0.5, abs=0.03)
    assert near.std() == pytest.approx(0.1, rel=0.15)


@pytest.mark.parametrize("p", [1.0, 2.0, 3.5, math.inf])
def test_points_are_uniform_in_balls(p):
    rng = np.random.default_rng(0)
    points = draw_in_balls(np.zeros((4000, 3)), np.full(4000, 2.0), p, rng)
    size = np.abs(points).max(axis=1) if math.isinf(p) else (np.abs(points) ** p).sum(axis=1) ** (1 / p)
    assert kstest((size / 2.0) ** 3, "uniform").pvalue > 1e-3
    inside = rng.uniform(-1, 1, (200_000, 3))
    norm = np.abs(inside).max(axis=1) if math.isinf(p) else (np.abs(inside) ** p).sum(axis=1)
    assert 8 * np.mean(norm <= 1.0) == pytest.approx(math.exp(log_ball_volume(3, p)), rel=0.02)


def test_cells_fill_the_box():
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.normal(size=(200, 2)), np.zeros((50, 2))])
    box = np.array([[-6.0, 6.0], [-7.0, 5.0]])
    cells = cells_of_rows(rows, np.ones(250), box, 10)
    volume = (cells.high - cells.low).prod(axis=1)
    assert volume.sum() == pytest.approx(144.0)
    assert (np.exp(cells.log_density) * volume).sum() == pytest.approx(1.0)
    points, log_density = cells.draw(20_000, rng)
    assert np.exp(-log_density).mean() == pytest.approx(144.0, rel=0.05)
    assert ((points >= box[:, 0]) & (points <= box[:, 1])).all()


@pytest.mark.parametrize(
    ("parameters", "match"),
    [
        ({"n_neighbors": 0}, "n_neighbors must be at least 1"),
        ({"n_neighbors": 1, "unbiased": True}, "n_neighbors must be at least 2"),
        ({"n_neighbors": 1, "normalize": True}, "n_neighbors must be at least 2"),
        ({"n_neighbors": 10}, "n_neighbors = 10 needs more than 10 rows.*n_samples = 10"),
        ({"n_neighbors": "log"}, "n_neighbors must be one of 'sqrt'"),
        ({"metric": "cosine"}, "metric must be one of"),
        ({"normalize": True, "bounds": [[0.0, 1.0]]}, "bounds must hold a lower and an upper end a column"),
        ({"normalize": True, "bounds": [[5.0, 6.0]] * 2}, "bounds leave out row"),
    ],
)
def test_impossible_parameters(parameters, match):
    rows = np.random.default_rng(0).normal(size=(10, 2))
    with pytest.raises(ValueError, match=match):
        bw.NeighborDensity(**parameters).fit(rows)


def test_categories_and_missing_values_are_refused():
    with pytest.raises(TypeError, match="column 'a' is categorical"):
        bw.NeighborDensity().fit({"a": ["x", "y", "z"]})
    with pytest.raises(ValueError, match="column 'x0', row 1: the value is missing"):
        bw.NeighborDensity().fit([[1.0], [np.nan], [2.0]])


def grown_in_parts(model, X, weights=None, n_parts=3):
    for part in np.array_split(np.arange(len(X)), n_parts):
        model.partial_fit(X[part], sample_weight=None if weights is None else weights[part])
    return model


@pytest.mark.parametrize(
    "parameters",
    [{}, {"n_neighbors": 5, "standardize": True}, {"n_neighbors": 4, "normalize": True}],
    ids=str,
)
def test_partial_fit_is_the_fit_of_all_rows(parameters, tmp_path):
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(150, 2)) * [1.0, 10.0], rng.normal(size=(20, 2))
    whole = bw.NeighborDensity(**parameters).fit(X)
    grown = grown_in_parts(bw.NeighborDensity(**parameters), X[:100], n_parts=2)
    grown.save(tmp_path / "m")
    grown = bw.load(tmp_path / "m").partial_fit(X[100:])
    assert grown.n_neighbors_ == whole.n_neighbors_
    np.testing.assert_array_equal(grown.score_samples(new), whole.score_samples(new))
    np.testing.assert_array_equal(grown.calibration_scores_, whole.calibration_scores_)


def test_partial_fit_with_weights_and_copies():
    rng = np.random.default_rng(0)
    continuous = np.repeat(rng.normal(size=(60, 2)), 2, axis=0)  # each row and its copy in other parts
    discrete = rng.integers(0, 6, size=(120, 2))
    weights = rng.integers(1, 4, size=120)
    for X in (continuous[rng.permutation(120)], discrete):
        for given in (None, weights):
            whole = bw.NeighborDensity(5).fit(X, sample_weight=given)
            grown = grown_in_parts(bw.NeighborDensity(5), X, given)
            np.testing.assert_array_equal(grown.score_samples(X), whole.score_samples(X))
