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

BLOCK = 1024
"""Draws that are made at once, from a seed of their own."""

Key = tuple[Event, int | None, int]


class _Kept:
    """The draws of an event: what they need, blocks, and the last of what was joined of these."""

    def __init__(self, prepared: Any) -> None:
        self.prepared, self.blocks = prepared, list[Draws]()
        self._joined: tuple[int, Draws] | None = None

    def first(self, n_blocks: int) -> Draws:
        """Return the first blocks as one."""
        if self._joined is None or self._joined[0] != n_blocks:
            self._joined = n_blocks, joined_draws(self.blocks[:n_blocks])
        return self._joined[1]

    @property
    def n_cells(self) -> int:
        """How much is kept, in blocks and joined."""
        return 2 * sum(len(block) * (len(block.columns) + 1) for block in self.blocks)


class DrawBank:
    """Draws of a proposal by event.

    Parameters
    ----------
    proposal : Proposal
    """

    def __init__(self, proposal: Proposal) -> None:
        self.proposal = proposal
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()
        self._n_cells = 0

    def draws(self, event: Event, rank: int | None, n: int, seed: int) -> Draws | None:
        """Return at least n draws under an event, whole blocks; None where the proposal has it impossible.

        `rank` is in how many columns the event names one continuous value, None for the fewest it can.
        Every block is drawn from a seed of its own, so that more draws begin with the same ones.
        """
        key = (event, rank, seed)
        known = self._kept.pop(key, None)
        if known is None:
            prepared = self.proposal.prepare(event, rank)
            if prepared is None:
                return None
            known = _Kept(prepared)
        self._n_cells -= known.n_cells
        n_blocks, own = -(-n // BLOCK), event_key(event)
        for k in range(len(known.blocks), n_blocks):
            seeds = derived_seed(seed, own, k), derived_seed(seed, k)
            known.blocks.append(self.proposal.draw(known.prepared, BLOCK, *seeds))
        self._kept[key] = known
        self._n_cells += known.n_cells
        while self._n_cells > MOST_CELLS and len(self._kept) > 1:
            self._n_cells -= self._kept.popitem(last=False)[1].n_cells
        return known.first(n_blocks)
