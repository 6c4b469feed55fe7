"""A table that comes in batches of one schema."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from boxwood.columns.columns import Columns
from boxwood.columns.errors import at
from boxwood.columns.read.sources import described
from boxwood.columns.schema import Schema
from boxwood.columns.source import TypeName
from boxwood.stream.growing_column import GrowingColumn

__all__ = ["GrowingTable"]

Types = Sequence[tuple[TypeName, bool]]


class GrowingTable:
    """A table to which batches are added; at the end its columns are those of the whole table.

    Parameters
    ----------
    capacity : int
        How many rows are expected.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._schema: Schema | None = None
        self._types: list[tuple[TypeName, bool]] = []
        self._columns: list[GrowingColumn] = []
        self.n_rows = 0

    @property
    def n_bytes(self) -> int:
        """How many bytes the table has, at eight a cell."""
        return 8 * self.n_rows * len(self._columns)

    def append(self, batch: Columns, types: Types) -> None:
        """Add the rows of a batch; `types` are its columns' types in words and whether they may have gaps."""
        if self._schema is None:
            self._schema = batch.schema
            self._columns = [GrowingColumn(self._capacity) for _ in batch.schema.fields]
            self._types = list(types)
        else:
            _check_names(self._schema, batch.schema)
        for j, (column, growing) in enumerate(zip(batch, self._columns, strict=True)):
            empty = column.n_missing == batch.n_rows
            self._types[j] = _widened(self._types[j], types[j], column.name, empty and self.n_rows > 0)
            growing.append(column)
        self.n_rows += batch.n_rows

    def finish(self) -> Columns:
        """Return the table."""
        assert self._schema is not None
        columns = [growing.finish() for growing in self._columns]
        schema = replace(self._schema, fields=tuple(column.field for column in columns))
        table = Columns(schema, self.n_rows, columns=columns)
        return table if schema.container == "numpy" else described(table, self._types)


def _check_names(known: Schema, new: Schema) -> None:
    if known.names == new.names and known.named == new.named:
        return
    lost = [name for name in known.names if name not in new.names]
    added = [name for name in new.names if name not in known.names]
    if not lost and not added:
        raise ValueError("the columns are in another order than before: all batches must have the same.")
    differing = [f"{word} {names[:5]}" for word, names in (("without", lost), ("with", added)) if names]
    raise ValueError(
        f"the columns differ: {' and '.join(differing)}. All batches must have the same columns."
    )


def _widened(known: tuple[Any, bool], new: tuple[Any, bool], name: str, empty: bool) -> tuple[TypeName, bool]:
    """Return the type of a column of which one part has this type and another part that."""
    may_miss = known[1] or new[1]
    if known[0] == new[0] or empty:
        return known[0], may_miss
    if known[0][:1] == ("object",) or new[0][:1] == ("object",):
        return max(known[0], new[0], key=lambda type_: (type_[:1] == ("object",), len(type_))), may_miss
    try:
        return (np.promote_types(known[0][0], new[0][0]).name,), may_miss
    except TypeError:
        raise TypeError(
            f"{at(name)} has the type {new[0]}, before it was {known[0]}: all batches must have the same."
        ) from None
