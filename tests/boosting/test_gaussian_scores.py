"""Mixtures of Gaussians of normal scores."""

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import multivariate_normal, norm

from boxwood.boosting.cube_points import CubePoints
from boxwood.boosting.gaussian_scores import GaussianScores, fit_gaussian_scores, refit_gaussian_scores
from boxwood.model_file import ModelFileError, State


def cube(scores, weights=None):
    return CubePoints(ndtr(scores), weights, np.arange(len(scores)), np.arange(scores.shape[1]))


def two_clusters(n, seed, apart=2.0):
    rng = np.random.default_rng(seed)
    side = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    return 0.6 * rng.normal(size=(n, 3)) + apart * side[:, None] * np.array([0.5, 0.5, 0.0])


def fit(n=1500, n_held=400, **options):
    return fit_gaussian_scores(cube(two_clusters(n, 0)), cube(two_clusters(n_held, 1)), 0, **options)


def test_density_is_the_formula():
    mixture, scores = fit(), two_clusters(50, 2)
    covariances = [factor @ factor.T for factor in mixture.factors]
    parts = [
        fraction * multivariate_normal(mean, covariance).pdf(scores)
        for fraction, mean, covariance in zip(mixture.fractions, mixture.means, covariances, strict=True)
    ]
    wanted = np.log(sum(parts)) - norm.logpdf(scores).sum(axis=1)
    np.testing.assert_allclose(mixture.log_density(ndtr(scores)), wanted, rtol=1e-9, atol=1e-9)


def test_mass_on_the_cube_is_one():
    u = np.random.default_rng(0).random((200_000, 3))
    assert np.exp(fit().log_density(u)).mean() == pytest.approx(1.0, abs=0.03)


def test_held_out_rows_choose_how_many():
    assert len(fit().fractions) >= 2
    rng = np.random.default_rng(0)
    normal = fit_gaussian_scores(cube(rng.normal(size=(500, 3))), cube(rng.normal(size=(300, 3))), 0)
    assert len(normal.fractions) <= 2


def test_draws_have_the_density():
    mixture = fit()
    drawn = mixture.sample(20_000, np.random.default_rng(0))
    uniform = np.random.default_rng(1).random((200_000, 3))
    logs = mixture.log_density(uniform)
    expected = np.average(logs, weights=np.exp(logs))
    assert mixture.log_density(drawn).mean() == pytest.approx(expected, abs=0.05)


def test_weights_are_repetition():
    scores, held = two_clusters(300, 0), cube(two_clusters(200, 1))
    weights = np.repeat([1.0, 2.0], 150)
    mixture = fit_gaussian_scores(cube(scores, weights), held, 0)
    again = np.repeat(scores, weights.astype(int), axis=0)
    doubled = mixture.fitted(again, np.ones(len(again)), 5)
    same = mixture.fitted(scores, weights, 5)
    np.testing.assert_allclose(same.means, doubled.means, rtol=1e-9)


def test_each_step_climbs():
    scores, weights = two_clusters(400, 0), np.ones(400)
    begun = GaussianScores(np.array([0.5, 0.5]), scores[:2].copy(), np.repeat(np.eye(3)[None], 2, axis=0))
    values = [begun.fitted(scores, weights, n).log_density(ndtr(scores)).mean() for n in range(1, 8)]
    assert (np.diff(values) > -1e-3).all()
    assert values[-1] > values[0]


def test_further_rows_are_learnt():
    mixture, more = fit(200, 50), two_clusters(2000, 5)
    refitted = refit_gaussian_scores(mixture, ndtr(more), np.ones(len(more)), 0)
    test = ndtr(two_clusters(1000, 6))
    assert refitted.log_density(test).mean() > mixture.log_density(test).mean()


@pytest.mark.parametrize("shape", [(100, 1), (9, 2), (500, 41)])
def test_there_is_none_of_some_tables(shape):
    rng = np.random.default_rng(0)
    assert fit_gaussian_scores(cube(rng.normal(size=shape)), cube(rng.normal(size=shape)), 0) is None


def test_one_row_scores_as_among_others():
    mixture, u = fit(), ndtr(two_clusters(37, 3))
    one_by_one = np.concatenate([mixture.log_density(u[i : i + 1]) for i in range(len(u))])
    np.testing.assert_array_equal(mixture.log_density(u), one_by_one)


def test_wrong_files_are_refused():
    state = fit().to_state()
    read = GaussianScores.from_state(State(state, "model"), 3)
    np.testing.assert_array_equal(read.means.ravel(), state["means"])
    with pytest.raises(ModelFileError, match="fractions"):
        GaussianScores.from_state(State({**state, "fractions": state["fractions"] * 0.5}, "model"), 3)
    with pytest.raises(ModelFileError, match="Cholesky"):
        GaussianScores.from_state(State({**state, "factors": -state["factors"]}, "model"), 3)
