"""A target given the columns."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from boxwood.columns import Column, Columns, Field, Schema
from boxwood.columns.schema import all_missing
from boxwood.table.fitted_density import FittedDensity

__all__ = ["ConditionalModel", "target_name", "with_target"]


class ConditionalModel(FittedDensity):
    """A model of a target given the columns: forests grown for it, or the last column of a density."""

    target_: Any

    def __sklearn_is_fitted__(self) -> bool:
        return "target_" in self.__dict__ or "density_" in self.__dict__

    def _joint(self, columns: Columns, field: Field, values: NDArray[Any] | None = None) -> Columns:
        """Return a table with its target, which is unknown where no values are given."""
        n = columns.n_rows
        target = all_missing(field, n) if values is None else Column(field, values, 0)
        schema = with_target(columns.schema, field)
        return Columns(schema, n, columns=[*columns, target], weights=columns.weights)

    def _conditionals(self, columns: Columns, field: Field, values: NDArray[Any] | None = None) -> Any:
        """Return a density's conditionals of rows whose target is unknown, or has these values."""
        joint = self._joint(columns, field, values)
        return self.density_.query().conditionals(joint.matched(self.density_.schema_))

    def _get_state(self) -> dict[str, Any]:
        if "target_" in self.__dict__:
            return {"target": self.target_.to_state()}
        return super()._get_state()


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
