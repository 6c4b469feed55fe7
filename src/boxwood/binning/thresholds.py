"""Where decision and regression trees may cut a column: between values, in the table's own numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Column, Columns, Field, Schema
from boxwood.evidence.weights import integer_weights, largest_weight, weight_unit
from boxwood.model_file import State

__all__ = ["TableThresholds", "choose_thresholds", "rows_of", "sorted_edges"]

EXACT_VALUES = 4096
"""Up to so many distinct values a column may be cut between any two of them;"""

MOST_BINS = 255
"""a column of more is cut into so many parts of equal weight, which with missing values fit a byte: measured
as accurate, and twice as fast."""

Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class TableThresholds:
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
    def n_bins(self) -> list[int]:
        """Bins of each column: between cuts or categories, then unknown categories, then missing."""
        return [
            len(cuts) + 2 if n < 0 else n + 2 for cuts, n in zip(self.columns, self.n_categories, strict=True)
        ]

    def codes(self, columns: Columns) -> list[Codes]:
        """Return the bins of every column's values, in as few bytes as they fit."""
        return [self._codes_of_column(j, column) for j, column in enumerate(columns)]

    def _codes_of_column(self, j: int, column: Column) -> Codes:
        n_bins = self.n_bins[j]
        if self.n_categories[j] >= 0:
            codes = np.where(column.values < 0, n_bins - 1, column.values)
            return codes.astype(np.min_scalar_type(n_bins - 1))
        between = _core.narrow_bins_between_thresholds if n_bins <= 256 else _core.bins_between_thresholds
        return between(self.columns[j], column.values)

    def thresholds(self, feature: NDArray[np.int32], cut: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Return the values below which rows go left; of nodes that part categories, the cut itself.

        The cut before the bin of missing values parts them from all numbers. What cuts no column gets 0.
        """
        # One look-up for all nodes: a column's values stand behind those of the one before; a last 0 is for
        # what cuts no column of numbers. Leaves are −1, directions come behind the columns; both have cut 0.
        values = [np.append(cuts, np.inf) for cuts in self.columns]
        table = np.concatenate([*values, [0.0]])
        first = np.cumsum([-1, *(len(of_column) for of_column in values)])
        n_beyond = max(0, int(feature.max(initial=-1)) + 1 - len(self.columns))
        first = np.concatenate([first[:-1], np.full(n_beyond + 1, len(table) - 1)])
        coded = np.concatenate([self.categorical, np.zeros(n_beyond + 1, dtype=bool)])
        if not coded.any():
            return np.asarray(table[first[feature] + cut])
        place = np.where(coded[feature], len(table) - 1, first[feature] + cut)
        return np.where(coded[feature], cut, table[place])

    def to_state(self) -> list[dict[str, Any]]:
        """Return what a model file keeps."""
        return [
            {"cuts": cuts, "has_missing": missing}
            for cuts, missing in zip(self.columns, self.has_missing, strict=True)
        ]

    @classmethod
    def from_state(cls, state: State, name: str, schema: Schema) -> TableThresholds:
        """Read what `to_state` gave from the entry `name`, after checking it."""
        columns, missing = [], []
        for entry in state.children(name, len(schema)):
            cuts = entry.array("cuts", np.float64, (None,))
            if np.any(cuts[1:] <= cuts[:-1]):
                raise entry.error("cuts", "do not ascend")
            columns.append(cuts)
            missing.append(entry.flag("has_missing"))
        return cls(tuple(columns), tuple(_n_categories(field) for field in schema.fields), tuple(missing))


def choose_thresholds(columns: Columns) -> TableThresholds:
    """Choose the cuts of a table: midway between neighbouring values, thinned where there are many."""
    weights = integer_weights(columns, weight_unit(largest_weight([columns])))
    return TableThresholds(
        tuple(_thresholds_of_column(column, weights) for column in columns),
        tuple(_n_categories(field) for field in columns.schema.fields),
        tuple(column.n_missing > 0 for column in columns),
    )


def rows_of(columns: Columns) -> NDArray[np.float64]:
    """Return the rows as predictions read them: codes as numbers, missing numbers as NaN.

    A missing category is a bin behind the unknown ones, as in `TableThresholds.bins`: sets may hold it.
    """
    rows, copied = columns.matrix(), False
    for j, field in enumerate(columns.schema.fields):
        if not field.kind.is_number and columns[j].n_missing:
            if not copied:
                rows, copied = rows.copy(), True
            rows[np.isnan(rows[:, j]), j] = len(field.categories) + 1
    return rows


def _thresholds_of_column(column: Column, weights: NDArray[np.int64] | None) -> NDArray[np.float64]:
    """Return the cuts of a column of numbers; sums of whole weights leave no trace of the rows' order."""
    if not column.kind.is_number:
        return np.empty(0)
    low, high = _core.quantile_edges(column.values, weights, MOST_BINS, EXACT_VALUES + 1)
    if not len(low):
        low, high = sorted_edges(column.values, weights)
    middle = 0.5 * low + 0.5 * high
    return np.where(middle > low, middle, high)


def sorted_edges(
    values: NDArray[np.float64], weights: NDArray[np.int64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the neighbouring values that cuts lie between: all, or those between parts of equal weight."""
    if weights is None:
        ordered = np.sort(values)  # NaN comes last
        at_most = np.arange(1, len(ordered) + 1)
    else:
        order = np.argsort(values)
        ordered, at_most = values[order], np.cumsum(weights[order])
    n_present = len(ordered) - int(np.isnan(ordered).sum())
    ordered, at_most = ordered[:n_present], at_most[:n_present]
    edges = np.flatnonzero(ordered[1:] != ordered[:-1])
    if len(edges) >= EXACT_VALUES:
        wanted = np.searchsorted(at_most[edges], at_most[-1] * (np.arange(1, MOST_BINS) / MOST_BINS))
        edges = edges[np.unique(wanted.clip(max=len(edges) - 1))]
    return ordered[edges], ordered[edges + 1]


def _n_categories(field: Field) -> int:
    return -1 if field.kind.is_number else len(field.categories)
