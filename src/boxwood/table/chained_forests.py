"""Gaps of every column told by forests that are grown for it, in turns (fully conditional specification)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Schema
from boxwood.model_file import State
from boxwood.table.expected import expected_values
from boxwood.table.filling import with_values
from boxwood.table.target.settings import QUICK
from boxwood.table.target_model import TargetConditionals, TargetModel

__all__ = ["ChainedForests"]

SWEEPS = 2
"""Times that all columns are told anew; more was not better."""


@dataclass(frozen=True, eq=False)
class ChainedForests:
    """A `TargetModel` of each column, given all others.

    They tell of rows that show at least half of their cells.

    Attributes
    ----------
    models : list of TargetModel
    """

    models: list[TargetModel]

    @classmethod
    def fit(cls, columns: Columns, filled: Columns, asked: Collection[int], seed: int) -> Self:
        """Grow the forests of columns, each on the rows that have it.

        Gaps of the other columns are filled; those of a column are told anew as soon as its forests are there
        (missForest), so that the next ones are grown on better values.
        """
        models: list[TargetModel] = []
        for j in asked:
            rows = np.flatnonzero(~columns[j].missing())
            name = columns.schema.names[j]
            model = TargetModel.fit(filled.take(rows), name, (seed + 1000 * j) % 2**64, QUICK)
            filled = _predicted_anew(model, columns, filled, "mean", None)
            models.append(model)
        return cls(models)

    def refill(self, columns: Columns, filled: Columns, how: str, rng: Any) -> Columns:
        """Tell the gaps of a table anew, from what they are filled with so far.

        Draws begin at means: from a poor start, a sweep between columns that all but follow from each other
        would not get away. One sweep of draws after them had the least energy distance of 1, 2 and 4.
        """
        for predicted in [*["mean"] * SWEEPS, "draw"] if how == "draw" else [how] * SWEEPS:
            for model in self.models:
                filled = _predicted_anew(model, columns, filled, predicted, rng)
        return filled

    def to_state(self) -> list[dict[str, Any]]:
        """Return what a model file keeps."""
        return [model.to_state() for model in self.models]

    @classmethod
    def from_state(cls, states: list[State], schema: Schema) -> Self:
        """Read the forests of a model file."""
        return cls([TargetModel.from_state(state, schema) for state in states])


def _predicted_anew(model: TargetModel, columns: Columns, filled: Columns, how: str, rng: Any) -> Columns:
    column = columns[model.column]
    rows = np.flatnonzero(column.missing() & _show_enough(columns))
    if not len(rows):
        return filled
    predicted = TargetConditionals(model, filled.take(rows))
    values = expected_values(predicted, model.column, column.field, how, rng)
    return with_values(filled, model.column, rows, values)


def _show_enough(columns: Columns) -> NDArray[np.bool_]:
    """Return which rows show at least half of their cells; a density sums the gaps of others out."""
    n_missing = np.sum([column.missing() for column in columns], axis=0)
    return np.asarray(2 * n_missing <= len(columns))
