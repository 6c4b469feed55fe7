"""An event: the rows of a table that satisfy an AND, OR or NOT of conditions, as disjoint boxes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.columns import Columns
from boxwood.query.box import Box
from boxwood.query.column_set import ColumnSet
from boxwood.query.sum_column import SumColumn

__all__ = ["MOST_BOXES", "Box", "Effort", "Event", "EventTooLargeError"]

MOST_BOXES = 4096
"""Of how many disjoint boxes an event may consist."""

MOST_PAIRS = 200_000
"""How many pairs of boxes one operation may compare; they take about 0.7 seconds."""


class EventTooLargeError(ValueError):
    """Raised where an event would need more disjoint boxes than are allowed."""


class Effort:
    """Counts the work that is spent on an event and stops what would explode."""

    def __init__(self) -> None:
        self.pairs = 0

    def spend(self, pairs: int, n_boxes: int) -> None:
        """Count compared pairs of boxes; raise where they or the boxes are too many."""
        self.pairs += pairs
        if n_boxes > MOST_BOXES:
            raise EventTooLargeError(
                f"the event needs at least {n_boxes} disjoint boxes, {MOST_BOXES} are allowed. {_REMEDY}"
            )
        if self.pairs > MOST_PAIRS:
            raise EventTooLargeError(
                f"the event takes more than {MOST_PAIRS} comparisons of boxes to make disjoint. {_REMEDY}"
            )


_REMEDY = (
    "Use fewer alternatives in different columns, write alternatives in one column as `column in [...]`, or "
    "ask for disjoint parts one by one and add their probabilities."
)


class Event:
    """A union of disjoint boxes.

    Events are combined by ``&``, ``|`` and ``~``; two events with equal boxes are equal, but one set of rows
    can be cut into boxes in several ways.

    Parameters
    ----------
    boxes : iterable of Box
        They must be disjoint; empty ones are left out, and boxes that differ in one column are merged.

    Examples
    --------
    >>> from boxwood.query.column_set import NumberSet
    >>> from boxwood.query.interval import Interval
    >>> low = Event.of_column(0, NumberSet((Interval(0, 1, True, False),)))
    >>> high = Event.of_column(0, NumberSet((Interval(1, 2, True, True),)))
    >>> (low | high).boxes[0].sets[0].intervals
    (Interval(low=0.0, high=2.0, low_closed=True, high_closed=True),)
    >>> (low & high).is_empty, (low | ~low).is_everything
    (True, True)
    """

    __slots__ = ("boxes",)

    def __init__(self, boxes: Iterable[Box]) -> None:
        self.boxes = _merged_boxes((box for box in boxes if not box.is_empty), Effort())

    @classmethod
    def of_column(cls, column: int, values: ColumnSet) -> Event:
        """Return the event that a column (by position) has a value of a set.

        Parameters
        ----------
        column : int
            The column's position.
        values : ColumnSet
            The values that satisfy the event.
        """
        return cls([Box({column: values})])

    @classmethod
    def everything(cls) -> Event:
        """Return the event that every row satisfies."""
        return cls([Box({})])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and set(self.boxes) == set(other.boxes)

    def __hash__(self) -> int:
        return hash(frozenset(self.boxes))

    def __repr__(self) -> str:
        return f"Event({list(self.boxes)!r})"

    def __and__(self, other: Event) -> Event:
        """Return the event that both happen."""
        return self.intersection(other, Effort())

    def __or__(self, other: Event) -> Event:
        """Return the event that one of them happens, or both."""
        return self.union(other, Effort())

    def __invert__(self) -> Event:
        """Return the event that it does not happen."""
        return self.complement(Effort())

    def __sub__(self, other: Event) -> Event:
        """Return the event that this happens and the other does not."""
        effort = Effort()
        return _made(_difference(self.boxes, other.boxes, effort), effort)

    @property
    def is_empty(self) -> bool:
        """True where no row can satisfy the event."""
        return not self.boxes

    @property
    def is_everything(self) -> bool:
        """True where a single box shows that every row satisfies the event."""
        return any(not box.sets for box in self.boxes)

    @property
    def columns(self) -> tuple[int, ...]:
        """The positions of the columns that the event is about."""
        named = {j for box in self.boxes for j in box.sets}
        return tuple(sorted({k for j in named for k in (j.columns if isinstance(j, SumColumn) else (j,))}))

    @property
    def is_across(self) -> bool:
        """True where the event compares columns with each other."""
        return any(isinstance(j, SumColumn) for box in self.boxes for j in box.sets)

    def contains(self, columns: Columns) -> NDArray[np.bool_]:
        """Return which rows of a table (read by the fitted schema) satisfy the event.

        Parameters
        ----------
        columns : Columns
            A table that was read by the fitted schema.
        """
        inside = np.zeros(columns.n_rows, dtype=np.bool_)
        for box in self.boxes:
            inside |= box.contains(columns)
        return inside

    def intersection(self, other: Event, effort: Effort) -> Event:
        """Return the event that both happen, at the expense of an effort.

        Parameters
        ----------
        other : Event
            The other event.
        effort : Effort
            What counts the work and stops what would explode.
        """
        common: list[Box] = []
        for a in self.boxes:
            common.extend(a & b for b in other.boxes if not a.isdisjoint(b))
            effort.spend(len(other.boxes), len(common))
        return _made(common, effort)

    def union(self, other: Event, effort: Effort) -> Event:
        """Return the event that one of them happens, at the expense of an effort.

        Parameters
        ----------
        other : Event
            The other event.
        effort : Effort
            What counts the work and stops what would explode.
        """
        small, large = sorted((self.boxes, other.boxes), key=len)
        boxes = [*large, *_difference(small, large, effort)]
        effort.spend(0, len(boxes))
        return _made(boxes, effort)

    def complement(self, effort: Effort) -> Event:
        """Return the event that it does not happen, at the expense of an effort.

        Parameters
        ----------
        effort : Effort
            What counts the work and stops what would explode.
        """
        return _made(_difference((Box({}),), self.boxes, effort), effort)


def _made(boxes: list[Box], effort: Effort) -> Event:
    """Make an event of boxes that are not empty, at the expense of an effort."""
    event = object.__new__(Event)
    event.boxes = _merged_boxes(boxes, effort)
    return event


def _merged_boxes(boxes: Iterable[Box], effort: Effort) -> tuple[Box, ...]:
    fewer = merged(list(boxes), effort)
    effort.spend(0, len(fewer))
    return tuple(fewer)


def _difference(boxes: Iterable[Box], others: tuple[Box, ...], effort: Effort) -> list[Box]:
    """Return what is in some boxes and not in others, disjoint where the boxes are."""
    rest = list(boxes)
    for other in others:
        cut = [piece for box in rest for piece in ([box] if box.isdisjoint(other) else box.minus(other))]
        effort.spend(len(rest), len(cut))
        rest = merged(cut, effort) if len(cut) > len(rest) else cut
    return rest


def merged(boxes: list[Box], effort: Effort) -> list[Box]:
    """Return the same rows as fewer disjoint boxes: those that differ in one column become one."""
    found = True
    while found and len(boxes) > 1:
        found = False
        for j in sorted({j for box in boxes for j in box.sets}):
            fewer = _merged_along(boxes, j)
            effort.spend(len(boxes) // 4, 0)  # a look-up is quicker than a comparison
            found |= len(fewer) < len(boxes)
            boxes = fewer
    return boxes


def _merged_along(boxes: list[Box], column: int) -> list[Box]:
    kept: list[Box] = []
    groups: dict[int, list[Box]] = {}
    for box in boxes:
        hashes = box.hashes()
        if column in hashes:
            groups.setdefault(hash(box) ^ hashes[column], []).append(box)
        else:
            kept.append(box)
    for group in groups.values():
        kept.extend(_joined(group, column) if len(group) > 1 else group)
    return kept


def _joined(group: list[Box], column: int) -> Iterator[Box]:
    """Return boxes whose sets in all columns but one have equal hashes, merged where they are equal."""
    while group:
        others = {j: values for j, values in group[0].sets.items() if j != column}
        same = [
            box for box in group if len(box.sets) == len(others) + 1 and others.items() <= box.sets.items()
        ]
        yield (
            Box({**others, column: any_of([box.sets[column] for box in same])}) if len(same) > 1 else same[0]
        )
        chosen = set(map(id, same))
        group = [box for box in group if id(box) not in chosen]


def any_of(sets: list[ColumnSet]) -> ColumnSet:
    """Return what is in one of some sets of a column."""
    union = sets[0]
    for values in sets[1:]:
        union = union | values  # type: ignore[operator]
    return union
