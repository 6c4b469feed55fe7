"""Answers as frames of the library that the fitted table came in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from boxwood.columns import Column, Columns, Schema, to_native
from boxwood.columns.read.from_values import column_from_values

__all__ = ["frame_of"]


def frame_of(schema: Schema, columns: Mapping[str, Any]) -> Any:
    """Return columns as a frame of the table's own library; of a numpy table, of the first installed one.

    Examples
    --------
    >>> import boxwood as bw
    >>> schema = bw.read_columns([[1.0, 2.0]]).schema
    >>> frame_of(schema, {"column": ["x0"], "mean": [1.5]})
      column  mean
    0     x0   1.5
    """
    made = [_column(name, values) for name, values in columns.items()]
    container = "frame" if schema.container == "numpy" else schema.container
    fields = tuple(column.field for column in made)
    return to_native(Columns(Schema(fields, container, named=True), len(made[0].values), columns=made))


def _column(name: str, values: Any) -> Column:
    if isinstance(values, Column):
        return values.renamed(name)
    array = _array(values)
    if array.dtype.kind != "f" or not np.isinf(array).any():
        return column_from_values(name, array)
    # A table has no infinities, an answer has: what is impossible has the log-density −inf.
    finite = column_from_values(name, np.where(np.isinf(array), 0.0, array))
    return Column(finite.field, array.astype(np.float64), finite.n_missing)


def _array(values: Any) -> Any:
    if isinstance(values, np.ndarray):
        return values
    listed = list(values)
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array
