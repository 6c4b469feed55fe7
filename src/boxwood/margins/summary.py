"""What a margin is fitted from: integer counts that merge without loss, however the rows are cut up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import MISSING_CODE, Column, Columns, Field, Schema
from boxwood.evidence.weights import integer_weights, largest_weight, weight_unit
from boxwood.margins.atoms import Cells
from boxwood.margins.threads import map_columns

__all__ = [
    "CategorySummary",
    "NumberSummary",
    "TableSummary",
    "summarize",
]


class NumberSummary:
    """Counts of a numeric column on a fixed grid of float bits, refined in passes."""

    def __init__(self, counter: _core.CellCounter | None = None) -> None:
        self.counter = counter or _core.CellCounter()

    def add(self, column: Column, weights: NDArray[np.int64] | None) -> None:
        """Count a part of the rows."""
        self.counter.add(column.values, weights)

    def merge(self, other: Self) -> None:
        """Add the counts of another part."""
        self.counter.merge(other.counter)

    def empty_like(self) -> NumberSummary:
        """Return a summary for another part of the same pass."""
        return NumberSummary(self.counter.empty_like())

    def refine(self) -> bool:
        """End a pass; true where another one is due."""
        return self.counter.refine()

    def cells(self, unit: float) -> Cells:
        """Return the cells with real counts."""
        low, high, count = self.counter.cells()
        return Cells(low, high, count.astype(np.float64) * unit)

    def missing(self, unit: float) -> float:
        """Return the weight of missing values."""
        return self.counter.missing * unit


class CategorySummary:
    """Counts of a coded column's categories."""

    def __init__(self, n_categories: int) -> None:
        self.counts = np.zeros(n_categories + 1, dtype=np.int64)  # the last: missing
        self._done = False

    def add(self, column: Column, weights: NDArray[np.int64] | None) -> None:
        """Count a part of the rows."""
        if self._done:
            return
        missing = len(self.counts) - 1
        if column.values.max(initial=MISSING_CODE) >= missing:  # an unknown category's code
            raise ValueError(f"column {column.name!r} holds a category that is not in the schema")
        codes = np.where(column.values == MISSING_CODE, missing, column.values)
        if weights is None:
            self.counts += np.bincount(codes, minlength=len(self.counts))
        else:
            np.add.at(self.counts, codes, weights)

    def merge(self, other: Self) -> None:
        """Add the counts of another part."""
        if not self._done:
            self.counts += other.counts

    def empty_like(self) -> CategorySummary:
        """Return a summary for another part of the same pass."""
        empty = CategorySummary(len(self.counts) - 1)
        empty._done = self._done
        return empty

    def refine(self) -> bool:
        """End a pass; one is enough."""
        self._done = True
        return False


class TableSummary:
    """The summaries of all columns of a table, or of a part of its rows.

    Counting takes passes. In each pass every part is added to a summary of its own (`empty_like`),
    these are merged, and `refine` tells whether another pass is due. The result does not depend on the
    parts, to the bit.

    Parameters
    ----------
    schema : Schema
    unit : float, default=1.0
        What one count stands for: 1, or for weighted rows `weight_unit` of the largest weight.

    Examples
    --------
    >>> import boxwood as bw
    >>> columns = bw.read_columns([[0.5], [1.5], [1.5]])
    >>> summary = summarize([columns])
    >>> summary.columns[0].cells(1.0).count
    array([1., 2.])
    """

    def __init__(self, schema: Schema, unit: float = 1.0) -> None:
        self.schema = schema
        self.unit = unit
        self.columns: list[NumberSummary | CategorySummary] = [_summary_of(field) for field in schema.fields]

    def add(self, columns: Columns, n_jobs: int | None = None) -> None:
        """Count a part of the rows."""
        weights = integer_weights(columns, self.unit)
        map_columns(lambda summary, column: summary.add(column, weights), n_jobs, self.columns, columns)

    def merge(self, other: TableSummary) -> None:
        """Add the counts of another part of the rows, counted in the same pass."""
        if other.unit != self.unit or other.schema != self.schema:
            raise ValueError("only summaries of the same columns and the same unit of weight can be merged")
        for mine, theirs in zip(self.columns, other.columns, strict=True):
            mine.merge(theirs)  # type: ignore[arg-type]

    def empty_like(self) -> TableSummary:
        """Return a summary for another part of the same pass."""
        empty = TableSummary(self.schema, self.unit)
        empty.columns = [summary.empty_like() for summary in self.columns]
        return empty

    def refine(self, n_jobs: int | None = None) -> bool:
        """End a pass; true where another one is due."""
        due = map_columns(lambda summary: summary.refine(), n_jobs, self.columns)  # every column ends it
        return any(due)


def summarize(parts: Sequence[Columns], n_jobs: int | None = None) -> TableSummary:
    """Summarise a table that comes in parts of one schema, pass by pass."""
    unit = weight_unit(largest_weight(parts))
    total = TableSummary(parts[0].schema, unit)
    due = True
    while due:
        for part in parts:
            summary = total if len(parts) == 1 else total.empty_like()
            summary.add(part, n_jobs)
            if summary is not total:
                total.merge(summary)
        due = total.refine(n_jobs)
    return total


def _summary_of(field: Field) -> NumberSummary | CategorySummary:
    return NumberSummary() if field.kind.is_number else CategorySummary(len(field.categories))
