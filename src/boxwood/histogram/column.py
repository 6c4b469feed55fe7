"""The histogram of one column: edges, counts, probabilities, and everything asked of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import MISSING_CODE, Column, Kind
from boxwood.columns.dates import FIRST_MICROSECOND, LAST_MICROSECOND
from boxwood.gaps import GapRates
from boxwood.histogram.bin_measure import INTEGERS, LENGTH, BinMeasure
from boxwood.histogram.estimate import Alpha, masses, standard_errors
from boxwood.histogram.unseen import UnseenValues, good_turing
from boxwood.model_file import State

__all__ = ["LARGEST", "ColumnHistogram", "GivenCounts", "count_column", "gaps_of", "log_of"]

LARGEST = 2.0**997
"""Edges lie within this, as all numbers do that pass input validation."""


_HALVINGS = 130
"""From the span of all numbers that are drawn down to neighbouring floats."""


@dataclass(frozen=True, eq=False)
class GivenCounts:
    """Counts of a column in its bins by the weights that the rows were given."""

    counts: NDArray[np.float64]
    missing: float
    outside: float

    def merged(self, other: GivenCounts) -> GivenCounts:
        """Return the counts of both."""
        return GivenCounts(
            self.counts + other.counts, self.missing + other.missing, self.outside + other.outside
        )


@dataclass(frozen=True, eq=False)
class ColumnHistogram:
    """Counts of one column in its bins, and the probabilities estimated from them.

    Attributes
    ----------
    edges : ndarray of shape (n_bins + 1,) or None
        Bin m holds edges[m] ≤ x < edges[m + 1], the last one its upper edge too. None: the bins are the
        column's categories. Empty: no value was seen from which edges could come.
    counts : ndarray of shape (n_bins,)
        Weight of the rows in each bin.
    mass : ndarray of shape (n_bins,)
        Probability of each bin among the values that are not missing.
    missing, outside : float
        Weight of the rows without a value, and of those with a value in no bin.
    measure : BinMeasure
        What densities are relative to: length, or counting on a lattice and at atoms.
    given : GivenCounts or None
        Counts by the weights that the rows were given, where `counts` are by what the rows are worth.
    unseen : float
        Probability of the values without mass, those beyond the bins and unknown categories among them;
        `mass` is that of the others.
    start : float
        No value can be smaller; −inf where any can.
    """

    edges: NDArray[np.float64] | None
    counts: NDArray[np.float64]
    mass: NDArray[np.float64]
    missing: float = 0.0
    outside: float = 0.0
    measure: BinMeasure = LENGTH
    given: GivenCounts | None = None
    unseen: float = 0.0
    start: float = -np.inf
    _handles: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_handles": {}}  # native objects are not pickled, but made anew

    @property
    def bins(self) -> _core.Bins:
        """The native bins of a column of numbers."""
        if "bins" not in self._handles:
            assert self.edges is not None
            self._handles["bins"] = _core.Bins(self.edges)
        return self._handles["bins"]

    @property
    def total(self) -> float:
        """The weight of all rows in bins."""
        return float(self.counts.sum())

    @property
    def everything(self) -> float:
        """The weight of all rows, those without a value and in no bin among them."""
        return self.total + self.outside + self.missing

    @property
    def widths(self) -> NDArray[np.float64]:
        """The measure of each bin: its length or its number of points; a category has 1."""
        if self.edges is None or len(self.counts) == 0:
            return np.ones(len(self.counts))
        return self.measure.sizes(self.edges)

    @property
    def density(self) -> NDArray[np.float64]:
        """The density in each bin."""
        with np.errstate(over="ignore"):  # bins of a few denormals
            return self.mass / self.widths

    @property
    def standard_errors(self) -> NDArray[np.float64]:
        """The standard error of the density in each bin."""
        with np.errstate(over="ignore"):
            return standard_errors(self.mass, self.total) / self.widths

    @property
    def log_density(self) -> NDArray[np.float64]:
        """The logarithm of the density in each bin and, last, outside: of numbers without the unseen part."""
        logs = log_of(self.mass, self.widths)
        if self.unseen:
            logs += math.log1p(-self.unseen)
            logs[-1] = math.log(self.unseen) if self.edges is None else -np.inf
        return logs

    @property
    def tail(self) -> UnseenValues:
        """What is kept for numbers without mass."""
        if "tail" not in self._handles:
            assert self.edges is not None
            held = self.mass > 0.0
            self._handles["tail"] = UnseenValues(self.unseen, self.edges, held, self.measure, self.start)
        return self._handles["tail"]

    def with_all_of_support(self) -> ColumnHistogram:
        """Return the histogram with a probability for the values of a known support that were not seen.

        They share Good-Turing's mass. Nothing lies beyond a support.
        """
        empty = self.mass == 0.0
        if self.edges is not None and len(self.measure.atoms):
            empty &= self.measure.is_atom(self.edges)
        if len(self.counts) == 0 or not empty.any():
            return self
        unseen = good_turing(self.counts)
        mass = np.where(empty, unseen * self.widths / self.widths[empty].sum(), (1.0 - unseen) * self.mass)
        return replace(self, mass=mass, _handles=self._handles)

    def with_unseen(self, kind: Kind) -> ColumnHistogram:
        """Return the histogram with a probability for values that were not seen.

        Good–Turing's at the resolution of the bins: where every bin has mass, by a prior, only what lies
        beyond them is unseen, and that has 1/(n + 2).
        """
        if len(self.counts) == 0:
            return self
        if self.edges is None or (self.mass == 0.0).any():
            unseen = good_turing(self.counts)
        else:
            unseen = 1.0 / (self.total + 2.0)
        start = -np.inf
        if self.edges is not None and kind is not Kind.DATETIME:
            half = 0.0 if self.measure.lattice is None else 0.5 * self.measure.lattice.step
            start = -half if self.edges[0] >= -half else -np.inf
        return replace(self, unseen=unseen, start=start, _handles={})

    def filled(self) -> ColumnHistogram:
        """Return the histogram with the Good–Turing mass in its empty bins, in proportion to their sizes."""
        empty = self.mass == 0.0
        if not empty.any() or not self.total > 0.0:
            return self
        unseen, sizes = good_turing(self.counts), self.widths
        mass = np.where(empty, unseen * sizes / sizes[empty].sum(), (1.0 - unseen) * self.mass)
        return replace(self, mass=mass, _handles=self._handles)

    def with_gap_rate(self, rate: float) -> ColumnHistogram:
        """Return the histogram with a rate of gaps, if it has counted none; the counts that show stay."""
        if self.missing > 0.0 or not 0.0 < rate < 1.0:
            return self
        weight = rate / (1.0 - rate) * (self.total + self.outside)
        return replace(self, missing=weight, given=self.shown, _handles=self._handles)

    def estimated(self, estimate: str, alpha: Alpha) -> ColumnHistogram:
        """Return the same counts with their probabilities estimated anew."""
        if len(self.counts) == 0:
            return self
        return replace(self, mass=masses(self.counts, self.widths, estimate, alpha), _handles=self._handles)

    @property
    def shown(self) -> GivenCounts:
        """Counts by the weights that the rows were given."""
        return self.given or GivenCounts(self.counts, self.missing, self.outside)

    def merged(self, other: ColumnHistogram) -> ColumnHistogram:
        """Return the counts of both, in the same bins; probabilities are still those of this one."""
        both = self.shown.merged(other.shown) if self.given or other.given else None
        return replace(
            self,
            counts=self.counts + other.counts,
            missing=self.missing + other.missing,
            outside=self.outside + other.outside,
            given=both,
            _handles=self._handles,
        )

    def add_log_density(
        self, column: Column, out: NDArray[np.float64], logs: NDArray[np.float64] | None = None
    ) -> None:
        """Add each value's log-density to `out`; a missing value adds nothing."""
        if len(self.counts) == 0:
            return
        if logs is None and self.unseen and self.edges is not None:
            self._add_with_tail(column.values, out)
            return
        if logs is None and self.measure.is_closed:
            out[~self.measure.holds(column.values) & ~column.missing()] = -np.inf
        logs = self.log_density if logs is None else logs
        if self.edges is None:
            out += np.append(logs, 0.0)[column.values]  # code −1, missing, is the last entry
        else:
            self.bins.add_to(column.values, logs, out)
            if self.measure.profile is not None:
                out += self.measure.log_weights(column.values)

    def _add_with_tail(self, values: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        seen = np.zeros(len(values))
        self.bins.add_to(values, self.log_density, seen)
        seen += self.measure.log_weights(values)
        beyond = np.isneginf(seen)
        seen[beyond] = self.tail.log_density(values[beyond])
        out += seen

    def cdf(self, column: Column) -> NDArray[np.float64]:
        """Return P(X ≤ x) for each value, categories in their order; NaN for missing and unknown ones."""
        if self.edges is None:
            return np.concatenate([np.cumsum(self.mass), [np.nan, np.nan]])[column.values]
        if len(self.counts) == 0:
            return np.full(len(column.values), np.nan)
        return self._cdf_of_numbers(column.values)

    def _cdf_of_numbers(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        assert self.edges is not None
        below = np.concatenate([[0.0], np.cumsum(self.mass)])
        bins = np.searchsorted(self.edges, values, side="right").clip(1, len(self.counts)) - 1
        fraction = self.measure.fraction_up_to(self.edges, bins, values)
        seen = np.asarray((below[bins] + fraction * self.mass[bins]) / below[-1], dtype=np.float64)
        if not self.unseen:
            return seen
        return seen + self.unseen * (self.tail.fraction_up_to(values, bins) - seen)

    def quantile(self, levels: NDArray[np.float64]) -> NDArray[Any]:
        """Return the smallest value (or category code) whose CDF is at least each level."""
        below = np.concatenate([[0.0], np.cumsum(self.mass)])
        below /= below[-1] if len(self.counts) else 1.0
        bins = np.searchsorted(below[1:], levels, side="left").clip(max=max(len(self.counts) - 1, 0))
        if self.edges is None:
            codes = bins if len(self.counts) else np.full(len(levels), MISSING_CODE)
            return codes.astype(np.int32)
        if len(self.counts) == 0:
            return np.full(len(levels), np.nan)
        if self.unseen:
            return self._quantile_with_tail(levels)
        mass = below[bins + 1] - below[bins]
        fraction = np.divide(levels - below[bins], mass, out=np.zeros(len(levels)), where=mass > 0.0)
        return self.measure.values_at(self.edges, bins, fraction)

    def _quantile_with_tail(self, levels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Bisect the distribution function, which has no inverse in closed form."""
        low, high = (np.full(len(levels), end) for end in self.tail.span())
        for _ in range(_HALVINGS):
            middle = 0.5 * low + 0.5 * high
            reached = self._cdf_of_numbers(middle) >= levels
            low, high = np.where(reached, low, middle), np.where(reached, middle, high)
        return high if self.measure.lattice is None else self.measure.nearest(high)

    def sample(self, n_samples: int, rng: np.random.Generator, kind: Kind) -> NDArray[Any]:
        """Draw values or category codes, missing ones in their fraction."""
        bins = self.sample_bins(n_samples, rng)
        inside = rng.random(n_samples)
        if self.edges is None:
            return bins.astype(np.int32)
        values = np.full(n_samples, np.nan)
        present = bins != MISSING_CODE
        bins, inside = bins[present], inside[present]
        if len(bins):
            drawn = self.within(bins, inside, kind)
            if self.unseen:
                beyond = rng.random(len(drawn)) < self.unseen
                drawn[beyond] = _fitting(self.tail.draw(int(beyond.sum()), rng), kind)
            values[present] = drawn
        return values

    def within(
        self, bins: NDArray[np.int64], fraction: NDArray[np.float64], kind: Kind
    ) -> NDArray[np.float64]:
        """Return the value at a fraction of each bin's width, an integer where the kind has these."""
        assert self.edges is not None
        return _fitting(
            self.measure.draw(self.edges, bins, fraction, kind in (Kind.INTEGER, Kind.DATETIME)), kind
        )

    def sample_bins(self, n_samples: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw bins, −1 for missing."""
        everything = self.everything
        fraction = self.missing / everything if everything > 0.0 else 0.0
        missing, u = rng.random(n_samples) < fraction, rng.random(n_samples)
        if len(self.counts) == 0:
            return np.full(n_samples, MISSING_CODE)
        upper = np.cumsum(self.mass)
        # A bin without mass adds nothing to the sums and is never the first beyond u.
        bins = np.searchsorted(upper, u * upper[-1], side="right").clip(max=np.flatnonzero(self.mass)[-1])
        return np.where(missing, MISSING_CODE, bins)

    def moments(self) -> tuple[float, float]:
        """Return mean and variance of the density; NaN for categories and without bins."""
        if self.edges is None or len(self.counts) == 0:
            return np.nan, np.nan
        means = self.measure.means(self.edges)
        start = means[0]
        mean = float(self.mass @ (means - start))
        with np.errstate(over="ignore", invalid="ignore"):  # of numbers past 1e154 the variance is inf
            within = self.measure.variances(self.edges)
            variance = float(self.mass @ ((means - start - mean) ** 2 + within))
        return float(start + mean), variance

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        state = {
            "counts": self.counts,
            "mass": self.mass,
            "missing": self.missing,
            "outside": self.outside,
        }
        if self.unseen:
            state["unseen"] = self.unseen
            state |= {} if self.start == -np.inf else {"start": self.start}
        if self.given is not None:
            state["given"] = dict(vars(self.given))
        if self.edges is None:
            return state
        return {"edges": self.edges, "measure": self.measure.to_state(), **state}

    @classmethod
    def from_state(cls, state: State, n_categories: int | None, integer: bool) -> Self:
        """Read what `to_state` gave, after checking that it is a histogram.

        `n_categories` is None for a column of numbers.
        """
        counts = state.array("counts", np.float64, (n_categories,), low=0.0)
        if not np.isfinite(counts.sum()):
            raise state.error("counts", "is too large to add up")
        mass = state.array("mass", np.float64, (len(counts),), low=0.0, high=1.0)
        if len(mass) and abs(mass.sum() - 1.0) > 1e-9:
            raise state.error("mass", f"sums to {mass.sum()}, not to 1")
        missing = state.number("missing", low=0.0, high=np.finfo(np.float64).max)
        outside = state.number("outside", low=0.0, high=np.finfo(np.float64).max)
        edges = _edges_of_state(state, n_categories, len(counts))
        if not counts.sum() + missing + outside > 0.0:
            raise state.error("counts", "holds no row")
        measure = INTEGERS if integer else LENGTH
        if "measure" in state:
            measure = BinMeasure.from_state(state.child("measure"), integer)
        given = _given_of_state(state.child("given"), len(counts)) if "given" in state else None
        unseen = state.number("unseen", low=0.0, high=0.5) if "unseen" in state else 0.0
        start = state.number("start", low=-LARGEST, high=0.0) if "start" in state else -np.inf
        return cls(edges, counts, mass, missing, outside, measure, given, unseen, start)


def count_column(
    edges: NDArray[np.float64] | None,
    column: Column,
    weights: NDArray[np.float64] | None,
    n_threads: int = 1,
    measure: BinMeasure = LENGTH,
) -> ColumnHistogram:
    """Count a column into bins; probabilities are not estimated yet."""
    if edges is None:
        counts, missing, outside = _count_codes(column, weights)
    else:
        counts, missing, outside = _count_numbers(edges, column, weights, n_threads)
    return ColumnHistogram(edges, counts, np.zeros(len(counts)), missing, outside, measure)


def gaps_of(histograms: Sequence[ColumnHistogram]) -> GapRates:
    """Return how often the value of each column is missing."""
    gaps = np.array([histogram.missing for histogram in histograms])
    return GapRates(gaps, gaps + np.array([h.total + h.outside for h in histograms]))


def log_of(mass: NDArray[np.float64], widths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithms of densities and, last, that of what lies outside: −inf."""
    with np.errstate(divide="ignore"):
        return np.append(np.log(mass) - np.log(widths), -np.inf)


def _fitting(values: NDArray[np.float64], kind: Kind) -> NDArray[np.float64]:
    """Return values as a column of the kind may hold them."""
    if kind is Kind.INTEGER:
        return np.rint(values).clip(-(2.0**53), 2.0**53)
    if kind is Kind.DATETIME:
        return np.rint(values).clip(FIRST_MICROSECOND, LAST_MICROSECOND)
    return values


def _count_codes(
    column: Column, weights: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], float, float]:
    n_categories = len(column.field.categories)
    # Bins from code −1, missing, to code n_categories, unknown.
    counts = np.bincount(column.values + 1, weights, minlength=n_categories + 2).astype(np.float64)
    return counts[1:-1], float(counts[0]), float(counts[-1])


def _count_numbers(
    edges: NDArray[np.float64], column: Column, weights: NDArray[np.float64] | None, n_threads: int
) -> tuple[NDArray[np.float64], float, float]:
    missing = float(column.n_missing)
    if weights is not None and column.n_missing:
        missing = float(weights[column.missing()].sum())
    if len(edges) == 0:
        total = float(len(column.values)) if weights is None else float(weights.sum())
        return np.zeros(0), total, 0.0
    counts = _core.Bins(edges).count(column.values, weights, n_threads)
    return counts[:-1], missing, float(counts[-1] - missing) if counts[-1] > missing else 0.0


def _edges_of_state(state: State, n_categories: int | None, n_bins: int) -> NDArray[np.float64] | None:
    if n_categories is not None:
        return None
    edges = state.array("edges", np.float64, (n_bins + 1 if n_bins else 0,), low=-LARGEST, high=LARGEST)
    if n_bins and not np.all(edges[1:] > edges[:-1]):
        raise state.error("edges", "does not ascend")
    return edges


def _given_of_state(state: State, n_bins: int) -> GivenCounts:
    largest = np.finfo(np.float64).max
    return GivenCounts(
        state.array("counts", np.float64, (n_bins,), low=0.0),
        state.number("missing", low=0.0, high=largest),
        state.number("outside", low=0.0, high=largest),
    )
