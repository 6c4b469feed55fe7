"""Pairs of points whose Voronoi cells share a side."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

__all__ = ["MOST_DIMS", "MOST_PROGRAMS", "pairs_by_programs", "voronoi_pairs"]

MOST_DIMS = 5
"""With more, a triangulation of a thousand points takes minutes and gigabytes."""

MOST_PROGRAMS = 60
"""So many points, of any dimension, are asked pair by pair: about 2 ms each."""


def voronoi_pairs(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the pairs of neighbours among distinct points, each once.

    Points in a flat (a line, a plane) are triangulated within it.

    Examples
    --------
    >>> voronoi_pairs(np.array([[0.0], [2.0], [1.0]])).tolist()
    [[0, 2], [2, 1]]
    """
    flat = _within_flat(points)
    n, d = flat.shape
    if n <= d + 1:  # a simplex: all are neighbours
        return np.array(list(combinations(range(n), 2)), dtype=np.int64).reshape(-1, 2)
    if d == 1:
        order = np.argsort(flat[:, 0])
        return np.column_stack([order[:-1], order[1:]])
    if d > MOST_DIMS:
        return pairs_by_programs(flat)
    from scipy.spatial import Delaunay

    found = Delaunay(flat)
    corners = found.simplices.astype(np.int64)
    pairs = [corners[:, [i, j]] for i, j in combinations(range(d + 1), 2)]
    # What Qhull left out as too close to a vertex is that vertex's neighbour.
    pairs.append(found.coplanar[:, [0, 2]].astype(np.int64))
    return np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)


def pairs_by_programs(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the pairs of neighbours by the definition: some place is as near to both as to no other point.

    That place is asked of a linear program, since |x − a|² ≤ |x − b|² is linear in x.

    Examples
    --------
    >>> pairs_by_programs(np.array([[0.0], [2.0], [1.0]])).tolist()
    [[0, 2], [1, 2]]
    """
    from scipy.optimize import linprog

    scaled = (points - points.mean(axis=0)) / max(np.abs(points - points.mean(axis=0)).max(), 5e-324)
    squares = (scaled**2).sum(axis=1)
    pairs = []
    for a, b in combinations(range(len(points)), 2):
        slopes, limits = 2.0 * (scaled - scaled[a]), squares - squares[a]
        found = linprog(
            np.zeros(points.shape[1]), slopes, limits, slopes[[b]], limits[[b]], bounds=(None, None)
        )
        if found.status == 0:
            pairs.append((a, b))
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _within_flat(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return coordinates within the smallest flat that holds the points."""
    centred = points - points.mean(axis=0)
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    rank = int(np.count_nonzero(sizes > 1e-12 * max(sizes.max(initial=0.0), 5e-324)))
    return centred if rank == points.shape[1] else centred @ axes[:rank].T
