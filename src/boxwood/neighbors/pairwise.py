"""Nearest rows by all distances: metrics that have no faster search, sparse tables, given distances."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.neighbors.metric import Metric

__all__ = ["PairwiseSearch"]

_BLOCK = 2**22
"""Distances that are held at a time."""


class PairwiseSearch:
    """Exact search through scikit-learn's pairwise distances; same interface as the native ones."""

    def __init__(self, rows: Any, metric: Metric) -> None:
        self._rows = rows
        self._metric = metric
        self._there = np.ones(rows.shape[0], dtype=bool)

    def __len__(self) -> int:
        return int(self._there.sum())

    def remove(self, row: int) -> None:
        """Take a row out."""
        self._there[row] = False

    def query(
        self, queries: Any, k: int, n_threads: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return distances and row numbers of the k nearest rows of each query."""
        n = queries.shape[0]
        step = max(1, _BLOCK // max(1, len(self._there)))
        parts = [self._nearest(queries[i : i + step], k, n_threads) for i in range(0, n, step)]
        return np.concatenate([d for d, _ in parts]), np.concatenate([r for _, r in parts])

    def _nearest(self, queries: Any, k: int, n_threads: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        distances = self._distances(queries, n_threads)
        if not self._there.all():
            distances = np.where(self._there, distances, np.inf)
        rows = np.argsort(distances, axis=1, kind="stable")[:, :k]  # stable: ties by row number
        return np.take_along_axis(distances, rows, axis=1), rows.astype(np.int64)

    def _distances(self, queries: Any, n_threads: int) -> NDArray[np.float64]:
        from sklearn.metrics import pairwise_distances

        function, parameters = self._metric.function, self._metric.parameters or {}
        if function == "precomputed":
            return np.asarray(queries, dtype=np.float64)
        if hasattr(function, "pairwise"):
            return np.asarray(function.pairwise(queries, self._rows))
        found = pairwise_distances(queries, self._rows, metric=function, n_jobs=n_threads, **parameters)
        return np.asarray(found, dtype=np.float64)
