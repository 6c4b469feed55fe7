"""Laws of probability on very many random queries, and their answers beside very many samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.query.event_pools import Asked, EventPool
from tests.query.law_models import NAMES, drawn_evidence, fitted

from boxwood.query import Query, ZeroProbabilityError
from boxwood.query.column_set import NumberSet
from boxwood.query.event import Event
from boxwood.query.interval import Interval

LEAST = 1e-6
"""Evidence that is rarer is not asked under: few samples would show what it does."""


def pool_of(name: str, n_samples: int, seed: int) -> EventPool:
    density = fitted()[name]
    return EventPool(density._read(density.sample(n_samples, random_state=seed)), 30, seed)


def check_laws(query: Query, a: Asked, b: Asked, c: Asked) -> None:
    """Check complements, unions, ranges that grow and the chain rule on three events."""
    events = [a.event, ~a.event, b.event, a.event & b.event, a.event | b.event, a.event | c.event]
    p_a, not_a, p_b, both, either, more = query.probabilities(events)
    assert p_a + not_a == pytest.approx(1.0, abs=1e-9)
    assert either == pytest.approx(p_a + p_b - both, abs=1e-9)
    assert both <= min(p_a, p_b) + 1e-12
    assert more >= p_a - 1e-12
    if p_b > LEAST:
        assert query.given(b.event).probability(a.event) * p_b == pytest.approx(both, rel=1e-7, abs=1e-12)


def check_evidence(query: Query, b: Asked, rng: np.random.Generator) -> None:
    """Check a column under evidence: its density, its marginal, and that draws stay inside."""
    try:
        under = query.given(b.event)
    except ZeroProbabilityError:
        return
    p_b = under.evidence_probability
    if p_b <= LEAST:
        return
    drawn = under.sample_columns(200, rng)
    assert b.event.contains(drawn).all()
    j = int(rng.integers(len(drawn)))
    field = drawn.schema.fields[j]
    present = drawn[j].values[~drawn[j].missing()]
    if not field.kind.is_number or not len(present):
        return
    value = float(present[0])
    below = NumberSet.of_values([value], field.kind == "integer")
    there = ~NumberSet((), missing=True, whole=field.kind == "integer")
    at = query.evidence & b.event & Event.of_column(j, below)
    joint = Query(query._engine, query._score, query._read, at)
    density = math.exp(under._law(j).log_density(np.array([value]))[0])
    # A single value of a column under rules is asked of the mixture, whose rules have exceptions of 1e-3.
    if j not in query._engine.component_of:
        # An event has what lies between the points of a lattice with the nearest point, a density has not.
        off = getattr(query._engine.margins.columns[j], "off_mass", 0.0)
        assert density * p_b == pytest.approx(joint.evidence_probability, rel=1e-6 + 2.0 * off)
    up_to = NumberSet((Interval(-math.inf, value, False, True),), whole=field.kind == "integer")
    asked = [Event.of_column(j, up_to), Event.of_column(j, there)]
    of_values, all_values = query.probabilities([one & b.event for one in asked])
    assert float(under._law(j).cdf(np.array([value]))[0]) == pytest.approx(of_values / all_values, abs=1e-7)


def check_frequencies(query: Query, pool: EventPool, asked: list[Asked], name: str) -> None:
    """Check that the samples have each event as often as it is probable."""
    p = query.given(drawn_evidence(name)).probabilities([one.event for one in asked])
    seen = np.array([pool.frequency(one) for one in asked])
    error = np.sqrt(np.maximum(p * (1.0 - p), 1.0 / pool.n_rows) / pool.n_rows)
    beyond = np.abs(seen - p) / error
    # Of n events a fraction 6e-5 lies beyond 4 standard errors by chance, 4e-8 beyond 5.5.
    assert (beyond > 4.0).sum() <= 2 + len(asked) / 2000
    assert beyond.max() < 5.5, asked[int(beyond.argmax())].event


def check_many(name: str, n_queries: int, n_samples: int, seed: int) -> None:
    query, pool = fitted()[name].query(), pool_of(name, n_samples, seed)
    asked = []
    for i in range(n_queries):
        a, b, c = pool.event(), pool.event(), pool.event()
        asked.append(a)
        check_laws(query, a, b, c)
        if i % 20 == 0:
            check_evidence(query, b, pool.rng)
    check_frequencies(query, pool, asked, name)


@pytest.mark.parametrize("name", ["mixed", "ruled", "priced"])
def test_laws_on_many_queries(name: str) -> None:
    check_many(name, 600, 240_000, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_laws_on_very_many_queries(name: str) -> None:
    check_many(name, 20_000, 1_000_000, seed=2)
