"""The partitions of a table under one schema, on the workers: what every fit begins with."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Schema
from boxwood.columns.read.whole_floats import warn_of_integers
from boxwood.dask.cluster import Cluster
from boxwood.dask.equal_rows import merge_equal_rows
from boxwood.dask.gathering import gather
from boxwood.dask.part import Part, merge_schemas, read, read_with, schema_of
from boxwood.dask.partitions import Partitions
from boxwood.mapped_memory import MappedMemory

__all__ = ["DaskTable", "read_table"]


@dataclass(frozen=True)
class DaskTable:
    """Partitions as typed rows of one schema.

    Attributes
    ----------
    cluster : Cluster
    schema : Schema
    n_rows : int
    parts : tasks of `Part`
    names : what errors call them
    weighted : bool
        Whether the rows have weights.
    """

    cluster: Cluster
    schema: Schema
    n_rows: int
    parts: list[Any]
    names: list[str]
    weighted: bool

    @property
    def total_weight(self) -> float:
        """The weight of all rows."""
        if not self.weighted:
            return float(self.n_rows)
        return math.fsum(self.cluster.results([self.cluster.call(_weight, part) for part in self.parts]))

    def fold(self, summarize: Callable[..., Any], *arguments: Any) -> Any:
        """Summarise every partition with rows, and merge the summaries in a tree, in the rows' order."""
        calls = [self.cluster.call(_summary, part, summarize, arguments) for part in self.parts]
        merged = self.cluster.reduce(calls, _merged, self.names)
        if merged is None:
            raise ValueError("the table has no rows: every partition is empty.")
        return merged

    def gather(self, memory: MappedMemory) -> tuple[Columns, NDArray[Any] | None]:
        """Bring all rows here, in their order, with their targets."""
        return gather(self.cluster, self.parts, self.names, memory)

    def gather_distinct(self, memory: MappedMemory) -> Columns:
        """Bring the distinct rows here, each with how often it came; weights must be whole."""
        own = merge_equal_rows(self.cluster, self.parts, self.names)
        return gather(self.cluster, own, self.names, memory)[0]

    def release(self) -> None:
        """Give the workers' memory back: the partitions are not needed any more."""
        self.parts.clear()

    def has_whole_weights(self) -> bool:
        """Return whether all weights are whole numbers, as those of a table without weights are."""
        if not self.weighted:
            return True
        calls = [self.cluster.call(_has_whole_weights, part) for part in self.parts]
        return bool(self.cluster.reduce(calls, all, self.names))


def read_table(cluster: Cluster, partitions: Partitions) -> DaskTable:
    """Read the partitions on the workers, under the schema of the whole table."""
    names = partitions.names
    read_parts = cluster.start(_readings(cluster, partitions), names)
    shown = cluster.reduce([cluster.call(schema_of, part) for part in read_parts], merge_schemas, names)
    schema = shown.schema()
    whole = shown.whole_floats()
    if whole:
        warn_of_integers(whole, f"the column as Float64: X.astype({{{whole[0]!r}: 'Float64'}})")
    if not schema.fields:
        raise ValueError("the table has no columns.")
    parts = cluster.start([cluster.call(read_with, part, schema) for part in read_parts], names)
    return DaskTable(cluster, schema, shown.n_rows, parts, names, partitions.weights is not None)


def _readings(cluster: Cluster, partitions: Partitions) -> list[Any]:
    beside = zip(
        partitions.names,
        partitions.tables,
        partitions.targets or [None] * len(partitions),
        partitions.weights or [None] * len(partitions),
        strict=True,
    )
    return [cluster.lazy(read, *arguments) for arguments in beside]


def _weight(part: Part) -> float:
    return part.columns.total_weight


def _summary(part: Part, summarize: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Return the summary of a partition; None where it has no rows."""
    if part.columns.n_rows == 0:
        return None
    try:
        return summarize(part.columns, part.targets, *arguments)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{part.name}: {error}") from error


def _merged(summaries: list[Any]) -> Any:
    present = [summary for summary in summaries if summary is not None]
    return reduce(lambda a, b: a.merge(b), present) if present else None


def _has_whole_weights(part: Part) -> bool:
    weights = part.columns.row_weights
    return bool((weights == np.rint(weights)).all())
