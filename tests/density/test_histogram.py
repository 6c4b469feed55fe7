"""Histogram: estimates, known answers, kinds of columns, queries, samples."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import boxwood as bw
from boxwood import _core
from properties import examples


def normal(n_rows=500, d=1, seed=0):
    return np.random.default_rng(seed).normal(size=(n_rows, d))


def integral(model, column=0):
    edges = model.edges_[column]
    widths = np.ones(len(edges)) if edges.dtype == object else np.diff(edges)
    return float(model.density_[column] @ widths)


# ---- the native bins against numpy ---------------------------------------------------------------------

finite = st.floats(-1e6, 1e6, allow_subnormal=False)


@examples(200)
@given(arrays(float, st.integers(1, 300), elements=finite), st.integers(1, 50))
def test_counts_are_numpy_s(values, n_bins):
    expected, edges = np.histogram(values, n_bins)
    np.testing.assert_array_equal(_core.Bins(edges).count(values)[:-1], expected)


@examples(200)
@given(
    arrays(float, st.integers(1, 100), elements=finite),
    arrays(float, st.integers(2, 40), elements=finite, unique=True),
)
def test_any_edges_count_as_numpy_does(values, edges):
    edges = np.sort(edges)
    values = np.concatenate([values, edges, np.nextafter(edges, np.inf), np.nextafter(edges, -np.inf)])
    expected, _ = np.histogram(values, edges)
    counts = _core.Bins(edges).count(values)
    np.testing.assert_array_equal(counts[:-1], expected)
    assert counts.sum() == len(values)
    weights = np.arange(1.0, len(values) + 1.0)
    np.testing.assert_array_equal(
        _core.Bins(edges).count(values, weights)[:-1], np.histogram(values, edges, weights=weights)[0]
    )


def test_strided_columns_and_threads_change_nothing():
    X = normal(600_000, 2)
    bins = _core.Bins(np.linspace(-3, 3, 31))
    expected = np.histogram(X[:, 1], np.linspace(-3, 3, 31))[0]
    for n_threads in (1, 2, 5):
        np.testing.assert_array_equal(bins.count(X[:, 1], None, n_threads)[:-1], expected)


# ---- estimates -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimate", ["ml", "map", "bayes"])
@pytest.mark.parametrize("bins", ["loo", "fd", 7, [-5.0, -1.0, 0.3, 5.0]])
def test_every_density_integrates_to_one(estimate, bins):
    model = bw.Histogram(bins=bins, estimate=estimate).fit(normal())
    assert integral(model) == pytest.approx(1.0, abs=1e-12)
    grid = np.linspace(-6, 6, 200_001)[:, None]
    assert np.exp(model.score_samples(grid)).sum() * (12 / 200_000) == pytest.approx(1.0, abs=1e-3)


def test_a_fair_die():
    throws = np.repeat(["1", "2", "3", "4", "5", "6"], [3, 0, 5, 2, 4, 6])
    frame = pd.DataFrame({"die": pd.Categorical(throws, categories=list("123456"))})
    counts, n = np.array([3, 0, 5, 2, 4, 6]), 20
    for estimate, expected in {
        "ml": counts / n,
        "map": (counts + 1) / (n + 6),
        "bayes": (counts + 2) / (n + 12),
    }.items():
        prior = {} if estimate == "ml" else {"alpha": 2}
        model = bw.Histogram(estimate=estimate, **prior).fit(frame)
        seen = [list(model.edges_[0]).index(face) for face in "13456"]
        np.testing.assert_allclose(np.sort(model.density_[0][seen]), np.sort(expected[counts > 0]))
        assert integral(model) == pytest.approx(1.0)


def test_priors_may_differ_by_bin_and_by_column():
    X = normal(200, 2)
    edges = [-9.0, 0.0, 9.0]
    model = bw.Histogram(bins=edges, estimate="bayes", alpha={"x1": [1.0, 3.0]}).fit(X)
    low = (X[:, 1] < 0).sum()
    np.testing.assert_allclose(model.columns_[1].mass, [(low + 1) / 204, (200 - low + 3) / 204])
    low = (X[:, 0] < 0).sum()
    np.testing.assert_allclose(model.columns_[0].mass, [(low + 2) / 204, (200 - low + 2) / 204])


def test_standard_errors_are_binomial():
    model = bw.Histogram(bins=[0.0, 0.5, 2.0]).fit(np.array([[0.1], [0.2], [0.3], [1.0]]))
    np.testing.assert_allclose(model.standard_errors_[0], np.sqrt(0.75 * 0.25 / 4) / [0.5, 1.5])


def test_standard_errors_hold_over_many_draws():
    edges, n = np.linspace(-3, 3, 7), 300
    draws = [bw.Histogram(bins=edges).fit(np.clip(normal(n, seed=s), -3, 3)) for s in range(300)]
    spread = np.std([model.density_[0] for model in draws], axis=0)
    errors = np.mean([model.standard_errors_[0] for model in draws], axis=0)
    np.testing.assert_allclose(errors, spread, rtol=0.15)


def test_log_densities_of_columns_add_up():
    X, new = normal(300, 3), normal(50, 3, seed=1)
    integer = bw.Histogram(estimate="bayes").fit(X)
    parts = [bw.Histogram(estimate="bayes").fit(X[:, [j]]).score_samples(new[:, [j]]) for j in range(3)]
    np.testing.assert_allclose(integer.score_samples(new), np.sum(parts, axis=0))


def test_held_out_scores_are_those_of_refits():
    X = np.round(normal(40), 1)
    edges = np.linspace(-4, 4, 9)
    for estimate in ("ml", "bayes", "map"):
        model = bw.Histogram(bins=edges, estimate=estimate).fit(X)
        refits = [
            bw.Histogram(bins=edges, estimate=estimate).fit(np.delete(X, i, 0)).score_samples(X[[i]])[0]
            for i in range(len(X))
        ]
        np.testing.assert_allclose(model.calibration_scores_, np.sort(refits), rtol=1e-12)


# ---- kinds of columns ----------------------------------------------------------------------------------


def test_whole_numbers_have_probabilities():
    X = np.random.default_rng(0).poisson(4.0, size=(1000, 1))
    for bins in ("loo", "scott", 3, [0, 5, 30]):
        model = bw.Histogram(bins=bins).fit(X)
        assert np.all(model.edges_[0] % 1 == 0.5)
        every = np.arange(0, 40)[:, None]
        assert np.exp(model.score_samples(every)).sum() == pytest.approx(1.0)
        drawn = model.sample(200, random_state=1)
        assert drawn.dtype == np.int64
        assert np.isfinite(model.score_samples(drawn)).all()


def test_edges_of_whole_numbers_hold_what_they_say():
    model = bw.Histogram(bins=[0, 5, 10]).fit(np.array([[0], [4], [5], [10], [10]]))
    np.testing.assert_array_equal(model.edges_[0], [-0.5, 4.5, 10.5])
    np.testing.assert_array_equal(model.counts_[0], [2, 3])
    np.testing.assert_allclose(np.exp(model.score_samples([[1], [10]])), [2 / 5 / 5, 3 / 5 / 6])
    np.testing.assert_allclose(model.cdf([[4], [10], [-1]])[:, 0], [0.4, 1.0, 0.0])
    assert model.quantile([0.0, 0.4, 0.41, 1.0])[:, 0].tolist() == [0, 4, 5, 10]


def test_edges_without_a_whole_number_are_refused():
    with pytest.raises(ValueError, match="each bin must hold an integer"):
        bw.Histogram(bins=[0.2, 0.8, 4.0]).fit(np.array([[1], [2]]))


def test_dates():
    days = pd.to_datetime("2024-01-01") + pd.to_timedelta(np.arange(365), unit="D")
    frame = pd.DataFrame({"day": days})
    edges = np.array(["2024-01-01", "2024-07-01", "2025-01-01"], "M8[D]")
    model = bw.Histogram(bins={"day": edges}).fit(frame)
    assert model.counts_[0].tolist() == [182, 183]
    drawn = model.sample(50, random_state=0)
    assert drawn["day"].between("2024-01-01", "2025-01-01").all()
    by_rule = bw.Histogram(bins="fd").fit(frame)
    every_day = pd.DataFrame({"day": days[0] + pd.to_timedelta(np.arange(-200, 600), unit="D")})
    assert np.exp(by_rule.score_samples(every_day)).sum() == pytest.approx(1.0)  # a day has a probability
    drawn = by_rule.sample(50, random_state=0)["day"]
    assert (drawn == drawn.dt.normalize()).all()
    assert model.quantile(0.5)["day"][0].year == 2024


def test_ranges_may_be_dates():
    frame = pd.DataFrame({"day": pd.to_datetime(["2024-01-05", "2024-01-20"])})
    span = (np.datetime64("2024-01-01"), np.datetime64("2024-02-01"))
    model = bw.Histogram(bins=31, range=span).fit(frame)
    assert np.flatnonzero(model.counts_[0]).tolist() == [4, 19]


def test_categories_and_what_is_unknown():
    frame = pd.DataFrame({"a": ["x", "y", "x", None], "b": [True, False, True, True]})
    model = bw.Histogram().fit(frame)
    assert list(model.edges_[0]) == ["x", "y"]
    assert model.counts_[0].tolist() == [2, 1]
    assert model.missing_.tolist() == [1, 0]
    new = pd.DataFrame({"a": ["x", "z", None], "b": [True, True, True]})
    np.testing.assert_allclose(
        model.score_samples(new), [np.log(2 / 4) + np.log(0.75), -np.inf, np.log(1 / 4) + np.log(0.75)]
    )
    np.testing.assert_allclose(model.cdf(new)[:, 0], [2 / 3, np.nan, np.nan])


def test_missing_values_are_scored_and_sampled_in_their_fraction():
    X = normal(2000, 2)
    X[::4, 1] = np.nan
    model = bw.Histogram(estimate="bayes").fit(X)
    one = bw.Histogram(estimate="bayes").fit(X[:, [0]])
    alone = one.score_samples([[0.3]])
    np.testing.assert_allclose(model.score_samples([[0.3, np.nan]]), alone + np.log(0.25), rtol=1e-12)
    ignoring = bw.Histogram(estimate="bayes", missing="ignore").fit(X)
    np.testing.assert_allclose(ignoring.score_samples([[0.3, np.nan]]), alone, rtol=1e-12)
    drawn = model.sample(4000, random_state=0)
    assert np.isnan(drawn[:, 1]).mean() == pytest.approx(0.25, abs=0.03)
    assert integral(ignoring, 1) == pytest.approx(1.0)


# ---- queries -------------------------------------------------------------------------------------------


@examples(50)
@given(
    arrays(float, st.integers(2, 60), elements=st.floats(-100, 100, allow_subnormal=False)),
    st.integers(1, 20),
)
@example(np.array([2.2e-311, 0.0]), 1)
def test_quantile_inverts_the_cdf(values, n_bins):
    model = bw.Histogram(bins=n_bins, estimate="bayes").fit(values[:, None])
    levels = np.linspace(0, 1, 21)
    x = model.quantile(levels)
    np.testing.assert_allclose(model.cdf(x)[:, 0], levels, atol=1e-9)
    assert np.all(np.diff(x[:, 0]) >= 0)


def test_cdf_is_the_integral_of_the_density():
    model = bw.Histogram(bins="scott").fit(normal())
    x = np.linspace(-4, 4, 80_001)
    steps = np.exp(model.score_samples(x[:, None])) * (x[1] - x[0])
    np.testing.assert_allclose(model.cdf(x[:, None])[:, 0], np.cumsum(steps), atol=2e-3)


def test_moments_are_those_of_samples():
    model = bw.Histogram(bins=20).fit(normal(5000) + 10.0)
    drawn = model.sample(200_000, random_state=0)
    assert model.mean_[0] == pytest.approx(drawn.mean(), abs=0.01)
    assert model.variance_[0] == pytest.approx(drawn.var(), rel=0.02)
    counts = np.random.default_rng(0).poisson(3.0, (5000, 1))
    exact = bw.Histogram(bins=1000).fit(counts)
    assert exact.mean_[0] == pytest.approx(counts.mean(), rel=1e-12)
    assert exact.variance_[0] == pytest.approx(counts.var(), rel=1e-12)


def test_samples_follow_the_bins():
    model = bw.Histogram(bins=[-3.0, -1.0, 0.0, 0.1, 3.0]).fit(np.clip(normal(), -3, 3))
    drawn = model.sample(100_000, random_state=0)
    again = bw.Histogram(bins=[-3.0, -1.0, 0.0, 0.1, 3.0]).fit(drawn)
    np.testing.assert_allclose(again.columns_[0].mass, model.columns_[0].mass, atol=0.006)


# ---- parameters ----------------------------------------------------------------------------------------


def test_bins_per_column():
    X = normal(100, 3)
    model = bw.Histogram(bins=["fd", 4, [-9.0, 0.0, 9.0]]).fit(X)
    assert [len(c) for c in model.counts_[1:]] == [4, 2]
    named = bw.Histogram(bins={"b": 3, 0: 2}).fit(pd.DataFrame(X, columns=list("abc")))
    assert [len(c) for c in named.counts_[:2]] == [2, 3]
    assert named.selection_[0] is None
    assert named.selection_[2].rule == "loo"


def test_range_per_column():
    X = normal(100, 2)
    model = bw.Histogram(bins=5, range=[(-1, 1), None]).fit(X)
    assert model.edges_[0][[0, -1]].tolist() == [-1, 1]
    assert model.outside_[0] == (np.abs(X[:, 0]) > 1).sum()
    assert model.edges_[1][[0, -1]].tolist() == [X[:, 1].min(), X[:, 1].max()]


@pytest.mark.parametrize(
    ("parameters", "error", "match"),
    [
        ({"bins": "sturges"}, ValueError, "'sturges'"),
        ({"bins": 0}, ValueError, "from 1 to 1e8"),
        ({"bins": 2.5}, ValueError, "integer"),
        ({"bins": None}, TypeError, "rule, a number of bins or edges"),
        ({"bins": True}, TypeError, "rule, a number of bins or edges"),
        ({"bins": [1.0, 1.0]}, ValueError, "must ascend"),
        ({"bins": [0.0, np.nan]}, ValueError, "finite"),
        ({"bins": ["fd", 3, 4]}, ValueError, "3 entries for 2 columns"),
        ({"bins": {"z": 3}}, ValueError, "names the column 'z'"),
        ({"range": (1, 0)}, ValueError, "lower and an upper end"),
        ({"estimate": "mean"}, ValueError, "estimate must be one of"),
        ({"estimate": "map", "alpha": 0.5}, ValueError, "at least 1"),
        ({"estimate": "bayes", "alpha": -0.5}, ValueError, "at least 0 for estimate='bayes'"),
        ({"estimate": "map", "alpha": "loo"}, ValueError, 'needs estimate="bayes"'),
        ({"alpha": "two"}, TypeError, "alpha must be a number"),
        ({"bins": 3, "alpha": [1.0, 2.0], "estimate": "map"}, ValueError, "2 entries for 3 bins"),
        ({"alpha": [1.0, 2.0], "estimate": "map"}, ValueError, "Give alpha as a number"),
        ({"alpha": [1.0, 2.0], "bins": "loo_likelihood"}, ValueError, "Give alpha as a number"),
        ({"candidates": []}, ValueError, "candidates"),
        ({"candidates": [0]}, ValueError, "candidates"),
        ({"candidates": 0}, ValueError, "candidates"),
        ({"n_origins": 0}, ValueError, "n_origins"),
        ({"n_folds": 1}, ValueError, "n_folds"),
        ({"n_jobs": 0}, ValueError, "n_jobs must not be 0"),
    ],
)
def test_parameters_are_checked(parameters, error, match):
    with pytest.raises(error, match=match):
        bw.Histogram(**parameters).fit(normal(50, 2))


def test_threads_change_nothing():
    X = normal(600_000)
    one, two = (bw.Histogram(bins=50, n_jobs=n).fit(X) for n in (1, 2))
    np.testing.assert_array_equal(one.counts_[0], two.counts_[0])


@pytest.mark.parametrize(
    "model",
    [
        bw.Histogram(),
        bw.Histogram(bins="fd", estimate="bayes"),
        bw.ProductDensity(rotation="pca"),
        bw.GridHistogram(estimate="map"),
    ],
    ids=str,
)
def test_p_values_of_unseen_rows_are_uniform(model):
    X, new = (normal(n, 2, seed) @ (np.eye(2) + 0.5) for n, seed in ((3000, 0), (20_000, 1)))
    p = model.fit(X).p_values(new)
    for level in (0.01, 0.05, 0.1, 0.5):
        assert np.mean(p <= level) == pytest.approx(level, abs=0.01 + 0.1 * level)


@pytest.mark.parametrize(
    "density",
    [
        bw.Histogram(unseen="smooth"),
        bw.Histogram(),
        bw.ProductDensity(),
        bw.Histogram(bins=5),
        bw.GridHistogram(bins=3),
    ],
    ids=["smooth", "zero", "product", "equal bins", "grid"],
)
@pytest.mark.parametrize("n_columns", [1, 3])
def test_new_rows_beyond_the_bins_are_no_false_alarms(density, n_columns):
    # Bins end at the outermost rows: left out, these lie beyond them, as 2 of 41 new rows do in a column.
    odd = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        density.fit(rng.normal(size=(40, n_columns)))
        odd.append(np.mean(density.p_values(rng.normal(size=(500, n_columns))) < 0.06))
    assert np.mean(odd) < 0.075
