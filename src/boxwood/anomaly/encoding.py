"""Tables of any kind as coordinates on one scale: two rows differ by 2 in squares for every column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Kind, Schema
from boxwood.model_file import State

__all__ = ["Coordinates", "Encoding", "fit_encoding"]

MOST_LEVELS = 50
"""Of a categorical column; the last coordinate is that of all rarer ones, and then of new ones too. A column
of names or ids is almost a constant."""

FARTHEST = 1e60
"""Squares of distances do not overflow."""


class Coordinates(NamedTuple):
    """Rows as points, and how far each lies off everything that training showed."""

    points: NDArray[np.float64]
    unseen: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ColumnEncoding:
    """How a column becomes coordinates.

    Attributes
    ----------
    centre, scale : float
        Of numbers and ranks; a scale of 0 is that of a constant column.
    level_of : ndarray of int64 or None
        The coordinate of each category, −1 for one never seen; None for numbers.
    level_scale : float
        Of the coordinates of categories.
    gap_scale : float
        Of the coordinate that says that the value is missing; 0 where training has no gap.
    """

    centre: float
    scale: float
    level_of: NDArray[np.int64] | None
    level_scale: float
    gap_scale: float

    @property
    def rest(self) -> int:
        """The coordinate of a category never seen: that of all rare ones where there is one, else −1."""
        shared = self.level_of is not None and np.sum(self.level_of == MOST_LEVELS - 1) > 1
        return MOST_LEVELS - 1 if shared else -1

    @property
    def width(self) -> int:
        levels = 1 if self.level_of is None else int(self.level_of.max(initial=-1)) + 1
        return levels + (self.gap_scale > 0.0)

    def encode(self, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the coordinates, and which rows show what training never did."""
        gap = np.isnan(values)
        points = np.zeros((len(values), self.width))
        unseen = gap & (self.gap_scale == 0.0)
        if self.gap_scale > 0.0:
            points[:, -1] = gap * self.gap_scale
        if self.level_of is None:
            shifted = np.where(gap, 0.0, values - self.centre)
            if self.scale > 0.0:
                points[:, 0] = np.clip(shifted / self.scale, -FARTHEST, FARTHEST)
            return points, unseen | ((self.scale == 0.0) & (shifted != 0.0))
        known = np.append(self.level_of, -1)
        known = np.where(known < 0, self.rest, known)
        codes = np.minimum(np.nan_to_num(values), len(known) - 1)
        level = np.where(gap, -1, known[codes.astype(np.intp)])
        rows = np.flatnonzero(level >= 0)
        points[rows, level[rows]] = self.level_scale
        return points, unseen | (~gap & (level < 0))

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        state: dict[str, Any] = {
            "centre": self.centre,
            "scale": self.scale,
            "level_scale": self.level_scale,
            "gap_scale": self.gap_scale,
        }
        return state if self.level_of is None else {**state, "level_of": self.level_of}


@dataclass(frozen=True, eq=False)
class Encoding:
    """How a table becomes coordinates.

    Attributes
    ----------
    columns : list of ColumnEncoding
    unseen_square : float
        The square of the distance between a row and one that shows what training never did.
    """

    columns: list[ColumnEncoding]
    unseen_square: float

    @property
    def starts(self) -> NDArray[np.intp]:
        """The first coordinate of each column, and their number at the end."""
        return np.cumsum([0, *(column.width for column in self.columns)])

    def encode(self, table: Columns) -> Coordinates:
        """Return the coordinates of a table's rows."""
        matrix = table.matrix()
        parts = [column.encode(matrix[:, j]) for j, column in enumerate(self.columns)]
        events = np.column_stack([part[1] for part in parts]).sum(axis=1, dtype=np.float64)
        return Coordinates(np.hstack([part[0] for part in parts]), events * self.unseen_square)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "unseen_square": self.unseen_square,
            "columns": [column.to_state() for column in self.columns],
        }

    @classmethod
    def of_state(cls, schema: Schema, state: State) -> Encoding:
        """Return what a model file holds, after checking it."""
        children = state.children("columns", len(schema))
        pairs = zip(schema.fields, children, strict=True)
        columns = [_column_of_state(field.kind, len(field.categories), child) for field, child in pairs]
        return cls(columns, state.number("unseen_square", low=0.0, high=1e300))


def fit_encoding(table: Columns, n: float | None = None) -> Encoding:
    """Fit centres and scales to the (weighted) rows, of a table worth n.

    A number is divided by its standard deviation. Categories have a coordinate each, of a scale that makes
    two random rows differ by as much on average; so has a gap.
    """
    matrix, weights = table.matrix(), table.row_weights / table.total_weight
    columns = [
        _fit_column(matrix[:, j], weights, field.kind, len(field.categories))
        for j, field in enumerate(table.schema.fields)
    ]
    # An event of probability 1/(n + 2), as a gap of it would count.
    return Encoding(columns, _event_scale(1.0 / ((n or table.total_weight) + 2.0)) ** 2)


def _fit_column(
    values: NDArray[np.float64], weights: NDArray[np.float64], kind: Kind, n_categories: int
) -> ColumnEncoding:
    gap = np.isnan(values)
    gap_scale = _event_scale(float(weights[gap].sum())) if gap.any() else 0.0
    there = values[~gap]
    normed = weights[~gap] / weights[~gap].sum() if len(there) else weights[~gap]
    if kind is not Kind.CATEGORICAL:
        largest = float(np.abs(there).max(initial=0.0)) or 1.0
        small = there / largest  # squares of large numbers would overflow
        centre = float(normed @ small)
        deviation = float(np.sqrt(normed @ (small - centre) ** 2))
        # Rounding alone makes a constant column vary by the last digits.
        constant = len(there) == 0 or small.max() == small.min() or deviation < 1e-14
        middle = float(there[0]) if constant and len(there) else centre * largest
        return ColumnEncoding(middle, 0.0 if constant else deviation * largest, None, 0.0, gap_scale)
    fractions = np.bincount(there.astype(np.intp), normed, minlength=n_categories).astype(np.float64)
    order = np.argsort(-fractions, kind="stable")
    level_of = np.full(n_categories, -1, dtype=np.int64)
    seen = order[fractions[order] > 0.0]
    level_of[seen] = np.minimum(np.arange(len(seen)), MOST_LEVELS - 1)
    if len(seen) > MOST_LEVELS:
        fractions = np.bincount(level_of[seen], fractions[seen]).astype(np.float64)
    return ColumnEncoding(0.0, 0.0, level_of, _level_scale(fractions), gap_scale)


def _level_scale(fractions: NDArray[np.float64]) -> float:
    """Return the scale at which coordinates of these levels differ by 2 in squares between random rows."""
    differ = 1.0 - float(fractions @ fractions)
    return 1.0 / float(np.sqrt(differ)) if differ > 1e-12 else 1.0


def _event_scale(fraction: float) -> float:
    """Return the same for the one coordinate of an event, its standard deviation's inverse."""
    variance = fraction * (1.0 - fraction)
    return 1.0 / float(np.sqrt(variance)) if variance > 1e-12 else 1.0


def _column_of_state(kind: Kind, n_categories: int, state: State) -> ColumnEncoding:
    largest = 1e300
    level_of = None
    if kind is Kind.CATEGORICAL:
        level_of = state.array("level_of", np.int64, (n_categories,), low=-1, high=MOST_LEVELS - 1)
    return ColumnEncoding(
        state.number("centre", low=-largest, high=largest),
        state.number("scale", low=0.0, high=largest),
        level_of,
        state.number("level_scale", low=0.0, high=largest),
        state.number("gap_scale", low=0.0, high=largest),
    )
