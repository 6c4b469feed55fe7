"""Trees of a forest as tasks: each worker is given the table in bins once, and grows ranges of trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from boxwood.dask.cluster import Cluster

__all__ = ["DaskRunner"]


class DaskRunner:
    """Grows the trees of forests on a cluster (see `TreeRunner`).

    The table in bins, two bytes a cell, is part of a task that every other depends on. Dask copies what that
    task gives to the workers that grow trees, and makes it again where a worker is lost.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    @property
    def n_threads(self) -> int:
        """How many trees grow at the same time."""
        return self._cluster.n_threads

    def send(self, value: Any) -> Any:
        """Send a table, or a forest, to the cluster."""
        [sent] = self._cluster.start([self._cluster.call(_same, value)])
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


def _same(value: Any) -> Any:
    return value
