"""Which components of a mixture stay."""

import numpy as np

from boxwood.boosting.weights import best_weights, worth_keeping


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
