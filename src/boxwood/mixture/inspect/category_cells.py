"""The cells of a categorical, ordinal or boolean column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field
from boxwood.columns.column import Label
from boxwood.margins import CategoryMargin
from boxwood.mixture.inspect.number_cells import cells_between

__all__ = ["CategoryCells"]


@dataclass(frozen=True, eq=False)
class CategoryCells:
    """Cells of a coded column. A part of them is a set: one flag a cell.

    Attributes
    ----------
    field : Field
    margin : CategoryMargin
    knots : ndarray
        Ends of the cells on [0, 1].
    """

    field: Field
    margin: CategoryMargin
    knots: NDArray[np.float64]

    @property
    def n_cells(self) -> int:
        """How many cells there are."""
        return len(self.knots) - 1

    @property
    def has_missing(self) -> bool:
        """Whether missing values are modelled."""
        return self.margin.missing_mass > 0.0

    @property
    def has_unseen(self) -> bool:
        """Whether a category may come that the fitted table did not have."""
        return self.margin.unseen_mass > 0.0

    @cached_property
    def cell_of_code(self) -> NDArray[np.int64]:
        """The cell of each category, of unseen ones and, last, of missing values."""
        u = np.empty(len(self.field.categories) + 2)
        self.margin.encode(np.arange(len(u), dtype=np.int32), u)
        return self.cells_of(u)

    def cells_of(self, u: NDArray[np.float64]) -> NDArray[np.int64]:
        """Give the cell of each u; a missing value that is not modelled lies in the last."""
        return cells_between(self.knots, u)

    def categories(self, part: NDArray[np.bool_]) -> tuple[Label, ...]:
        """Give the categories of one set."""
        flags = part[self.cell_of_code[: len(self.field.categories)]]
        return tuple(label for label, flag in zip(self.field.categories, flags, strict=True) if flag)

    def holds_unseen(self, part: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell which sets unseen categories belong to."""
        return part[..., self.cell_of_code[-2]] & self.has_unseen

    def holds_missing(self, part: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell which sets missing values, where they are modelled, belong to."""
        return part[..., self.cell_of_code[-1]] & self.has_missing

    def volume(self, part: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Give the number of values in sets: categories, unseen ones as one more, missing as one more."""
        possible = np.ones(len(self.cell_of_code))
        possible[-2:] = self.has_unseen, self.has_missing
        a_cell = np.bincount(self.cell_of_code, weights=possible, minlength=self.n_cells)
        return part.astype(np.float64) @ a_cell.astype(np.float64)

    def share(self, part: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Give the widths of sets on [0, 1]: their probability by the margin."""
        return part.astype(np.float64) @ np.diff(self.knots)
