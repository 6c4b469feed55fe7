"""The column of a table that a fit was told to tell: forests that are grown for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Schema
from boxwood.columns.errors import at
from boxwood.model_file import State
from boxwood.query.event_reader import column_position
from boxwood.randomness import generator
from boxwood.table.target import BinLaws, ClassTarget, NumberTarget
from boxwood.table.target.settings import THOROUGH, TargetSettings

__all__ = ["TargetConditionals", "TargetModel"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TargetModel:
    """The distribution of one column of a table given the others.

    Attributes
    ----------
    column : int
        Its position.
    fitted : NumberTarget or ClassTarget
    """

    column: int
    fitted: NumberTarget | ClassTarget

    @classmethod
    def fit(
        cls,
        columns: Columns,
        target: str,
        seed: int,
        settings: TargetSettings = THOROUGH,
        n_jobs: int | None = None,
    ) -> Self:
        """Fit the distribution on the rows that have the target."""
        j = column_position(columns.schema, target)
        if len(columns) < 2:
            raise ValueError(f"{at(target)} is the only column: a target needs others that tell about it.")
        known = np.flatnonzero(~columns[j].missing())
        if not len(known):
            raise ValueError(f"{at(target)} has no values: a target needs some to learn from.")
        rows = columns.take(known) if len(known) < columns.n_rows else columns
        kind: Any = NumberTarget if columns[j].field.kind.is_number else ClassTarget
        return cls(j, kind.fit(_target_last(rows, j), seed, replace(settings, n_jobs=n_jobs)))

    def laws(self, columns: Columns) -> BinLaws:
        """Return the distributions of a number given the rest of each row."""
        if not isinstance(self.fitted, NumberTarget):
            raise TypeError("the target is no number")
        return self.fitted.laws(_without(columns, self.column))

    def probabilities(self, columns: Columns) -> Numbers:
        """Return the probabilities of categories given the rest of each row."""
        if not isinstance(self.fitted, ClassTarget):
            raise TypeError("the target is a number")
        return self.fitted.probabilities(_without(columns, self.column))

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"column": self.column, "fitted": self.fitted.to_state()}

    @classmethod
    def from_state(cls, state: State, schema: Schema) -> Self:
        """Read the target of a model file."""
        j = state.integer("column", high=len(schema) - 1)
        field, rest = schema.fields[j], _schema_without(schema, j)
        child = state.child("fitted")
        if field.kind.is_number:
            return cls(j, NumberTarget.from_state(child, rest, field))
        return cls(j, ClassTarget.from_state(child, rest, len(field.categories)))


class TargetConditionals:
    """A target given the rest of rows, asked as `boxwood.query.RowConditionals` is: with its position.

    Parameters
    ----------
    model : TargetModel
    columns : Columns
        Rows; their targets are not read.
    """

    def __init__(self, model: TargetModel, columns: Columns) -> None:
        self._model, self._columns = model, columns

    def means(self, column: int) -> Numbers:
        """Return the mean of a number given each row."""
        return self._model.laws(self._columns).means()

    def medians(self, column: int) -> Numbers:
        """Return the median of a number given each row."""
        return self.quantiles(column, [0.5])[:, 0]

    def quantiles(self, column: int, p: Any) -> Numbers:
        """Return quantiles given each row: (n_samples, n_p), codes for categories."""
        fractions = np.atleast_1d(np.asarray(p, dtype=np.float64))
        if isinstance(self._model.fitted, NumberTarget):
            return self._model.laws(self._columns).quantiles(fractions)
        return self._codes(np.broadcast_to(fractions, (self._columns.n_rows, len(fractions))))

    def draws(self, column: int, n: int = 1, random_state: Any = None) -> Numbers:
        """Draw values given each row: (n_samples, n), codes for categories."""
        if isinstance(self._model.fitted, NumberTarget):
            return self._model.laws(self._columns).draws(n, random_state)
        return self._codes(generator(random_state).random((self._columns.n_rows, n)))

    def category_probabilities(self, column: int) -> Numbers:
        """Return the probability of each category given each row: (n_samples, n_categories)."""
        return self._model.probabilities(self._columns)

    def _codes(self, fractions: Numbers) -> Numbers:
        below = np.cumsum(self._model.probabilities(self._columns), axis=1)[:, None, :-1]
        return np.asarray((below < fractions[:, :, None]).sum(axis=2), dtype=np.float64)


def _schema_without(schema: Schema, j: int) -> Schema:
    fields = tuple(field for k, field in enumerate(schema.fields) if k != j)
    return Schema(fields, schema.container, schema.named)


def _without(columns: Columns, j: int) -> Columns:
    parts = [column for k, column in enumerate(columns) if k != j]
    schema = _schema_without(columns.schema, j)
    return Columns(schema, columns.n_rows, columns=parts, weights=columns.weights)


def _target_last(columns: Columns, j: int) -> Columns:
    parts = [*(column for k, column in enumerate(columns) if k != j), columns[j]]
    schema = Schema(tuple(part.field for part in parts), columns.schema.container, columns.schema.named)
    return Columns(schema, columns.n_rows, columns=parts, weights=columns.weights)
