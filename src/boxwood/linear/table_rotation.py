"""Tables in a rotation of the whole space: columns that can be turned, and their components as a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from boxwood.columns import Column, Columns, Field, Kind, Schema
from boxwood.columns.as_numbers import LARGEST_SQUARABLE
from boxwood.columns.errors import at
from boxwood.linear.rotation import Rotation, fit_rotation

__all__ = [
    "check_continuous_kinds",
    "check_rotatable",
    "check_rotatable_kinds",
    "component_schema",
    "fit_table_rotation",
    "rotated",
    "rotated_back",
]


def check_rotatable_kinds(schema: Schema, rotation: str) -> None:
    """Raise unless every column holds numbers."""
    for field in schema.fields:
        if not field.kind.is_number:
            raise TypeError(
                f"{at(field.name)} is {field.kind}, and {rotation} turns numbers only. Drop the column, or "
                "use rotation=None."
            )


def check_continuous_kinds(schema: Schema, rotation: str) -> None:
    """Raise unless every column may hold continuous numbers."""
    for field in schema.fields:
        if field.kind is not Kind.NUMERIC:
            raise _not_continuous(field.name, f"holds values of kind {field.kind}", rotation)


def check_rotatable(columns: Columns, rotation: str) -> None:
    """Raise unless every column holds numbers that can be squared, without gaps."""
    check_rotatable_kinds(columns.schema, rotation)
    for column in columns:
        if column.n_missing:
            row = int(np.argmax(column.missing()))
            raise ValueError(
                f"{at(column.name, row)}: the value is missing (NaN), and {rotation} needs all of a row. "
                "Drop such rows, impute them, or use rotation=None."
            )
        if np.any(np.abs(column.values) > LARGEST_SQUARABLE):
            row = int(np.argmax(np.abs(column.values) > LARGEST_SQUARABLE))
            raise ValueError(f"{at(column.name, row)}: the number is too large to turn. Rescale the column.")


def fit_table_rotation(columns: Columns, kind: str, random_state: Any) -> Rotation:
    """Fit the components of a table of continuous numbers, scaled so that volumes stay what they are.

    A density of such components is one of the columns: the determinant is 1.

    Parameters
    ----------
    columns : Columns
        Turnable, with their measure: a value with a probability of its own is nowhere among components.
    kind : {"pca", "ica"}
    random_state : int
        Where "ica" begins.

    Examples
    --------
    >>> import boxwood as bw
    >>> rng = np.random.default_rng(0)
    >>> table = bw.read_columns(rng.normal(size=(50, 1)) + 0.1 * rng.normal(size=(50, 2)))
    >>> rotation = fit_table_rotation(table, "pca", 0)
    >>> bool(abs(rotation.log_determinant) < 1e-12)
    True
    >>> rotated(table, rotation).schema.names
    ('component_0', 'component_1')
    """
    _check_continuous(columns, kind)
    rotation = fit_rotation(columns.matrix(), columns.weights, kind, random_state)
    scale = np.exp(-rotation.log_determinant / len(columns))
    return replace(rotation, matrix=rotation.matrix * scale)


def component_schema(n_components: int) -> Schema:
    """Return the schema of components: continuous numbers ``component_0``, ``component_1``, …"""
    fields = tuple(Field(f"component_{j}", Kind.NUMERIC) for j in range(n_components))
    return Schema(fields, named=True)


def rotated(columns: Columns, rotation: Rotation) -> Columns:
    """Return the components of a table's rows as a table, with the rows' weights."""
    check_rotatable(columns, "a rotation")
    components = np.ascontiguousarray(rotation.apply(columns.matrix()))
    schema = component_schema(len(columns))
    return Columns(schema, columns.n_rows, matrix=components, weights=columns.weights)


def rotated_back(components: Columns, rotation: Rotation, schema: Schema) -> Columns:
    """Return the rows of components as a table of the schema that was turned."""
    # What cannot be turned again is nothing that could be scored: a tail may reach that far.
    rows = np.clip(rotation.invert(components.matrix()), -LARGEST_SQUARABLE, LARGEST_SQUARABLE)
    found = [Column(field, np.ascontiguousarray(rows[:, j]), 0) for j, field in enumerate(schema.fields)]
    return Columns(schema, components.n_rows, columns=found)


def _check_continuous(columns: Columns, rotation: str) -> None:
    check_continuous_kinds(columns.schema, rotation)
    for j, measure in enumerate(() if columns.measure is None else columns.measure.columns):
        name = columns.schema.names[j]
        if measure.lattice is not None:
            raise _not_continuous(name, "holds rounded numbers", rotation)
        if len(measure.atoms):
            raise _not_continuous(name, f"has values that many rows share ({measure.atoms[0]:g})", rotation)


def _not_continuous(name: str, why: str, rotation: str) -> ValueError:
    return ValueError(
        f"{at(name)} {why}: it is not continuous, and rotation={rotation!r} turns continuous columns only. "
        "Drop the column, or use rotation=None."
    )
