"""A fitted product grid: axes, occupied cells and the prior, with everything that follows from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Schema
from boxwood.gaps import GapRates, UnseenGaps
from boxwood.histogram.grid_cells import GridAxis, GridCells, cell_keys, slots_of_keys
from boxwood.histogram.unseen import good_turing

__all__ = ["GridTable"]


@dataclass(frozen=True, eq=False)
class GridTable:
    """Probabilities of cells: (count + prior)/(total + prior·cells).

    Attributes
    ----------
    axes : tuple of GridAxis
    cells : GridCells
    prior : float
        The rows that the prior adds to every cell.
    """

    axes: tuple[GridAxis, ...]
    cells: GridCells
    prior: float

    @cached_property
    def gaps(self) -> GapRates:
        """How often the value of each column is missing among the rows in cells."""
        slots = slots_of_keys(self.axes, self.cells.keys)
        counts = [self.cells.counts[slots[:, j] == axis.n_bins].sum() for j, axis in enumerate(self.axes)]
        return GapRates(np.array(counts, dtype=np.float64), np.full(len(self.axes), self.cells.total))

    @property
    def missing_seen(self) -> list[bool]:
        """Which columns have missing values; only there the prior knows of them."""
        return [bool(gaps > 0.0) for gaps in self.gaps.gaps]

    @cached_property
    def n_possible(self) -> int:
        """How many cells share the prior."""
        pairs = zip(self.axes, self.missing_seen, strict=True)
        return math.prod(axis.n_fillable + seen for axis, seen in pairs)

    def filled(self) -> GridTable:
        """Return the grid with a prior of the Good–Turing mass, if any cell has no rows."""
        if len(self.cells.keys) >= self.n_possible or not self.cells.total > 0.0:
            return self
        unseen = good_turing(self.cells.counts)
        return replace(self, prior=unseen / (1.0 - unseen) * self.cells.total / self.n_possible)

    def log_mass(self, counts: NDArray[np.float64], left_out: float = 0.0) -> NDArray[np.float64]:
        """Return the logarithm of the probability of cells with these counts, less a row of them."""
        total = self.cells.total - left_out + self.prior * self.n_possible
        if total <= 0.0:  # no rows and no prior: every cell alike
            return np.full(len(counts), -math.log(max(self.n_possible, 1)))
        with np.errstate(divide="ignore"):
            return np.log(np.maximum(counts - left_out + self.prior, 0.0)) - math.log(total)

    def log_volumes(self, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the logarithm of each cell's volume."""
        slots = slots_of_keys(self.axes, keys)
        volumes = np.zeros(len(keys))
        for j, axis in enumerate(self.axes):
            volumes += axis.log_widths[slots[:, j]]
        return volumes

    def log_density_of_cells(self, left_out: float = 0.0) -> NDArray[np.float64]:
        """Return the log-density in each occupied cell."""
        return self.log_mass(self.cells.counts, left_out) - self.log_volumes(self.cells.keys)

    def log_density(self, columns: Columns, left_out: float = 0.0) -> NDArray[np.float64]:
        """Return the log-density of each row, without so many rows of its cell.

        −inf in no cell, and for a gap in a column that had none.
        """
        keys = cell_keys(self.axes, columns)
        index = self.cells.find(keys)
        counts = np.where(index < 0, 0.0, np.append(self.cells.counts, 0.0)[index])
        scores = np.full(columns.n_rows, -np.inf)
        inside = keys >= 0
        for column, seen in zip(columns, self.missing_seen, strict=True):
            if column.n_missing and not seen:
                inside &= ~column.missing()
        scores[inside] = self.log_mass(counts[inside], left_out) - self.log_volumes(keys[inside])
        return scores

    def log_density_with_gaps(self, columns: Columns, gaps: UnseenGaps) -> NDArray[np.float64]:
        """Return each row's log-density, with a probability for missing values of columns that had none."""
        missing = np.column_stack([column.missing() for column in columns])
        return self._without(columns, missing & np.array(gaps.columns)) + gaps.log_probability(columns)

    def log_density_of_observed(self, columns: Columns) -> NDArray[np.float64]:
        """Return the log-density of what each row shows: its gaps are summed out."""
        return self._without(columns, np.column_stack([column.missing() for column in columns]))

    def _without(self, columns: Columns, gaps: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the log-density of each row with some of its cells summed out."""
        scores = np.zeros(columns.n_rows)
        patterns, pattern_of = np.unique(gaps, axis=0, return_inverse=True)
        for k, pattern in enumerate(patterns):
            rows = np.flatnonzero(pattern_of.ravel() == k)
            shown = np.flatnonzero(~pattern)
            if len(shown):
                part = columns.take(rows)
                schema = Schema(tuple(part.schema.fields[j] for j in shown), named=True)
                of_shown = Columns(schema, len(rows), columns=[part[int(j)] for j in shown])
                scores[rows] = self.marginal(shown).log_density(of_shown)
        return scores

    def marginal(self, kept: NDArray[np.intp]) -> GridTable:
        """Return the grid of some of the axes, in their order."""
        slots = slots_of_keys(self.axes, self.cells.keys)
        keys = np.zeros(len(slots), dtype=np.int64)
        for j in kept:
            keys = keys * self.axes[j].n_slots + slots[:, j]
        cells = GridCells.of_rows(keys, self.cells.counts)
        dropped = set(range(len(self.axes))) - set(kept.tolist())
        n_slots = math.prod(self.axes[j].n_fillable + self.missing_seen[j] for j in dropped)
        return GridTable(tuple(self.axes[j] for j in kept), cells, self.prior * n_slots)

    def sample_cells(self, n_samples: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw cells: by their counts or, for the rows that the prior adds, any cell."""
        total = self.cells.total
        u, any_cell = rng.random(n_samples), rng.random(n_samples)
        keys = np.zeros(n_samples, dtype=np.int64)
        for axis, seen in zip(self.axes, self.missing_seen, strict=True):
            n_slots = max(axis.n_fillable + seen, 1)
            slot = np.minimum((rng.random(n_samples) * n_slots).astype(np.int64), n_slots - 1)
            keys = keys * axis.n_slots + np.append(axis.fillable, axis.n_bins)[slot]
        if total > 0.0:
            upper = np.cumsum(self.cells.counts)
            index = np.searchsorted(upper, u * upper[-1], side="right").clip(max=len(upper) - 1)
            counted = any_cell < total / (total + self.prior * self.n_possible)
            keys = np.where(counted, self.cells.keys[index], keys)
        return keys
