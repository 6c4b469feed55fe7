"""A box: an AND of sets, one for each column that is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import xor
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.columns import Columns
from boxwood.query.column_set import ColumnSet
from boxwood.query.sum_column import contains

__all__ = ["Box"]


class Box:
    """The rows whose values lie in a set in each of some columns.

    A column that is not named may have any value, a missing one too.

    Parameters
    ----------
    sets : mapping of int to NumberSet or CategorySet
        By the column's position, or by a `SumColumn`; a set of everything is left out.

    Examples
    --------
    >>> from boxwood.query.column_set import NumberSet
    >>> from boxwood.query.interval import Interval
    >>> box = Box({1: NumberSet((Interval(0, 1, True, False),)), 0: ~NumberSet(())})
    >>> list(box.sets)
    [1]
    """

    __slots__ = ("_hash", "_hashes", "sets")

    def __init__(self, sets: Mapping[int, ColumnSet]) -> None:
        self.sets: dict[int, ColumnSet] = {j: sets[j] for j in sorted(sets) if not sets[j].is_everything}
        self._hashes: dict[int, int] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and self.sets == other.sets

    def __hash__(self) -> int:
        self.hashes()
        return self._hash

    def __repr__(self) -> str:
        return f"Box({self.sets!r})"

    def __and__(self, other: Box) -> Box:
        """Return the rows in both boxes."""
        sets = dict(self.sets)
        for j, values in other.sets.items():
            sets[j] = both(sets[j], values) if j in sets else values
        return _made(sets)

    @property
    def is_empty(self) -> bool:
        """True where no row can be in the box."""
        return any(values.is_empty for values in self.sets.values())

    def hashes(self) -> dict[int, int]:
        """Return the hash of each column's set; that of the box is their exclusive or, whatever the order."""
        if self._hashes is None:
            self._hashes = {item[0]: hash(item) for item in self.sets.items()}
            self._hash = reduce(xor, self._hashes.values(), 0)
        return self._hashes

    def isdisjoint(self, other: Box) -> bool:
        """Return whether no row can be in both boxes."""
        few, many = (self.sets, other.sets) if len(self.sets) < len(other.sets) else (other.sets, self.sets)
        return any(values.isdisjoint(cast(Any, many[j])) for j, values in few.items() if j in many)

    def minus(self, other: Box) -> Iterator[Box]:
        """Return the rows of this box that are not in another, as disjoint boxes.

        The first lies outside the other box in its first column, the second inside it in the first and
        outside in the second, and so on.
        """
        sets = dict(self.sets)
        for j, values in other.sets.items():
            outside = both(sets[j], ~values) if j in sets else ~values
            if not outside.is_empty:
                yield _made({**sets, j: outside})
            sets[j] = both(sets[j], values) if j in sets else values
            if sets[j].is_empty:
                return

    def contains(self, columns: Columns) -> NDArray[np.bool_]:
        """Return which rows of a table (read by the fitted schema) are in the box."""
        inside = np.ones(columns.n_rows, dtype=np.bool_)
        for j, values in self.sets.items():
            inside &= contains(j, values, columns)
        return inside


def both(a: ColumnSet, b: ColumnSet) -> ColumnSet:
    """Return what is in both of two sets of one column."""
    return cast(Any, a) & b


def _made(sets: dict[int, ColumnSet]) -> Box:
    """Make a box of sets that are known not to be everything, without a look at them."""
    box = object.__new__(Box)
    box.sets, box._hashes = sets, None
    return box
