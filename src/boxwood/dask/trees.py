"""Trees of a forest as tasks: whole ones, by workers that are given the table in bins, or level by level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from boxwood.dask.cluster import Cluster
from boxwood.tree.elsewhere import as_it_is

__all__ = ["DaskRunner"]

COPIES = 3
"""Of the table in bins in a worker that grows trees: as it came, as the core reads it, and a tree's rows."""


class DaskRunner:
    """Grows the trees of forests on a cluster (see `TreeRunner`).

    The table in bins, two bytes a cell, is part of a task that every other depends on. Dask copies what that
    task gives to the workers that grow trees, and makes it again where a worker is lost.
    """

    def __init__(self, cluster: Cluster, rounds: str = "trees") -> None:
        self._cluster = cluster
        self._rounds = rounds
        self.levels_grown = False
        self.why_not_levels = "the estimator grows no forest on the workers"

    @property
    def n_threads(self) -> int:
        """How many trees grow at the same time."""
        return self._cluster.n_threads

    def by_levels(self, n_bytes: int) -> Cluster | None:
        """Return the cluster where trees are to be grown level by level.

        By themselves they are where the table in bins, and what the core makes of it, would take more than
        half of the smallest worker's memory.
        """
        most = self._cluster.worker_memory
        fits = most is None or COPIES * n_bytes <= most // 2
        if self._rounds == "trees" or (self._rounds == "auto" and fits):
            return None
        self.levels_grown = True
        return self._cluster

    def refuse_levels(self, reason: str) -> None:
        """Take note that trees are grown whole all the same."""
        self.levels_grown = False
        self.why_not_levels = reason

    def send(self, value: Any) -> Any:
        """Send a table, or a forest, to the cluster."""
        [sent] = self._cluster.start([self._cluster.call(as_it_is, value)])
        return sent

    def run(
        self,
        function: Callable[..., Any],
        sent: Any,
        arguments: Sequence[tuple[Any, ...]],
        progress: Callable[[int], None] | None = None,
    ) -> list[Any]:
        """Call a function of the table, one task a call."""
        calls = [self._cluster.call(function, sent, *own) for own in arguments]
        return self._cluster.results(calls, [f"call {k} of the trees" for k in range(len(calls))], progress)
