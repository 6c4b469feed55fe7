"""Gaps in columns that had none when fitted: the probability that is kept for one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns

__all__ = ["UnseenGaps"]


@dataclass(frozen=True, eq=False)
class UnseenGaps:
    """A gap that training did not show has probability 1/(n + 2), n rows having shown a value.

    It is independent of all values. Samples draw none: a table without gaps looks like one.

    Attributes
    ----------
    n : float
        How many rows the fitted table was worth; infinity makes such a gap impossible.
    columns : tuple of bool
        Which columns had no gap.

    Examples
    --------
    >>> import boxwood as bw
    >>> unseen = UnseenGaps(98.0, (True, False))
    >>> table = bw.read_columns([[1.0, 2.0], [np.nan, 2.0], [1.0, np.nan]])
    >>> np.exp(unseen.log_probability(table)).round(4)
    array([0.99, 0.01, 0.99])
    """

    n: float
    columns: tuple[bool, ...]

    @classmethod
    def of_table(cls, n: float, columns: Columns) -> UnseenGaps:
        """Return it for a table worth n rows."""
        return cls(n, tuple(not column.n_missing for column in columns))

    @classmethod
    def of_masses(cls, n: float, masses: Sequence[float]) -> UnseenGaps:
        """Return it for columns whose gaps have these probabilities."""
        return cls(n, tuple(mass == 0.0 for mass in masses))

    def log_presence(self, columns: Sequence[int]) -> float:
        """Return the log-probability that such columns among these have a value."""
        return -math.log1p(1.0 / (self.n + 1.0)) * sum(self.columns[j] for j in columns)

    def log_probability(self, columns: Columns) -> NDArray[np.float64]:
        """Return the log-probability of which values of such columns each row has."""
        present = -math.log1p(1.0 / (self.n + 1.0))
        gap = -math.log(self.n + 2.0)
        total = np.full(columns.n_rows, present * sum(self.columns))
        for column, had_none in zip(columns, self.columns, strict=True):
            if had_none and column.n_missing:
                total[column.missing()] += gap - present
        return total
