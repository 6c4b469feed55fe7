"""Sets of the values that one column may have: numbers, or categories; a missing value is one of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Field
from boxwood.columns.kind import Kind
from boxwood.query import interval as intervals_
from boxwood.query.interval import Interval

__all__ = ["CategorySet", "ColumnSet", "NumberSet", "everything", "missing_values", "nothing"]

_LINE = Interval(-math.inf, math.inf, False, False)


@dataclass(frozen=True, slots=True)
class NumberSet:
    """A set of numbers (dates as microseconds since 1970), and whether a missing value belongs to it.

    Attributes
    ----------
    intervals : tuple of Interval
        Disjoint, ascending and not touching; two equal sets have equal intervals.
    missing : bool
    whole : bool
        True for a column of integers: ends of intervals are whole and closed, and a number between two
        integers counts as the lower one.

    Examples
    --------
    >>> age = NumberSet((Interval(40, 50, False, False),), whole=True)
    >>> age.intervals
    (Interval(low=41.0, high=49.0, low_closed=True, high_closed=True),)
    >>> (~age).contains([40, 41, float("nan")])
    array([ True, False,  True])
    """

    intervals: tuple[Interval, ...]
    missing: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "intervals", intervals_.normalized(self.intervals, self.whole))

    @classmethod
    def of_values(cls, values: Iterable[float], whole: bool = False) -> NumberSet:
        """Return the set of some numbers."""
        return cls(tuple(Interval(value, value, True, True) for value in values), whole=whole)

    def __and__(self, other: NumberSet) -> NumberSet:
        """Return what is in both sets."""
        self._check(other)
        both = intervals_.intersection(self.intervals, other.intervals, self.whole)
        return _numbers(both, self.missing and other.missing, self.whole)

    def __or__(self, other: NumberSet) -> NumberSet:
        """Return what is in one of the sets."""
        self._check(other)
        either = intervals_.union(self.intervals, other.intervals, self.whole)
        return _numbers(either, self.missing or other.missing, self.whole)

    def __invert__(self) -> NumberSet:
        """Return what is not in the set."""
        return _numbers(intervals_.complement(self.intervals, self.whole), not self.missing, self.whole)

    @property
    def is_empty(self) -> bool:
        """True where the set has no value."""
        return not self.intervals and not self.missing

    @property
    def is_everything(self) -> bool:
        """True where every value is in the set, missing ones too."""
        return self.missing and self.intervals == (_LINE,)

    def isdisjoint(self, other: NumberSet) -> bool:
        """Return whether the sets have no value in common."""
        self._check(other)
        if self.missing and other.missing:
            return False
        a, b = self.intervals, other.intervals
        if not a or not b or a[-1].high < b[0].low or b[-1].high < a[0].low:
            return True
        return not intervals_.intersection(a, b, self.whole)

    def contains(self, values: Any) -> NDArray[np.bool_]:
        """Return which values (NaN where missing) are in the set."""
        numbers = np.asarray(values, dtype=np.float64)
        missing = np.isnan(numbers)
        if not self.intervals:
            return missing & self.missing
        if self.whole:
            numbers = np.floor(numbers)
        low, high, low_closed, high_closed = (np.array(ends) for ends in zip(*self.intervals, strict=True))
        # No interval ends where the next begins, so that the last one that begins before a number decides.
        place = np.searchsorted(low, numbers, side="right") - 1
        inside = (place >= 0) & (low_closed[place] | (numbers > low[place]))
        inside &= (numbers < high[place]) | (high_closed[place] & (numbers == high[place]))
        return np.where(missing, self.missing, inside)

    def _check(self, other: object) -> None:
        if not isinstance(other, NumberSet) or other.whole != self.whole:
            raise TypeError("sets of different columns cannot be combined: one is of numbers, one is not.")


@dataclass(frozen=True, slots=True)
class CategorySet:
    """A set of categories, and whether an unseen category or a missing value belongs to it.

    Attributes
    ----------
    codes : frozenset of int
        Positions in the field's categories.
    unseen : bool
        Whether categories that the field does not have belong to the set: all of them or none.
    missing : bool
    n_categories : int
        How many categories the field has.
    boolean : bool
        True where there is nothing else than the field's categories, so that `unseen` is always false.

    Examples
    --------
    >>> red = CategorySet(frozenset([0]), n_categories=3)
    >>> ~red
    CategorySet(codes=frozenset({1, 2}), unseen=True, missing=True, n_categories=3, boolean=False)
    """

    codes: frozenset[int]
    unseen: bool = False
    missing: bool = False
    n_categories: int = 0
    boolean: bool = False

    def __post_init__(self) -> None:
        if not all(0 <= code < self.n_categories for code in self.codes):
            raise ValueError(f"codes must lie in 0 to {self.n_categories - 1}, they are {sorted(self.codes)}")
        object.__setattr__(self, "codes", frozenset(self.codes))
        object.__setattr__(self, "unseen", self.unseen and not self.boolean)

    def __and__(self, other: CategorySet) -> CategorySet:
        """Return what is in both sets."""
        self._check(other)
        return self._with(
            self.codes & other.codes, self.unseen and other.unseen, self.missing and other.missing
        )

    def __or__(self, other: CategorySet) -> CategorySet:
        """Return what is in one of the sets."""
        self._check(other)
        return self._with(
            self.codes | other.codes, self.unseen or other.unseen, self.missing or other.missing
        )

    def __invert__(self) -> CategorySet:
        """Return what is not in the set."""
        others = frozenset(range(self.n_categories)) - self.codes
        return self._with(others, not self.unseen, not self.missing)

    @property
    def is_empty(self) -> bool:
        """True where the set has no value."""
        return not self.codes and not self.unseen and not self.missing

    @property
    def is_everything(self) -> bool:
        """True where every value is in the set, missing and unseen ones too."""
        return self.missing and (self.unseen or self.boolean) and len(self.codes) == self.n_categories

    def isdisjoint(self, other: CategorySet) -> bool:
        """Return whether the sets have no value in common."""
        self._check(other)
        if (self.missing and other.missing) or (self.unseen and other.unseen):
            return False
        return self.codes.isdisjoint(other.codes)

    def contains(self, values: Any) -> NDArray[np.bool_]:
        """Return which codes (−1 missing, `n_categories` or more unseen) are in the set."""
        codes = np.asarray(values, dtype=np.int64)
        table = np.zeros(self.n_categories + 2, dtype=np.bool_)  # the last entry is that of the code −1
        table[list(self.codes)] = True
        table[self.n_categories] = self.unseen
        table[MISSING_CODE] = self.missing
        return table[np.minimum(codes, self.n_categories)]

    def _with(self, codes: frozenset[int], unseen: bool, missing: bool) -> CategorySet:
        return CategorySet(codes, unseen, missing, self.n_categories, self.boolean)

    def _check(self, other: object) -> None:
        if not isinstance(other, CategorySet) or other.n_categories != self.n_categories:
            raise TypeError("sets of different columns cannot be combined: they have other categories.")


ColumnSet = NumberSet | CategorySet
"""The values of one column that an event allows."""


def nothing(field: Field) -> ColumnSet:
    """Return the set of a column without a value in it."""
    if field.kind.is_number:
        return NumberSet((), whole=field.kind is Kind.INTEGER)
    n_categories = len(field.categories)
    return CategorySet(frozenset(), n_categories=n_categories, boolean=field.kind is Kind.BOOLEAN)


def everything(field: Field) -> ColumnSet:
    """Return the set of all values of a column, missing and unseen ones too."""
    return ~nothing(field)


def missing_values(field: Field) -> ColumnSet:
    """Return the set that holds nothing but the missing value."""
    if field.kind.is_number:
        return NumberSet((), missing=True, whole=field.kind is Kind.INTEGER)
    n_categories = len(field.categories)
    return CategorySet(
        frozenset(), missing=True, n_categories=n_categories, boolean=field.kind is Kind.BOOLEAN
    )


def _numbers(intervals: tuple[Interval, ...], missing: bool, whole: bool) -> NumberSet:
    """Make a set of intervals that are in normal form already."""
    made = object.__new__(NumberSet)
    object.__setattr__(made, "intervals", intervals)
    object.__setattr__(made, "missing", missing)
    object.__setattr__(made, "whole", whole)
    return made
