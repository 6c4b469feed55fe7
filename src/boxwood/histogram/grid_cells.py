"""The cells of a product grid: which one a row lies in, by one integer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import MISSING_CODE, Column, Columns, Field
from boxwood.histogram.bin_measure import LENGTH, BinMeasure
from boxwood.histogram.column import ColumnHistogram
from boxwood.histogram.plan import ChosenBins
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
    measure : BinMeasure
        What densities in the bins are relative to.
    """

    edges: NDArray[np.float64] | None
    n_bins: int
    measure: BinMeasure = LENGTH

    @classmethod
    def of_bins(cls, bins: ChosenBins, n_categories: int) -> Self:
        """Return the axis of bins that were chosen for a column."""
        n_bins = n_categories if bins.edges is None else max(len(bins.edges) - 1, 0)
        return cls(bins.edges, n_bins, bins.measure)

    @cached_property
    def fillable(self) -> NDArray[np.int64]:
        """The bins that can hold a value: nothing lies between the atoms of a column that has only atoms."""
        if self.edges is None or self.measure.lattice is not None or not self.measure.is_closed:
            return np.arange(self.n_bins)
        return np.flatnonzero(self.measure.is_atom(self.edges))

    @property
    def n_fillable(self) -> int:
        """How many bins can hold a value."""
        return len(self.fillable)

    @property
    def n_slots(self) -> int:
        """The bins and the slot for missing values."""
        return self.n_bins + 1

    @property
    def log_widths(self) -> NDArray[np.float64]:
        """The logarithm of each slot's measure; categories and missing values have 1."""
        if self.edges is None or self.n_bins == 0:
            return np.zeros(self.n_slots)
        return np.append(np.log(self.measure.sizes(self.edges)), 0.0)

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
            if self.measure.is_closed:
                slots[~self.measure.holds(column.values)] = -1
        if column.n_missing:
            slots[column.missing()] = self.n_bins
        return slots

    def values(self, slots: NDArray[np.int64], field: Field, rng: np.random.Generator) -> NDArray[Any]:
        """Draw a value within each slot."""
        present = slots < self.n_bins
        if self.edges is None:
            return np.where(present, slots, MISSING_CODE).astype(np.int32)
        values = np.full(len(slots), np.nan)
        fraction = rng.random(len(slots))
        ones = np.ones(self.n_bins)
        for_numbers = ColumnHistogram(self.edges, ones, ones, measure=self.measure)
        values[present] = for_numbers.within(slots[present], fraction[present], field.kind)
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
    given : GridCells or None
        The same cells with counts by the weights that the rows were given, where `counts` are by what the
        rows are worth.
    """

    keys: NDArray[np.int64]
    counts: NDArray[np.float64]
    outside: float = 0.0
    given: GridCells | None = None

    @property
    def shown(self) -> GridCells:
        """The cells with counts by the weights that the rows were given."""
        return self.given or self

    @property
    def total(self) -> float:
        """The weight of all rows in cells."""
        return float(self.counts.sum())

    @classmethod
    def of_rows(cls, keys: NDArray[np.int64], weights: NDArray[np.float64] | None) -> Self:
        """Count rows by their keys, −1 for those in no cell."""
        weights = np.ones(len(keys)) if weights is None else weights
        inside = keys >= 0
        n_numbers = int(keys.max(initial=-1)) + 1
        if n_numbers <= 4 * len(keys):  # counting takes a tenth of the time of sorting
            kept = slice(None) if inside.all() else inside
            found = np.flatnonzero(np.bincount(keys[kept], minlength=n_numbers))
            summed = np.bincount(keys[kept], weights[kept], minlength=n_numbers)[found]
            return cls(found, summed.astype(np.float64), float(weights[~inside].sum()))
        found, inverse = np.unique(keys[inside], return_inverse=True)
        counts = np.bincount(inverse, weights[inside], minlength=len(found)).astype(np.float64)
        return cls(found, counts, float(weights[~inside].sum()))

    def merge(self, other: GridCells) -> GridCells:
        """Return the counts of both."""
        keys = np.concatenate([self.keys, other.keys])
        both = GridCells.of_rows(keys, np.concatenate([self.counts, other.counts]))
        given = self.shown.merge(other.shown) if self.given or other.given else None
        return GridCells(both.keys, both.counts, self.outside + other.outside, given)

    def find(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the index of each key's cell; −1 for empty cells, and for no cell."""
        if len(self.keys) == 0:
            return np.full(len(keys), -1)
        index = np.searchsorted(self.keys, keys).clip(max=len(self.keys) - 1)
        return np.where(self.keys[index] == keys, index, -1)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        state = {"keys": self.keys, "counts": self.counts, "outside": self.outside}
        return state if self.given is None else {**state, "given": self.given.to_state()}

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
        given = cls.from_state(state.child("given"), axes) if "given" in state else None
        if given is not None and not np.array_equal(given.keys, keys):
            raise state.error("given", "has other cells")
        return cls(keys, counts, outside, given)


def cell_keys(axes: Sequence[GridAxis], columns: Columns) -> NDArray[np.int64]:
    """Return each row's cell as an integer, the last column counting fastest; −1 for no cell."""
    keys = np.zeros(columns.n_rows, dtype=np.int64)
    for axis, column in zip(axes, columns, strict=True):
        slots = axis.slots(column)
        outside = (keys < 0) | (slots < 0)
        keys *= axis.n_slots
        keys += slots
        if outside.any():
            keys[outside] = -1
    return keys


def slots_of_keys(axes: Sequence[GridAxis], keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the slots of cells, a row a cell and a column an axis."""
    slots = np.empty((len(keys), len(axes)), dtype=np.int64)
    for j in range(len(axes) - 1, -1, -1):
        keys, slots[:, j] = np.divmod(keys, axes[j].n_slots)
    return slots
