"""Mixtures of Gaussians of scores: their formula, their laws and the search for how many."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import multivariate_normal, norm

import boxwood as bw
from boxwood.boosting.gaussian_scores import GaussianScores, begin_gaussians, independent_normals
from boxwood.boosting.gaussian_search import (
    MOST_COLUMNS,
    MOST_INDEPENDENT_COLUMNS,
    Split,
    fit_gaussians,
    refit_gaussians,
)
from boxwood.boosting.standard_scores import StandardScores
from boxwood.evidence import weigh_rows
from boxwood.evidence.bounds import with_bounds
from boxwood.margins import fit_margins
from boxwood.model_file import ModelFileError, State


def split(train, held):
    rows, left_out = (weigh_rows(bw.read_columns(part)) for part in (train, held))
    return Split(rows, left_out, fit_margins(rows.columns, "smooth"))


def two_clusters(n, seed, apart=2.0):
    rng = np.random.default_rng(seed)
    side = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    return 0.6 * rng.normal(size=(n, 3)) + apart * side[:, None] * np.array([0.5, 0.5, 0.0])


def fit(n=1500, k=3):
    scores = two_clusters(n, 0)
    return begin_gaussians(scores, np.ones(n), k, np.random.default_rng(0)).fitted(scores, np.ones(n))


def on_cube(mixture, u):
    return mixture.log_density(u, bw.read_columns(u))


def test_density_is_the_formula():
    mixture, scores = fit(), two_clusters(50, 2)
    covariances = [factor @ factor.T for factor in mixture.factors]
    parts = [
        fraction * multivariate_normal(mean, covariance).pdf(scores)
        for fraction, mean, covariance in zip(mixture.fractions, mixture.means, covariances, strict=True)
    ]
    wanted = np.log(sum(parts)) - norm.logpdf(scores).sum(axis=1)
    np.testing.assert_allclose(on_cube(mixture, ndtr(scores)), wanted, rtol=1e-9, atol=1e-9)


def test_mass_on_the_cube_is_one():
    u = np.random.default_rng(0).random((200_000, 3))
    assert np.exp(on_cube(fit(), u)).mean() == pytest.approx(1.0, abs=0.03)


def test_held_out_rows_choose_how_many():
    clusters = fit_gaussians(split(two_clusters(1500, 0, 4.0), two_clusters(400, 1, 4.0)), [], 0)
    assert len(clusters.mixture.fractions) >= 2
    rng = np.random.default_rng(0)
    normal = fit_gaussians(split(rng.normal(size=(500, 3)), rng.normal(size=(300, 3))), [], 0)
    assert len(normal.mixture.fractions) <= 2


def test_scores_are_standard_where_columns_are_normal_and_normal_where_they_are_not():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(600, 4)) @ rng.normal(size=(4, 4))
    kinds = []
    for table in (rows, np.sinh(2.0 * rows)):
        found = fit_gaussians(split(table[:300], table[300:]), [], 0)
        kinds.append(found.mixture.standard is not None)
    assert kinds == [True, False]


def test_bounded_columns_have_no_gaussians_beyond_their_bounds():
    rng = np.random.default_rng(0)
    rows = np.abs(rng.normal(size=(600, 2)))
    found = fit_gaussians(split(rows[:300], rows[300:]), [], 0)
    assert found.mixture.standard is None
    assert fit_gaussians(split(rows[:300, :1], rows[300:, :1]), [], 0) is None


def test_rows_of_folds_choose_and_are_scored_by_mixtures_that_have_not_seen_them():
    rows = two_clusters(300, 0, 4.0)
    folds = [split(np.delete(rows, np.arange(k, 300, 3), axis=0), rows[k::3]) for k in range(3)]
    found = fit_gaussians(split(rows[:270], rows[270:]), folds, 0)
    assert [len(unseen) for unseen in found.unseen] == [100, 100, 100]
    seen = found.mixture.log_density(folds[0].margins.encode(folds[0].held.columns), folds[0].held.columns)
    assert found.mixture.standard is not None
    assert np.mean(found.unseen[0]) == pytest.approx(seen.mean(), abs=0.2)


def test_standard_scores_have_the_density_of_values():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(400, 2)) @ np.array([[3.0, 1.0], [0.0, 0.1]]) + 50.0
    standard = StandardScores.of(bw.read_columns(rows))
    scores = standard.scores(bw.read_columns(rows))
    mixture = begin_gaussians(scores, np.ones(400), 1, rng).fitted(scores, np.ones(400))
    whole = GaussianScores(mixture.fractions, mixture.means, mixture.factors, standard)
    scale = np.diag(standard.deviations)
    covariance = scale @ mixture.factors[0] @ mixture.factors[0].T @ scale
    mean = standard.means + mixture.means[0] * standard.deviations
    wanted = multivariate_normal(mean, covariance).logpdf(rows[:20])
    np.testing.assert_allclose(whole.log_density(rows[:20], bw.read_columns(rows[:20])), wanted, rtol=1e-9)
    drawn = whole.sample(20_000, rng, fit_margins(bw.read_columns(rows), "smooth")).matrix()
    np.testing.assert_allclose(np.cov(drawn.T), covariance, rtol=0.05)
    one = rows[:1].copy()
    one[0, 1] = np.nan
    alone = multivariate_normal(mean[0], covariance[0, 0]).logpdf(one[0, 0])
    assert whole.log_density(one, bw.read_columns(one))[0] == pytest.approx(alone)


def test_draws_have_the_density():
    mixture = fit()
    margins = fit_margins(bw.read_columns(two_clusters(500, 0)), "smooth")
    drawn = margins.encode(mixture.sample(20_000, np.random.default_rng(0), margins))
    uniform = np.random.default_rng(1).random((200_000, 3))
    logs = on_cube(mixture, uniform)
    expected = np.average(logs, weights=np.exp(logs))
    assert on_cube(mixture, drawn).mean() == pytest.approx(expected, abs=0.05)


def test_weights_are_repetition():
    scores, weights = two_clusters(300, 0), np.repeat([1.0, 2.0], 150)
    mixture = fit(300)
    again = np.repeat(scores, weights.astype(int), axis=0)
    doubled = mixture.fitted(again, np.ones(len(again)), 5)
    same = mixture.fitted(scores, weights, 5)
    np.testing.assert_allclose(same.means, doubled.means, rtol=1e-9)


def test_each_step_climbs():
    scores, weights = two_clusters(400, 0), np.ones(400)
    begun = GaussianScores(np.array([0.5, 0.5]), scores[:2].copy(), np.repeat(np.eye(3)[None], 2, axis=0))
    values = [begun.fitted(scores, weights, n).log_density_of_scores(scores).mean() for n in range(1, 8)]
    assert (np.diff(values) > -1e-3).all()
    assert values[-1] > values[0]


def test_further_rows_are_learnt():
    few, more = two_clusters(200, 0), split(two_clusters(2000, 5), two_clusters(1000, 6))
    found = fit_gaussians(split(few, two_clusters(50, 1)), [], 0).mixture
    refitted = refit_gaussians(found, more.train, more.margins, 0)
    u, test = more.margins.encode(more.held.columns), more.held.columns
    assert refitted.log_density(u, test).mean() > found.log_density(u, test).mean()


@pytest.mark.parametrize("shape", [(9, 2), (500, MOST_COLUMNS + 1)])
def test_columns_of_few_rows_are_independent(shape):
    rng = np.random.default_rng(0)
    found = fit_gaussians(split(rng.normal(2.0, 3.0, shape), rng.normal(2.0, 3.0, shape)), [], 0).mixture
    assert found.is_independent
    assert refit_gaussians(found, split(*rng.normal(size=(2, 20, shape[1]))).train, None, 0).is_independent


def test_there_is_none_of_very_many_columns_nor_of_few_rows_that_leave_none_out():
    rng = np.random.default_rng(0)
    many = rng.normal(size=(30, MOST_INDEPENDENT_COLUMNS + 1))
    assert fit_gaussians(split(many, many), [], 0) is None
    few = split(*rng.normal(size=(2, 9, 2)))
    assert fit_gaussians(few._replace(held=few.held.part(np.zeros(9))), [], 0) is None


def test_independent_columns_are_left_where_rows_depend():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(800, 1)) + 0.3 * rng.normal(size=(800, 3))
    found = fit_gaussians(split(rows[:500], rows[500:]), [], 0).mixture
    assert not found.is_independent
    free = rng.normal(size=(800, 8))
    assert fit_gaussians(split(free[:300], free[300:]), [], 0).mixture.is_independent


def test_independent_normals_are_the_formula():
    standard = StandardScores(np.array([1.0, -2.0, 5.0]), np.array([0.5, 1.0, 3.0]))
    rows = np.random.default_rng(0).normal(size=(40, 3))
    scores = (rows - standard.means) / standard.deviations
    plain, slow = independent_normals(standard), independent_normals(standard)
    # Factors that are not exactly those of independence take the way of all others.
    slow = replace(slow, factors=slow.factors * (1.0 + 1e-13))
    assert plain.is_independent
    assert not slow.is_independent
    gaps = np.where(np.arange(3) == 1, np.nan, scores)
    for of in (scores, gaps):
        np.testing.assert_allclose(plain.log_density_of_scores(of), slow.log_density_of_scores(of), atol=1e-9)
    wanted = norm(standard.means, standard.deviations).logpdf(rows).sum(axis=1)
    np.testing.assert_allclose(plain.log_density(np.zeros((40, 3)), bw.read_columns(rows)), wanted)
    margins = fit_margins(bw.read_columns(rows), "smooth")
    drawn = [of.sample(500, np.random.default_rng(1), margins).matrix() for of in (plain, slow)]
    np.testing.assert_allclose(*drawn, atol=1e-9)


@pytest.mark.parametrize(("mean", "is_far"), [(1e6, True), (3.0, False)])
def test_bounds_that_are_far_away_leave_gaussians_as_they_are(mean, is_far):
    rows = np.abs(np.random.default_rng(0).normal(mean, 1.0, (600, 1)))
    columns = bw.read_columns(rows)
    evidence = with_bounds(weigh_rows(columns), columns, {0: (0.0, np.inf)})
    halves = [evidence.part(np.where(np.arange(600) % 2 == half, 1.0, 0.0)) for half in (0, 1)]
    found = fit_gaussians(Split(*halves, fit_margins(halves[0].columns, "smooth")), [], 0)
    assert (found is not None) == is_far


def test_gaussians_that_are_weighed_know_all_rows():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(5000, 12)) @ rng.normal(size=(12, 12))
    of_many = split(rows[:4000], rows[4000:])
    found = fit_gaussians(of_many, [], 0).mixture
    covariance = np.cov(of_many.scores(found.standard, of_many.train.columns)[0].T, bias=True)
    np.testing.assert_allclose(found.factors[0] @ found.factors[0].T, covariance, atol=1e-3)


def test_one_row_scores_as_among_others():
    mixture, u = fit(), ndtr(two_clusters(37, 3))
    one_by_one = np.concatenate([on_cube(mixture, u[i : i + 1]) for i in range(len(u))])
    np.testing.assert_array_equal(on_cube(mixture, u), one_by_one)


def test_wrong_files_are_refused():
    state = fit().to_state()
    read = GaussianScores.from_state(State(state, "model"), 3)
    np.testing.assert_array_equal(read.means.ravel(), state["means"])
    with pytest.raises(ModelFileError, match="fractions"):
        GaussianScores.from_state(State({**state, "fractions": state["fractions"] * 0.5}, "model"), 3)
    with pytest.raises(ModelFileError, match="Cholesky"):
        GaussianScores.from_state(State({**state, "factors": -state["factors"]}, "model"), 3)
    scale = StandardScores(np.zeros(3), np.zeros(3)).to_state()
    with pytest.raises(ModelFileError, match="not positive"):
        GaussianScores.from_state(State({**state, "standard": scale}, "model"), 3)
