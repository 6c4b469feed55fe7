"""Nearest neighbours, reference implementation: all distances, sorted by distance and row."""

from __future__ import annotations

import numpy as np


def reference_sums(queries, rows, norm="euclidean", p=2.0, categorical=None):
    """Return Σ|d|^p (or the largest |d|) of every query and row, columns added up one after the other."""
    n_dims = rows.shape[1]
    sums = np.zeros((len(queries), len(rows)))
    present = np.zeros(sums.shape)
    for d in range(n_dims):
        size = np.abs(queries[:, d, None] - rows[None, :, d])
        if categorical is not None and categorical[d]:
            size = np.where(np.isnan(size), np.nan, (size > 0.0).astype(float))
        there = ~np.isnan(size)
        size = np.where(there, size, 0.0)
        if norm == "chebyshev":
            sums = np.maximum(sums, size)
        else:
            sums += {"euclidean": size * size, "manhattan": size, "minkowski": size**p}[norm]
        present += there
    if norm != "chebyshev":
        with np.errstate(divide="ignore", invalid="ignore"):
            sums = np.where(present == n_dims, sums, sums * (n_dims / present))
    return np.where(present == 0.0, np.inf, sums)


def reference_distances(queries, rows, norm="euclidean", p=2.0, categorical=None):
    """Return the distances of every query to every row."""
    sums = reference_sums(queries, rows, norm, p, categorical)
    if norm == "euclidean":
        return np.sqrt(sums)
    return sums ** (1.0 / p) if norm == "minkowski" else sums


def reference_neighbors(queries, rows, k, **options):
    """Return distances and numbers of the k nearest rows; ties by number."""
    # Sums are compared: two that differ may have the same root.
    order = np.argsort(reference_sums(queries, rows, **options), axis=1, kind="stable")[:, :k]
    return np.take_along_axis(reference_distances(queries, rows, **options), order, axis=1), order
