"""The bins of a categorical, ordinal or boolean column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field
from boxwood.columns.column import Label
from boxwood.margins import CategoryMargin
from boxwood.mixture.inspect.number_bins import bins_between_thresholds

__all__ = ["CategoryBins"]


@dataclass(frozen=True, eq=False)
class CategoryBins:
    """Bins of a coded column. A part of them is a set: one flag a bin.

    Attributes
    ----------
    field : Field
    margin : CategoryMargin
    bin edges : ndarray
        Ends of the bins on [0, 1].
    """

    field: Field
    margin: CategoryMargin
    bin_edges: NDArray[np.float64]

    @property
    def n_bins(self) -> int:
        """How many bins there are."""
        return len(self.bin_edges) - 1

    @property
    def has_missing(self) -> bool:
        """Whether missing values are modelled."""
        return self.margin.missing_mass > 0.0

    @property
    def has_unseen(self) -> bool:
        """Whether a category may come that the fitted table did not have."""
        return self.margin.unseen_mass > 0.0

    @cached_property
    def bin_of_code(self) -> NDArray[np.int64]:
        """The bin of each category, of unseen ones and, last, of missing values."""
        u = np.empty(len(self.field.categories) + 2)
        self.margin.encode(np.arange(len(u), dtype=np.int32), u)
        return self.bins_of(u)

    def bins_of(self, u: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the bin of each u; a missing value that is not modelled lies in the last."""
        return bins_between_thresholds(self.bin_edges, u)

    def categories(self, part: NDArray[np.bool_]) -> tuple[Label, ...]:
        """Return the categories of one set."""
        flags = part[self.bin_of_code[: len(self.field.categories)]]
        return tuple(label for label, flag in zip(self.field.categories, flags, strict=True) if flag)

    def holds_unseen(self, part: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which sets unseen categories belong to."""
        return part[..., self.bin_of_code[-2]] & self.has_unseen

    def holds_missing(self, part: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which sets missing values, where they are modelled, belong to."""
        return part[..., self.bin_of_code[-1]] & self.has_missing

    def volume(self, part: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the number of values in sets: categories, unseen ones as one more, missing as one more."""
        possible = np.ones(len(self.bin_of_code))
        possible[-2:] = self.has_unseen, self.has_missing
        a_bin = np.bincount(self.bin_of_code, weights=possible, minlength=self.n_bins)
        return part.astype(np.float64) @ a_bin.astype(np.float64)

    def fraction(self, part: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the widths of sets on [0, 1]: their probability by the margin."""
        return part.astype(np.float64) @ np.diff(self.bin_edges)
