"""A slice of a table on which a classifier or regressor predicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import MISSING_CODE, Column, ColumnMeasure, Columns, Kind, read_columns, to_native
from boxwood.estimator import TableEstimator
from boxwood.evidence.lattice import find_lattice
from boxwood.plot.slices.density_slice import axis_of_measure
from boxwood.plot.slices.leaf_polygons import leaf_polygons
from boxwood.plot.slices.slice_axis import Axes, SliceAxis
from boxwood.plot.slices.table_slice import (
    ShownColumns,
    axis_of_values,
    fixed_columns,
    grid_table,
    places_of_rows,
    rows_near,
    shown_columns,
    typical_value,
    value_of,
)
from boxwood.tree.supervised import SupervisedEstimator

__all__ = ["PredictorSlice"]


@dataclass(frozen=True, eq=False)
class PredictorSlice:
    """One or two columns of a table, the others fixed.

    Attributes
    ----------
    estimator : classifier or regressor
    table : Columns
    shown : tuple of int
    axes : tuple of SliceAxis
    named : mapping of int to Column
        Columns that the user fixed.
    """

    estimator: Any
    table: Columns
    shown: tuple[int, ...]
    axes: Axes
    named: Mapping[int, Column]

    @classmethod
    def of(
        cls,
        estimator: Any,
        X: Any,
        columns: ShownColumns,
        at: Mapping[int | str, Any] | None,
        resolution: tuple[int, int],
    ) -> PredictorSlice:
        """Read a table and choose the axes; the resolution is that of a curve and of a map."""
        is_tree = isinstance(estimator, SupervisedEstimator)  # whose sets of categories hold codes
        table = estimator._read(X) if is_tree else read_columns(X)
        shown = shown_columns(table.schema, columns)
        n_bins = resolution[len(shown) - 1]
        # A map of two columns is coarser than most lattices.
        choose = axis_of_values if is_tree or len(shown) > 1 else _axis_on_lattice
        axes = tuple(choose(table[j], n_bins) for j in shown)
        named = fixed_columns(table.schema, at, shown)
        found = cls(estimator, table, shown, axes, named)
        if len(shown) == 1 and found.leaves is not None and axes[0].is_continuous:
            # Between its cuts a tree predicts one value.
            return replace(found, axes=(_with_edges(axes[0], found.cuts),))
        return found

    @cached_property
    def fixed(self) -> dict[int, Column]:
        """What the columns that are not shown are fixed at."""
        others = {j: typical_value(c) for j, c in enumerate(self.table) if j not in self.shown}
        return {**others, **self.named}

    @property
    def given(self) -> dict[str, Any]:
        """The same by name, as values."""
        return {self.table.schema.names[j]: value_of(column) for j, column in self.fixed.items()}

    @cached_property
    def near(self) -> NDArray[np.bool_]:
        """Which rows lie near the slice."""
        return rows_near(self.table, self.fixed, self.named)

    def places(self) -> NDArray[np.float64]:
        """Return the places of the rows near the slice; NaN for missing values."""
        return places_of_rows(self.table.take(self.near), self.shown, self.axes)

    def predict(self, predict: Callable[[Any], Any]) -> NDArray[Any]:
        """Return what a function of rows gives in each cell; shape (n_x, …) or (n_y, n_x, …)."""
        rows = grid_table(self.table.schema, self.shown, self.axes, self.fixed)
        found = np.asarray(predict(self._given(rows)))
        return found.reshape(*(len(axis.values) for axis in self.axes[::-1]), *found.shape[1:])

    def predict_missing(self, predict: Callable[[Any], Any]) -> NDArray[Any] | None:
        """Return what a function of rows gives where the one shown column is missing; None if it never is."""
        if len(self.shown) > 1 or not self.table[self.shown[0]].n_missing:
            return None
        j, schema = self.shown[0], self.table.schema
        field = schema.fields[j]
        value = np.array([np.nan]) if field.kind.is_number else np.array([MISSING_CODE], dtype=np.int32)
        columns = [
            Column(field, value, 1) if k == j else self.fixed[k] for k, field in enumerate(schema.fields)
        ]
        return np.asarray(predict(self._given(Columns(schema, 1, columns=columns))))[0]

    def _given(self, rows: Columns) -> Any:
        return rows if isinstance(self.estimator, TableEstimator) else to_native(rows)

    @cached_property
    def leaves(self) -> list[NDArray[np.float64]] | None:
        """The leaves of a single tree as polygons, in the units of the axes; None of other models."""
        trees = getattr(self.estimator, "trees_", None)
        if not isinstance(self.estimator, SupervisedEstimator) or trees is None or trees.n_trees > 1:
            return None
        return [polygon for _, polygon in leaf_polygons(trees, self.shown, self.axes, self.fixed)]

    @property
    def cuts(self) -> NDArray[np.float64]:
        """Where a single tree cuts the one column that is shown, as places on its axis."""
        if self.leaves is None or len(self.shown) > 1:
            return np.zeros(0)
        ends = np.unique(np.concatenate([polygon[:, 0] for polygon in self.leaves]))
        low, high = self.axes[0].edges[[0, -1]]
        same = 1e-9 * (high - low)  # corners of neighbours differ by rounding
        ends = ends[np.append(True, np.diff(ends) > same)]
        return ends[(ends > low + same) & (ends < high - same)]


def _axis_on_lattice(column: Column, n_bins: int) -> SliceAxis:
    """Choose the cells of a column: of rounded numbers their own values, since no row lies between them."""
    axis = axis_of_values(column, n_bins)
    if column.kind not in (Kind.NUMERIC, Kind.INTEGER):
        return axis
    values = column.values[~column.missing()]
    lattice = find_lattice(np.unique(values).astype(np.float64))
    if lattice is None:
        return axis
    measure = ColumnMeasure(True, lattice, np.zeros(0))
    return axis_of_measure(column.field, measure, axis.edges, n_bins)


def _with_edges(axis: SliceAxis, cuts: NDArray[np.float64]) -> SliceAxis:
    """Return an axis whose bins lie between cuts."""
    edges = np.concatenate([axis.edges[:1], cuts, axis.edges[-1:]])
    values = (0.5 * edges[:-1] + 0.5 * edges[1:]) * axis.unit
    return replace(axis, edges=edges, values=values if axis.field.kind is Kind.NUMERIC else np.round(values))
