"""Probabilities from two strata: an event under the evidence, and what of the evidence is not in it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from boxwood.query.answer import Answer
from boxwood.query.event import Event, EventTooLargeError
from boxwood.query.linear_event import LinearEvent
from boxwood.query.weighed.bank import DrawBank
from boxwood.query.weighed.draws import Draws

__all__ = ["by_total", "conditional_probability", "of_strata"]


def conditional_probability(
    bank: DrawBank,
    evidence: Event,
    event: Any,
    n: int,
    seed: int,
    draws_of_evidence: Callable[[int], Draws],
) -> Answer:
    """Return P(event | evidence) from n draws of each stratum.

    Where the strata cannot be cut into boxes (events across columns, or too many boxes) the draws under the
    evidence that are in the event are counted.
    """
    if isinstance(event, LinearEvent):
        return _counted(draws_of_evidence(n), event)
    try:
        inside, outside = event & evidence, evidence - event
    except EventTooLargeError:
        return _counted(draws_of_evidence(n), event)
    if inside.is_empty or outside.is_empty:
        draws_of_evidence(n)  # raises where the evidence is impossible
        return Answer(0.0 if inside.is_empty else 1.0)
    rank = None if evidence.is_everything else _rank(bank, evidence)
    of_total = evidence.is_everything and bank.proposal.normalised
    first = bank.draws(inside, 0 if rank is None else rank, n, seed)
    second = bank.draws(outside, 0 if rank is None else rank, n, seed)
    if first is None or second is None:
        return Answer(0.0 if first is None else 1.0)
    return by_total(first, second) if of_total else of_strata(first, second)


def _rank(bank: DrawBank, evidence: Event) -> int | None:
    """Return in how many columns the evidence names one continuous value."""
    prepared = bank.proposal.prepare(evidence, None)
    return None if prepared is None else int(prepared.rank)


def _counted(draws: Draws, event: Event | LinearEvent) -> Answer:
    return draws.mean(event.contains(draws.columns).astype(np.float64))


def of_strata(inside: Draws, outside: Draws) -> Answer:
    """Return P(inside) / (P(inside) + P(outside)), with the error of a ratio of independent estimates."""
    if inside.is_impossible:
        return Answer.weighed(0.0, 0.0, outside.effective_sample_size)
    if outside.is_impossible:
        return Answer.weighed(1.0, 0.0, inside.effective_sample_size)
    odds = math.exp(min(outside.log_total - inside.log_total, 700.0))
    p = 1.0 / (1.0 + odds)
    error = math.hypot(inside.relative_error, outside.relative_error)
    return Answer.weighed(p, p * (1.0 - p) * error, _size(inside, outside), exact=error == 0.0)


def by_total(inside: Draws, outside: Draws) -> Answer:
    """Return P(inside) where both are known to add up to 1.

    P(inside) and 1 − P(outside) are two estimates of it, which are weighed by their variances; but at least
    as much goes to the first as in the ratio of the strata, since a variance that comes of few large weights
    is known badly.
    """
    ratio = of_strata(inside, outside)
    if ratio.exact or inside.is_impossible or outside.is_impossible:
        return ratio
    a, b = math.exp(inside.log_total), math.exp(outside.log_total)
    of_a, of_b = (a * inside.relative_error) ** 2, (b * outside.relative_error) ** 2
    part = of_a / (of_a + of_b)
    p = a + part * (1.0 - a - b)
    error = math.sqrt((1.0 - part) ** 2 * of_a + part**2 * of_b)
    return Answer.weighed(min(max(p, 0.0), 1.0), error, _size(inside, outside))


def _size(inside: Draws, outside: Draws) -> float:
    return min(inside.effective_sample_size, outside.effective_sample_size)
