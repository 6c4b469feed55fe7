"""Sums over weighed draws beside slow ones, draws inside intervals, rows taken by weight, the bank."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import truncnorm
from weighed_forest import proposal

import boxwood as bw
from boxwood.query import Event
from boxwood.query.weighed import bank
from boxwood.query.weighed.draws import Draws, joined_draws
from boxwood.query.weighed.normal_box import truncated_draws
from boxwood.query.weighed.resampling import _systematic
from properties import examples

logs = st.lists(st.floats(-30.0, 30.0), min_size=2, max_size=30)


def draws_of(log_weights, of_model=None, n_of_model=0):
    columns = bw.read_columns({"a": np.arange(len(log_weights), dtype=float)})
    return Draws(columns, np.array(log_weights), of_model, n_of_model)


@examples(50)
@given(logs, st.integers(0, 20), st.data())
def test_totals_and_errors(log_weights, n_outside, data):
    model = data.draw(st.lists(st.booleans(), min_size=len(log_weights), max_size=len(log_weights)))
    of_model = np.array(model)
    n_of_model = int(of_model.sum()) + n_outside
    draws = draws_of(log_weights, of_model, n_of_model)
    weights = [math.exp(log) for log in log_weights]
    n = len(weights) + n_outside
    assert draws.n_draws == n
    assert draws.log_total == pytest.approx(math.log(math.fsum(weights) / n))
    assert draws.effective_sample_size == pytest.approx(
        math.fsum(weights) ** 2 / math.fsum(w * w for w in weights)
    )
    variance = 0.0
    for part in (
        [w for w, m in zip(weights, model, strict=True) if not m],
        [w for w, m in zip(weights, model, strict=True) if m] + [0.0] * n_outside,
    ):
        variance += len(part) * np.var(part, ddof=1) if len(part) > 1 else 0.0
    assert draws.relative_error == pytest.approx(math.sqrt(variance) / math.fsum(weights), rel=1e-6, abs=1e-8)


@examples(50)
@given(logs)
def test_means(log_weights):
    draws = draws_of(log_weights)
    values = np.sin(np.arange(len(log_weights)))
    weights = np.exp(log_weights)
    mean = float((weights * values).sum() / weights.sum())
    found = draws.mean(values)
    assert found == pytest.approx(mean, abs=1e-12)
    n = len(weights)
    error = math.sqrt((weights**2 * (values - mean) ** 2).sum() * n / (n - 1)) / weights.sum()
    assert found.standard_error == pytest.approx(error, abs=1e-12)


def test_equal_weights_have_no_error():
    assert draws_of([-700.3] * 50).relative_error == 0.0
    assert draws_of([-np.inf] * 3).is_impossible


def test_blocks_are_joined():
    joined = joined_draws([draws_of([0.0, 1.0]), draws_of([2.0])])
    assert joined.log_weights.tolist() == [0.0, 1.0, 2.0]
    assert joined.columns.n_rows == 3


@pytest.mark.parametrize("spans", [((-1.0, 0.5),), ((8.0, 9.0),), ((-30.0, -29.0),), ((5.0, math.inf),)])
def test_draws_inside_an_interval(spans):
    (low, high) = spans[0]
    z, log = truncated_draws(np.zeros(4000), 1.0, spans, np.random.default_rng(0))
    law = truncnorm(low, high)
    assert ((z >= low) & (z <= high)).all()
    assert np.mean(z) == pytest.approx(law.mean(), abs=5.0 * law.std() / 4000**0.5)
    assert log == pytest.approx(np.log(_mass(low, high)), rel=1e-9)


def _mass(low, high):
    from scipy.special import ndtr

    return ndtr(high) - ndtr(low) if low <= 0.0 else ndtr(-low) - ndtr(-high)


def test_draws_inside_several_intervals():
    spans = ((-2.0, -1.0), (0.5, 0.6), (3.0, math.inf))
    z, log = truncated_draws(np.full(20_000, 0.2), 0.7, spans, np.random.default_rng(0))
    x = 0.2 + 0.7 * z
    masses = [_mass((low - 0.2) / 0.7, (high - 0.2) / 0.7) for low, high in spans]
    assert np.exp(log) == pytest.approx(sum(masses))
    for (low, high), mass in zip(spans, masses, strict=True):
        found = np.mean((x >= low - 1e-9) & (x <= high + 1e-9))
        assert found == pytest.approx(mass / sum(masses), abs=0.015)


def test_rows_are_taken_by_weight():
    weights = np.array([0.5, 0.0, 0.3, 0.2])
    taken = _systematic(weights, 1000, np.random.default_rng(0))
    assert np.abs(np.bincount(taken, minlength=4) / 1000 - weights).max() <= 0.001


def test_the_bank_forgets_the_oldest(monkeypatch):
    kept = bank.DrawBank(proposal())
    events = [proposal().read(f"x > {v}", {}) for v in (0.0, 0.5, 1.0)]
    first = kept.draws(events[0], 0, 1024, 0)
    assert kept.draws(events[0], 0, 1024, 0) is first
    monkeypatch.setattr(bank, "MOST_CELLS", 1)
    kept.draws(events[1], 0, 1024, 0)
    assert len(kept._kept) == 1
    assert np.array_equal(kept.draws(events[0], 0, 1024, 0).log_weights, first.log_weights)
    more = kept.draws(events[0], 0, 2048, 0)
    assert np.array_equal(more.log_weights[: len(first)], first.log_weights)
    assert kept.draws(Event([]), 0, 1024, 0) is None
