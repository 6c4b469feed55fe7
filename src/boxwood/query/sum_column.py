"""A weighted sum of columns, which an event asks for as it asks for a column: x − y, 2·x + y."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.columns import Columns
from boxwood.query.column_set import ColumnSet, NumberSet

__all__ = ["ROUNDING", "SumColumn", "contains", "sum_event_parts"]

ROUNDING = 8.0 * float(np.finfo(np.float64).eps)
"""A sum this close to a bound, relative to its terms, is equal to it: 0.1 + 0.2 is 0.3."""


class SumColumn(int):
    """The sum of multiples of columns, in the place of a column's position; its values are no integers.

    It is missing where one of the columns is. The first coefficient is 1, so that one line is one sum however
    it is written. As a number it is larger than any position, and the same for equal coefficients.

    Parameters
    ----------
    coefficients : tuple of (int, float)
        Positions of at least two columns, ascending, and what each is multiplied by.

    Examples
    --------
    >>> import boxwood as bw
    >>> table = bw.read_columns({"x": [1.0, 3.0, None], "y": [2.0, 2.0, 2.0]})
    >>> SumColumn(((0, 1.0), (1, -1.0))).values(table)
    array([-1.,  1., nan])
    """

    coefficients: tuple[tuple[int, float], ...]

    def __new__(cls, coefficients: tuple[tuple[int, float], ...]) -> SumColumn:
        """Return the sum."""
        digest = hashlib.blake2b(repr(coefficients).encode(), digest_size=7).digest()
        made = super().__new__(cls, (1 << 60) + int.from_bytes(digest, "big"))
        made.coefficients = coefficients
        return made

    def __reduce__(self) -> tuple[type[SumColumn], tuple[Any]]:
        return type(self), (self.coefficients,)

    def __repr__(self) -> str:
        return f"SumColumn({self.coefficients!r})"

    @property
    def columns(self) -> tuple[int, ...]:
        """The positions of its columns."""
        return tuple(j for j, _ in self.coefficients)

    @property
    def is_difference(self) -> bool:
        """Whether it is x − y, of which floats have the sign exactly."""
        return [factor for _, factor in self.coefficients] == [1.0, -1.0]

    def values(self, columns: Columns) -> NDArray[np.float64]:
        """Return the sum of each row, NaN where a column is missing."""
        return self.sum_of([columns[j].values for j in self.columns])

    def sum_of(self, values: list[NDArray[Any]]) -> NDArray[np.float64]:
        """Return the sum of values of its columns."""
        total = np.zeros(len(values[0]))
        for (_, factor), part in zip(self.coefficients, values, strict=True):
            total = total + factor * np.asarray(part, dtype=np.float64)
        return total

    def inside(self, values: list[NDArray[Any]], allowed: NumberSet) -> NDArray[np.bool_]:
        """Return where the sum of values of its columns lies in a set, up to `ROUNDING` at its ends."""
        total = self.sum_of(values)
        slack = np.zeros(len(total))
        for (_, factor), part in zip(self.coefficients, values, strict=True):
            slack += ROUNDING * np.abs(factor * np.asarray(part, dtype=np.float64))
        ends = {end for interval in allowed.intervals for end in (interval.low, interval.high)}
        for end in ends:
            if np.isfinite(end) and not (end == 0.0 and self.is_difference):
                total = np.where(np.abs(total - end) <= slack + ROUNDING * abs(end), end, total)
        return allowed.contains(total)


def contains(j: int, values: ColumnSet, columns: Columns) -> NDArray[np.bool_]:
    """Return in which rows a column, or a sum of columns, has a value of a set."""
    if isinstance(j, SumColumn):
        assert isinstance(values, NumberSet)
        return j.inside([columns[k].values for k in j.columns], values)
    return values.contains(columns[j].values)


def sum_event_parts(terms: dict[int, Fraction], bound: Fraction) -> tuple[SumColumn, Fraction, bool]:
    """Return a sum with the first coefficient 1, the bound on its scale, and whether the order is reversed.

    Examples
    --------
    >>> sum_event_parts({0: Fraction(-2), 1: Fraction(1)}, Fraction(4))
    (SumColumn(((0, 1.0), (1, -0.5))), Fraction(-2, 1), True)
    """
    order = sorted(terms)
    first = terms[order[0]]
    column = SumColumn(tuple((j, float(terms[j] / first)) for j in order))
    return column, bound / first, first < 0
