"""From parameters and a table to the axes of a product grid, or to the sentence that refuses it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import ColumnMeasure
from boxwood.evidence import Evidence
from boxwood.histogram.atom_bins import cut_at_atoms
from boxwood.histogram.bin_measure import BinMeasure
from boxwood.histogram.grid_cells import GridAxis
from boxwood.histogram.parameters import AUTO
from boxwood.histogram.plan import ChosenBins, ColumnPlan
from boxwood.histogram.rules import SCOTT
from boxwood.histogram.selection import Search
from boxwood.histogram.sorted_sample import SortedSample
from boxwood.histogram.uniform_grid import BinGrid, uniform_edges

__all__ = ["MOST_CELLS", "GridPlan"]

CELLS_A_ROW = 8.0
"""A grid of more cells than this for every row is refused: at least seven of eight cells would be empty.

Below this limit estimates with a prior are still useful: 256 cells distinguish the three species of iris,
with 50 rows per species. By default no grid has more cells than rows. At 10 cells per row, 100 rows of three
columns had 1,000 cells, and 82% of new rows had density 0.
"""

MOST_CELLS = 2**62


@dataclass(frozen=True, eq=False)
class GridPlan:
    """What was asked for the columns of a grid, and how many cells it may have.

    Attributes
    ----------
    plans : sequence of ColumnPlan
    n_rows : float
        How many rows were given, weights counted.
    max_cells : int or None
    """

    plans: Sequence[ColumnPlan]
    n_rows: float
    max_cells: int | None

    @property
    def limit(self) -> float:
        """The largest number of cells."""
        return CELLS_A_ROW * self.n_rows if self.max_cells is None else float(self.max_cells)

    @property
    def is_fixed(self) -> bool:
        """Whether no axis depends on the rows."""
        return all(plan.is_fixed for plan in self.plans)

    def fixed_axes(self) -> tuple[GridAxis, ...]:
        """Return axes that do not depend on the data."""
        return self._checked([_axis(plan, plan.fixed_bins()) for plan in self.plans])

    def axes(
        self, evidence: Evidence, ordered: Sequence[NDArray[np.float64]] | None = None
    ) -> tuple[GridAxis, ...]:
        """Return the axes for a table. Those that follow Scott's rule use the cells that the others leave.

        `ordered` has each column's values in ascending order, if they are known.
        """
        columns, search = evidence.columns, Search.by_folds(evidence)
        axes: dict[int, GridAxis] = {}
        by_scott: dict[int, _ScottAxis] = {}
        samples: dict[int, SortedSample] = {}
        for j, (plan, measure) in enumerate(zip(self.plans, evidence.discrete.measures, strict=True)):
            column = columns[j]
            if _follows_scott(plan) and column.n_missing < len(column.values):
                known = ordered is not None and plan.limits is None
                samples[j] = (
                    SortedSample(ordered[j])
                    if ordered is not None and known
                    else plan.sample(column, columns.weights)
                )
                by_scott[j] = self._by_scott(plan, samples[j], measure)
            else:
                axes[j] = _axis(plan, plan.choose_bins(column, columns.weights, search, measure))
        by_default = any(self.plans[j].bins == AUTO for j in by_scott)
        most = min(self.limit, self.n_rows, evidence.n) if by_default else self.limit
        room = most / math.prod(max(axis.n_fillable, 1) for axis in axes.values())
        for j, axis in _fewer(by_scott, room).items():
            axes[j] = axis.made()
            self.plans[j].check_spread(samples[j], axes[j].edges, axis.measure)
        return self._checked([axes[j] for j in range(len(self.plans))])

    def _by_scott(self, plan: ColumnPlan, sample: SortedSample, measure: ColumnMeasure) -> _ScottAxis:
        """Return a column's bins by Scott's rule for as many columns as there are.

        By default each value of a short lattice has a bin of its own.
        """
        if len(sample) == 0:
            raise ValueError(f"column {plan.field.name!r} has no value within its range.")
        few = plan.few_points(measure, sample)
        if few is not None and plan.bins == AUTO:
            grid = plan.grid(sample, few)
            return _ScottAxis(grid, grid.n_steps, BinMeasure(few))
        within = plan.bin_measure(measure, sample) if few is None else BinMeasure(few)
        spread = sample.only(~np.isin(sample.values, within.atoms))
        if len(spread) == 0:
            return _ScottAxis(None, 0, replace(within, is_closed=True))
        grid = plan.grid(spread, within.lattice)
        width = SCOTT * spread.standard_deviation() * spread.total ** (-1.0 / (2.0 + len(self.plans)))
        n_bins = grid.valid(grid.n_bins(width)) if width > 0.0 else 1
        return _ScottAxis(grid, n_bins, within, keep_ends=plan.limits is not None)

    def _checked(self, axes: list[GridAxis]) -> tuple[GridAxis, ...]:
        numbers = [max(axis.n_fillable, 1) for axis in axes]
        n_cells = math.prod(numbers)
        too_many_to_number = math.prod(axis.n_slots for axis in axes) > MOST_CELLS
        # A single column, or bins that are all categories or single, are no reason to refuse.
        if too_many_to_number or (n_cells > max(self.limit, 1.0) and len(axes) > 1):
            listed = " × ".join(str(n) for n in numbers[:6]) + (" × …" if len(numbers) > 6 else "")
            cells = f"{n_cells:,}" if n_cells < 1e6 else f"{n_cells:.3g}"
            given = f"max_cells={self.max_cells}" if self.max_cells is not None else f"{CELLS_A_ROW:g} a row"
            raise ValueError(
                f"a grid of {listed} = {cells} cells is more than {self.n_rows:g} rows can fill (limit: "
                f"{given}). Use {self._instead(axes)}fewer columns, Histogram or ProductDensity (one "
                "histogram a column), or set max_cells."
            )
        return tuple(axes)

    def _instead(self, axes: list[GridAxis]) -> str:
        """Return a number of bins for each column of numbers that the rows can fill, in words."""
        numbers = [axis for axis in axes if axis.edges is not None]
        coded = math.prod(max(axis.n_bins, 1) for axis in axes if axis.edges is None)
        room = min(self.n_rows, self.limit) / coded
        n_bins = int(room ** (1.0 / len(numbers)) + 1e-9) if numbers else 0
        return f"bins={n_bins}, which makes {coded * n_bins ** len(numbers):,} cells, " if n_bins > 1 else ""


@dataclass(frozen=True, eq=False)
class _ScottAxis:
    """A column's grid, None where all its values are atoms, and the number of bins on it."""

    grid: BinGrid | None
    n_bins: int
    measure: BinMeasure
    keep_ends: bool = False

    @property
    def n_cells(self) -> int:
        """How many bins the axis can have: an atom adds its own and cuts another."""
        n_atoms = len(self.measure.atoms)
        return self.n_bins + 2 * n_atoms if self.grid is not None else max(n_atoms, 1)

    def fewer(self) -> _ScottAxis:
        """Return the axis with the next smaller number of bins."""
        assert self.grid is not None
        n_bins = self.n_bins - 1
        while self.grid.valid(n_bins) > n_bins:
            n_bins -= 1
        return replace(self, n_bins=self.grid.valid(n_bins))

    def made(self) -> GridAxis:
        """Return the axis of the grid."""
        edges = np.zeros(0) if self.grid is None else uniform_edges(*self.grid.span(self.n_bins))
        cut = cut_at_atoms(edges, self.measure.atoms, self.keep_ends)
        return GridAxis(cut, len(cut) - 1, self.measure)


def _fewer(axes: dict[int, _ScottAxis], room: float) -> dict[int, _ScottAxis]:
    """Take bins from the axes with most of them until their cells have room; from lattices last."""
    axes = dict(axes)
    while axes and math.prod(axis.n_cells for axis in axes.values()) > room:
        widest = max(axes, key=lambda j: (axes[j].n_bins, axes[j].measure.lattice is None, -j))
        if axes[widest].n_bins <= 1:
            break
        axes[widest] = axes[widest].fewer()
    return axes


def _axis(plan: ColumnPlan, bins: ChosenBins) -> GridAxis:
    return GridAxis.of_bins(bins, len(plan.field.categories))


def _follows_scott(plan: ColumnPlan) -> bool:
    by_scott = isinstance(plan.bins, str) and plan.bins in (AUTO, "scott")
    return by_scott and plan.field.kind.is_number and not plan.is_fixed
