"""Probabilities from two strata: an event under the evidence, and what of the evidence is not in it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from boxwood.query.answer import Answer
from boxwood.query.event import Event, EventTooLargeError
from boxwood.query.weighed.bank import DrawBank
from boxwood.query.weighed.draws import Draws

__all__ = ["conditional_probability", "of_strata"]


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
    if event.is_across:
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
    return of_strata(first, second, of_total)


def _rank(bank: DrawBank, evidence: Event) -> int | None:
    """Return in how many columns the evidence names one continuous value."""
    prepared = bank.proposal.prepare(evidence, None)
    return None if prepared is None else int(prepared.rank)


def _counted(draws: Draws, event: Event) -> Answer:
    return draws.mean(event.contains(draws.columns).astype(np.float64))


def of_strata(inside: Draws, outside: Draws, is_one: bool = False) -> Answer:
    """Return P(inside) / (P(inside) + P(outside)); `is_one` says that both are known to add up to 1.

    Rows of the model that both strata share make their estimates depend on each other. Where the sum is
    known, its estimate is a control variate of that of P(inside): p = a − λ·(a + b − 1) with the λ of the
    least variance. The ratio a / (a + b) is that with λ = p, and serves where the sum is not known.
    """
    if inside.is_impossible:
        return Answer.weighed(0.0, 0.0, outside.effective_sample_size)
    if outside.is_impossible:
        return Answer.weighed(1.0, 0.0, inside.effective_sample_size)
    p = 1.0 / (1.0 + math.exp(min(outside.log_total - inside.log_total, 700.0)))
    of_a, of_b, of_both = _covariances(inside, outside, p)
    size = min(inside.effective_sample_size, outside.effective_sample_size)
    if of_a == of_b == 0.0:
        return Answer.weighed(p, 0.0, size, exact=True)
    part = p
    spread = of_a + of_b + 2.0 * of_both
    if is_one and spread > 1e-3 * (of_a + of_b):
        part = (of_a + of_both) / spread
        a, b = math.exp(inside.log_total), math.exp(outside.log_total)
        p = min(max(a - part * (a + b - 1.0), 0.0), 1.0)
    variance = (1.0 - part) ** 2 * of_a + part**2 * of_b - 2.0 * part * (1.0 - part) * of_both
    return Answer.weighed(p, math.sqrt(max(variance, 0.0)), size)


def _covariances(inside: Draws, outside: Draws, p: float) -> tuple[float, float, float]:
    """Return the variances of the estimates of two probabilities that add up to 1, and their covariance."""
    of_a, of_b = (p * inside.relative_error) ** 2, ((1.0 - p) * outside.relative_error) ** 2
    if inside.of_model is None or outside.of_model is None:
        return of_a, of_b, 0.0
    # A row of the model is in one of the strata at most: products of its two weights are all 0.
    n = inside.n_of_model
    means = [p_of * float(one.weights[one.of_model].sum()) for p_of, one in ((p, inside), (1.0 - p, outside))]
    return of_a, of_b, -means[0] * means[1] / max(n - 1, 1)
