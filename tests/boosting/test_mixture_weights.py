"""Which components of a mixture stay."""

import numpy as np

from boxwood.boosting.weights import PRIOR_ROWS, best_weights, evened, worth_keeping


def test_weights_are_those_of_a_thousand_plain_steps():
    rng = np.random.default_rng(0)
    logs, rows = rng.normal(size=(300, 4)), rng.integers(1, 4, size=300).astype(float)
    logs[0, :3] = -np.inf
    expected = np.full(4, 0.25)
    for _ in range(1000):
        joint = np.exp(logs) * expected
        explained = rows @ (joint / joint.sum(axis=1, keepdims=True))
        expected = (explained + PRIOR_ROWS) / (rows.sum() + 4 * PRIOR_ROWS)
    np.testing.assert_allclose(best_weights(logs, rows), expected, rtol=1e-9)


def test_rows_that_nothing_explains_leave_equal_weights():
    np.testing.assert_array_equal(best_weights(np.full((3, 2), -np.inf), None), [0.5, 0.5])


def test_weights_of_like_components_go_half_way_to_their_mean():
    weights = np.array([[0.6, 0.1, 0.3], [0.2, 0.2, 0.6]])
    found = evened(weights, np.array([True, False, True]))
    np.testing.assert_allclose(found, [[0.525, 0.1, 0.375], [0.3, 0.2, 0.5]])
    np.testing.assert_array_equal(evened(weights, np.zeros(3, dtype=bool)), weights)


def test_small_components_of_no_worth_are_left_out():
    rng = np.random.default_rng(0)
    good = rng.normal(size=1000)
    logs = np.column_stack([good, good + 1e-3 * rng.normal(size=1000), good - 0.01])
    np.testing.assert_array_equal(
        worth_keeping(logs, np.array([0.48, 0.48, 0.04]), None), [True, True, False]
    )


def test_small_components_that_alone_explain_some_rows_stay():
    logs = np.zeros((1000, 2))
    logs[:50, 0], logs[50:, 1] = -5.0, -5.0
    weights = best_weights(logs, None)
    assert weights[1] < 0.1
    assert worth_keeping(logs, weights, None).all()


def test_large_components_stay_where_others_are_as_good():
    assert worth_keeping(np.zeros((100, 2)), np.array([0.5, 0.5]), None).all()
