"""From parameters and a column to its edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import INTEGERS as WHOLE_NUMBERS
from boxwood.columns import Column, ColumnMeasure, Columns, Field, Kind, Lattice, Schema
from boxwood.columns.errors import at
from boxwood.evidence.lattice import common_step
from boxwood.evidence.support import equal_steps
from boxwood.histogram.atom_bins import cut_at_atoms, cut_at_spikes
from boxwood.histogram.bin_measure import INTEGERS, LENGTH, BinMeasure
from boxwood.histogram.column import ColumnHistogram, count_column
from boxwood.histogram.estimate import smallest_alpha
from boxwood.histogram.heaping import HeapProfile, find_heap, find_spikes
from boxwood.histogram.prior.loo_prior import BY_LOO, loo_alpha
from boxwood.histogram.rules import RULES, SEARCHED, Scoring, left_out_loss
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
from boxwood.histogram.zeros import warn_of_far_values
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

ROWS_OF_SPREAD = 2000
"""As many rows, at equal steps through the table, show whether one of a number of bins holds nearly all."""


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
        All values that the column can have: each has a bin of its own unless a number of bins or edges are
        given. The support of a coded column is its categories.
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
        return self.support is not None or (not isinstance(self.bins, str) and self.limits is not None)

    @property
    def is_closed(self) -> bool:
        """Whether all values that can occur are known."""
        return self.support is not None or self.field.kind is Kind.BOOLEAN

    @property
    def is_open(self) -> bool:
        """Whether the bins end where the rows do."""
        return not self.is_fixed and self.limits is None

    def fixed_bins(self) -> ChosenBins:
        """Return bins that do not depend on the rows; ValueError says why there are none."""
        if not self.field.kind.is_number:
            return ChosenBins(None)
        if self.support is not None:
            return self._of_support(self.support)
        if not isinstance(self.bins, int | np.integer | str):
            return self._as_asked(edges_of(self.bins, self.field, "bins"))
        if isinstance(self.bins, str) or self.limits is None:
            raise ValueError(f"{at(self.field.name)}: {_needs_all_rows(self.bins)}")
        return self._as_asked(self._equal(*self.limits))

    def _of_support(self, support: NDArray[np.float64]) -> ChosenBins:
        """Return a bin per value of a support, or a number of bins of whole steps."""
        if self.limits is not None or not isinstance(self.bins, int | np.integer | str):
            other = "range=" if self.limits is not None else "edges in bins="
            raise ValueError(f"{at(self.field.name)} has a support= and {other}: leave one of them out.")
        lattice = equal_steps(support)
        measure = BinMeasure(lattice, np.zeros(0) if lattice is not None else support, is_closed=True)
        if lattice is not None:
            grid = grid_on(lattice, float(support[0]), float(support[-1]))
            n_bins = grid.n_steps if isinstance(self.bins, str) else int(self.bins)
            return ChosenBins(grid.equal_parts(n_bins), None, measure)
        if not isinstance(self.bins, str):
            raise ValueError(
                f"{at(self.field.name)}: the values of its support lie at unequal steps, so each has its own "
                f"bin. Leave out bins={self.bins!r}."
            )
        return ChosenBins(cut_at_atoms(np.zeros(0), support), None, measure)

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
        if column.n_missing == len(column.values):
            return self._as_asked(self._edges_without_values())
        if not isinstance(self.bins, str):
            return self._of_number(column, weights, measure)
        sample = self.sample(column, weights)
        if len(sample) == 0:
            return self._as_asked(self._edges_without_values())
        few = self.few_points(measure, sample)
        if few is not None and self.bins in SEARCHED and not search.has_given_candidates:
            return self._bin_per_value(self.grid(sample, few), few)
        within = self.bin_measure(measure, sample) if few is None else BinMeasure(few)
        chosen = self._by_rule(sample, column, search, within)
        self.check_spread(sample, chosen.edges, within)
        return chosen

    def check_spread(self, sample: SortedSample, edges: Edges, measure: BinMeasure) -> None:
        """Warn if a few far values put nearly all rows into one bin."""
        # A rule that needs more bins than there may be has warned of far values already.
        if self.is_open and edges is not None and len(edges) <= MOST_BINS:
            warn_of_far_values(self.field.name, self.bins, sample, edges, measure)

    def few_points(self, measure: ColumnMeasure, sample: SortedSample) -> Lattice | None:
        """Return the lattice of a column if its range has few points for its rows; None if not."""
        low, high = self.limits or (sample.low, sample.high)
        return self._few_between(measure, low, high, sample.total)

    def _few_between(self, measure: ColumnMeasure, low: float, high: float, n_rows: float) -> Lattice | None:
        most = most_points_of_few(n_rows)
        return next((one for one in self._lattices(measure) if grid_on(one, low, high).n_steps <= most), None)

    def _lattices(self, measure: ColumnMeasure) -> Iterator[Lattice]:
        """List the lattices that a column's values can be said to lie on."""
        if self.field.kind is Kind.INTEGER or measure.lattice is not None:
            yield measure.lattice or WHOLE_NUMBERS
        elif measure.all_discrete and len(measure.atoms) > 1:  # two or three numbers, such as 0 and 1
            if np.array_equal(measure.atoms, np.rint(measure.atoms)):
                yield WHOLE_NUMBERS
            widest = common_step(measure.atoms)
            if widest is not None:
                yield widest

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
        present = column.values[~column.missing()] if column.n_missing else column.values
        low, high = float(present.min()), float(present.max())
        n_rows = len(present) if weights is None else float(weights[~column.missing()].sum())
        few = self._few_between(measure, low, high, n_rows)
        if few is not None:
            edges = grid_on(few, low, high).equal_parts(int(self.bins))
            return ChosenBins(edges, None, BinMeasure(few) if self.field.kind is Kind.INTEGER else LENGTH)
        chosen = self._as_asked(self._equal(low, high))
        some = slice(None, None, len(column.values) // ROWS_OF_SPREAD + 1)
        sample = sorted_sample(column.values[some], None if weights is None else weights[some])
        self.check_spread(sample, chosen.edges, chosen.measure)
        return chosen

    def _by_rule(
        self, sample: SortedSample, column: Column, search: Search, measure: BinMeasure
    ) -> ChosenBins:
        spread = sample.only(~np.isin(sample.values, measure.atoms))
        if len(spread) == 0:
            # Nothing lies between the atoms, and a prior adds nothing there.
            edges = cut_at_atoms(np.zeros(0), measure.atoms)
            return ChosenBins(edges, None, replace(measure, is_closed=True))
        grid = self.grid(spread, measure.lattice)
        if measure.lattice is not None:
            return self._on_lattice(spread, grid, column, search, measure)
        chosen = self._select(spread, grid, column, search)
        edges = cut_at_atoms(chosen[0], measure.atoms, keep_ends=self.limits is not None)
        return ChosenBins(edges, chosen[1], measure)

    def grid(self, sample: SortedSample, lattice: Lattice | None) -> BinGrid:
        """Return the grid for the bins of a rule."""
        return grid_of(sample, self.limits, lattice)

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

    @property
    def is_by_loo(self) -> bool:
        """Whether the prior follows from the counts."""
        return isinstance(self.alpha, str)

    def prior(self, counted: ColumnHistogram) -> Any:
        """Return the prior's parameters for a column's counts."""
        measure = counted.measure
        if counted.edges is None or measure.lattice is not None or not measure.is_closed:
            return self._prior_of(counted.edges, counted.counts, measure)
        is_atom = measure.is_atom(counted.edges)
        alpha = np.full(len(is_atom), smallest_alpha(self.estimate))
        alpha[is_atom] = self._prior_of(None, counted.counts[is_atom], measure)
        return alpha

    def _prior_of(self, edges: Edges, counts: NDArray[np.float64], measure: BinMeasure) -> Any:
        return loo_alpha(edges, counts, measure) if self.is_by_loo else self.alpha_of(len(counts))

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
                by_rule = isinstance(self.bins, str) and self.support is None
                advice = " A rule chose them. Give alpha as a number." if by_rule else ""
                what = "bins" if self.support is None else "values of the support"
                raise ValueError(
                    f"{at(self.field.name)}: alpha has {alpha.size} entries for {n_bins} {what}.{advice}"
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
        For each column all numbers that it can have, or None; see `ColumnPlan`.
    """
    rules = per_column(bins, schema, "bins", default, is_one_bins)
    ranges = per_column(limits, schema, "range", None, is_one_range)
    alphas = per_column(alpha, schema, "alpha", None, lambda value: True)
    supports = [None] * len(schema) if support is None else support
    plans = []
    for field, rule, ends, prior, more in zip(schema.fields, rules, ranges, alphas, supports, strict=True):
        check_bins(rule, "bins", tuple(dict.fromkeys((*RULES, default))))
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
    if estimator.support is not None:  # may list the values of every column
        return None
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
        f"bins={bins!r} takes the edges from all rows, but partial_fit sees only some of them. Give edges, "
        "or a number of bins and a range."
    )
