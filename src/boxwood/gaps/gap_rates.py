"""How often each column's value is missing: the part of a density that its formula has no place for."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns

__all__ = ["MISSING", "GapRates"]

MISSING = ("event", "ignore")
"""What a gap is to a score: an event with a probability, or a value that is summed out."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GapRates:
    """Gaps of each column, independent of its values and of other columns.

    Attributes
    ----------
    gaps : ndarray of shape (n_columns,)
        Weight of the rows without a value.
    total : ndarray of shape (n_columns,)
        Weight of all rows.
    """

    gaps: Numbers
    total: Numbers

    @classmethod
    def of_rows(cls, columns: Columns) -> Self:
        """Count the gaps of a table."""
        weights = columns.row_weights
        gaps = [float(weights[column.missing()].sum()) if column.n_missing else 0.0 for column in columns]
        return cls(np.array(gaps), np.full(len(gaps), float(weights.sum())))

    @property
    def rates(self) -> Numbers:
        """The probability of a gap in each column."""
        return np.divide(self.gaps, self.total, out=np.zeros(len(self.gaps)), where=self.total > 0.0)

    def shared(self, rates: Numbers) -> Self:
        """Return the gaps with other rates in columns that had none.

        Examples
        --------
        >>> GapRates(np.array([0.0, 2.0]), np.array([8.0, 8.0])).shared(np.array([0.5, 0.5])).rates
        array([0.5 , 0.25])
        """
        return type(self)(np.where(self.gaps > 0.0, self.gaps, rates * self.total), self.total)

    def log_presence(self) -> float:
        """Return the log-probability that a row has all its values."""
        with np.errstate(divide="ignore"):
            return float(np.log1p(-self.rates).sum())

    def log_probability(self, columns: Columns) -> Numbers:
        """Return the log-probability of which values of each row are there; −inf for a gap never seen."""
        return np.asarray(self.log_probabilities(columns).sum(axis=1))

    def log_probabilities(self, columns: Columns) -> Numbers:
        """Return the log-probability of each cell's being there, or missing: (n_rows, n_columns)."""
        logs = np.empty((columns.n_rows, len(self.gaps)), order="F")
        with np.errstate(divide="ignore"):
            present, gap = np.log1p(-self.rates), np.log(self.rates)
        for j, column in enumerate(columns):
            logs[:, j] = np.where(column.missing(), gap[j], present[j]) if column.n_missing else present[j]
        return logs

    def left_out_log_probability(self, columns: Columns) -> Numbers:
        """Return the same with each row itself left out (of a row of weight w, one copy of it)."""
        total = np.zeros(columns.n_rows)
        removed = np.minimum(columns.row_weights, 1.0)
        for column, gaps, rows in zip(columns, self.gaps, self.total, strict=True):
            missing = column.missing()
            alike = np.where(missing, gaps, rows - gaps) - removed
            rest = rows - removed
            with np.errstate(divide="ignore"):
                # The only row of a table keeps what it has.
                fraction = np.divide(alike.clip(min=0.0), rest, out=np.ones(len(rest)), where=rest > 0.0)
                total += np.log(fraction)
        return total

    def draw(self, n_rows: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Draw which values of simulated rows are missing: shape (n_rows, n_columns)."""
        return rng.random((n_rows, len(self.gaps))) < self.rates

    def warn_of_impossible(self, columns: Columns) -> None:
        """Warn, by column and row, where a gap has probability zero."""
        for column, gaps in zip(columns, self.gaps, strict=True):
            if column.n_missing and gaps == 0.0:
                row = int(np.argmax(column.missing()))
                warnings.warn(
                    f"column {column.name!r}, row {row}: the value is missing, and the fitted table had all "
                    'values of this column: such a row has density 0. missing="ignore" scores what it shows.',
                    stacklevel=4,
                )
                return
