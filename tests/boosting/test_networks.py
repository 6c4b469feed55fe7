"""Networks of columns beside their implementation in numpy, and what training promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_network import distribution, mixtures, split
from scipy.stats import norm

from boxwood import _core
from properties import examples


def parameters_of(n_inputs, seed, scale=0.2):
    rng = np.random.default_rng(seed)
    return (scale * rng.normal(size=_core.network_size(n_inputs))).astype(np.float32)


def rows_of(z, weights=None):
    z = np.ascontiguousarray(z, dtype=np.float32)
    ones = np.ones(len(z)) if weights is None else weights
    return z, z, np.zeros_like(z), ones.astype(np.float32)


def bent(n, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, 3))
    z[:, 2] = np.sin(2.0 * z[:, 0]) + 0.2 * z[:, 2]
    return z


def options(**values):
    chosen = _core.NetworkTraining()
    for name, value in values.items():
        setattr(chosen, name, value)
    return chosen


@examples(20)
@given(st.integers(1, 6), st.integers(1, 300), st.integers(0, 2**32 - 1))
def test_distributions_are_those_of_the_reference(n_inputs, n_rows, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_rows, n_inputs)).astype(np.float32)
    z = rng.normal(size=n_rows)
    parameters = parameters_of(n_inputs, seed)
    inputs = rng.permutation(n_inputs).tolist()
    levels, logs = located(parameters, x, inputs, z)
    expected = distribution(parameters, x[:, inputs].astype(float), z)
    np.testing.assert_allclose(levels, expected[0], atol=1e-4)
    np.testing.assert_allclose(logs, expected[1], atol=1e-2, rtol=1e-3)


def test_masses_are_differences_of_the_distribution_function():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(50, 2)).astype(np.float32)
    parameters = parameters_of(2, 1)
    low, high = np.sort(rng.normal(size=(50, 2)), axis=1).T
    low[:5], high[5:10] = -np.inf, np.inf
    below, between = located(parameters, x, [0, 1], low, high)
    log_weights, means, deviations = mixtures(parameters, x.astype(float))
    at = [
        (np.exp(log_weights) * norm.cdf((z[:, None] - means) / deviations)).sum(axis=1) for z in (low, high)
    ]
    np.testing.assert_allclose(below, at[0], atol=1e-4)
    np.testing.assert_allclose(np.exp(between), at[1] - at[0], atol=1e-4)


@examples(20)
@given(st.integers(0, 2**32 - 1))
def test_quantiles_undo_the_distribution_function(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(100, 3)).astype(np.float32)
    parameters = parameters_of(3, seed)
    levels = rng.random(100)
    scores = _core.network_quantiles(parameters, x, [0, 1, 2], levels)
    again, _ = located(parameters, x, [0, 1, 2], scores)
    np.testing.assert_allclose(again, levels, atol=1e-12)


def located(parameters, x, inputs, low, high=None):
    """Return what one network says of points or intervals."""
    low = np.ascontiguousarray(low)[:, None]
    high = low if high is None else np.ascontiguousarray(high)[:, None]
    below, logs = _core.locate_by_networks([(parameters, inputs)], x.astype(np.float32), low, high)
    return below[:, 0], logs[:, 0]


def train(n_threads=1, weights=None, rows=None, **values):
    z = bent(800) if rows is None else rows
    tasks = [([0], 1, 5), ([0, 1], 2, 6)]
    held = rows_of(bent(300, seed=1))
    return _core.train_networks(rows_of(z, weights), held, tasks, options(**values), n_threads)


def test_training_finds_what_is_there_and_nothing_else():
    (none, nothing, _), (parameters, gain, _) = train(least_gain=0.02)
    assert len(none) == 0
    assert nothing == 0.0
    assert len(parameters) == _core.network_size(2)
    assert gain > 0.8
    z = bent(300, seed=1)
    _, logs = located(parameters, z, [0, 1], z[:, 2])
    assert np.mean(logs - norm.logpdf(z[:, 2])) == pytest.approx(gain, abs=1e-3)


def test_threads_change_no_byte():
    found = [train(n_threads, least_gain=-10.0, n_passes=30) for n_threads in (1, 2, 3)]
    for other in found[1:]:
        for (one, *_), (same, *_) in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, same)


def test_decay_shrinks_weights_between_layers_alone():
    plain, decayed = (
        split(train(least_gain=-10.0, n_passes=2, n_cycles=1, decay=decay)[1][0], 2) for decay in (0.0, 20.0)
    )
    sizes = [np.abs(b).mean() / np.abs(a).mean() for a, b in zip(plain, decayed, strict=True)]
    assert max(sizes[k] for k in (2, 4, 6)) < 0.7
    assert min(sizes[k] for k in (0, 1, 3, 5, 7)) > 0.9  # frequencies and phases stay


def test_parameters_are_means_over_steps():
    # 800 rows are 12 steps, and 64 rows a single one, which is its own mean.
    latest, mean = (
        train(least_gain=-10.0, n_passes=1, n_cycles=1, average=average, batch=64)[1][0]
        for average in (0.0, 0.995)
    )
    assert not np.array_equal(latest, mean)
    assert np.abs(latest - mean).max() < 0.02  # of some steps of 0.006 and less
    one = [
        train(rows=bent(64), least_gain=-10.0, n_passes=1, n_cycles=1, average=a)[1][0] for a in (0.0, 0.995)
    ]
    np.testing.assert_array_equal(*one)


def test_the_scale_of_weights_does_not_matter():
    for (one, *_), (other, *_) in zip(
        train(n_passes=30), train(n_passes=30, weights=np.full(800, 2.0)), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_a_row_of_weight_two_counts_as_two():
    z = bent(800)
    z[400:, 2] *= -1.0  # a second branch
    weights = np.where(np.arange(800) < 400, 2.0, 1.0)
    twice = np.concatenate([z[:400], z])
    found = [train(rows=z, weights=weights, least_gain=-10.0), train(rows=twice, least_gain=-10.0)]
    new = bent(500, seed=3)
    levels = [located(networks[1][0], new, [0, 1], new[:, 2])[1].mean() for networks in found]
    assert levels[0] == pytest.approx(levels[1], abs=0.15)
    even = train(rows=z, least_gain=-10.0)[1][0]
    _, plain = located(even, new, [0, 1], new[:, 2])
    assert min(levels) > plain.mean()  # new rows are of the branch that weighs more


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: (rows[0], rows[1], rows[2], rows[3][:-1]), "differ in rows"),
        (lambda rows: (rows[0] * np.float32(np.nan), *rows[1:]), "finite"),
        (lambda rows: (*rows[:3], rows[3] * np.float32(0.0)), "positive"),
    ],
)
def test_rows_that_do_not_fit_are_refused(change, message):
    rows = rows_of(bent(50))
    with pytest.raises(ValueError, match=message):
        _core.train_networks(change(rows), rows, [([0], 1, 0)], options(), 1)


def test_columns_that_are_not_there_are_refused():
    rows = rows_of(bent(50))
    with pytest.raises(ValueError, match="not there"):
        _core.train_networks(rows, rows, [([3], 1, 0)], options(), 1)
    with pytest.raises(ValueError, match="parameters"):
        located(parameters_of(2, 0), rows[0], [0], np.zeros(50))
