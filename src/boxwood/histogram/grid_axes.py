"""From parameters and a table to the axes of a product grid, or to the sentence that refuses it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxwood.columns import Column, Columns, Kind
from boxwood.histogram.grid_cells import GridAxis
from boxwood.histogram.plan import ColumnPlan
from boxwood.histogram.rules import SCOTT
from boxwood.histogram.selection import Search
from boxwood.histogram.sorted_sample import sorted_sample
from boxwood.histogram.uniform_grid import grid_of, uniform_edges

__all__ = ["CELLS_A_ROW", "MOST_CELLS", "GridPlan"]

CELLS_A_ROW = 10.0
"""A grid of more cells than this for every row is refused: nearly all would be empty."""

MOST_CELLS = 2**62


@dataclass(frozen=True, eq=False)
class GridPlan:
    """What was asked for the columns of a grid, and how many cells it may have."""

    plans: Sequence[ColumnPlan]
    total: float
    max_cells: int | None

    @property
    def limit(self) -> float:
        """The largest number of cells."""
        return CELLS_A_ROW * self.total if self.max_cells is None else float(self.max_cells)

    def fixed_axes(self) -> tuple[GridAxis, ...]:
        """Return axes that do not depend on the data."""
        return self._checked([self._axis(plan, plan.fixed_edges()) for plan in self.plans])

    def axes(self, columns: Columns) -> tuple[GridAxis, ...]:
        """Return the axes for a table; those that follow Scott's rule take what the others leave."""
        axes: dict[int, GridAxis] = {}
        by_scott: dict[int, ColumnPlan] = {}
        for j, (plan, column) in enumerate(zip(self.plans, columns, strict=True)):
            if _follows_scott(plan) and column.n_missing < len(column.values):
                by_scott[j] = plan
            else:
                axes[j] = self._axis(plan, plan.edges(column, columns.weights, Search())[0])
        room = self.limit / math.prod(max(axis.n_bins, 1) for axis in axes.values())
        axes |= self._by_scott(by_scott, columns, room)
        return self._checked([axes[j] for j in range(len(self.plans))])

    def _by_scott(self, plans: dict[int, ColumnPlan], columns: Columns, room: float) -> dict[int, GridAxis]:
        grids = {j: self._grid(plan, columns[j], columns.weights) for j, plan in plans.items()}
        numbers = {j: grid.valid(grid.n_bins(width)) for j, (grid, width) in grids.items()}
        while math.prod(numbers.values()) > room and max(numbers.values(), default=1) > 1:
            widest = max(numbers, key=lambda j: (numbers[j], -j))
            grid, _ = grids[widest]
            fewer = numbers[widest] - 1
            while grid.valid(fewer) > fewer:
                fewer -= 1
            numbers[widest] = grid.valid(fewer)
        spans = {j: grids[j][0].span(n) for j, n in numbers.items()}
        return {j: GridAxis(uniform_edges(*span), span[2]) for j, span in spans.items()}

    def _grid(self, plan: ColumnPlan, column: Column, weights: Any) -> Any:
        """Return the grid of a column and the width of Scott's rule for as many columns as there are."""
        values = column.values
        if plan.limits is not None:
            values = np.where((values < plan.limits[0]) | (values > plan.limits[1]), np.nan, values)
        sample = sorted_sample(values, weights)
        if len(sample) == 0:
            raise ValueError(f"column {plan.field.name!r} has no value within its range.")
        grid = grid_of(sample, plan.limits, plan.field.kind is Kind.INTEGER)
        width = SCOTT * sample.standard_deviation() * sample.total ** (-1.0 / (2.0 + len(self.plans)))
        return grid, width if width > 0.0 else grid.high - grid.low

    def _axis(self, plan: ColumnPlan, edges: Any) -> GridAxis:
        if edges is None:
            return GridAxis(None, len(plan.field.categories))
        return GridAxis(edges, max(len(edges) - 1, 0))

    def _checked(self, axes: list[GridAxis]) -> tuple[GridAxis, ...]:
        numbers = [max(axis.n_bins, 1) for axis in axes]
        n_cells = math.prod(numbers)
        too_many_to_number = math.prod(axis.n_slots for axis in axes) > MOST_CELLS
        # A single column, or bins that are all categories or single, are no reason to refuse.
        if too_many_to_number or (n_cells > max(self.limit, 1.0) and len(axes) > 1):
            listed = " × ".join(str(n) for n in numbers[:6]) + (" × …" if len(numbers) > 6 else "")
            allowed = "max_cells" if self.max_cells is not None else f"{CELLS_A_ROW:g} cells a row"
            raise ValueError(
                f"a grid of {listed} = {n_cells:.3g} cells is more than {self.total:g} rows can fill "
                f"({allowed}). Use fewer bins or columns, Histogram or ProductDensity (one histogram a "
                "column), or set max_cells."
            )
        return tuple(axes)


def _follows_scott(plan: ColumnPlan) -> bool:
    return plan.field.kind.is_number and isinstance(plan.bins, str) and plan.bins == "scott"
