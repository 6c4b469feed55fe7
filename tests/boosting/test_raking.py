"""Factors that give draws uniform margins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.boosting.cube_intervals import CubeIntervals
from boxwood.boosting.ratio.density_ratio import CubeRows
from boxwood.boosting.ratio.raking import (
    EDGES,
    EDGES_BEFORE,
    MOST,
    MOST_BEFORE,
    MOST_OF_FORESTS,
    Raking,
    counted_bins,
    wanted_masses,
)
from boxwood.model_file import ModelFileError, State
from properties import examples


def points(u):
    return CubeIntervals(u, np.zeros_like(u))


def wanted_of(table):
    return wanted_masses(counted_bins(table))


def drained(n, seed, power=1.15):
    """Dependent points with too little mass at both ends of each column."""
    rng = np.random.default_rng(seed)
    u = rng.beta(power, power, size=(n, 3))
    u[:, 1] = np.where(rng.random(n) < 0.5, u[:, 0], u[:, 1])
    return u


def weighted_bins(u, weights):
    return np.array([np.histogram(column, EDGES, weights=weights)[0] / weights.sum() for column in u.T])


def reference_log_factor(raking, u):
    """Return the factors row by row."""
    logs = []
    for row in u:
        product = 1.0
        for j, value in enumerate(row):
            k = max(b for b in range(len(EDGES) - 1) if EDGES[b] <= value)
            product *= raking.factors[j, k]
        logs.append(np.log(min(product, MOST)) - raking.log_mean)
    return np.array(logs)


def test_weighted_draws_are_uniform():
    u = drained(20_000, 0)
    raking = Raking.fit(points(u))
    before = weighted_bins(u, np.ones(len(u)))
    after = weighted_bins(u, np.exp(raking.log_factor(points(u))))
    wide = np.diff(EDGES) > 0.01  # too few draws fall into the others
    assert (before[:, EDGES[1:] <= 0.05].sum(axis=1) < 0.045).all()
    np.testing.assert_allclose(after[:, wide], np.tile(np.diff(EDGES)[wide], (3, 1)), rtol=0.02)


def test_margins_are_those_of_the_table():
    """Where rows say otherwise than the margin, by as much as they outnumber its own."""
    rng = np.random.default_rng(0)
    real = rng.beta(1.0, 1.3, size=(20_000, 2))
    drawn = rng.random((40_000, 2))
    raking = Raking.fit(points(drawn), wanted_of(CubeRows(points(real), np.ones(len(real)))))
    found = weighted_bins(drawn, np.exp(raking.log_factor(points(drawn))))
    counted = weighted_bins(real, np.ones(len(real)))
    wide = np.diff(EDGES) > 0.03
    np.testing.assert_allclose(found[:, wide], counted[:, wide], rtol=0.1)
    of_few = Raking.fit(points(drawn), wanted_of(CubeRows(points(real[:30]), np.ones(30))))
    assert np.abs(np.log(of_few.factors[:, wide])).max() < 0.5


@pytest.mark.parametrize("width", [0.0, 0.3])  # points, and intervals
def test_left_out_factors_are_those_of_the_table_without_the_row(width):
    rng = np.random.default_rng(0)
    drawn = points(rng.random((20_000, 2)))
    lower = rng.beta(1.0, 1.3, size=(60, 2)) * (1.0 - width)
    table = CubeRows(CubeIntervals(lower, np.full_like(lower, width)), rng.integers(1, 30, 60).astype(float))
    raking = Raking.fit(drawn, wanted_of(table))
    found = raking.left_out_log_factor(table, table)
    seen = raking.log_factor(table.intervals)
    without_it = []
    for i in range(60):
        others = np.delete(np.arange(60), i)
        without = CubeRows(table.intervals.take(others), table.weights[others])
        without_it.append(
            Raking.fit(drawn, wanted_of(without)).log_factor(table.intervals.take(np.array([i])))[0]
        )
    change = np.array(without_it) - seen
    assert np.abs(change).mean() > 0.01
    # Factors of other columns and the mean change a little, too.
    assert np.abs(found - without_it).mean() < 0.2 * np.abs(change).mean()


def test_a_group_is_left_out_of_the_factors_as_a_whole():
    rng = np.random.default_rng(0)
    drawn, groups = points(rng.random((20_000, 2))), np.repeat(np.arange(12), 40)
    places = np.clip(rng.random((12, 2))[groups] + rng.normal(scale=0.01, size=(480, 2)), 0.0, 1.0)
    table = CubeRows(points(places), np.ones(480))
    raking = Raking.fit(drawn, wanted_of(table))
    found = raking.left_out_log_factor(table, table, groups)
    for group in range(12):
        own = groups == group
        without = CubeRows(points(places[~own]), np.ones((~own).sum()))
        wanted = Raking.fit(drawn, wanted_of(without)).log_factor(points(places[own]))
        np.testing.assert_allclose(found[own].mean(), wanted.mean(), atol=0.15)
    assert raking.log_factor(table.intervals).mean() > found.mean() + 0.1


def test_mass_far_beyond_the_rows_is_taken_away():
    rng = np.random.default_rng(0)
    drawn = rng.random((60_000, 2))
    drawn[:600, 0] = 1e-6
    raking = Raking.fit(points(drawn))
    kept = np.exp(raking.log_factor(points(drawn)))
    assert kept[:600].sum() / kept.sum() < 1e-3


def test_factors_go_as_far_as_the_bound():
    """Too small a bound leaves an end short of its mass where draws have 1 / 2.4 of it."""
    rng = np.random.default_rng(0)
    drawn = rng.random((60_000, 2))
    drawn = drawn[(drawn[:, 0] < 0.9) | (rng.random(len(drawn)) < 1.0 / 2.4)]
    upper = EDGES[:-1] >= 0.9
    for most, full in ((MOST, False), (MOST_OF_FORESTS, True)):
        raking = Raking.fit(points(drawn), most=most)
        factor = np.exp(raking.log_factor(points(drawn)))
        mass = weighted_bins(drawn, factor)[0, upper].sum()
        assert np.exp(raking.log_factor(points(drawn)) + raking.log_mean).max() <= most + 1e-12
        assert (mass > 0.098) == full


def test_mass_stays_one():
    raking = Raking.fit(points(drained(20_000, 0)))
    mean = np.exp(raking.log_factor(points(drained(200_000, 1)))).mean()
    assert mean == pytest.approx(1.0, abs=0.01)


@examples(25)
@given(st.integers(0, 10_000))
def test_factors_are_those_of_a_loop(seed):
    u = drained(300, seed)
    raking = Raking.fit(points(u))
    np.testing.assert_allclose(raking.log_factor(points(u)), reference_log_factor(raking, u), rtol=1e-12)
    assert (raking.log_factor(points(u)) <= raking.log_most + 1e-12).all()


def test_an_interval_has_the_mean_of_its_bins():
    raking = Raking.fit(points(drained(5_000, 0)))
    tenths = [np.flatnonzero(edge == EDGES)[0] for edge in (0.2, 0.3)]
    whole = CubeIntervals(np.zeros((1, 3)), np.ones((1, 3)))
    inner = CubeIntervals(np.array([[0.2, 0.0, 0.0]]), np.array([[0.2, 1.0, 1.0]]))
    assert raking.log_factor(whole)[0] == pytest.approx(-raking.log_mean, abs=1e-9)
    wanted = np.log(raking.factors[0, tenths].mean()) - raking.log_mean
    assert raking.log_factor(inner)[0] == pytest.approx(wanted, abs=1e-9)


def test_columns_of_one_value_and_of_two_are_raked():
    rng = np.random.default_rng(0)
    second = rng.random(4_000) < 0.6  # the margin says half
    lower = np.column_stack([np.zeros(4_000), np.where(second, 0.5, 0.0)])
    width = np.column_stack([np.ones(4_000), np.full(4_000, 0.5)])
    factor = np.exp(Raking.fit(CubeIntervals(lower, width)).log_factor(CubeIntervals(lower, width)))
    assert factor[second].sum() / factor.sum() == pytest.approx(0.5, abs=0.005)


def test_uniform_draws_need_no_factors():
    raking = Raking.fit(points(np.random.default_rng(0).random((50_000, 2))))
    assert np.abs(np.log(raking.factors[:, np.diff(EDGES) > 0.005])).max() < 0.2
    assert abs(raking.log_mean) < 0.01


def test_a_file_with_wrong_factors_is_refused():
    state = Raking.fit(points(drained(500, 0))).to_state()
    read = Raking.from_state(State(state, "model"), 3)
    np.testing.assert_array_equal(read.factors.ravel(), state["factors"])
    state["factors"][0] = 0.0
    with pytest.raises(ModelFileError, match="factors"):
        Raking.from_state(State(state, "model"), 3)
    state["edges"] = state["edges"][::-1].copy()
    with pytest.raises(ModelFileError, match="edges"):
        Raking.from_state(State(state, "model"), 3)


@pytest.mark.parametrize("log_mean", [-1e3, 1.0, 1e3])  # no draw would be kept, or more than all
def test_a_file_with_a_wrong_mean_is_refused(log_mean):
    state = {**Raking.fit(points(drained(500, 0))).to_state(), "log_mean": log_mean}
    with pytest.raises(ModelFileError, match="log_mean"):
        Raking.from_state(State(state, "model"), 3)


def test_files_from_before_have_their_own_bins():
    state = {"factors": np.full(3 * 16, 1.5), "log_mean": 0.25}
    read = Raking.from_state(State(state, "model"), 3)
    assert read.most == MOST_BEFORE
    np.testing.assert_array_equal(read.edges, EDGES_BEFORE)
    expected = np.log(min(1.5**3, MOST_BEFORE)) - 0.25
    np.testing.assert_allclose(read.log_factor(points(np.full((2, 3), 0.3))), expected, rtol=1e-12)
