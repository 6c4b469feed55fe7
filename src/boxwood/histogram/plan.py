"""From parameters and a column to its edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Field, Kind, Schema
from boxwood.columns.errors import at
from boxwood.histogram.estimate import smallest_alpha
from boxwood.histogram.rules import Scoring
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
from boxwood.histogram.uniform_grid import around, grid_of, half_step, uniform_edges
from boxwood.parameters import shown

__all__ = ["ColumnPlan", "check_alpha", "plan_columns", "why_not_in_parts"]

Edges = NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class ColumnPlan:
    """What was asked for one column: its bins (a rule, a number or edges), its range and its prior."""

    field: Field
    bins: Any
    limits: tuple[float, float] | None
    estimate: str
    alpha: Any

    def fixed_edges(self) -> Edges:
        """Return edges that do not depend on the data; ValueError says why there are none."""
        if not self.field.kind.is_number:
            return None
        if not isinstance(self.bins, int | np.integer | str):
            return edges_of(self.bins, self.field, "bins")
        if isinstance(self.bins, str) or self.limits is None:
            raise ValueError(f"{at(self.field.name)}: {_needs_all_rows(self.bins)}")
        return self._equal(*self.limits)

    def edges(
        self, column: Column, weights: NDArray[np.float64] | None, search: Search
    ) -> tuple[Edges, Selection | None]:
        """Return the edges for the values of a column and, where a rule chose them, how."""
        if not self.field.kind.is_number:
            return None, None
        by_data = isinstance(self.bins, str) or self.limits is None
        if not isinstance(self.bins, int | np.integer | str) or not by_data:
            return self.fixed_edges(), None
        if column.n_missing == len(column.values):
            return self._edges_without_values(), None
        if not isinstance(self.bins, str):
            return self._equal(*_extent(column)), None
        sample = self._sample(column, weights)
        if len(sample) == 0:
            return self._edges_without_values(), None
        grid = grid_of(sample, self.limits, self.field.kind is Kind.INTEGER)
        scoring = Scoring(self.estimate, self.alpha_of(None))
        return select_bins(sample, grid, self.bins, search, scoring)

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

    def _sample(self, column: Column, weights: NDArray[np.float64] | None) -> SortedSample:
        values = column.values
        if self.limits is not None:
            values = np.where((values < self.limits[0]) | (values > self.limits[1]), np.nan, values)
        return sorted_sample(values, weights)

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
