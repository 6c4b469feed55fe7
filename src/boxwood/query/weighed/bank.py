"""Draws that are kept, so that the same question has the same answer without drawing again."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from boxwood.query.event import Event
from boxwood.query.weighed.draws import Draws, joined_draws
from boxwood.query.weighed.event_key import event_key
from boxwood.query.weighed.proposal import Proposal
from boxwood.randomness import derived_seed

__all__ = ["DrawBank"]

MOST_CELLS = 2**23
"""Cells of draws that are kept: 64 MB of numbers."""

BLOCK = 4096
"""Draws that are made at once, from a seed of their own."""

Key = tuple[Event, int | None, int]


class DrawBank:
    """Draws of a proposal by event.

    Parameters
    ----------
    proposal : Proposal
    """

    def __init__(self, proposal: Proposal) -> None:
        self.proposal = proposal
        self._kept: OrderedDict[Key, tuple[Any, Draws]] = OrderedDict()
        self._n_cells = 0

    def draws(self, event: Event, rank: int | None, n: int, seed: int) -> Draws | None:
        """Return n draws under an event; None where the proposal has it impossible.

        `rank` is in how many columns the event names one continuous value, None for the fewest it can.
        Draws come in blocks, each from a seed of its own: n of them are the first of any more.
        """
        key = (event, rank, seed)
        known = self._kept.pop(key, None)
        if known is None:
            prepared, parts = self.proposal.prepare(event, rank), []
            if prepared is None:
                return None
        else:
            prepared, parts = known[0], [known[1]]
            self._n_cells -= self._size(known[1])
        have = sum(map(len, parts))
        own = event_key(event)
        blocks = range(have // BLOCK, -(-n // BLOCK))
        parts += [self.proposal.draw(prepared, BLOCK, derived_seed(seed, own, k)) for k in blocks]
        found = joined_draws(parts)
        self._keep(key, prepared, found)
        return found.take(n)

    def _keep(self, key: Key, prepared: Any, found: Draws) -> None:
        self._kept[key] = (prepared, found)
        self._n_cells += self._size(found)
        while self._n_cells > MOST_CELLS and len(self._kept) > 1:
            _, (_, old) = self._kept.popitem(last=False)
            self._n_cells -= self._size(old)

    @staticmethod
    def _size(draws: Draws) -> int:
        return len(draws) * (len(draws.columns) + 1)
