"""The cells of a product grid: which one a row lies in, by one integer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import MISSING_CODE, Column, Columns, Field, Kind
from boxwood.histogram.column import ColumnHistogram
from boxwood.model_file import State

__all__ = ["GridAxis", "GridCells", "cell_keys", "slots_of_keys"]


@dataclass(frozen=True, eq=False)
class GridAxis:
    """One column of the grid: its bins, then a slot for missing values.

    Attributes
    ----------
    edges : ndarray or None
        None where the bins are categories.
    n_bins : int
    """

    edges: NDArray[np.float64] | None
    n_bins: int

    @property
    def n_slots(self) -> int:
        """The bins and the slot for missing values."""
        return self.n_bins + 1

    @property
    def log_widths(self) -> NDArray[np.float64]:
        """The logarithm of each slot's width; categories and missing values have width 1."""
        if self.edges is None:
            return np.zeros(self.n_slots)
        return np.append(np.log(np.diff(self.edges))[: self.n_bins], 0.0)

    def slots(self, column: Column) -> NDArray[np.int64]:
        """Return the slot of each value; −1 for what lies in none."""
        if self.edges is None:
            slots = column.values.astype(np.int64)
            slots[column.values >= self.n_bins] = -1  # unknown
        elif self.n_bins == 0:
            slots = np.full(len(column.values), -1)
        else:
            found = ColumnHistogram(self.edges, np.zeros(self.n_bins), np.zeros(self.n_bins))
            slots = found.bins.find(column.values).astype(np.int64)
            slots[slots == self.n_bins] = -1
        slots[column.missing()] = self.n_bins
        return slots

    def values(self, slots: NDArray[np.int64], field: Field, rng: np.random.Generator) -> NDArray[Any]:
        """Draw a value within each slot."""
        integer = field.kind in (Kind.INTEGER, Kind.DATETIME)
        present = slots < self.n_bins
        if self.edges is None:
            return np.where(present, slots, MISSING_CODE).astype(np.int32)
        values = np.full(len(slots), np.nan)
        fraction = rng.random(len(slots))
        ones = np.ones(self.n_bins)
        for_numbers = ColumnHistogram(self.edges, ones, ones, integer=field.kind is Kind.INTEGER)
        values[present] = for_numbers.within(slots[present], fraction[present], integer)
        return values


@dataclass(frozen=True, eq=False)
class GridCells:
    """The cells of a grid that hold rows.

    Attributes
    ----------
    keys : ndarray of int64
        Which cells, ascending.
    counts : ndarray of float
        Weight of the rows in each of them, positive.
    outside : float
        Weight of the rows in no cell.
    """

    keys: NDArray[np.int64]
    counts: NDArray[np.float64]
    outside: float = 0.0

    @property
    def total(self) -> float:
        """The weight of all rows in cells."""
        return float(self.counts.sum())

    @classmethod
    def of_rows(cls, keys: NDArray[np.int64], weights: NDArray[np.float64] | None) -> Self:
        """Count rows by their keys, −1 for those in no cell."""
        weights = np.ones(len(keys)) if weights is None else weights
        inside = keys >= 0
        found, inverse = np.unique(keys[inside], return_inverse=True)
        counts = np.bincount(inverse, weights[inside], minlength=len(found)).astype(np.float64)
        return cls(found, counts, float(weights[~inside].sum()))

    def merged(self, other: GridCells) -> GridCells:
        """Return the counts of both."""
        keys = np.concatenate([self.keys, other.keys])
        both = GridCells.of_rows(keys, np.concatenate([self.counts, other.counts]))
        return GridCells(both.keys, both.counts, self.outside + other.outside)

    def find(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the index of each key's cell; −1 for empty cells, and for no cell."""
        if len(self.keys) == 0:
            return np.full(len(keys), -1)
        index = np.searchsorted(self.keys, keys).clip(max=len(self.keys) - 1)
        return np.where(self.keys[index] == keys, index, -1)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"keys": self.keys, "counts": self.counts, "outside": self.outside}

    @classmethod
    def from_state(cls, state: State, axes: Sequence[GridAxis]) -> Self:
        """Read what `to_state` gave, after checking it."""
        largest = math.prod(axis.n_slots for axis in axes) - 1
        keys = state.array("keys", np.int64, (None,), low=0, high=largest)
        if np.any(keys[1:] <= keys[:-1]):
            raise state.error("keys", "does not ascend")
        counts = state.array("counts", np.float64, (len(keys),), low=0.0, high=1e300)
        outside = state.number("outside", low=0.0, high=np.finfo(np.float64).max)
        if np.any(counts == 0.0) or not counts.sum() + outside > 0.0:
            raise state.error("counts", "holds a cell without rows, or no row at all")
        return cls(keys, counts, outside)


def cell_keys(axes: Sequence[GridAxis], columns: Columns) -> NDArray[np.int64]:
    """Return each row's cell as an integer, the last column counting fastest; −1 for no cell."""
    keys = np.zeros(columns.n_rows, dtype=np.int64)
    for axis, column in zip(axes, columns, strict=True):
        slots = axis.slots(column)
        keys = np.where((keys < 0) | (slots < 0), -1, keys * axis.n_slots + slots)
    return keys


def slots_of_keys(axes: Sequence[GridAxis], keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the slots of cells, a row a cell and a column an axis."""
    slots = np.empty((len(keys), len(axes)), dtype=np.int64)
    for j in range(len(axes) - 1, -1, -1):
        keys, slots[:, j] = np.divmod(keys, axes[j].n_slots)
    return slots
