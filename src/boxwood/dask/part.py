"""A partition as typed rows, and the tasks that read one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Schema
from boxwood.columns.input_validation import read_part
from boxwood.columns.part_schema import PartSchema, read_by
from boxwood.columns.weights import read_weights

__all__ = ["Part", "merge_schemas", "read", "read_with", "schema_of"]


@dataclass(frozen=True, eq=False)
class Part:
    """Rows of a partition, in their order.

    Attributes
    ----------
    name : str
        What errors call it.
    columns : Columns
        With weights, where some were given; rows of weight zero are left out.
    targets : ndarray or None
        Of the same rows.
    """

    name: str
    columns: Columns
    targets: NDArray[Any] | None


def read(name: str, table: Any, targets: Any = None, weights: Any = None) -> Part:
    """Read a partition; an error names it."""
    try:
        columns = read_part(table)
        values = None if targets is None else _one_a_row(targets, "y", columns.n_rows)
        if weights is None:
            return Part(name, columns, values)
        if columns.n_rows == 0:
            return Part(name, columns.with_weights(np.ones(0)), values)
        return _weighted(name, columns, values, weights)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from error


def _weighted(name: str, columns: Columns, values: NDArray[Any] | None, weights: Any) -> Part:
    given = np.asarray(weights)
    if given.shape == (columns.n_rows,) and not np.any(given):  # other partitions may have some
        return Part(name, columns.take(np.zeros(0, dtype=np.intp)).with_weights(np.ones(0)), _none_of(values))
    checked = read_weights(given, columns.n_rows)
    assert checked is not None
    kept = None if values is None else values[checked > 0.0]
    return Part(name, columns.with_weights(checked), kept)


def _none_of(values: NDArray[Any] | None) -> NDArray[Any] | None:
    return None if values is None else values[:0]


def _one_a_row(values: Any, name: str, n_rows: int) -> NDArray[Any]:
    array = np.asarray(values)
    if len(array) != n_rows:
        raise ValueError(f"{name} has {len(array)} values for {n_rows} rows of X.")
    return array


def schema_of(part: Part) -> PartSchema:
    """Return what a partition shows of the table's schema."""
    return PartSchema.of_part(part.columns, part.name)


def merge_schemas(schemas: list[PartSchema]) -> PartSchema:
    """Return what several partitions show."""
    merged = schemas[0]
    for other in schemas[1:]:
        merged = merged.merge(other)
    return merged


def read_with(part: Part, schema: Schema) -> Part:
    """Return a partition by the schema of the whole table."""
    return replace(part, columns=read_by(part.columns, schema))
