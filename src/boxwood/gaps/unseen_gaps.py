"""Gaps in columns that had none when fitted: the probability that is kept for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.model_file import State

__all__ = ["UnseenGaps"]


@dataclass(frozen=True, eq=False)
class UnseenGaps:
    """The probability of a gap in a column that had no gaps in training: 1/(n + 2) after n rows.

    A part of a table, such as the rows of a class, may have no gap in a column in which the table has some.
    Then the probability of a gap is its rate in the table. Gaps are independent of all values. Samples have
    no such gaps, so a sample of a table without gaps has none.

    Attributes
    ----------
    n : float
        Effective number of rows of the fitted table. If infinite, a gap without a rate is impossible.
    columns : tuple of bool
        Which columns had no gap.
    rates : tuple of float, optional
        If the rows are a part of a table: how often each column has a gap in that table. A rate of 0 means
        that the column has no gap there either.

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
    rates: tuple[float, ...] | None = None

    @classmethod
    def of_table(cls, n: float, columns: Columns) -> UnseenGaps:
        """Return it for a table worth n rows."""
        return cls(n, tuple(not column.n_missing for column in columns))

    @classmethod
    def of_masses(cls, n: float, masses: Sequence[float]) -> UnseenGaps:
        """Return it for columns whose gaps have these probabilities."""
        return cls(n, tuple(mass == 0.0 for mass in masses))

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability of a gap in each column that had none; 0 in the others."""
        found = np.full(len(self.columns), 1.0 / (self.n + 2.0))
        if self.rates is not None:
            found = np.where(np.array(self.rates) > 0.0, self.rates, found)
        return np.where(self.columns, found, 0.0)

    def log_presence(self, columns: Sequence[int]) -> float:
        """Return the log-probability that such columns among these have a value."""
        return float(np.log1p(-self.probabilities[list(columns)]).sum())

    def log_probability(self, columns: Columns) -> NDArray[np.float64]:
        """Return the log-probability of which values of such columns each row has."""
        with np.errstate(divide="ignore"):
            present, gap = np.log1p(-self.probabilities), np.log(self.probabilities)
        total = np.full(columns.n_rows, float(present.sum()))
        for j, (column, had_none) in enumerate(zip(columns, self.columns, strict=True)):
            if had_none and column.n_missing:
                total[column.missing()] += gap[j] - present[j]
        return total

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps beside the masses of gaps that were seen."""
        state: dict[str, Any] = {"n_rows": self.n} if np.isfinite(self.n) else {}
        return state if self.rates is None else {**state, "gap_rates": np.array(self.rates)}

    @classmethod
    def from_state(cls, state: State, masses: Sequence[float]) -> UnseenGaps:
        """Read what `to_state` gave, for columns whose gaps have these probabilities."""
        # Files of before gaps had a probability do not say how many rows there were.
        n = state.number("n_rows", low=0.0) if "n_rows" in state else np.inf
        found = cls.of_masses(n, masses)
        if "gap_rates" not in state:
            return found
        rates = state.array("gap_rates", np.float64, (len(masses),), low=0.0, high=1.0)
        return replace(found, rates=tuple(rates.tolist()))
