"""The density contract's own parts: quantiles, thinning, what subclasses rely on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood import novelty
from boxwood.density.base import DensityEstimator, thinned, weighted_quantile

scores = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20)
levels = st.floats(0.0, 1.0)


@given(scores, levels)
def test_the_quantile_is_numpy_s(values, level):
    expected = np.quantile(values, level)
    assert weighted_quantile(np.array(values), None, level) == pytest.approx(expected, rel=1e-9, abs=1e-6)


@given(scores, levels, st.data())
def test_quantile_weights_are_repetitions(values, level, data):
    weights = data.draw(st.lists(st.integers(1, 5), min_size=len(values), max_size=len(values)))
    got = weighted_quantile(np.array(values), np.array(weights, dtype=float), level)
    expected = np.quantile(np.repeat(values, weights), level)
    assert got == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_quantile_of_infinite_scores_is_no_nan():
    values = np.array([-np.inf, -np.inf, 0.0, 1.0])
    assert weighted_quantile(values, None, 0.1) == -np.inf
    assert weighted_quantile(values, None, 0.9) == pytest.approx(0.7)


@pytest.mark.parametrize("total", [1e-9, 0.3, 1.0, 1e12])
def test_quantile_of_any_total_weight(total):
    values, weights = np.array([1.0, 2.0, 3.0]), np.full(3, total / 3.0)
    assert 1.0 <= weighted_quantile(values, weights, 0.5) <= 3.0
    assert weighted_quantile(values, weights, 0.0) == 1.0


@given(scores, st.data())
def test_thinning_weights_are_repetitions(values, data):
    weights = data.draw(st.lists(st.integers(1, 5), min_size=len(values), max_size=len(values)))
    got = thinned(np.array(values), np.array(weights, dtype=float))
    np.testing.assert_array_equal(got, np.sort(np.repeat(values, weights)))


def test_many_scores_are_thinned_to_quantiles():
    values = np.random.default_rng(0).permutation(100_000).astype(float)
    got = thinned(values, None)
    assert len(got) == novelty._CALIBRATION_SIZE
    np.testing.assert_array_equal(got, np.arange(10_000) * 10.0 + 4.0)
    np.testing.assert_array_equal(thinned(values, np.full(100_000, 3.0)), got)


def test_tiny_weights_keep_a_score():
    assert len(thinned(np.array([1.0, 2.0]), np.array([1e-9, 1e-9]))) == 1


def test_a_density_that_implements_nothing_says_so(tmp_path):
    class Nothing(DensityEstimator):
        pass

    nothing = Nothing()
    for call in (lambda: nothing._score(None), lambda: nothing._sample(1, None)):
        with pytest.raises(NotImplementedError):
            call()
    with pytest.raises(TypeError, match="Nothing cannot be saved"):
        nothing._get_state()
    with pytest.raises(TypeError, match="Nothing cannot be loaded"):
        nothing._fitted_of_state(None, None)
