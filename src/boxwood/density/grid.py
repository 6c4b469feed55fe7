"""The product grid: one histogram of all columns together, for a few columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import MISSING_CODE, Column, ColumnMeasure, Columns, Kind, Schema
from boxwood.density.base import EVIDENCE, MISSING_VALUES, DensityEstimator
from boxwood.density.weighable import measures_of_bins
from boxwood.evidence import Evidence, SharedTable, shared_table, weigh_continuous
from boxwood.evidence.support import check_equal_steps, read_support
from boxwood.gaps import UnseenGaps
from boxwood.histogram.available import available_unless
from boxwood.histogram.bin_measure import INTEGERS, LENGTH, BinMeasure
from boxwood.histogram.column import LARGEST
from boxwood.histogram.estimate import standard_errors
from boxwood.histogram.grid_axes import MOST_CELLS, GridPlan
from boxwood.histogram.grid_cells import GridAxis, GridCells, cell_keys, slots_of_keys
from boxwood.histogram.grid_table import GridTable
from boxwood.histogram.novelty import lone_rows
from boxwood.histogram.parameters import (
    ALPHA,
    AUTO,
    BY_BINS,
    ESTIMATE,
    GRID_BINS,
    RANGE,
    SUPPORT_OF_BINS,
    WITH_PRIOR,
)
from boxwood.histogram.plan import DEFAULT_ALPHA, check_alpha, plan_columns, why_not_in_parts
from boxwood.in_parts import FitInParts, OnePart, TableInParts
from boxwood.model_file import State
from boxwood.parameters import Integer, Parameter, Unchecked, declare

__all__ = ["GridHistogram"]


class GridHistogram(FitInParts, DensityEstimator):
    """Density by one histogram on the product grid of all columns' bins.

    It sees how columns depend on each other, which `Histogram` does not; but cells multiply with every
    column, so that it serves two or three. Only cells with rows are stored. A missing value has a slot
    of its own beside its column's bins (of width 1), as categories have. Outside the grid, and in
    categories that the fitted table did not have, the density is 0.

    Attributes
    ----------
    edges_ : list
        Edges of each column; of a coded column its categories.
    n_cells_ : int
        How many cells the grid has.
    cells_ : ndarray of shape (n_occupied, n_features)
        Bins of the cells with rows, one row a cell; −1 for missing.
    counts_ : ndarray of shape (n_occupied,)
        Weight of the rows in each of them.
    density_, standard_errors_ : ndarray of shape (n_occupied,)
    outside_ : float
        Weight of the rows in no cell.
    offset_ : float
    calibration_scores_ : ndarray
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> model = bw.GridHistogram(bins=[-4.0, 0.0, 4.0]).fit(X)
    >>> model.cells_.tolist(), model.counts_
    ([[0, 0], [0, 1], [1, 0], [1, 1]], array([262., 254., 256., 228.]))
    >>> bw.GridHistogram(bins=100).fit(X.repeat(2, axis=1))
    Traceback (most recent call last):
        ...
    ValueError: a grid of 100 × 100 × 100 × 100 = 1e+08 cells is more than 1000 rows can fill ...
    """

    _parameters = declare(
        MISSING_VALUES.but(
            "Whether a gap is a slot of the grid with a probability of its own, or is summed out of a "
            "score: then it compares only with scores of rows with the same gaps."
        ),
        *EVIDENCE,
        GRID_BINS.but(effect=BY_BINS),
        ESTIMATE,
        ALPHA.but(
            "Parameter of the Dirichlet prior, for every cell; without it 2.",
            Unchecked("float") | None,
            WITH_PRIOR,
        ),
        RANGE,
        SUPPORT_OF_BINS,
        Parameter(
            "max_cells",
            Integer(1, 2**62) | None,
            "A grid of more cells is refused; without it, one of more than eight cells a row.",
        ),
    )

    grid_: GridTable
    _gaps: UnseenGaps | None = None

    def __init__(
        self,
        *,
        bins: Any = AUTO,
        estimate: str = "ml",
        alpha: float | None = None,
        range: Any = None,
        support: Any = None,
        max_cells: int | None = None,
        missing: str = "event",
        duplicates: str = "auto",
        weight_kind: str = "auto",
        false_alarm_rate: float = 0.05,
    ) -> None:
        self.bins = bins
        self.estimate = estimate
        self.alpha = alpha
        self.range = range
        self.support = support
        self.max_cells = max_cells
        self.missing = missing
        self.duplicates = duplicates
        self.weight_kind = weight_kind
        self.false_alarm_rate = false_alarm_rate

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """Choose bins and count cells.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
        groups : array-like of shape (n_samples,), optional
            Rows of a group are in the same fold of the rule "cv".

        Returns
        -------
        self
        """
        self._check_parameters()
        columns = self._read_fit(X, sample_weight)
        if self._why_not_in_parts(OnePart(columns)) is None:
            return self._fit_parts(OnePart(columns))
        plan = self._plan(columns.schema, _most_rows(columns))
        shared = shared_table(columns)
        weighed = weigh_continuous(columns) if shared is None and self._needs_no_order() else None
        evidence, ordered = weighed or (self._weigh(columns, groups, sample_weight), None)
        axes = plan.axes(evidence, ordered) if shared is None else self._axes_of(shared, plan)
        of_column = [
            lone_rows(column, evidence.columns.row_weights)
            for one, column in zip(plan.plans, evidence.columns, strict=True)
            if one.is_open and shared is None
        ]
        none = np.zeros(0, dtype=np.intp)
        beyond = evidence.columns.take(np.unique(np.concatenate([none, *of_column])))
        self._finish(columns.schema, axes, _count_cells(axes, evidence), beyond, filled=shared is not None)
        return self

    def _axes_of(self, shared: SharedTable, plan: GridPlan) -> tuple[GridAxis, ...]:
        """Return axes chosen on the whole table. Models of its parts use the same axes."""

        def find() -> tuple[GridAxis, ...]:
            whole = self._weigh(shared.columns)
            return replace(plan, n_rows=_most_rows(shared.columns)).axes(whole)

        return shared.once("axes", find)

    def _take_gap_rates(self, rates: NDArray[np.float64], n: float) -> float:
        had_none = tuple(not seen for seen in self.grid_.missing_seen)
        self._gaps = UnseenGaps(np.inf, had_none, tuple(rates.tolist()))
        return self._gaps.log_presence(range(len(rates)))

    def _remedy_of_zeros(self) -> str | None:
        if self.estimate == "bayes" or self.support is not None:
            return None
        return 'Cells without rows have density 0. estimate="bayes" gives each cell a probability.'

    def _needs_no_order(self) -> bool:
        """Whether the fit does not depend on the order of distinct rows, nor on values that were declared."""
        rules = self.bins if isinstance(self.bins, list | tuple) else [self.bins]
        return (
            self.support is None
            and all(
                isinstance(rule, int | np.integer) or (isinstance(rule, str) and rule in (AUTO, "scott"))
                for rule in rules
            )
            and self.duplicates != "evidence"
        )

    def _why_not_in_parts(self, table: TableInParts) -> str | None:
        reason = why_not_in_parts(self)
        if self.support is not None and not isinstance(table, OnePart):
            return "support= declares values, against which all rows are checked."
        if reason is not None or self._plan(table.schema, 1.0).is_fixed:
            return reason
        return f"bins={self.bins!r} does not say the edges of every column, which then follow from all rows."

    def _fit_parts(self, table: TableInParts) -> Self:
        axes = self._plan(table.schema, _most_rows(table)).fixed_axes()
        self._finish(table.schema, axes, table.fold(_cells_of_part, axes))
        return self

    @available_unless(why_not_in_parts)
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to what was counted so far; with given edges, or a number of bins and a range.

        The result is exactly that of one `fit` of all rows. Categories must all be in the first part.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
        y : ignored
            The target of each row.
        sample_weight : array-like of shape (n_samples,), optional
            What each row counts; all count the same where it is not given.

        Returns
        -------
        self
        """
        self._check_parameters()
        fitted = self.__sklearn_is_fitted__()
        columns = self._read(X, sample_weight) if fitted else self._read_fit(X, sample_weight)
        _check_categories(columns)
        axes = self.grid_.axes if fitted else self._plan(columns.schema, _most_rows(columns)).fixed_axes()
        cells = GridCells.of_rows(cell_keys(axes, columns), columns.weights)
        self._finish(columns.schema, axes, self.grid_.cells.merge(cells) if fitted else cells)
        return self

    def merge(self, other: GridHistogram) -> GridHistogram:
        """Return the histogram of the rows of both, which must have the same bins.

        Parameters
        ----------
        other : GridHistogram
            One with the same bins, of other rows.

        Returns
        -------
        GridHistogram
            A new one, with the parameters of this one.
        """
        check_is_fitted(self)
        check_is_fitted(other)
        if not isinstance(other, GridHistogram) or self.schema_.fields != other.schema_.fields:
            raise ValueError("only grids of the same columns and categories can be merged.")
        if not all(
            np.array_equal(mine, theirs) for mine, theirs in zip(self.edges_, other.edges_, strict=True)
        ) or not all(
            mine.measure.equals(theirs.measure)
            for mine, theirs in zip(self.grid_.axes, other.grid_.axes, strict=True)
        ):
            raise ValueError("the bins differ, so that counts cannot be added.")
        merged: GridHistogram = clone(self)
        merged._finish(self.schema_, self.grid_.axes, self.grid_.cells.merge(other.grid_.cells))
        return merged

    @property
    def edges_(self) -> list[NDArray[Any]]:
        """Edges of each column; of a coded column its categories."""
        return [
            np.array(field.categories, dtype=object) if axis.edges is None else axis.edges
            for axis, field in zip(self.grid_.axes, self.schema_.fields, strict=True)
        ]

    @property
    def n_cells_(self) -> int:
        """How many cells the grid has, without the slots of missing values."""
        return math.prod(max(axis.n_fillable, 1) for axis in self.grid_.axes)

    @property
    def cells_(self) -> NDArray[np.int64]:
        """Bins of the cells with rows; −1 for missing."""
        slots = slots_of_keys(self.grid_.axes, self.grid_.cells.keys)
        return np.where(slots == [axis.n_bins for axis in self.grid_.axes], MISSING_CODE, slots)

    @property
    def counts_(self) -> NDArray[np.float64]:
        """Weight of the rows in each cell that has any."""
        return self.grid_.cells.shown.counts

    @property
    def outside_(self) -> float:
        """Weight of the rows in no cell."""
        return self.grid_.cells.shown.outside

    @property
    def density_(self) -> NDArray[np.float64]:
        """Density in each cell that has rows."""
        with np.errstate(over="ignore"):
            return np.exp(self.grid_.log_density_of_cells())

    @property
    def standard_errors_(self) -> NDArray[np.float64]:
        """Binomial standard error of the density in each cell that has rows."""
        mass = np.exp(self.grid_.log_mass(self.grid_.cells.counts))
        with np.errstate(over="ignore"):
            volumes = np.exp(self.grid_.log_volumes(self.grid_.cells.keys))
            return standard_errors(mass, self.grid_.cells.total) / volumes

    def _base_measure(self) -> list[ColumnMeasure]:
        return measures_of_bins([None if one.edges is None else one.measure for one in self.grid_.axes])

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        if self.missing == "ignore":
            return self.grid_.log_density_of_observed(columns)
        if self._gaps is not None:
            return self.grid_.log_density_with_gaps(columns, self._gaps)
        self.grid_.gaps.warn_of_impossible(columns)
        return self.grid_.log_density(columns)

    def _score_of(self, columns: Columns, kept: Sequence[int]) -> NDArray[np.float64]:
        if self.missing == "ignore":
            return super()._score_of(columns, kept)
        fields = tuple(columns.schema.fields[j] for j in kept)
        of_kept = Columns(Schema(fields, named=True), columns.n_rows, columns=[columns[j] for j in kept])
        return self.grid_.marginal(np.array(kept, dtype=np.intp)).log_density(of_kept)

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Columns:
        slots = slots_of_keys(self.grid_.axes, self.grid_.sample_cells(n_samples, rng))
        columns = []
        for j, (axis, field) in enumerate(zip(self.grid_.axes, self.schema_.fields, strict=True)):
            n_missing = int(np.count_nonzero(slots[:, j] == axis.n_bins))
            columns.append(Column(field, axis.values(slots[:, j], field, rng), n_missing))
        return Columns(self.schema_, n_samples, columns=columns)

    def _finish(
        self,
        schema: Schema,
        axes: Sequence[GridAxis],
        cells: GridCells,
        beyond: Columns | None = None,
        filled: bool = False,
    ) -> None:
        """Keep the grid; rows of `beyond` would lie beyond it if they had not been there.

        `filled`: cells without rows get a part of the Good–Turing mass.
        """
        alpha = DEFAULT_ALPHA if self.alpha is None else float(self.alpha)
        prior = {"ml": 0.0, "map": alpha - 1.0, "bayes": alpha}[self.estimate]
        grid = GridTable(tuple(axes), cells, prior)
        if filled and prior == 0.0:
            grid = grid.filled()
        self._gaps = None
        held_out = np.append(grid.log_density_of_cells(left_out=1.0), -np.inf)
        weights = np.append(cells.counts, cells.outside)
        if beyond is not None:
            own, keys = beyond.row_weights, cell_keys(axes, beyond)
            places = np.where(keys < 0, len(cells.keys), np.searchsorted(cells.keys, keys))
            np.subtract.at(weights, places, own)
            held_out = np.append(held_out, np.full(len(own), -np.inf))
            weights = np.append(np.maximum(weights, 0.0), own)
        present = weights > 0.0
        novelty = self._novelty(held_out[present], weights[present], of_rows=False)
        self._set_fitted(schema, grid_=grid, **novelty)

    def _plan(self, schema: Schema, n_rows: float) -> GridPlan:
        support = read_support(schema, self.support)
        check_equal_steps(schema, support)
        plans = plan_columns(schema, self.bins, self.range, self.estimate, self.alpha, AUTO, support)
        return GridPlan(plans, n_rows, self.max_cells)

    def _check_combinations(self) -> None:
        super()._check_combinations()
        check_alpha(self.alpha, self.estimate)
        if isinstance(self.alpha, str) or (self.alpha is not None and np.ndim(self.alpha) > 0):
            raise TypeError("GridHistogram: alpha must be one number for all cells.")

    def _get_state(self) -> dict[str, Any]:
        numbers = {str(j): axis for j, axis in enumerate(self.grid_.axes) if axis.edges is not None}
        return {
            "edges": {j: axis.edges for j, axis in numbers.items()},
            "measures": {j: axis.measure.to_state() for j, axis in numbers.items()},
            "cells": self.grid_.cells.to_state(),
            "prior": self.grid_.prior,
            **({} if self._gaps is None else self._gaps.to_state()),
            **self._get_novelty_state(),
        }

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        edges = state.child("edges")
        measures = state.child("measures") if "measures" in state else None
        axes = tuple(_axis_of_state(edges, measures, j, schema) for j in range(len(schema)))
        if math.prod(axis.n_slots for axis in axes) > MOST_CELLS:
            raise state.error("edges", "make more cells than can be numbered")
        cells = GridCells.from_state(state.child("cells"), axes)
        prior = state.number("prior", low=0.0, high=1e300)
        grid = GridTable(axes, cells, prior)
        known = "gap_rates" in state
        gaps = UnseenGaps.from_state(state, grid.gaps.rates.tolist()) if known else None
        return {"grid_": grid, "_gaps": gaps, **self._novelty_of_state(state)}


def _most_rows(table: Columns | TableInParts) -> float:
    """Return the number of rows or the total weight, whichever is larger. Weights may sum to 1."""
    return float(max(table.n_rows, table.total_weight))


def _cells_of_part(columns: Columns, targets: Any, axes: Sequence[GridAxis]) -> GridCells:
    return GridCells.of_rows(cell_keys(axes, columns), columns.weights)


def _count_cells(axes: Sequence[GridAxis], evidence: Evidence) -> GridCells:
    """Count distinct rows by their scaled weights, and also by the given weights if these differ."""
    keys, given = cell_keys(axes, evidence.columns), evidence.merged_weights
    cells = GridCells.of_rows(keys, evidence.columns.weights)
    if np.array_equal(given, evidence.columns.row_weights):
        return cells
    return replace(cells, given=GridCells.of_rows(keys, given))


def _axis_of_state(edges: State, measures: State | None, j: int, schema: Schema) -> GridAxis:
    field = schema.fields[j]
    if not field.kind.is_number:
        return GridAxis(None, len(field.categories))
    array = edges.array(str(j), np.float64, (None,), low=-LARGEST, high=LARGEST)
    if len(array) == 1 or np.any(array[1:] <= array[:-1]):
        raise edges.error(str(j), "are no edges")
    integer = field.kind is Kind.INTEGER
    measure = INTEGERS if integer else LENGTH
    if measures is not None:  # models of before lattices have none
        measure = BinMeasure.from_state(measures.child(str(j)), integer)
    return GridAxis(array, max(len(array) - 1, 0), measure)


def _check_categories(columns: Columns) -> None:
    for column in columns:
        if column.kind is Kind.CATEGORICAL and np.any(column.values >= len(column.field.categories)):
            raise ValueError(
                f"column {column.name!r} brings a category that the first rows did not have: fit all rows "
                "at once."
            )
