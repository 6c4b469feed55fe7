"""Coordinates of chains: inverse, Jacobian, regressions beside references, malformed files."""

from __future__ import annotations

import pickle
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from boxwood import _core
from boxwood.boosting.coordinates import MarginCoordinates, fit_coordinates
from boxwood.boosting.cube_points import CubePoints
from boxwood.boosting.fourier_regression import MOST_ROWS, fit_fourier_features
from boxwood.boosting.residual import ResidualCoordinates
from boxwood.boosting.ridge import Ridge, evenly
from boxwood.margins import fit_margins
from boxwood.threads import parallel_map

SMALL = {"n_estimators": 30, "n_trees": 5, "random_state": 0}


def bent(n, seed=0, noise=0.1):
    """Three columns; the last is a smooth function of the others, with noise that grows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    X[:, 2] = np.sin(2.0 * X[:, 0]) + X[:, 1] ** 2 + noise * np.exp(0.5 * X[:, 0]) * X[:, 2]
    return X


def cube(X):
    columns = bw.read_columns(X)
    return fit_margins(columns).encode(columns)


def points_of(u, columns, weights=None, copies=1):
    row = np.repeat(np.arange(len(u)), copies)
    return CubePoints(u[row], None if weights is None else weights[row] / copies, row, np.array(columns))


@pytest.fixture(scope="module")
def residual():
    u = cube(bent(3000))
    coordinates, points = fit_coordinates("residual", points_of(u, range(3)), 0)
    return u, coordinates, points


@pytest.mark.parametrize("kind", ["pca", "ica", "residual"])
def test_coordinates_have_an_inverse_and_a_jacobian(kind):
    u = cube(bent(600)[:, [0, 1, 2]])
    coordinates, _ = fit_coordinates(kind, points_of(u, [0, 2]), 0)
    v, log_jacobian = coordinates.apply(u)
    np.testing.assert_allclose(coordinates.invert(v), u, atol=1e-7)
    np.testing.assert_array_equal(v[:, 1], u[:, 1])
    for row in (10, 200):
        point, step = u[row], 1e-7
        moved = [coordinates.apply((point + step * axis)[None])[0][0] for axis in np.eye(3)]
        numeric = np.linalg.slogdet((np.array(moved) - v[row]) / step)[1]
        assert numeric == pytest.approx(log_jacobian[row], abs=1e-3)


def test_what_a_function_explains_is_gone(residual):
    _, coordinates, points = residual
    assert list(coordinates.columns[-1:]) == [2]
    _, log_jacobian = coordinates.apply(cube(bent(3000, seed=1)))
    assert log_jacobian.mean() > 1.2  # nats, before the first tree
    assert abs(np.corrcoef(points[:, 1] ** 2, points[:, 2])[0, 1]) < 0.1


def test_training_points_are_spread_as_new_rows_are(residual):
    u, coordinates, points = residual
    new, _ = coordinates.apply(
        fit_margins(bw.read_columns(bent(3000))).encode(bw.read_columns(bent(3000, 7)))
    )
    for j in range(3):
        assert abs(np.std(points[:, j]) / np.std(new[:, j]) - 1.0) < 0.05
    np.testing.assert_allclose(coordinates.training_points(points_of(u, range(3))), points, atol=1e-9)


def test_rows_are_moved_alone_as_among_others():
    rng = np.random.default_rng(0)
    u = cube(np.column_stack([bent(600), bent(600, 1) + bent(600), rng.normal(size=(600, 6))]))
    coordinates, _ = fit_coordinates("residual", points_of(u, range(12)), 0)
    together, log_jacobian = coordinates.apply(u[:200], 2)
    alone = [coordinates.apply(u[i : i + 1]) for i in range(200)]
    np.testing.assert_array_equal(np.concatenate([v for v, _ in alone]), together)
    np.testing.assert_array_equal(np.concatenate([logs for _, logs in alone]), log_jacobian)


def test_columns_that_hang_on_nothing_have_no_residuals():
    u = np.random.default_rng(0).random((2000, 4))
    assert fit_coordinates("residual", points_of(u, range(4)), 0) is None
    assert fit_coordinates("residual", points_of(u[:3], range(4)), 0) is None


def test_a_column_twice_stays_finite():
    X = np.random.default_rng(0).normal(size=(500, 2))[:, [0, 1, 0]]
    model = bw.BoostedDensity(**SMALL, components=["residual"]).fit(X)
    assert np.isfinite(model.score_samples(X)).all()
    assert np.isfinite(model.score_samples(X + np.array([0.0, 0.0, 5.0]))).all()
    sample = model.sample(100, random_state=0)
    np.testing.assert_allclose(sample[:, 0], sample[:, 2], atol=0.05)


def test_a_model_of_residuals_is_ahead_on_a_bent_table():
    X, new = bent(2000), bent(2000, seed=1)
    scores = {
        kind: bw.BoostedDensity(**SMALL, components=[kind]).fit(X).score(new)
        for kind in ("margins", "pca", "residual")
    }
    assert scores["residual"] > max(scores["margins"], scores["pca"]) + 0.1


def test_warm_start_goes_on_with_the_same_residuals():
    X, new = bent(800), bent(100, seed=1)
    setting = {"components": ["residual"], "validation_fraction": 0.0, "random_state": 0}
    model = bw.BoostedDensity(**setting, n_estimators=5, warm_start=True).fit(X)
    model.set_params(n_estimators=10).fit(X)
    at_once = bw.BoostedDensity(**setting, n_estimators=10).fit(X)
    np.testing.assert_allclose(model.score_samples(new), at_once.score_samples(new), atol=1e-9)


def test_weights_are_repetition_and_files_keep_all(tmp_path):
    X, new = bent(300), bent(50, seed=1)
    weights = np.random.default_rng(0).integers(1, 4, len(X))
    setting = {"components": ["residual"], "n_estimators": 5, "random_state": 0}
    weighted = bw.BoostedDensity(**setting).fit(X, sample_weight=weights)
    repeated = bw.BoostedDensity(**setting).fit(np.repeat(X, weights, axis=0))
    assert isinstance(weighted.chains_[0].coordinates, ResidualCoordinates)
    np.testing.assert_array_equal(weighted.score_samples(new), repeated.score_samples(new))
    weighted.save(tmp_path / "model")
    again = bw.load(tmp_path / "model")
    np.testing.assert_array_equal(again.score_samples(new), weighted.score_samples(new))


def test_importances_count_what_regressions_explain():
    rng = np.random.default_rng(0)
    X = np.column_stack([bent(2000), rng.normal(size=2000)])
    fractions = bw.BoostedDensity(**SMALL, components=["residual"]).fit(X).feature_importances_
    assert fractions.argmax() == 2
    assert fractions[3] < 0.5 * fractions[:3].min()


@pytest.mark.parametrize(
    ("entry", "value", "what"),
    [
        ("columns", np.array([0, 1, 1]), "at least two different"),
        ("columns", np.array([0, 1, 7]), "above 2"),
        ("regressions", [], None),
        ("gains", np.array([-1.0, 0.0, 0.0]), "below 0"),
        ("gains", np.zeros(2), "shape"),
        ("kind", "bent", "not one of"),
    ],
)
def test_malformed_files_are_refused(residual, entry, value, what):
    from boxwood.boosting.coordinates import coordinates_from_state
    from boxwood.model_file import State

    state = {**residual[1].to_state(), entry: value}
    if what is None:
        assert coordinates_from_state(State(state, "model"), 3).regressions == []
        return
    with pytest.raises(bw.ModelFileError, match=what):
        coordinates_from_state(State(state, "model"), 3)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("bounds", np.array([[0.0, 1.0], [1.0, -1.0]])),
        ("bounds", np.array([[-1e9, 1e9], [0.0, 0.0]])),
        ("coefficients", np.zeros((2, 3))),
        ("phases", np.array([np.nan])),
        ("penalties", np.array([-1.0, 0.0])),
        ("frequencies", np.zeros((1, 1))),
    ],
)
def test_malformed_regressions_are_refused(residual, entry, value):
    from boxwood.boosting.fourier_regression import FourierRegression
    from boxwood.model_file import State

    regression = residual[1].regressions[-1]
    assert FourierRegression.from_state(State(regression.to_state(), "model"), 2).left == regression.left
    with pytest.raises(bw.ModelFileError):
        FourierRegression.from_state(State({**regression.to_state(), entry: value}, "model"), 2)


@given(st.integers(1, 30), st.integers(1, 5), st.integers(0, 90), st.integers(0, 2**32 - 1))
def test_features_are_cosines(n, d, k, seed):
    rng = np.random.default_rng(seed)
    X, frequencies, phases = rng.normal(size=(n, d)), rng.normal(size=(d, k)), rng.random(k)
    coefficients = rng.normal(size=(2, k))
    reference = np.cos(2.0 * np.pi * (X @ frequencies + phases))
    [features] = _core.fourier_features([(X, frequencies, phases)])
    np.testing.assert_allclose(features, reference, atol=2e-9)
    wider = np.hstack([X, rng.normal(size=(n, 2))])  # of which the first columns are read
    none = (np.zeros((d, 0)), np.zeros(0), np.zeros((3, 0)))
    sums, nothing = _core.fourier_sums(wider, [(frequencies, phases, coefficients), none], 2)
    np.testing.assert_allclose(sums, reference @ coefficients.T, atol=1e-6)
    np.testing.assert_array_equal(nothing, np.zeros((n, 3)))


def test_features_that_do_not_fit_are_refused():
    X = np.zeros((3, 2))
    with pytest.raises(ValueError, match="do not fit"):
        _core.fourier_features([(X, np.zeros((3, 4)), np.zeros(4))])
    with pytest.raises(ValueError, match="one coefficient a feature"):
        _core.fourier_sums(X, [(np.zeros((2, 4)), np.zeros(4), np.zeros((1, 3)))])
    with pytest.raises(ValueError, match="do not fit"):
        _core.fourier_sums(X, [(np.zeros((3, 4)), np.zeros(4), np.zeros((1, 4)))])


def reference_ridge(X, y, weights, penalty):
    """Coefficients and constant by the normal equations."""
    means = np.average(X, axis=0, weights=weights)
    centred = X - means
    products = (centred * weights[:, None]).T @ centred + penalty * np.eye(X.shape[1])
    coefficients = np.linalg.solve(products, centred.T @ (weights * y))
    return coefficients, np.average(y, weights=weights) - means @ coefficients


@given(st.integers(8, 25), st.integers(1, 4), st.booleans(), st.integers(0, 2**32 - 1))
def test_ridge_equals_its_reference_implementation(n, d, weighted, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), rng.normal(size=n)
    weights = rng.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    ridge = Ridge.of(X[:, :1], weights if weighted else None).with_more(X[:, 1:])
    coefficients, constant = ridge.solve(y, 0.7)
    reference_coefficients, reference_constant = reference_ridge(X, y, weights, 0.7)
    np.testing.assert_allclose(coefficients, reference_coefficients, atol=1e-9)
    assert constant == pytest.approx(reference_constant, abs=1e-9)
    found = ridge.left_out(y, 0.7)
    for i in range(n):
        others = np.arange(n) != i
        coefficients, constant = reference_ridge(X[others], y[others], weights[others], 0.7)
        assert found[i] == pytest.approx(X[i] @ coefficients + constant, abs=1e-9)


def test_a_penalty_is_chosen_by_rows_left_out():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    fractions = 10.0 ** np.arange(-6.0, 3.0)
    noise_penalty, left = Ridge.of(X, None).best_penalty(rng.normal(size=300), fractions)
    assert left > 0.9
    signal_penalty, left = Ridge.of(X, None).best_penalty(X @ rng.normal(size=20), fractions)
    assert left < 1e-3
    assert signal_penalty < noise_penalty


def test_rows_that_were_fitted_are_predicted_by_the_others():
    X = bent(MOST_ROWS + 2000)
    X = X[np.lexsort(X.T)]
    regression, left_out = fit_fourier_features(X[:, :2], X[:, 2], None, 0)
    assert left_out.shape == (2, MOST_ROWS)
    fitted = X[evenly(len(X), MOST_ROWS)]
    plain = regression.residuals(fitted[:, 2], regression.predict(fitted[:, :2]))
    corrected = regression.residuals(fitted[:, 2], left_out)
    assert (corrected**2).mean() > (plain**2).mean()
    np.testing.assert_allclose(regression.left_out(X[:, :2], X[:, 2], None), left_out, atol=1e-12)


def test_copies_of_a_row_are_left_out_together():
    u = cube(bent(500))
    once, points = fit_coordinates("residual", points_of(u, range(3), np.ones(500)), 0)
    copied, copies = fit_coordinates("residual", points_of(u, range(3), np.ones(500), copies=4), 0)
    np.testing.assert_array_equal(once.columns, copied.columns)
    for one, other in zip(once.regressions, copied.regressions, strict=True):
        np.testing.assert_array_equal(one.coefficients, other.coefficients)
    np.testing.assert_allclose(copies[::4], points, atol=1e-6)
    np.testing.assert_array_equal(copies[::4], copies[3::4])


def test_a_flag_beside_noise_finds_no_regressions():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(400, 3)), rng.integers(0, 2, 400)])
    model = bw.BoostedDensity(**SMALL, components=["residual"]).fit(X)
    assert isinstance(model.chains_[0].coordinates, MarginCoordinates)


@pytest.mark.parametrize("n_rows", [300, 900])
def test_few_rows_have_features_too(n_rows):
    coordinates, _ = fit_coordinates("residual", points_of(cube(bent(n_rows)), range(3)), 0)
    assert len(coordinates.regressions[-1].phases) >= n_rows // 8
    _, log_jacobian = coordinates.apply(cube(bent(1000, seed=1)))
    assert log_jacobian.mean() > 1.0


def test_samples_stay_near_the_data():
    rng = np.random.default_rng(0)
    latent = rng.normal(size=(1500, 3))
    X = np.column_stack([latent, np.sin(2.0 * latent @ rng.normal(size=(3, 9)))])
    X[:, 3:] += 0.1 * rng.normal(size=(1500, 9))
    model = bw.BoostedDensity(**SMALL, components=["residual"]).fit(X)
    [chain] = model.chains_
    decoded = chain.decode(rng.random((4000, 12)))
    assert ((decoded < 1e-14) | (decoded > 1.0 - 1e-14)).any(axis=1).mean() < 0.005
    sample = model.sample(4000, random_state=0)
    assert (np.quantile(np.abs(sample), 0.995, axis=0) < 3.0 * np.abs(X).max(axis=0)).all()


def test_the_function_comes_after_its_argument():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 7))
    X[:, 6] = np.sin(2.0 * X[:, 0]) + 0.05 * X[:, 6]
    coordinates, _ = fit_coordinates("residual", points_of(cube(X), range(7)), 0)
    assert coordinates.columns[-1] == 6


def test_importances_go_to_the_columns_that_explain():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 7))
    X[:, 6] = 2.0 * X[:, 0] + 0.3 * np.sin(2.0 * X[:, 1]) + 0.05 * X[:, 6]
    coordinates, _ = fit_coordinates("residual", points_of(cube(X), range(7)), 0)
    fractions = coordinates.gains / coordinates.gains.sum()
    assert fractions[2:6].sum() < 0.1
    assert min(fractions[0], fractions[6]) > 0.25


def test_threads_and_pickles_change_nothing():
    X, new = bent(800), bent(100, seed=1)
    one, other = (
        bw.BoostedDensity(**SMALL, components=["residual"], n_jobs=n_jobs).fit(X) for n_jobs in (1, 3)
    )
    np.testing.assert_array_equal(one.score_samples(new), other.score_samples(new))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(one)).score_samples(new), one.score_samples(new))


def test_linear_algebra_is_left_as_it_was():
    threadpoolctl = pytest.importorskip("threadpoolctl")

    def blas():
        return [pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]

    before, inside = blas(), []
    if not before:
        pytest.skip("threadpoolctl does not know the linear algebra here")
    entered, leave = threading.Event(), threading.Event()

    def first(_):
        entered.set()
        leave.wait(10)

    def second(_):
        leave.set()
        other.join()  # the first has left, and the limit must hold on
        inside.extend(blas())

    other = threading.Thread(target=parallel_map, args=(first, [0], 1))
    other.start()
    entered.wait(10)
    parallel_map(second, [0], 1)
    assert set(inside) == {1}
    assert blas() == before
