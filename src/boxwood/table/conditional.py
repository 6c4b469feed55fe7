"""A target given the columns, by a density of both together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns, Field, Schema
from boxwood.columns.schema import all_missing
from boxwood.table.fitted_density import FittedDensity

__all__ = ["ConditionalModel", "target_name", "with_target"]


class ConditionalModel(FittedDensity):
    """A model of a target: the last column of a density, given the others."""

    def _draws(self, X: Any, n: int, random_state: Any) -> NDArray[np.float64]:
        """Draw n targets of each row; codes for classes."""
        conditionals = self._conditionals(self._read(X))
        return np.asarray(conditionals.draws(self.n_features_in_, n, random_state))

    @property
    def _target(self) -> Field:
        field: Field = self.density_.schema_.fields[-1]
        return field

    def _fit_density(self, columns: Columns, field: Field, values: NDArray[Any]) -> Any:
        schema = with_target(columns.schema, field)
        parts = [*columns, Column(field, values, 0)]
        joint = Columns(schema, columns.n_rows, columns=parts, weights=columns.weights)
        return self._new_density().fit(joint)

    def _conditionals(self, columns: Columns, values: NDArray[Any] | None = None) -> Any:
        """Return the conditionals of rows whose target is unknown, or has these values."""
        field, n = self._target, columns.n_rows
        target = all_missing(field, n) if values is None else Column(field, values, 0)
        rows = Columns(self.density_.schema_, n, columns=[*columns, target])
        return self.density_.query().conditionals(rows)


def with_target(schema: Schema, field: Field) -> Schema:
    """Return the schema of a table with its target as the last column."""
    return Schema((*schema.fields, field), schema.container, named=True)


def target_name(schema: Schema) -> str:
    """Return a name for the target that no column has.

    Examples
    --------
    >>> import boxwood as bw
    >>> target_name(bw.read_columns({"target": [1, 2]}).schema)
    'target_'
    """
    name = "target"
    while name in schema.names:
        name += "_"
    return name
