"""Tables in a rotation of the whole space: columns that can be turned, and their components as a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from boxwood.columns import Column, Columns, Field, Kind, Schema
from boxwood.columns.as_numbers import LARGEST_SQUARABLE
from boxwood.columns.errors import at
from boxwood.linear.rotation import Rotation, fit_rotation

__all__ = ["check_rotatable", "component_schema", "fit_table_rotation", "rotated", "rotated_back"]


def check_rotatable(columns: Columns, rotation: str) -> None:
    """Raise unless every column holds numbers that can be squared, without gaps."""
    for column in columns:
        if not column.kind.is_number:
            raise TypeError(
                f"{at(column.name)} is {column.kind}, and {rotation} turns numbers only. Drop the column, or "
                "use rotation=None."
            )
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


def _check_continuous(columns: Columns, kind: str) -> None:
    measures = None if columns.measure is None else columns.measure.columns
    for j, column in enumerate(columns):
        why = None
        if column.kind is not Kind.NUMERIC:
            why = f"holds values of kind {column.kind}"
        elif measures is not None and measures[j].lattice is not None:
            why = "holds rounded numbers"
        elif measures is not None and len(measures[j].atoms):
            why = f"has values that many rows share ({measures[j].atoms[0]:g})"
        if why is not None:
            raise ValueError(
                f"{at(column.name)} {why}: it is not continuous, and rotation={kind!r} turns continuous "
                "columns only. Drop the column, or use rotation=None."
            )
