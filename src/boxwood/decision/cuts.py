"""Where decision and regression trees may cut a column: between values, in the table's own numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Column, Columns, Field, Schema
from boxwood.margins import summarize
from boxwood.margins.summary import NumberSummary
from boxwood.model_file import State

__all__ = ["TableCuts", "choose_cuts", "rows_of"]

EXACT_VALUES = 4096
"""Up to so many distinct values a column may be cut between any two of them;"""

MOST_BINS = 256
"""a column of more is cut at so many places of equal weight: measured as accurate, and twice as fast."""

MOST_CATEGORIES = 2**16 - 3
"""Cells are counted in 16 bits; two of them are unknown categories and missing ones."""


@dataclass(frozen=True, eq=False)
class TableCuts:
    """The cuts of all columns.

    Attributes
    ----------
    columns : tuple of ndarray
        Ascending cuts of a column of numbers; empty for a coded one.
    n_categories : tuple of int
        Categories of a coded column, −1 for numbers.
    has_missing : tuple of bool
        Whether the fitted column had missing values.
    """

    columns: tuple[NDArray[np.float64], ...]
    n_categories: tuple[int, ...]
    has_missing: tuple[bool, ...]

    @property
    def categorical(self) -> list[bool]:
        """Which columns are split into sets of categories."""
        return [n >= 0 for n in self.n_categories]

    @property
    def n_cells(self) -> list[int]:
        """Cells of each column: between cuts or categories, then unknown categories, then missing."""
        return [
            len(cuts) + 2 if n < 0 else n + 2 for cuts, n in zip(self.columns, self.n_categories, strict=True)
        ]

    def cells(self, columns: Columns) -> NDArray[np.uint16]:
        """Give the cell of every value, row-major."""
        cells = np.empty((columns.n_rows, len(self.columns)), dtype=np.uint16)
        for j, column in enumerate(columns):
            cells[:, j] = self._cells_of_column(j, column)
        return cells

    def _cells_of_column(self, j: int, column: Column) -> NDArray[np.uint16]:
        last = self.n_cells[j] - 1
        if self.n_categories[j] < 0:
            return _core.cells_between(self.columns[j], column.values, last)
        return np.where(column.values < 0, last, column.values).astype(np.uint16)

    def threshold(self, j: int, cut: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Give the values below which rows go left, for cuts of a column of numbers.

        The cut before the cell of missing values parts them from all numbers.
        """
        return np.append(self.columns[j], np.inf)[cut - 1]

    def to_state(self) -> list[dict[str, Any]]:
        """Give what a model file keeps."""
        return [
            {"cuts": cuts, "has_missing": missing}
            for cuts, missing in zip(self.columns, self.has_missing, strict=True)
        ]

    @classmethod
    def from_state(cls, state: State, name: str, schema: Schema) -> TableCuts:
        """Read what `to_state` gave from the entry `name`, after checking it."""
        columns, missing = [], []
        for entry in state.children(name, len(schema)):
            cuts = entry.array("cuts", np.float64, (None,))
            if np.any(cuts[1:] <= cuts[:-1]):
                raise entry.error("cuts", "do not ascend")
            columns.append(cuts)
            missing.append(entry.flag("has_missing"))
        return cls(tuple(columns), tuple(_n_categories(field) for field in schema.fields), tuple(missing))


def choose_cuts(columns: Columns) -> TableCuts:
    """Choose the cuts of a table: midway between neighbouring values, thinned where there are many."""
    _check_categories(columns.schema)
    summary = summarize([columns])
    cuts = [
        _cuts_of_column(part, summary.unit) if isinstance(part, NumberSummary) else np.empty(0)
        for part in summary.columns
    ]
    return TableCuts(
        tuple(cuts),
        tuple(_n_categories(field) for field in columns.schema.fields),
        tuple(column.n_missing > 0 for column in columns),
    )


def rows_of(columns: Columns) -> NDArray[np.float64]:
    """Give the rows as predictions read them: codes as numbers, missing numbers as NaN.

    A missing category is a cell behind the unknown ones, as in `TableCuts.cells`: sets may hold it.
    """
    rows, copied = columns.matrix(), False
    for j, field in enumerate(columns.schema.fields):
        if not field.kind.is_number and columns[j].n_missing:
            if not copied:
                rows, copied = rows.copy(), True
            rows[np.isnan(rows[:, j]), j] = len(field.categories) + 1
    return rows


def _cuts_of_column(summary: NumberSummary, unit: float) -> NDArray[np.float64]:
    cells = summary.cells(unit)
    if len(cells) < 2:
        return np.empty(0)
    low, high = cells.high[:-1], cells.low[1:]
    middle = 0.5 * low + 0.5 * high
    cuts = np.where(middle > low, middle, high)
    if len(cuts) >= EXACT_VALUES:
        below = np.cumsum(cells.count)[:-1] / cells.count.sum()
        wanted = np.searchsorted(below, np.arange(1, MOST_BINS) / MOST_BINS).clip(max=len(cuts) - 1)
        cuts = cuts[np.unique(wanted)]
    return np.unique(cuts)


def _check_categories(schema: Schema) -> None:
    for field in schema.fields:
        if _n_categories(field) > MOST_CATEGORIES:
            raise ValueError(
                f"column {field.name!r} has {len(field.categories):,} categories; decision and regression "
                f"trees take at most {MOST_CATEGORIES:,}. Leave out a column that names each row, or join "
                "rare categories."
            )


def _n_categories(field: Field) -> int:
    return -1 if field.kind.is_number else len(field.categories)
