"""Ids and free text: said when fitting, and never sampled verbatim."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from boxwood.columns import MISSING_CODE, Column, Columns, Schema
from boxwood.evidence import Evidence
from boxwood.evidence.ids import find_ids
from boxwood.model_file import State

__all__ = ["IdColumnsMixin"]


class IdColumnsMixin:
    """Knows the columns that number or name the rows, and samples new numbers and no names in them."""

    id_columns_: list[str]
    _last_ids: np.ndarray[Any, np.dtype[np.float64]]

    def _ids_of(self, evidence: Evidence) -> dict[str, Any]:
        """Return the fitted attributes about ids, after saying which columns they are."""
        columns = evidence.columns
        closed = {
            field.name
            for field, measure in zip(columns.schema.fields, evidence.discrete.measures, strict=True)
            if measure.is_closed
        }
        found = [name for name in find_ids(columns) if name not in closed]
        if found:
            named = ", ".join(map(repr, found))
            warnings.warn(
                f"{'columns' if len(found) > 1 else 'column'} {named}: no two different rows share a "
                "value, as in ids or free text. They tell nothing about new rows: drop them.",
                stacklevel=4,
            )
        last = [float(np.nanmax(columns[name].numbers())) for name in found]
        return {"id_columns_": found, "_last_ids": np.array(last)}

    def _with_fresh_ids(self, columns: Columns) -> Columns:
        """Return sampled rows with new numbers in columns of ids, and nothing in those of text."""
        if not self.id_columns_:
            return columns
        last = dict(zip(self.id_columns_, self._last_ids, strict=True))
        fresh = [_fresh(column, last.get(column.name)) for column in columns]
        return Columns(columns.schema, columns.n_rows, columns=fresh)

    def _get_ids_state(self) -> dict[str, Any]:
        return {"id_columns": self.id_columns_, "last_ids": self._last_ids} if self.id_columns_ else {}

    def _ids_of_state(self, state: State, schema: Schema) -> dict[str, Any]:
        # Files of before ids were recognised, and of tables without, say nothing.
        names = state.labels("id_columns") if "id_columns" in state else []
        if not set(names) <= set(schema.names):
            raise state.error("id_columns", "names a column that the table does not have")
        last = state.array("last_ids", np.float64, (len(names),)) if names else np.zeros(0)
        return {"id_columns_": names, "_last_ids": last}


def _fresh(column: Column, last: float | None) -> Column:
    if last is None:
        return column
    n = len(column.values)
    if not column.kind.is_number:
        return Column(column.field, np.full(n, MISSING_CODE, dtype=np.int32), n)
    return Column(column.field, last + 1.0 + np.arange(n), 0)
