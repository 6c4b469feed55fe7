"""From parameters and a column to its edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, ColumnMeasure, Columns, Field, Kind, Lattice, Schema
from boxwood.columns.errors import at
from boxwood.evidence.lattice import common_step
from boxwood.histogram.atom_bins import cut_at_atoms, cut_at_spikes
from boxwood.histogram.bin_measure import INTEGERS, LENGTH, BinMeasure
from boxwood.histogram.column import ColumnHistogram, count_column
from boxwood.histogram.estimate import smallest_alpha
from boxwood.histogram.heaping import HeapProfile, find_heap, find_spikes
from boxwood.histogram.prior.loo_prior import BY_LOO, loo_alpha
from boxwood.histogram.rules import SEARCHED, Scoring, left_out_loss
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
from boxwood.histogram.uniform_grid import (
    MOST_BINS,
    BinGrid,
    around,
    grid_of,
    grid_on,
    half_step,
    most_points_of_few,
    uniform_edges,
)
from boxwood.parameters import shown

__all__ = [
    "DEFAULT_ALPHA",
    "ChosenBins",
    "ColumnPlan",
    "CountedColumns",
    "check_alpha",
    "count_part",
    "plan_columns",
    "why_not_in_parts",
]

Edges = NDArray[np.float64] | None

DEFAULT_ALPHA = 2.0
"""The prior of the lecture notes: one row more in each bin by "map", two by "bayes"."""

NAMED_POINTS = 2.0
"""A range with a support has few values if no more than these times as many are known as it holds."""


@dataclass(frozen=True, eq=False)
class ChosenBins:
    """The bins of a column: edges (None: its categories), how a rule chose them, and their measure."""

    edges: Edges
    selection: Selection | None = None
    measure: BinMeasure = LENGTH


@dataclass(frozen=True, eq=False)
class ColumnPlan:
    """What was asked for one column: its bins (a rule, a number or edges), its range and its prior.

    Attributes
    ----------
    field : Field
    bins : str, int or array-like
    limits : tuple of float or None
    estimate : str
    alpha : float, array-like or None
        None: the default of 2.
    support : ndarray of float or None
        Values of a column of numbers that can occur beside those in the table: its range reaches as far, and
        each of its values has a bin of its own. The support of a coded column is part of its categories.
    """

    field: Field
    bins: Any
    limits: tuple[float, float] | None
    estimate: str
    alpha: Any
    support: NDArray[np.float64] | None = None

    @property
    def is_fixed(self) -> bool:
        """Whether the bins do not depend on the rows."""
        if not self.field.kind.is_number or not isinstance(self.bins, int | np.integer | str):
            return True
        return not isinstance(self.bins, str) and self.limits is not None

    @property
    def is_open(self) -> bool:
        """Whether the bins end where the rows do."""
        return not self.is_fixed and self.limits is None and self.support is None

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
        own. If the range has few values for the number of rows, a rule that compares bins gives each value
        its bin, and a number of bins is one of whole steps. Otherwise numbers of bins, and edges, are taken
        as they are.
        """
        if self.is_fixed:
            return self.fixed_bins()
        if column.n_missing == len(column.values) and self.support is None:
            return self._as_asked(self._edges_without_values())
        if not isinstance(self.bins, str):
            return self._of_number(column, weights, measure)
        sample = self.sample(column, weights)
        known = self.known(sample.values)
        if len(known) == 0:
            return self._as_asked(self._edges_without_values())
        few = self.few_points(measure, known, sample.total)
        if few is not None and self.bins in SEARCHED and not search.has_given_candidates:
            return self._bin_per_value(grid_on(few, *self.ends(known)), few)
        if len(sample) == 0:
            return self._as_asked(self._equal(*self.ends(known), n_bins=1))
        within = self.bin_measure(measure, sample) if few is None else BinMeasure(few)
        return self._by_rule(sample, column, search, within)

    def known(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a column's values and its support, within the range and ascending.

        Without a support the least and the largest value are enough.
        """
        if self.support is None:
            if len(values) and np.isnan(values.min()):
                values = values[~np.isnan(values)]
            return np.array([values.min(), values.max()]) if len(values) else np.zeros(0)
        known = np.union1d(values, self.support)
        known = known[~np.isnan(known)]
        if self.limits is not None:
            known = known[(known >= self.limits[0]) & (known <= self.limits[1])]
        return known

    def ends(self, known: NDArray[np.float64]) -> tuple[float, float]:
        """Return where the bins made by a number or a rule begin and end."""
        return self.limits if self.limits is not None else (float(known[0]), float(known[-1]))

    def few_points(self, measure: ColumnMeasure, known: NDArray[np.float64], n_rows: float) -> Lattice | None:
        """Return the lattice of a column if its range has few points for its rows; None if not."""
        lattice = self.lattice(measure, known)
        if lattice is None and self.support is None and measure.all_discrete and len(measure.atoms) > 1:
            lattice = common_step(measure.atoms)  # two or three numbers, such as 0 and 1
        if lattice is None or (measure.lattice is not None and len(measure.atoms)):
            return None
        few = most_points_of_few(n_rows)
        if self.support is not None:
            few = max(few, NAMED_POINTS * len(known))
        return lattice if grid_on(lattice, *self.ends(known)).n_steps <= min(few, MOST_BINS) else None

    def lattice(self, measure: ColumnMeasure, known: NDArray[np.float64]) -> Lattice | None:
        """Return the lattice of a column's values and of its support."""
        if self.support is not None and len(known) > 1:
            return common_step(known)
        if self.field.kind is Kind.INTEGER and measure.lattice is None:
            return INTEGERS.lattice
        return measure.lattice

    def _bin_per_value(self, grid: BinGrid, lattice: Lattice) -> ChosenBins:
        n = grid.n_steps
        selection = Selection(
            str(self.bins),
            np.array([n]),
            np.array([grid.step]),
            np.array([grid.low]),
            np.zeros(0),
            0,
            grid.step,
        )
        return ChosenBins(grid.equal_parts(n), selection, BinMeasure(lattice))

    def _of_number(
        self, column: Column, weights: NDArray[np.float64] | None, measure: ColumnMeasure
    ) -> ChosenBins:
        """Return a number of bins over the column's range."""
        known = self.known(column.values)
        n_rows = (
            len(column.values) - column.n_missing if weights is None else weights[~column.missing()].sum()
        )
        few = self.few_points(measure, known, float(n_rows))
        if few is None:
            return self._as_asked(self._equal(*self.ends(known)))
        edges = grid_on(few, *self.ends(known)).equal_parts(int(self.bins))
        return ChosenBins(edges, None, BinMeasure(few))

    def _by_rule(
        self, sample: SortedSample, column: Column, search: Search, measure: BinMeasure
    ) -> ChosenBins:
        spread = sample.only(~np.isin(sample.values, measure.atoms))
        if len(spread) == 0:
            return ChosenBins(cut_at_atoms(np.zeros(0), measure.atoms), None, measure)
        grid = self.grid(spread, measure.lattice)
        if measure.lattice is not None:
            return self._on_lattice(spread, grid, column, search, measure)
        chosen = self._select(spread, grid, column, search)
        edges = cut_at_atoms(chosen[0], measure.atoms, keep_ends=self.limits is not None)
        return ChosenBins(edges, chosen[1], measure)

    def grid(self, sample: SortedSample, lattice: Lattice | None) -> BinGrid:
        """Return the grid for the bins of a rule."""
        limits = self.limits if self.support is None else self.ends(self.known(sample.values))
        return grid_of(sample, limits, lattice)

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
        scoring = Scoring(self.alpha_of(None)) if self.bins == "loo_likelihood" else Scoring()
        return select_bins(sample, grid, self.bins, search, scoring, column.values)

    def bin_measure(self, measure: ColumnMeasure, sample: SortedSample) -> BinMeasure:
        """Return the measure that a rule's bins have: that of the column, within the range."""
        known = self.known(sample.values)
        lattice = self.lattice(measure, known) if measure.lattice is not None else None
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

    @property
    def is_by_loo(self) -> bool:
        """Whether the prior follows from the counts."""
        return isinstance(self.alpha, str)

    def prior(self, counted: ColumnHistogram) -> Any:
        """Return the prior's parameters for a column's counts."""
        if not self.is_by_loo:
            return self.alpha_of(len(counted.counts))
        return loo_alpha(counted.edges, counted.counts, counted.measure)

    def alpha_of(self, n_bins: int | None) -> Any:
        """Return the prior's parameters for that many bins (None: a number is needed)."""
        alpha = DEFAULT_ALPHA if self.alpha is None or self.is_by_loo else self.alpha
        if np.ndim(alpha) > 0:
            alpha = np.asarray(alpha, dtype=np.float64)
            if n_bins is None:
                raise ValueError(
                    f"{at(self.field.name)}: alpha has an entry a bin, but bins={self.bins!r} compares "
                    "numbers of bins. Give alpha as a number."
                )
            if alpha.shape != (n_bins,):
                advice = " A rule chose them. Give alpha as a number." if isinstance(self.bins, str) else ""
                raise ValueError(
                    f"{at(self.field.name)}: alpha has {alpha.size} entries for {n_bins} bins.{advice}"
                )
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
    schema: Schema,
    bins: Any,
    limits: Any,
    estimate: str,
    alpha: Any,
    default: str,
    support: Sequence[NDArray[np.float64] | None] | None = None,
) -> list[ColumnPlan]:
    """Return what was asked for each column.

    Parameters
    ----------
    support : sequence of ndarray or None, optional
        For each column the numbers (dates in microseconds) that it can have beside those in the table, or
        None; see `ColumnPlan`.
    """
    rules = per_column(bins, schema, "bins", default, is_one_bins)
    ranges = per_column(limits, schema, "range", None, is_one_range)
    alphas = per_column(alpha, schema, "alpha", None, lambda value: True)
    supports = [None] * len(schema) if support is None else support
    plans = []
    for field, rule, ends, prior, more in zip(schema.fields, rules, ranges, alphas, supports, strict=True):
        check_bins(rule, "bins")
        check_alpha(prior, estimate)
        plans.append(ColumnPlan(field, rule, limits_of(ends, field), estimate, prior, more))
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


def check_alpha(alpha: Any, estimate: str, named: str | None = None) -> None:
    """Raise unless the prior's parameters are None, "loo" or numbers for which the estimate exists.

    Parameters
    ----------
    alpha : object
    estimate : str
    named : str, optional
        Who has the parameter `alpha` if it is an estimator without the parameter `estimate`.
    """
    if alpha is None:
        return
    if isinstance(alpha, str) and alpha == BY_LOO:
        if estimate != "bayes":
            raise ValueError(f'alpha="loo" needs estimate="bayes"; got estimate={estimate!r}.')
        return
    if isinstance(alpha, str | bool):
        raise TypeError(f'alpha must be a number, one a bin or "loo"; got {shown(alpha)}.')
    array = np.asarray(alpha)
    if array.dtype.kind not in "iuf" or array.ndim > 1:
        raise TypeError(f'alpha must be a number, one a bin or "loo"; got {shown(alpha)}.')
    low = smallest_alpha(estimate)
    if np.any((array < low) | ~np.isfinite(array)):
        where = f" for estimate={estimate!r}" if named is None else ""
        who = "" if named is None else f"{named}: "
        raise ValueError(f"{who}alpha must be at least {low:g}{where}; got {shown(alpha)}.")


def _needs_all_rows(bins: Any) -> str:
    return (
        f"bins={bins!r} takes the edges from all rows, of which partial_fit sees only a part. Give edges, or "
        "a number of bins and a range."
    )
