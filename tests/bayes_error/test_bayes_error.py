"""Error theory: the inequalities, known answers, and the bracket of tables whose Bayes error is known."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm
from sklearn.model_selection import ShuffleSplit

import boxwood as bw
from boxwood.bayes_error.theory import bayes_range


@given(st.integers(2, 10), st.floats(0.0, 1.0))
def test_the_bracket_and_the_bound_are_inverse(n_classes, fraction):
    bayes = fraction * (n_classes - 1) / n_classes
    low, high = bw.nn_error_bounds(bayes, n_classes)
    assert low == bayes
    assert bayes <= high + 1e-12 <= 2.0 * bayes + 1e-9
    assert high <= (n_classes - 1) / n_classes + 1e-12
    lower, upper = bayes_range(high, n_classes)
    assert lower == pytest.approx(bayes, abs=1e-6)
    assert upper == pytest.approx(high)


def test_bounds_of_more_neighbours():
    assert bw.nn_error_bounds(0.1, 2, 5)[1] == pytest.approx(0.1 + 0.18 / math.sqrt(20))
    assert bw.nn_error_bounds(0.1, 3, 5)[1] == pytest.approx(0.1 + 0.1 * (2 - 0.15) / math.sqrt(5))
    assert bw.nn_error_bounds(0.2, 2, 4)[1] == pytest.approx(0.2 + 0.32 / 2)
    for arguments in ((-0.1,), (0.6,), (0.1, 1), (0.1, 2, 0)):
        with pytest.raises(ValueError, match="must"):
            bw.nn_error_bounds(*arguments)


def test_local_errors_of_probabilities():
    errors = bw.local_errors([[0.8, 0.2], [1.0, 0.0], [0.25, 0.75]])
    np.testing.assert_allclose(errors.bayes, [0.2, 0.0, 0.25])
    np.testing.assert_allclose(errors.nearest, [0.32, 0.0, 0.375])
    with pytest.raises(ValueError, match="row 1"):
        bw.local_errors([[0.5, 0.5], [0.5, 0.6]])
    with pytest.raises(ValueError, match="one column a class"):
        bw.local_errors([0.5, 0.5])


def test_one_point_a_class_errs_seven_times_in_twenty():
    """p(x|0) = 2 − 2x, p(x|1) = 2x: the rule by two training points, integrated over where they fall."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    nodes, weights = (nodes + 1.0) / 2.0, weights / 2.0

    def rule_a(t):  # class 0 below t
        return (t - 0.5) ** 2 + 0.25

    total = {True: 0.0, False: 0.0}
    # The error is polynomial on either side of x0 = x1: integrate the two triangles apart.
    for (a, wa), (b, wb) in product(zip(nodes, weights, strict=True), repeat=2):
        low, high, area = a * b, b, wa * wb * b  # x = low < high
        t = (low + high) / 2.0
        total[True] += area * (2.0 - 2.0 * low) * 2.0 * high * rule_a(t)
        total[False] += area * (2.0 - 2.0 * high) * 2.0 * low * (1.0 - rule_a(t))
    assert total[True] == pytest.approx(83 / 360)
    assert total[False] == pytest.approx(43 / 360)
    assert sum(total.values()) == pytest.approx(7 / 20)


def draw_ramp(n, rng):
    y = rng.integers(0, 2, n)
    root = np.sqrt(rng.random(n))
    return np.where(y == 1, root, 1.0 - root)[:, None], y


def test_seven_in_twenty_by_the_classifier():
    rng = np.random.default_rng(0)
    errors = []
    for _ in range(400):
        root = np.sqrt(rng.random(2))
        model = bw.KNeighborsClassifier(1).fit([[1.0 - root[0]], [root[1]]], [0, 1])
        X, y = draw_ramp(500, rng)
        errors.append(np.mean(model.predict(X) != y))
    assert np.mean(errors) == pytest.approx(0.35, abs=4 * np.std(errors) / 20)


def draw_gaussians(n, rng):
    """Return n points a class of the two isotropic Gaussians of the notes."""
    near = rng.normal(scale=14.77, size=(n, 2))
    far = rng.normal(scale=49.87, size=(n, 2)) + np.array([107.67, 0.0])
    return np.concatenate([near, far]), np.repeat([0, 1], n)


def gaussian_bayes_error():
    x = np.linspace(-400.0, 600.0, 1201)
    y = np.linspace(-400.0, 400.0, 961)
    near = np.outer(norm.pdf(x, 0.0, 14.77), norm.pdf(y, 0.0, 14.77))
    far = np.outer(norm.pdf(x, 107.67, 49.87), norm.pdf(y, 0.0, 49.87))
    return 0.5 * np.minimum(near, far).sum() * (x[1] - x[0]) * (y[1] - y[0])


def test_the_two_gaussians_of_the_notes():
    assert gaussian_bayes_error() == pytest.approx(0.026, abs=0.0005)
    rng = np.random.default_rng(0)
    X_new, y_new = draw_gaussians(4000, rng)
    errors = {1: [], 3: [], 5: []}
    for _ in range(60):
        X, y = draw_gaussians(100, rng)
        for k, found in errors.items():
            found.append(np.mean(bw.KNeighborsClassifier(k).fit(X, y).predict(X_new) != y_new))
    # Measured over 1,500 draws; the test rows are common to all draws, hence the second term.
    for k, mean, deviation in ((1, 0.0452, 0.007), (3, 0.0354, 0.004), (5, 0.0350, 0.003)):
        tolerance = 4 * deviation / math.sqrt(60) + 3 * math.sqrt(0.04 * 0.96 / 8000)
        assert np.mean(errors[k]) == pytest.approx(mean, abs=tolerance)
        assert np.std(errors[k]) == pytest.approx(deviation, rel=0.5)


def test_a_table_whose_bayes_error_is_known():
    rng = np.random.default_rng(0)
    X, y = draw_ramp(4000, rng)  # Bayes error ¼; 1-NN tends to ∫ 2x(1 − x) dx = ⅓
    bounds = bw.bayes_error_bounds(X, y, random_state=0)
    assert bounds.nn_error == pytest.approx(1 / 3, abs=0.03)
    assert bounds.lower < 0.25 < bounds.upper
    assert bounds.interval[0] < bounds.lower < bounds.upper < bounds.interval[1]
    assert bounds.nn_interval == pytest.approx(
        tuple(binomtest(round(4000 * bounds.nn_error), 4000).proportion_ci(method="wilson"))
    )
    assert (np.diff(bounds.curve_sizes) > 0).all()
    assert bounds.curve_sizes[-1] == 3999
    assert bounds.neighbor_errors[0] == bounds.nn_error
    assert bounds.neighbor_errors[-1] == pytest.approx(0.25, abs=0.02)
    assert "asymptotic" in str(bounds)


def test_noise_columns_deceive_the_lower_end():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 51))
    bounds = bw.bayes_error_bounds(X, (X[:, 0] > 0).astype(int), n_repeats=1, random_state=0)
    assert bounds.lower == pytest.approx(0.23, abs=0.04)  # though the Bayes error is 0
    assert bounds.curve_errors[0] > bounds.curve_errors[-1]  # and the curve still falls


def test_errors_by_neighbours_are_leave_one_out():
    X, y = draw_ramp(101, np.random.default_rng(0))
    bounds = bw.bayes_error_bounds(X, y, random_state=0)
    for k, error in zip(bounds.neighbors[:4], bounds.neighbor_errors[:4], strict=True):
        model = bw.KNeighborsClassifier(int(k)).fit(X, y)
        assert error == pytest.approx(1.0 - model.score(None, y))


def test_folds_metrics_and_gaps():
    rng = np.random.default_rng(0)
    X, y = draw_ramp(300, rng)
    folds = bw.bayes_error_bounds(X, y, cv=5, random_state=0)
    assert folds.nn_error == pytest.approx(bw.bayes_error_bounds(X, y, random_state=0).nn_error, abs=0.1)
    words = np.array(["no", "yes"])[y]
    both = np.column_stack([X, 1e4 * rng.random(300)])
    assert bw.bayes_error_bounds(both, words, standardize=True, random_state=0).n_classes == 2
    both[::9, 1] = np.nan
    partial = bw.bayes_error_bounds(both, words, missing="partial", metric="manhattan", random_state=0)
    assert 0.0 <= partial.lower <= partial.upper <= 0.5
    again = bw.bayes_error_bounds(both, words, missing="partial", metric="manhattan", random_state=0)
    np.testing.assert_array_equal(partial.curve_errors, again.curve_errors)


def test_the_interval_is_of_the_rows_that_were_held_out():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    X = rng.normal(size=(400, 2)) + y[:, None]
    splitter = ShuffleSplit(1, test_size=40, random_state=0)
    bounds = bw.bayes_error_bounds(X, y, cv=splitter, random_state=0)
    wrong = round(40 * bounds.nn_error)
    interval = binomtest(wrong, 40).proportion_ci(method="wilson")
    assert bounds.nn_interval == pytest.approx((interval.low, interval.high))


def test_units_do_not_matter():
    rng = np.random.default_rng(0)
    X, y = draw_ramp(400, rng)
    both = np.column_stack([X, rng.random(400)])
    units = np.array([1e-6, 1e6])
    plain, scaled = (bw.bayes_error_bounds(rows, y, random_state=0) for rows in (both, both * units))
    assert scaled.nn_error == plain.nn_error
    np.testing.assert_array_equal(scaled.curve_errors, plain.curve_errors)
    own = bw.bayes_error_bounds(both * units, y, standardize=False, random_state=0)
    assert own.nn_error > plain.nn_error + 0.05  # the noise decides who is near


def test_what_cannot_be_bracketed():
    X, y = draw_ramp(20, np.random.default_rng(0))
    with pytest.raises(ValueError, match="one class"):
        bw.bayes_error_bounds(X, np.zeros(20))
    with pytest.raises(ValueError, match="at least 3 rows"):
        bw.bayes_error_bounds(X[:2], [0, 1])
    with pytest.raises(ValueError, match="confidence"):
        bw.bayes_error_bounds(X, y, confidence=1.0)
    with pytest.raises(ValueError, match="inconsistent"):
        bw.bayes_error_bounds(X, y[:5])
    with pytest.raises(ValueError, match="missing"):
        bw.bayes_error_bounds(np.full((20, 1), np.nan), y)
