"""Rows of partitions that are brought to the driver one partition after another, within a limit of memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.column import Column
from boxwood.dask.cluster import Cluster
from boxwood.dask.part import Part
from boxwood.mapped_memory import MappedMemory
from boxwood.stream.growing_array import GrowingArray
from boxwood.stream.table_source import COPIES

__all__ = ["gather"]


def gather(
    cluster: Cluster, parts: Sequence[Any], names: Sequence[str], memory: MappedMemory
) -> tuple[Columns, NDArray[Any] | None]:
    """Bring the rows of partitions here, in their order, with their weights and their targets.

    Parameters
    ----------
    cluster : Cluster
    parts : tasks of `Part`
        Of one schema.
    names : what errors call them
    memory : MappedMemory
        Entered. Mapping is started where a fit of the rows would pass its limit.
    """
    there = cluster.start(parts, names)
    counts = cluster.results([cluster.call(_n_rows, part) for part in there], names)
    n_rows = sum(counts)
    if n_rows == 0:
        raise ValueError("the table has no rows: every partition is empty.")
    rows: _Rows | None = None
    for part, name, count in zip(_one_by_one(cluster, there, names), names, counts, strict=True):
        if part.columns.n_rows != count:
            raise ValueError(
                f"{name} had {count} rows when they were counted and {part.columns.n_rows} when they were "
                "read: it has changed meanwhile."
            )
        if rows is None:
            if COPIES * 8 * len(part.columns) * n_rows > memory.limit:
                memory.start()
            rows = _Rows(part.columns, n_rows)
        rows.append(part)
    assert rows is not None
    return rows.finish()


def _one_by_one(cluster: Cluster, there: list[Any], names: Sequence[str]) -> Iterator[Part]:
    """Return the partitions, of which this holds no future once they have come."""
    for k, name in enumerate(names):
        [part] = cluster.results([there[k]], [name])
        there[k] = None
        yield part


def _n_rows(part: Part) -> int:
    return part.columns.n_rows


class _Rows:
    """Rows that are added to, of which the number is known beforehand."""

    def __init__(self, like: Columns, n_rows: int) -> None:
        self._schema, self._n_rows = like.schema, n_rows
        self._values = [GrowingArray(column.values.dtype, n_rows) for column in like]
        self._n_missing = [0] * len(self._values)
        self._weights: GrowingArray | None = None
        self._targets: list[NDArray[Any]] = []
        self._n_before = 0

    def append(self, part: Part) -> None:
        columns = part.columns
        for j, column in enumerate(columns):
            self._values[j].append(column.values)
            self._n_missing[j] += column.n_missing
        if columns.weights is not None and self._weights is None:
            self._weights = GrowingArray(np.float64, self._n_rows)
            self._weights.append(np.ones(self._n_before))
        if self._weights is not None:
            self._weights.append(columns.row_weights)
        if part.targets is not None and columns.n_rows:
            self._targets.append(part.targets)
        self._n_before += columns.n_rows

    def finish(self) -> tuple[Columns, NDArray[Any] | None]:
        columns = [
            Column(field, values.values, n_missing)
            for field, values, n_missing in zip(
                self._schema.fields, self._values, self._n_missing, strict=True
            )
        ]
        table = Columns(self._schema, self._n_rows, columns=columns)
        if self._weights is not None:
            table = table.with_weights(self._weights.values)
        return table, np.concatenate(self._targets) if self._targets else None
