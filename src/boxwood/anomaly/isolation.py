"""Isolation trees: few random cuts set an odd row apart (Liu, Ting and Zhou 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.anomaly.samples import draw_samples
from boxwood.evidence import Evidence
from boxwood.model_file import State

__all__ = ["IsolationTrees", "fit_isolation"]

N_TREES = 100
SAMPLE_SIZE = 256
DEPTH = 8
"""The depth of a balanced tree of a sample."""


@dataclass(frozen=True, eq=False)
class IsolationTrees:
    """Complete binary trees: node i has the children 2i + 1 and 2i + 2.

    Attributes
    ----------
    column : ndarray of int32, shape (n_trees, n_nodes)
        The coordinate that is cut, −1 at a leaf.
    threshold : ndarray of shape (n_trees, n_nodes)
        Rows up to it go left.
    length : ndarray of shape (n_trees, n_nodes)
        Of the path that ends at a leaf: its depth, and the mean depth of a tree of its rows.
    """

    column: NDArray[np.int32]
    threshold: NDArray[np.float64]
    length: NDArray[np.float64]

    def score(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return minus the mean path length; large for what is odd."""
        total = np.zeros(len(points))
        every = np.arange(len(points))
        for column, threshold, length in zip(self.column, self.threshold, self.length, strict=True):
            node = np.zeros(len(points), dtype=np.intp)
            for _ in range(DEPTH):
                cut = column[node]
                right = points[every, cut] > threshold[node]
                node = np.where(cut >= 0, 2 * node + 1 + right, node)
            total += length[node]
        return -total / len(self.column)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"column": self.column, "threshold": self.threshold, "length": self.length}

    @classmethod
    def of_state(cls, width: int, state: State) -> IsolationTrees:
        """Return what a model file holds, after checking it."""
        nodes = 2 ** (DEPTH + 1) - 1
        column = state.array("column", np.int32, (None, nodes), low=-1, high=width - 1)
        if len(column) == 0 or (column[:, nodes // 2 :] >= 0).any():
            raise state.error("column", "has no trees, or cuts below the last level")
        shape = column.shape
        return cls(
            column,
            state.array("threshold", np.float64, shape),
            state.array("length", np.float64, shape, low=0.0),
        )


def fit_isolation(evidence: Evidence, points: NDArray[np.float64], n: float, seed: int) -> IsolationTrees:
    """Grow trees, each of about 256 rows, at most half of n."""
    samples = draw_samples(evidence, SAMPLE_SIZE, n, N_TREES, seed)
    return grow_trees(points, samples, np.random.default_rng(seed))


def grow_trees(
    points: NDArray[np.float64], samples: list[NDArray[np.float64]], rng: np.random.Generator
) -> IsolationTrees:
    """Grow a tree of each sample of weights, all trees level by level.

    A node is cut in a random coordinate of those that vary in it, at a uniform point of its range.
    """
    n_nodes = 2 ** (DEPTH + 1) - 1
    shape = (len(samples), n_nodes)
    column, threshold = np.full(shape, -1, dtype=np.int32), np.zeros(shape)
    length = np.zeros(shape)
    trees, rows = (np.concatenate(ids) for ids in zip(*_pairs(samples), strict=True))
    weights = np.concatenate([sample[sample > 0.0] for sample in samples])
    nodes = np.zeros(len(rows), dtype=np.intp)
    for depth in range(DEPTH + 1):
        order = np.lexsort((nodes, trees))
        trees, rows, nodes, weights = trees[order], rows[order], nodes[order], weights[order]
        starts = np.flatnonzero(np.diff(trees * n_nodes + nodes, prepend=-1))
        low, high = _ranges(points[rows], starts)
        varies = (high > low) & (depth < DEPTH)
        tree, node, total = trees[starts], nodes[starts], np.add.reduceat(weights, starts)
        leaf = np.asarray(~varies.any(axis=1), dtype=np.bool_)
        length[tree[leaf], node[leaf]] = depth + np.array([mean_path(float(n)) for n in total[leaf]])
        if leaf.all():
            break
        j = np.argmax(np.where(varies, rng.random(varies.shape), -1.0), axis=1)
        every = np.arange(len(starts))
        span = high[every, j] - low[every, j]
        cut = low[every, j] + rng.random(len(starts)) * span
        cut = np.where(cut < high[every, j], cut, low[every, j])  # the largest value, by rounding
        column[tree[~leaf], node[~leaf]] = j[~leaf]
        threshold[tree[~leaf], node[~leaf]] = cut[~leaf]
        group = np.repeat(every, np.diff(np.append(starts, len(rows))))
        kept = ~leaf[group]
        right = points[rows, j[group]] > cut[group]
        trees, rows, weights = trees[kept], rows[kept], weights[kept]
        nodes = 2 * nodes[kept] + 1 + right[kept]
    return IsolationTrees(column, threshold, length)


def _pairs(samples: list[NDArray[np.float64]]) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return for each sample its number, and its rows."""
    found = [np.flatnonzero(sample) for sample in samples]
    return [(np.full(len(rows), k, dtype=np.intp), rows) for k, rows in enumerate(found)]


def _ranges(
    points: NDArray[np.float64], starts: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the least and the largest of each coordinate in runs of rows."""
    return np.minimum.reduceat(points, starts, axis=0), np.maximum.reduceat(points, starts, axis=0)


def mean_path(n: float) -> float:
    """Return the mean depth of a row in a random tree of n rows.

    Examples
    --------
    >>> mean_path(1.0), mean_path(2.0), round(mean_path(256.0), 2)
    (0.0, 1.0, 10.24)
    """
    if n <= 1.0:
        return 0.0
    if n <= 2.0:
        return n - 1.0
    return float(2.0 * (np.log(n - 1.0) + np.euler_gamma) - 2.0 * (n - 1.0) / n)
