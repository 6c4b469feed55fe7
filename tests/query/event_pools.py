"""Random events of a fitted density whose frequencies among many samples are known at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from boxwood.columns import Column, Columns, Field, Kind
from boxwood.query.column_set import CategorySet, ColumnSet, NumberSet
from boxwood.query.event import Event
from boxwood.query.interval import Interval


@dataclass(frozen=True, eq=False)
class Asked:
    """An event, and which of the samples satisfy it, eight to a byte."""

    event: Event
    rows: np.ndarray

    def __and__(self, other: Asked) -> Asked:
        return Asked(self.event & other.event, self.rows & other.rows)

    def __or__(self, other: Asked) -> Asked:
        return Asked(self.event | other.event, self.rows | other.rows)

    def __invert__(self) -> Asked:
        return Asked(~self.event, ~self.rows)


class EventPool:
    """Sets of every column, from whose combinations events are drawn.

    Parameters
    ----------
    samples : Columns
        A multiple of eight rows.
    n_sets : int
        Sets of each column.
    seed : int
    """

    def __init__(self, samples: Columns, n_sets: int, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.n_rows, self.fields = samples.n_rows, samples.schema.fields
        self.columns = [[self._known(j, samples[j]) for _ in range(n_sets)] for j in range(len(self.fields))]

    def _known(self, j: int, column: Column) -> Asked:
        values = random_set(self.fields[j], column, self.rng)
        return Asked(Event.of_column(j, values), np.packbits(values.contains(column.values)))

    def box(self) -> Asked:
        """Draw an event in one to three columns."""
        chosen = self.rng.choice(len(self.columns), size=self.rng.integers(1, 4), replace=False)
        sets = [self.columns[j][self.rng.integers(len(self.columns[j]))] for j in chosen]
        found = sets[0]
        for other in sets[1:]:
            found &= other
        return found

    def event(self) -> Asked:
        """Draw a box, two boxes, the complement of one, or a box without another."""
        kind = self.rng.integers(6)
        if kind < 3:
            return self.box()
        if kind == 3:
            return self.box() | self.box()
        return ~self.box() if kind == 4 else self.box() & ~self.box()

    def frequency(self, asked: Asked) -> float:
        """Return the fraction of the samples that satisfy an event."""
        return float(np.bitwise_count(asked.rows).sum()) / self.n_rows


def random_set(field: Field, column: Column, rng: np.random.Generator) -> ColumnSet:
    """Draw a set of a column: ranges between its values, single values, categories, gaps."""
    missing = bool(rng.random() < 0.3)
    if not field.kind.is_number:
        n = len(field.categories)
        codes = frozenset(np.flatnonzero(rng.random(n) < 0.5).tolist())
        return CategorySet(codes, bool(rng.random() < 0.3), missing, n, field.kind is Kind.BOOLEAN)
    whole = field.kind is Kind.INTEGER
    present = column.values[~column.missing()]
    ends = np.sort(rng.choice(present, size=2 * rng.integers(1, 3)))
    intervals: list[Any] = []
    for low, high in ends.reshape(-1, 2).tolist():
        kind = rng.integers(5)
        sides = [bool(side) for side in rng.random(2) < 0.5]
        if kind == 0:
            intervals.append(Interval(-np.inf, high, False, sides[1]))
        elif kind == 1:
            intervals.append(Interval(low, np.inf, sides[0], False))
        elif kind == 2 and _comes_again(present, low):
            intervals.append(Interval(low, low, True, True))
        elif low < high:
            intervals.append(Interval(low, high, *sides))
    return NumberSet(tuple(intervals), missing, whole)


def _comes_again(values: np.ndarray, value: float) -> bool:
    """Return whether a value is an atom: of a continuous one alone only a density is known."""
    return bool(np.count_nonzero(values[:10_000] == value) > 20)
