"""A box: an AND of sets, one for each column that is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.columns import Columns
from boxwood.query.column_set import ColumnSet

__all__ = ["Box"]


class Box:
    """The rows whose values lie in a set in each of some columns.

    A column that is not named may have any value, a missing one too.

    Parameters
    ----------
    sets : mapping of int to NumberSet or CategorySet
        By the column's position; a set of everything is left out.

    Examples
    --------
    >>> from boxwood.query.column_set import NumberSet
    >>> from boxwood.query.interval import Interval
    >>> box = Box({1: NumberSet((Interval(0, 1, True, False),)), 0: ~NumberSet(())})
    >>> list(box.sets)
    [1]
    """

    __slots__ = ("_hash", "sets")

    def __init__(self, sets: Mapping[int, ColumnSet]) -> None:
        self.sets: dict[int, ColumnSet] = {j: sets[j] for j in sorted(sets) if not sets[j].is_everything}
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and self.sets == other.sets

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self.sets.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"Box({self.sets!r})"

    def __and__(self, other: Box) -> Box:
        """Return the rows in both boxes."""
        sets = dict(self.sets)
        for j, values in other.sets.items():
            sets[j] = both(sets[j], values) if j in sets else values
        return Box(sets)

    @property
    def is_empty(self) -> bool:
        """True where no row can be in the box."""
        return any(values.is_empty for values in self.sets.values())

    def isdisjoint(self, other: Box) -> bool:
        """Return whether no row can be in both boxes."""
        shared = self.sets.keys() & other.sets.keys()
        return any(self.sets[j].isdisjoint(cast(Any, other.sets[j])) for j in shared)

    def minus(self, other: Box) -> Iterator[Box]:
        """Return the rows of this box that are not in another, as disjoint boxes.

        The first lies outside the other box in its first column, the second inside it in the first and
        outside in the second, and so on.
        """
        sets = dict(self.sets)
        for j, values in other.sets.items():
            outside = both(sets[j], ~values) if j in sets else ~values
            if not outside.is_empty:
                yield Box({**sets, j: outside})
            sets[j] = both(sets[j], values) if j in sets else values
            if sets[j].is_empty:
                return

    def contains(self, columns: Columns) -> NDArray[np.bool_]:
        """Return which rows of a table (read by the fitted schema) are in the box."""
        inside = np.ones(columns.n_rows, dtype=np.bool_)
        for j, values in self.sets.items():
            inside &= values.contains(columns[j].values)
        return inside


def both(a: ColumnSet, b: ColumnSet) -> ColumnSet:
    """Return what is in both of two sets of one column."""
    return cast(Any, a) & b
