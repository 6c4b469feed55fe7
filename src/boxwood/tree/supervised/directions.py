"""Directions of oblique splits: weighted sums of columns, counted as further columns behind a table's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Schema
from boxwood.model_file import State

__all__ = ["Directions"]


@dataclass(frozen=True, eq=False)
class Directions:
    """All directions of some trees, as a sparse matrix by rows.

    Attributes
    ----------
    start : ndarray of shape (n_directions + 1,)
        Where the entries of each direction begin.
    column, weight : ndarray of shape (n_entries,)
    fill : ndarray of shape (n_columns,)
        What stands for missing numbers: the mean of the fitted column. Empty where there are no directions.
    """

    start: NDArray[np.int64]
    column: NDArray[np.uint32]
    weight: NDArray[np.float32]
    fill: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.start) - 1

    @classmethod
    def none(cls) -> Directions:
        """Return the directions of trees that have none."""
        return cls(np.zeros(1, np.int64), np.empty(0, np.uint32), np.empty(0, np.float32), np.empty(0))

    @classmethod
    def of_flat(cls, flat: dict[str, Any]) -> Directions:
        """Take what the core grew."""
        fill = flat["fill"] if len(flat["direction_start"]) > 1 else np.empty(0)
        return cls(flat["direction_start"], flat["direction_column"], flat["direction_weight"], fill)

    def entries(self, k: int) -> slice:
        """Return the entries of one direction."""
        return slice(int(self.start[k]), int(self.start[k + 1]))

    def text(self, k: int, schema: Schema, decimals: int | None) -> str:
        """Say a direction in words, such as ``0.5·a − 1·b``."""
        here, text = self.entries(k), ""
        for j, weight in zip(self.column[here].tolist(), self.weight[here].tolist(), strict=True):
            size = f"{abs(weight):.6g}" if decimals is None else f"{abs(weight):.{decimals}f}"
            sign = (" − " if weight < 0 else " + ") if text else ("−" if weight < 0 else "")
            text += f"{sign}{size}·{schema.fields[j].name}"
        return text

    def fractions(self, gain: NDArray[np.float64], n_columns: int) -> NDArray[np.float64]:
        """Return what each column has of the directions' gains: its directions' gains, in equal parts."""
        sizes = np.diff(self.start)
        weights = np.repeat(gain / np.maximum(1, sizes), sizes)
        return np.bincount(self.column, weights=weights, minlength=n_columns).astype(np.float64)

    def joined(self, other: Directions) -> Directions:
        """Return the directions of both, one after the other."""
        return Directions(
            np.concatenate([self.start, self.start[-1] + other.start[1:]]),
            np.concatenate([self.column, other.column]),
            np.concatenate([self.weight, other.weight]),
            self.fill if len(self.fill) else other.fill,
        )

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"start": self.start, "column": self.column, "weight": self.weight, "fill": self.fill}

    @classmethod
    def from_state(cls, state: State, n_categories: list[int]) -> Directions:
        """Read what `to_state` gave, after checking it."""
        start = state.array("start", np.int64, (None,), low=0)
        if len(start) < 1 or start[0] != 0 or np.any(np.diff(start) < 0):
            raise state.error("start", "does not ascend from 0")
        column = state.array("column", np.uint32, (int(start[-1]),))
        weight = state.array("weight", np.float32, (int(start[-1]),))
        if np.any(column >= len(n_categories)) or np.any(np.array(n_categories)[column] >= 0):
            raise state.error("column", "names a column that is no number")
        fill = state.array("fill", np.float64, (len(n_categories) if len(start) > 1 else 0,))
        return cls(start, column, weight, fill)
