"""Events across several columns: a·x + b·y <= c."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.columns import Columns
from boxwood.query.event import Event

__all__ = ["LinearEvent"]

_TESTS = {"<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne}


@dataclass(frozen=True, slots=True)
class LinearEvent:
    """The rows in which a weighted sum of columns lies below a bound, and which satisfy an event as well.

    Where one of the columns is missing the row is not in the event.

    Attributes
    ----------
    coefficients : tuple of (int, float)
        Positions of at least two columns, and what each is multiplied by.
    operator : {"<", "<=", "==", "!="}
    bound : float
    within : Event
        What must hold besides.

    Examples
    --------
    >>> import boxwood as bw
    >>> table = bw.read_columns({"x": [1.0, 3.0, None], "y": [2.0, 2.0, 2.0]})
    >>> LinearEvent(((0, 1.0), (1, -1.0)), "<", 0.0).contains(table)
    array([ True, False, False])
    """

    coefficients: tuple[tuple[int, float], ...]
    operator: str
    bound: float
    within: Event = field(default_factory=Event.everything)

    @property
    def columns(self) -> tuple[int, ...]:
        """The positions of the columns that the event is about."""
        return tuple(sorted({j for j, _ in self.coefficients} | set(self.within.columns)))

    def contains(self, columns: Columns) -> NDArray[np.bool_]:
        """Return which rows of a table (read by the fitted schema) satisfy the event."""
        total = np.zeros(columns.n_rows)
        for j, coefficient in self.coefficients:
            total += coefficient * columns[j].values
        inside = _TESTS[self.operator](total, self.bound) & ~np.isnan(total)
        return np.asarray(inside & self.within.contains(columns))
