"""A table's target, apart from the columns that it is predicted from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.query.event_reader import column_position
from boxwood.table.expected import own_values

__all__ = ["fitted_target", "split_target"]


def split_target(columns: Columns, target: str) -> tuple[Columns, NDArray[Any]]:
    """Return the other columns and the target's values, of the rows that have one.

    Examples
    --------
    >>> import boxwood as bw
    >>> X, y = split_target(bw.read_columns({"a": [1, 2, 3], "b": ["x", None, "y"]}), "b")
    >>> X.n_rows, y.tolist()
    (2, ['x', 'y'])
    """
    j = column_position(columns.schema, target)
    there = ~columns[j].missing()
    if len(columns) == 1:
        raise ValueError(f"the table has no column besides the target {target!r} to predict it from.")
    if not there.any():
        raise ValueError(f"column {target!r}: every value is missing, so that nothing can be learnt of it.")
    kept = columns if there.all() else columns.take(np.flatnonzero(there))
    others = [column for i, column in enumerate(kept) if i != j]
    schema = replace(columns.schema, fields=tuple(column.field for column in others))
    return Columns(schema, kept.n_rows, columns=others), own_values(kept[j].field, kept[j].values)


def fitted_target(model: Any) -> str | None:
    """Return the name of the column that a TableModel's fit was told as target."""
    known = getattr(model, "target_", None)
    return None if known is None else str(model.schema.names[known.column])
