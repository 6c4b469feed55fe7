"""A number that an event alone decides: the same question has the same draws, in any process."""

from __future__ import annotations

import hashlib
from typing import Any

from boxwood.query.box import Box
from boxwood.query.column_set import NumberSet
from boxwood.query.event import Event

__all__ = ["event_key"]


def event_key(event: Event) -> int:
    """Return a number of 62 bits; equal events, in whatever order their boxes are, have the same.

    Examples
    --------
    >>> event_key(Event.everything()) == event_key(Event.everything())
    True
    """
    text = repr(sorted(repr(_plain(box)) for box in event.boxes))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") >> 2


def _plain(box: Box) -> list[Any]:
    return [
        (j, tuple(map(tuple, values.intervals)), values.missing)
        if isinstance(values, NumberSet)
        else (j, sorted(values.codes), values.unseen, values.missing)
        for j, values in box.sets.items()
    ]
