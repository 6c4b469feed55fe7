"""Rows under evidence by sampling, importance and resampling."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.precision import rounded_to_source
from boxwood.query.event import Event
from boxwood.query.query import ZeroProbabilityError
from boxwood.query.weighed.bank import BLOCK
from boxwood.query.weighed.draws import Draws, joined_draws
from boxwood.query.weighed.proposal import Proposal
from boxwood.query.weighed.weighing import WeighingWarning
from boxwood.randomness import generator, seed_of

__all__ = ["resampled"]

DRAWS_A_ROW = 8
"""Draws that each row is chosen from, to begin with."""

MOST_DRAWS = 2**20


def resampled(proposal: Proposal, evidence: Event, n: int, random_state: Any) -> Columns:
    """Draw rows of a model under evidence; without evidence, of the model itself.

    Draws of the proposal are made until they are worth twice as many rows of the model as are wanted, or
    `MOST_DRAWS` are made; then rows are taken from them by their weights. One that weighs much may be taken
    twice, which a warning tells where draws are worth fewer rows than are taken.
    """
    rng = generator(random_state)
    if evidence.is_everything:
        return rounded_to_source(proposal.simulate(n, rng))
    prepared = proposal.prepare(evidence, None)
    if prepared is None:
        raise ZeroProbabilityError("no row can be so under this density.")
    draws = _enough(proposal, prepared, n, rng)
    if draws.effective_sample_size < n:
        warnings.warn(
            f"{n} rows are taken from {len(draws)} draws that are worth "
            f"{draws.effective_sample_size:.0f} rows of the model: some come more than once.",
            WeighingWarning,
            stacklevel=4,
        )
    chosen = draws.columns.take(_systematic(draws.weights, n, rng))
    return proposal.rounded(prepared, chosen, rng)


def _enough(proposal: Proposal, prepared: Any, n: int, rng: np.random.Generator) -> Draws:
    parts: list[Draws] = []
    wanted = max(DRAWS_A_ROW * n, BLOCK)
    while True:
        while sum(map(len, parts)) < min(wanted, MOST_DRAWS):
            parts.append(proposal.draw(prepared, BLOCK, seed_of(rng), seed_of(rng)))
        draws = joined_draws(parts)
        if len(draws) >= MOST_DRAWS or (
            not draws.is_impossible and draws.effective_sample_size >= min(2 * n, MOST_DRAWS)
        ):
            break
        wanted = 2 * len(draws)
    if draws.is_impossible:
        raise ZeroProbabilityError(f"the density is 0 at each of {len(draws)} rows that are so.")
    return draws


def _systematic(weights: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return which draws are taken: one at each of n even steps along their weights, in random order."""
    below = np.cumsum(weights)
    places = (np.arange(n) + rng.random()) / n * below[-1]
    chosen = np.minimum(np.searchsorted(below, places, side="right"), len(weights) - 1)
    return rng.permutation(chosen)
