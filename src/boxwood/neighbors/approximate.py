"""Approximate nearest rows by usearch (the extra ``ann``)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ApproximateSearch"]

_CANDIDATES = 2
"""Rows asked for a neighbour that is wanted; the nearest of them by exact distance are given."""


class ApproximateSearch:
    """A graph of rows (HNSW) in single precision, with exact distances of what it finds. Euclidean.

    Rows are measured from their mean, so that a table far from the origin keeps its precision.
    """

    def __init__(self, rows: NDArray[np.float64]) -> None:
        self._rows = rows
        self._centre = rows.mean(axis=0)
        self._index = _usearch(rows.shape[1])
        self._index.add(np.arange(len(rows)), self._single(rows), threads=1)
        self._n_left = len(rows)

    def __len__(self) -> int:
        return self._n_left

    def remove(self, row: int) -> None:
        """Take a row out."""
        self._index.remove(row)
        self._n_left -= 1

    def query(
        self, queries: NDArray[np.float64], k: int, n_threads: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return distances and row numbers of about the k nearest rows of each query."""
        n = min(self._n_left, _CANDIDATES * k)
        found = self._index.search(self._single(queries), n, threads=n_threads)
        rows = np.atleast_2d(found.keys).astype(np.int64)
        counts = np.asarray(getattr(found, "counts", [rows.shape[1]]))  # one query's answer has none
        if counts.min() < k:
            raise RuntimeError(
                f"the approximate search found {counts.min()} of {k} neighbours; use an exact algorithm."
            )
        distances = self._exact(queries, rows)
        distances[np.arange(rows.shape[1]) >= counts[:, None]] = np.inf
        order = np.lexsort((rows, distances), axis=1)[:, :k]
        return np.take_along_axis(distances, order, axis=1), np.take_along_axis(rows, order, axis=1)

    def _exact(self, queries: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        squares = np.zeros(rows.shape)
        inside = rows.clip(0, len(self._rows) - 1)
        for d in range(queries.shape[1]):  # one dimension after the other, as the exact searches add them
            squares += (self._rows[inside, d] - queries[:, d, None]) ** 2
        return np.sqrt(squares)

    def _single(self, rows: NDArray[np.float64]) -> NDArray[np.float32]:
        return (rows - self._centre).astype(np.float32)


def _usearch(n_dims: int) -> Any:
    try:
        from usearch.index import Index
    except ImportError:
        raise ImportError("approximate search needs usearch: pip install 'boxwood[ann]'") from None
    return Index(ndim=n_dims, metric="l2sq", dtype="f32")
