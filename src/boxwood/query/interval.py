"""Intervals of numbers with open and closed ends, and what unions of them do, exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Interval", "complement", "intersection", "normalized", "union"]

Cut = tuple[float, int]
"""A place between numbers: just before a number (v, 0) or just after it (v, 1). An interval is what lies
between two cuts, so that open and closed ends need no cases of their own."""

_FIRST: Cut = (-math.inf, 1)
_LAST: Cut = (math.inf, 0)


class Interval(NamedTuple):
    """The numbers between two ends, each of which belongs to the interval (closed) or not (open).

    Infinite ends are open: no value is infinite.

    Examples
    --------
    >>> Interval(30.0, 40.0, True, False)
    Interval(low=30.0, high=40.0, low_closed=True, high_closed=False)
    """

    low: float
    high: float
    low_closed: bool
    high_closed: bool

    def __contains__(self, value: object) -> bool:
        """Return whether a number lies in the interval."""
        if not isinstance(value, int | float):
            return False
        above = value >= self.low if self.low_closed else value > self.low
        return above and (value <= self.high if self.high_closed else value < self.high)


Intervals = tuple[Interval, ...]


def normalized(intervals: Iterable[Interval], whole: bool) -> Intervals:
    """Return the same set of numbers as disjoint, ascending intervals that do not touch.

    Where only whole numbers count, ends are whole and closed: 40 < x < 50 becomes [41, 49].

    Examples
    --------
    >>> normalized([Interval(2, 3, False, True), Interval(1, 2, True, True)], whole=False)
    (Interval(low=1.0, high=3.0, low_closed=True, high_closed=True),)
    """
    spans = []
    for low, high, low_closed, high_closed in intervals:
        if math.isnan(low) or math.isnan(high):
            raise ValueError("the end of an interval is NaN")
        start, end = _cuts(float(low) + 0.0, float(high) + 0.0, low_closed, high_closed)
        spans.append((_whole(start), _whole(end)) if whole else (start, end))
    return _from_spans(_merged(spans), whole)


def union(a: Intervals, b: Intervals, whole: bool) -> Intervals:
    """Return the numbers in one of two normalized sets."""
    if not a or not b:
        return a or b
    return _from_spans(_merged(_spans(a, whole) + _spans(b, whole)), whole)


def intersection(a: Intervals, b: Intervals, whole: bool) -> Intervals:
    """Return the numbers in both of two normalized sets."""
    first, second = _spans(a, whole), _spans(b, whole)
    common, i, j = [], 0, 0
    while i < len(first) and j < len(second):
        common.append((max(first[i][0], second[j][0]), min(first[i][1], second[j][1])))
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return _from_spans([span for span in common if span[0] < span[1]], whole)


def complement(a: Intervals, whole: bool) -> Intervals:
    """Return the numbers that are not in a normalized set."""
    gaps, start = [], _FIRST
    for low, high in _spans(a, whole):
        gaps.append((start, low))
        start = high
    gaps.append((start, _LAST))
    return _from_spans([gap for gap in gaps if gap[0] < gap[1]], whole)


def _cuts(low: float, high: float, low_closed: bool, high_closed: bool) -> tuple[Cut, Cut]:
    start = (low, 0 if low_closed and low != -math.inf else 1)
    return start, (high, 1 if high_closed and high != math.inf else 0)


def _whole(cut: Cut) -> Cut:
    """Return the cut just before the first whole number after this one."""
    value, after = cut
    if math.isinf(value):
        return cut
    # Beyond 2**53 the next float is more than one away.
    following = max(math.floor(value) + 1.0, math.nextafter(value, math.inf)) if after else value
    return (float(math.ceil(following)) if math.isfinite(following) else following, 0)


def _spans(intervals: Intervals, whole: bool) -> list[tuple[Cut, Cut]]:
    if not whole:
        return [_cuts(*interval) for interval in intervals]
    return [(_whole(start), _whole(end)) for start, end in (_cuts(*interval) for interval in intervals)]


def _merged(spans: list[tuple[Cut, Cut]]) -> list[tuple[Cut, Cut]]:
    merged: list[tuple[Cut, Cut]] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _from_spans(spans: list[tuple[Cut, Cut]], whole: bool) -> Intervals:
    if not whole:
        return tuple(Interval(low[0], high[0], low[1] == 0, high[1] == 1) for low, high in spans)
    return tuple(
        Interval(
            low,
            high if math.isinf(high) else min(high - 1.0, math.nextafter(high, -math.inf)),
            low != -math.inf,
            high != math.inf,
        )
        for (low, _), (high, _) in spans
    )
