"""Coordinates by networks: inverse, Jacobian, mass, intervals, files, tables that are hard."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.boosting.coordinates import MarginCoordinates, coordinates_from_state, fit_networks
from boxwood.boosting.networks import training
from boxwood.boosting.networks.coordinates import NetworkCoordinates
from boxwood.boosting.networks.training import MOST_PASSES, NetworkRows, best_orders, training_options
from boxwood.boosting.settings import PRESETS
from boxwood.boosting.steps import Steps
from boxwood.boosting.training import points_of
from boxwood.margins import fit_margins
from boxwood.model_file import State

SMALL = {"n_estimators": 20, "random_state": 0}
NETWORK = {**SMALL, "components": ["network"], "n_networks": 1}
BOTH = {**NETWORK, "components": ["network", "margins"]}
SINGLE = {"network": NETWORK, "margins": {**SMALL, "components": ["margins"]}}


def bent(n, seed=0, noise=0.1):
    """Three columns; the last is a smooth function of the others, with noise that grows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    X[:, 2] = np.sin(2.0 * X[:, 0]) + X[:, 1] ** 2 + noise * np.exp(0.5 * X[:, 0]) * X[:, 2]
    return X


def mixed(n, seed=0):
    """A category and a count that follow a number, and a number that follows them."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    kind = np.where(x + 0.3 * rng.normal(size=n) > 0.5, "b", "a")
    count = rng.poisson(np.exp(0.5 * x + (kind == "b")))
    return pd.DataFrame({"x": x, "kind": kind, "count": count, "y": count + 0.1 * rng.normal(size=n)})


def points(X, held=False):
    columns = bw.read_columns(X)
    margins = fit_margins(columns, "smooth")
    return points_of(margins, columns, 1 if held else 0)


def networks_of(X, seed=0, n_networks=1):
    rows = points(X)
    settings = replace(PRESETS["default"], n_networks=n_networks)
    fitted = fit_networks(settings, rows, rows.part(np.zeros(len(X), dtype=bool)), seed)
    return rows, [coordinates for coordinates, _ in fitted]


@pytest.fixture(scope="module")
def of_bent():
    rows, [coordinates] = networks_of(bent(2000))
    return rows.u, coordinates


def test_coordinates_have_an_inverse_and_a_jacobian(of_bent):
    u, coordinates = of_bent
    v, log_jacobian = coordinates.apply(u)
    assert log_jacobian.mean() > 0.8
    back = coordinates.invert(v)
    assert np.quantile(np.abs(back - u), 0.99) < 1e-5
    for row in (10, 200, 400):
        point, step = u[row], 1e-6
        order = [network.column for network in coordinates.networks]
        slopes = []
        for j in order:
            above, below = point.copy(), point.copy()
            above[j] += step
            below[j] -= step
            moved = coordinates.apply(np.stack([above, below]))[0][:, j]
            slopes.append((moved[0] - moved[1]) / (2.0 * step))
        assert np.log(slopes).sum() == pytest.approx(log_jacobian[row], abs=0.01)


def test_the_mass_is_one_in_two_dimensions():
    rng = np.random.default_rng(0)
    x = rng.normal(size=1500)
    X = np.column_stack([x, np.cos(2.0 * x) + 0.3 * rng.normal(size=1500)])
    _, [coordinates] = networks_of(X)
    grid = (np.arange(600) + 0.5) / 600
    mesh = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    _, log_jacobian = coordinates.apply(np.ascontiguousarray(mesh))
    assert np.exp(log_jacobian).mean() == pytest.approx(1.0, abs=0.01)


def test_steps_have_their_probability():
    X = mixed(1500)
    rows, found = networks_of(X)
    [coordinates] = found
    assert set(coordinates.steps) == {1, 2}
    # Given the others, the mass of a discrete column's steps is 1, and constant within a step.
    for j, steps in coordinates.steps.items():
        if j not in [network.column for network in coordinates.networks]:
            continue
        middles = 0.5 * (steps.lower + steps.upper)
        widths = steps.upper - steps.lower
        for row in (0, 7, 20):
            there = np.repeat(rows.u[row][None], len(middles), axis=0)
            there[:, j] = middles
            order = [network.column for network in coordinates.networks]
            last = order[-1] == j
            moved, logs = coordinates.apply(there)
            shifted = there.copy()
            shifted[:, j] += 0.3 * widths
            np.testing.assert_allclose(coordinates.apply(shifted)[1], logs, atol=1e-9)
            if last:
                others = logs - _log_of_column(coordinates, there, j)
                assert np.exp(logs - others) @ widths == pytest.approx(widths.sum(), abs=0.05)
            assert (np.diff(moved[:, j]) > 0.0).all()


def _log_of_column(coordinates, u, j):
    """Return the part of one column in the Jacobian."""
    [network] = [network for network in coordinates.networks if network.column == j]
    return NetworkCoordinates([network], coordinates.steps, coordinates.gains).apply(u)[1]


def test_inverses_find_the_step():
    rows, [coordinates] = networks_of(mixed(1500))
    v, _ = coordinates.apply(rows.u)
    back = coordinates.invert(v)
    for j in (1, 2):
        same = coordinates.steps[j].middles(back[:, j]) == coordinates.steps[j].middles(rows.u[:, j])
        assert same.mean() > 0.999


def test_networks_know_more_of_mixed_tables_than_margins():
    X, new = mixed(3000), mixed(2000, seed=1)
    scores = {kind: bw.BoostedDensity(**settings).fit(X).score(new) for kind, settings in SINGLE.items()}
    assert scores["network"] > scores["margins"] - 0.02


def test_a_model_of_networks_is_ahead_on_a_bent_table():
    X, new = bent(2000), bent(1000, seed=1)
    scores = {kind: bw.BoostedDensity(**settings).fit(X).score(new) for kind, settings in SINGLE.items()}
    assert scores["network"] > scores["margins"] + 0.2


def test_noise_has_no_networks():
    X = np.random.default_rng(0).normal(size=(300, 3))
    model = bw.BoostedDensity(**NETWORK).fit(X)
    assert model.score(X) < -3.0


def test_orders_differ():
    _, found = networks_of(bent(600), n_networks=3)
    orders = {tuple(network.column for network in coordinates.networks) for coordinates in found}
    assert len(orders) > 1


def test_weights_decay_where_all_passes_are_affordable():
    assert training_options(9_000, 8, 16_000_000).decay > 0.0
    assert training_options(27_000, 8, 16_000_000).decay == 0.0


@pytest.mark.parametrize(
    ("n_visits", "n_passes", "n_cycles"),
    [(4_000, 1, 1), (19_500, 2, 1), (58_500, 6, 2), (60_000, 6, 2), (141_000, 14, 3), (700_000, 70, 4)],
)
def test_affordable_passes_are_all_made(n_visits, n_passes, n_cycles):
    options = training_options(1_000, 10, n_visits)
    assert (options.n_passes, options.n_cycles) == (n_passes, n_cycles)


def test_few_rows_are_passed_more_often():
    assert training_options(1_000, 2, 16_000_000).n_passes == MOST_PASSES
    assert training_options(8, 2, 16_000_000).n_passes == 32 * MOST_PASSES


def test_orders_near_the_best_are_tried():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 8))
    X[:, 3] = np.sin(X[:, 0] + X[:, 1]) + X[:, 2] * X[:, 4] + 0.1 * X[:, 3]
    rows = NetworkRows.of_points(points(X), points(X).part(np.zeros(len(X), dtype=bool)), 0)
    orders = best_orders(rows, 4, 24, 16_000_000, 0, 1)
    assert len({tuple(order.tolist()) for order in orders}) == 4
    after = [(np.argsort(order)[3] > np.argsort(order)[[0, 1, 2, 4]]).all() for order in orders]
    assert all(after)  # a fifth of random orders has the column after those that it follows from


def orders_tried(rows, most_visits, monkeypatch):
    """Return, for two opposite pilots, the orders that are tried, and check that the best are kept."""
    by_pilot = []
    for sign in (1, -1):
        tried, gains = [], []

        def pilot(few, orders, n_before, *_, sign=sign, tried=tried, gains=gains):
            assert n_before == len(tried)
            tried += [tuple(order.tolist()) for order in orders]
            new = [sign * float(np.argsort(order)[3]) for order in orders]
            gains += new
            return np.array(new)

        monkeypatch.setattr(training, "_gains_of_orders", pilot)
        kept = best_orders(rows, 4, 24, most_visits, 0, 1)
        best = np.argsort(-np.array(gains), kind="stable")[:4]
        assert [tuple(order.tolist()) for order in kept] == [tried[k] for k in best]
        assert len(set(tried)) == len(tried)
        by_pilot.append(tried)
    return by_pilot


def test_orders_near_the_best_are_tried_only_where_all_passes_are_affordable(monkeypatch):
    X = np.random.default_rng(0).normal(size=(1500, 8))
    rows = NetworkRows.of_points(points(X), points(X).part(np.zeros(len(X), dtype=bool)), 0)
    enough = MOST_PASSES * rows.n_rows * 7
    late, early = orders_tried(rows, enough, monkeypatch)
    assert late[:12] == early[:12]
    assert set(late[12:]).isdisjoint(early[12:])  # by what the pilot says of the first twelve
    places = [np.mean([order.index(3) for order in tried[12:]]) for tried in (late, early)]
    assert places[0] > 5.0 > 2.0 > places[1]
    one, other = orders_tried(rows, enough - 1, monkeypatch)
    assert one == other
    assert len(one) == 16


def test_a_pilot_takes_no_longer_than_half_of_training(monkeypatch):
    X = np.random.default_rng(0).normal(size=(3000, 30))
    rows = NetworkRows.of_points(points(X), points(X).part(np.zeros(len(X), dtype=bool)), 0)
    visits = []

    def pilot(few, orders, *_):
        visits.append(training.PASSES_OF_PILOT * len(orders) * few.n_rows * few.n_columns)
        return np.zeros(len(orders))

    monkeypatch.setattr(training, "_gains_of_orders", pilot)
    for most_visits in (300_000, 500_000, 2_000_000, 16_000_000):
        visits.clear()
        best_orders(rows, 1, 24, most_visits, 0, 1)
        assert 0.1 * most_visits < sum(visits) <= 0.5 * most_visits


def test_importances_go_to_the_columns_that_explain():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 5))
    X[:, 4] = 2.0 * X[:, 0] + 0.05 * X[:, 4]
    _, [coordinates] = networks_of(X)
    fractions = coordinates.gains / coordinates.gains.sum()
    assert fractions[1:4].sum() < 0.15
    assert min(fractions[0], fractions[4]) > 0.25


def test_files_pickles_and_threads_change_nothing(tmp_path):
    X, new = mixed(800), mixed(100, seed=1)
    one, other = (bw.BoostedDensity(**BOTH, n_jobs=n_jobs).fit(X) for n_jobs in (1, 3))
    scores = one.score_samples(new)
    np.testing.assert_array_equal(other.score_samples(new), scores)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(one)).score_samples(new), scores)
    one.save(tmp_path / "model")
    np.testing.assert_array_equal(bw.load(tmp_path / "model").score_samples(new), scores)


def test_the_order_of_rows_does_not_matter():
    X = bent(500)
    shuffled = X[np.random.default_rng(0).permutation(len(X))]
    one, other = (bw.BoostedDensity(**NETWORK).fit(rows) for rows in (X, shuffled))
    np.testing.assert_array_equal(one.score_samples(X), other.score_samples(X))


def test_warm_start_goes_on_with_the_same_networks():
    X = bent(500)
    setting = {"components": ["network"], "n_networks": 1, "random_state": 0, "n_iter_no_change": 100}
    model = bw.BoostedDensity(**setting, n_estimators=5, warm_start=True).fit(X)
    before = model.chains_[0].coordinates
    model.set_params(n_estimators=9).fit(X)
    assert model.chains_[0].coordinates is before


@pytest.mark.parametrize(
    "X",
    [
        np.column_stack([np.ones(40), np.arange(40.0)]),
        np.array([[0.0, 1.0], [1.0, 0.0]]),
        10.0 ** np.random.default_rng(0).uniform(-6.0, 6.0, size=(60, 3)),
        pd.DataFrame({"a": list("xyxy") * 20, "b": list("pqrs") * 20}),
    ],
    ids=["constant", "two rows", "twelve orders of magnitude", "discrete"],
)
def test_tables_that_are_hard(X):
    model = bw.BoostedDensity(**BOTH).fit(X)
    assert np.isfinite(model.score_samples(X)).all()
    assert len(model.sample(20, random_state=0)) == 20


def test_a_table_of_one_column_has_margins_instead():
    model = bw.BoostedDensity(**NETWORK).fit(np.arange(50.0)[:, None])
    assert isinstance(model.chains_[0].coordinates, MarginCoordinates)


def test_steps_do_not_overlap():
    steps = Steps(np.array([0.0, 0.5]), np.array([0.25, 1.0]))
    lower, upper = steps.around(np.array([0.0, 0.25, 0.3, 0.5, 1.0]))
    np.testing.assert_array_equal(lower, [0.0, 0.0, 0.3, 0.5, 0.5])
    np.testing.assert_array_equal(upper, [0.25, 0.25, 0.3, 1.0, 1.0])


@pytest.mark.parametrize(
    ("entry", "value", "what"),
    [
        ("gains", np.array([-1.0, 0.0, 0.0]), "below 0"),
        ("gains", np.zeros(2), "shape"),
        ("kind", "bent", "not one of"),
        ("columns_of_steps", np.array([0, 0]), "twice"),
    ],
)
def test_malformed_files_are_refused(of_bent, entry, value, what):
    state = {**of_bent[1].to_state(), entry: value}
    with pytest.raises(bw.ModelFileError, match=what):
        coordinates_from_state(State(state, "model"), 3)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("column", 7),
        ("inputs", np.array([0, 0])),
        ("inputs", np.array([], dtype=np.int64)),
        ("parameters", np.zeros(3, dtype=np.float32)),
    ],
)
def test_malformed_networks_are_refused(of_bent, entry, value):
    state = of_bent[1].to_state()
    state["networks"] = [{**state["networks"][0], entry: value}, *state["networks"][1:]]
    with pytest.raises(bw.ModelFileError):
        coordinates_from_state(State(state, "model"), 3)


def test_networks_in_the_wrong_order_are_refused(of_bent):
    state = of_bent[1].to_state()
    assert len(state["networks"]) > 1
    state["networks"] = state["networks"][::-1]
    with pytest.raises(bw.ModelFileError, match="later network"):
        coordinates_from_state(State(state, "model"), 3)
