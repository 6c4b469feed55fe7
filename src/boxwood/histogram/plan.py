"""From parameters and a column to its edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, ColumnMeasure, Columns, Field, Kind, Schema
from boxwood.columns.errors import at
from boxwood.histogram.atom_bins import cut_at_atoms, cut_at_spikes
from boxwood.histogram.bin_measure import INTEGERS, LENGTH, BinMeasure
from boxwood.histogram.column import ColumnHistogram, count_column
from boxwood.histogram.estimate import smallest_alpha
from boxwood.histogram.heaping import HeapProfile, find_heap, find_spikes
from boxwood.histogram.rules import Scoring, left_out_loss
from boxwood.histogram.selection import Search, Selection, select_bins
from boxwood.histogram.sorted_sample import SortedSample, sorted_sample
from boxwood.histogram.spec import (
    check_bins,
    edges_of,
    is_one_bins,
    is_one_range,
    limits_of,
    per_column,
)
from boxwood.histogram.uniform_grid import BinGrid, around, grid_of, half_step, uniform_edges
from boxwood.parameters import shown

__all__ = [
    "ChosenBins",
    "ColumnPlan",
    "CountedColumns",
    "check_alpha",
    "count_part",
    "plan_columns",
    "why_not_in_parts",
]

Edges = NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class ChosenBins:
    """The bins of a column: edges (None: its categories), how a rule chose them, and their measure."""

    edges: Edges
    selection: Selection | None = None
    measure: BinMeasure = LENGTH


@dataclass(frozen=True, eq=False)
class ColumnPlan:
    """What was asked for one column: its bins (a rule, a number or edges), its range and its prior."""

    field: Field
    bins: Any
    limits: tuple[float, float] | None
    estimate: str
    alpha: Any

    @property
    def is_fixed(self) -> bool:
        """Whether the bins do not depend on the rows."""
        if not self.field.kind.is_number or not isinstance(self.bins, int | np.integer | str):
            return True
        return not isinstance(self.bins, str) and self.limits is not None

    @property
    def is_open(self) -> bool:
        """Whether the bins end where the rows do."""
        return not self.is_fixed and self.limits is None

    def fixed_bins(self) -> ChosenBins:
        """Return bins that do not depend on the rows; ValueError says why there are none."""
        if not self.field.kind.is_number:
            return ChosenBins(None)
        if not isinstance(self.bins, int | np.integer | str):
            return self._as_asked(edges_of(self.bins, self.field, "bins"))
        if isinstance(self.bins, str) or self.limits is None:
            raise ValueError(f"{at(self.field.name)}: {_needs_all_rows(self.bins)}")
        return self._as_asked(self._equal(*self.limits))

    def choose_bins(
        self,
        column: Column,
        weights: NDArray[np.float64] | None,
        search: Search,
        measure: ColumnMeasure,
    ) -> ChosenBins:
        """Return the bins for the values of a column and, where a rule chose them, how.

        Rules follow the column's measure: bins of whole numbers of a lattice's steps, atoms in bins of their
        own. A number of bins, or edges, are taken as they are asked for.
        """
        if self.is_fixed:
            return self.fixed_bins()
        if column.n_missing == len(column.values):
            return self._as_asked(self._edges_without_values())
        if not isinstance(self.bins, str):
            return self._as_asked(self._equal(*_extent(column)))
        sample = self.sample(column, weights)
        if len(sample) == 0:
            return self._as_asked(self._edges_without_values())
        return self._by_rule(sample, column, search, self.bin_measure(measure, sample))

    def _by_rule(
        self, sample: SortedSample, column: Column, search: Search, measure: BinMeasure
    ) -> ChosenBins:
        spread = sample.only(~np.isin(sample.values, measure.atoms))
        if len(spread) == 0:
            return ChosenBins(cut_at_atoms(np.zeros(0), measure.atoms), None, measure)
        grid = grid_of(spread, self.limits, measure.lattice)
        if measure.lattice is not None:
            return self._on_lattice(spread, grid, column, search, measure)
        chosen = self._select(spread, grid, column, search)
        edges = cut_at_atoms(chosen[0], measure.atoms, keep_ends=self.limits is not None)
        return ChosenBins(edges, chosen[1], measure)

    def _on_lattice(
        self, sample: SortedSample, grid: BinGrid, column: Column, search: Search, measure: BinMeasure
    ) -> ChosenBins:
        """Choose bins of whole steps, or of whole periods where points are heaped; spikes have their own."""
        lattice = measure.lattice
        assert lattice is not None
        places, counts = sample.counts_on(lattice)
        period = find_heap(places, counts)
        profile = HeapProfile.of_counts(places, counts, period)
        is_spike = find_spikes(counts * np.exp(-profile.log_weights(places)))
        spikes = places[is_spike]
        rest = sample.only(~np.isin(lattice.places(sample.values), spikes))
        edges, selection = self._select(rest, grid, column, search)
        if period > 1:
            wide = self._select(rest, grid.in_periods(period), column, search)
            gain = float(counts[~is_spike] @ profile.log_weights(places[~is_spike]))
            if left_out_loss(rest, wide[0]) - gain <= left_out_loss(rest, edges):
                (edges, selection), measure = wide, replace(measure, profile=profile)
        edges = cut_at_spikes(edges, spikes, lattice)
        keep_ends = self.limits is not None
        return ChosenBins(cut_at_atoms(edges, measure.atoms, keep_ends), selection, measure)

    def _select(
        self, sample: SortedSample, grid: BinGrid, column: Column, search: Search
    ) -> tuple[NDArray[np.float64], Selection]:
        scoring = Scoring(self.estimate, self.alpha_of(None))
        return select_bins(sample, grid, self.bins, search, scoring, column.values)

    def bin_measure(self, measure: ColumnMeasure, sample: SortedSample) -> BinMeasure:
        """Return the measure that a rule's bins have: that of the column, within the range."""
        lattice = measure.lattice
        if self.field.kind is Kind.INTEGER and lattice is None:
            lattice = INTEGERS.lattice
        atoms = measure.atoms[(measure.atoms >= sample.low) & (measure.atoms <= sample.high)]
        return BinMeasure(lattice, atoms)

    def sample(self, column: Column, weights: NDArray[np.float64] | None) -> SortedSample:
        """Return the values within the range, in order."""
        values = column.values
        if self.limits is not None:
            values = np.where((values < self.limits[0]) | (values > self.limits[1]), np.nan, values)
        return sorted_sample(values, weights)

    def _as_asked(self, edges: NDArray[np.float64]) -> ChosenBins:
        return ChosenBins(edges, None, INTEGERS if self.field.kind is Kind.INTEGER else LENGTH)

    def alpha_of(self, n_bins: int | None) -> Any:
        """Return the prior's parameters for that many bins (None: a number is needed)."""
        alpha = self.alpha
        if np.ndim(alpha) > 0:
            alpha = np.asarray(alpha, dtype=np.float64)
            if n_bins is None:
                raise ValueError(
                    f"{at(self.field.name)}: alpha has an entry a bin, but bins={self.bins!r} compares "
                    "numbers of bins. Give alpha as a number."
                )
            if alpha.shape != (n_bins,):
                raise ValueError(f"{at(self.field.name)}: alpha has {alpha.size} entries for {n_bins} bins.")
        return alpha

    def _edges_without_values(self) -> NDArray[np.float64]:
        return np.zeros(0) if self.limits is None else self._equal(*self.limits, n_bins=1)

    def _equal(self, low: float, high: float, n_bins: int | None = None) -> NDArray[np.float64]:
        n_bins = int(self.bins) if n_bins is None else n_bins
        if self.field.kind is Kind.INTEGER:
            first, last = np.ceil(low), np.floor(high)
            if first > last:
                raise ValueError(f"{at(self.field.name)}: the range holds no integer.")
            n_bins = int(min(n_bins, last - first + 1.0))
            half = half_step(first, last)
            edges = uniform_edges(first - half, last + half, n_bins)
            return np.unique(np.round(edges - half) + half)
        if low == high:
            low, high = around(low)
        edges = np.unique(uniform_edges(low, high, n_bins))
        return edges if len(edges) == n_bins + 1 else np.array([low, high])


def plan_columns(
    schema: Schema, bins: Any, limits: Any, estimate: str, alpha: Any, default: str
) -> list[ColumnPlan]:
    """Return what was asked for each column."""
    rules = per_column(bins, schema, "bins", default, is_one_bins)
    ranges = per_column(limits, schema, "range", None, is_one_range)
    alphas = per_column(alpha, schema, "alpha", 2.0, lambda value: True)
    plans = []
    for field, rule, ends, prior in zip(schema.fields, rules, ranges, alphas, strict=True):
        check_bins(rule, "bins")
        check_alpha(prior, estimate)
        plans.append(ColumnPlan(field, rule, limits_of(ends, field), estimate, prior))
    return plans


@dataclass(frozen=True, eq=False)
class CountedColumns:
    """Counts of every column of a part of a table, in bins that all parts share."""

    columns: list[ColumnHistogram]

    def merge(self, other: CountedColumns) -> CountedColumns:
        """Return the counts of both parts."""
        return CountedColumns([a.merged(b) for a, b in zip(self.columns, other.columns, strict=True)])


def count_part(
    columns: Columns, targets: Any, chosen: Sequence[ChosenBins], n_threads: int
) -> CountedColumns:
    """Count the rows of a part of a table (see `TableInParts.fold`)."""
    return CountedColumns(
        [
            count_column(bins.edges, column, columns.weights, n_threads, bins.measure)
            for bins, column in zip(chosen, columns, strict=True)
        ]
    )


def why_not_in_parts(estimator: Any) -> str | None:
    """Describe why an estimator's bins cannot be counted part by part; None where they can, or may."""
    bins = estimator.bins
    by_data = isinstance(bins, str) or (isinstance(bins, int | np.integer) and estimator.range is None)
    return _needs_all_rows(bins) if by_data else None


def check_alpha(alpha: Any, estimate: str) -> None:
    """Raise unless the prior's parameters are numbers for which the estimate exists."""
    if isinstance(alpha, str | bool) or alpha is None:
        raise TypeError(f"alpha must be a number or one a bin; got {shown(alpha)}.")
    array = np.asarray(alpha)
    if array.dtype.kind not in "iuf" or array.ndim > 1:
        raise TypeError(f"alpha must be a number or one a bin; got {shown(alpha)}.")
    low = smallest_alpha(estimate)
    wrong = (array < low) | ~np.isfinite(array) | ((array == 0.0) & (estimate == "bayes"))
    if np.any(wrong):
        what = "at least 1" if low else "positive"
        raise ValueError(f"alpha must be {what} for estimate={estimate!r}; got {shown(alpha)}.")


def _needs_all_rows(bins: Any) -> str:
    return (
        f"bins={bins!r} takes the edges from all rows, of which partial_fit sees only a part. Give edges, or "
        "a number of bins and a range."
    )


def _extent(column: Column) -> tuple[float, float]:
    if column.n_missing:
        return float(np.nanmin(column.values)), float(np.nanmax(column.values))
    return float(column.values.min()), float(column.values.max())
