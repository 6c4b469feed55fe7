"""Harmful expressions get an answer or a clear error, soon, and never a traceback of another kind."""

import random
import time
import warnings
from functools import cache

import pytest
from event_tables import fitted
from harmful_expressions import harmful

import boxwood as bw
from boxwood.query import Query

LONGEST = 5.0
"""Seconds of CPU time for one expression; on an idle machine the slowest takes 0.3."""


@cache
def query() -> Query:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # five rows
        return bw.DensityTree(random_state=0).fit(fitted()).query()


def check(text: str) -> bool:
    """Ask for a probability; return whether there is one."""
    start = time.process_time()
    found: float | str
    try:
        found = query().probability(text)
    except ValueError as error:  # ExpressionError, EventTooLargeError and QueryError are
        found = str(error)
    spent = time.process_time() - start
    assert spent < LONGEST, f"{spent:.1f} seconds: {text[:200]!r}"
    if isinstance(found, str):
        assert 0 < len(found) < 2_000
        return False
    assert 0.0 <= found <= 1.0
    return True


def check_many(n: int, seed: int) -> None:
    generator = random.Random(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answered = sum(check(harmful(generator, number)) for number in range(n))
    assert n / 100 < answered < n / 2


def test_harmful_expressions() -> None:
    check_many(1_500, seed=0)


@pytest.mark.slow
def test_very_many_harmful_expressions() -> None:
    check_many(100_000, seed=1)
