"""Densities of rows at random points of their intervals: estimates whose mean is the density."""

import numpy as np
import pandas as pd
import pytest

import boxwood as bw


def fitted(discrete: bool):
    rng = np.random.default_rng(0)
    x = rng.normal(size=600)
    frame = pd.DataFrame({"x": x, "y": x + 0.5 * rng.normal(size=600)})
    if discrete:
        frame["c"] = np.where(x + rng.normal(size=600) > 0, "a", "b")
        frame["k"] = rng.poisson(np.exp(0.4 * x))
    density = bw.BoostedDensity("quick", random_state=0).fit(frame)
    return density.model_, density._read(frame[:40])


def test_their_mean_is_the_density():
    model, columns = fitted(discrete=True)
    true = np.exp(model.log_density(columns, 1024, 1))
    rng = np.random.default_rng(1)
    many = np.exp([model.log_density_at_random(columns, rng, 8, 1) for _ in range(400)])
    error = many.std(axis=0, ddof=1) / 20.0
    assert (np.abs(many.mean(axis=0) - true) <= 4.5 * error + 1e-3 * true).all()
    assert (error > 0.0).any()


def test_of_continuous_rows_they_are_the_density():
    model, columns = fitted(discrete=False)
    found = model.log_density_at_random(columns, np.random.default_rng(0), 8, 1)
    assert found == pytest.approx(model.log_density(columns, 8, 1), abs=1e-9)
    drawn, scores = model.sample_scored(50, np.random.default_rng(0), 8, 1)
    assert np.median(np.abs(scores - model.log_density(drawn, 8, 1))) < 1e-6


def test_draws_of_discrete_rows_have_the_density_of_their_points():
    # Over the points of a row that are drawn, the mean of (mean density) / (density at the point) is 1.
    model, _ = fitted(discrete=True)
    drawn, scores = model.sample_scored(20_000, np.random.default_rng(0), 8, 1)
    mean = model.log_density(drawn, 64, 1)
    assert np.mean(scores) >= np.mean(mean) - 0.01  # by Jensen: points are drawn where the density is high
    assert np.mean(np.exp(mean - scores)) == pytest.approx(1.0, abs=0.05)
