"""Similarity of rows by the leaves that they share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.mixture import Mixture
from boxwood.parameters import shown

__all__ = ["SharedLeaves"]

Numbers = NDArray[np.float64]

BLOCK = 1 << 22
"""Pairs of rows that are compared at once: 32 MB of similarities."""


class SharedLeaves:
    """Compares rows by their leaves in every tree.

    Parameters
    ----------
    mixture : Mixture
    weights : {"plain", "rarity"}
        Whether all trees count alike, or a leaf counts the more the rarer it is: −log of its probability.
    n_threads : int
    """

    def __init__(self, mixture: Mixture, weights: str, n_threads: int) -> None:
        if weights not in ("plain", "rarity"):
            raise ValueError(f"weights must be 'plain' or 'rarity'; got {shown(weights)}.")
        flat, self.n_threads = mixture.flat, n_threads
        leaf = flat["feature"] < 0
        tree = np.repeat(np.arange(mixture.n_trees), np.diff(flat["node_start"]).astype(np.intp))[leaf]
        n_leaves = np.bincount(tree, minlength=mixture.n_trees)
        self.first = [0, *np.cumsum(n_leaves).tolist()]
        of_tree = mixture.weights[tree]
        # A tree of one leaf tells nothing by it: plainly it counts, by rarity it does not.
        self.value = of_tree * (
            1.0 if weights == "plain" else -np.log(np.maximum(flat["mass"][leaf], 1e-300))
        )

    def similarity(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> Numbers:
        """Return the similarity of rows, from 0 to 1, by their leaves: shape (n_a, n_b)."""
        shared = _core.shared_leaves(a, b, self.value, self.first, self.n_threads)
        scale = np.sqrt(self._own(a)[:, None] * self._own(b))
        return np.divide(shared, scale, out=np.zeros_like(shared), where=scale > 0.0)

    def nearest(
        self, a: NDArray[np.uint32], b: NDArray[np.uint32], n: int
    ) -> tuple[NDArray[np.intp], Numbers]:
        """Return the rows of b that are most similar to each row of a, the most similar first."""
        found = np.empty((len(a), n), dtype=np.intp)
        similarity = np.empty((len(a), n))
        step = max(BLOCK // max(len(b), 1), 1)
        for start in range(0, len(a), step):
            part = slice(start, start + step)
            values = self.similarity(a[part], b)
            found[part] = np.argsort(-values, axis=1, kind="stable")[:, :n]
            similarity[part] = np.take_along_axis(values, found[part], axis=1)
        return found, similarity

    def _own(self, leaves: NDArray[np.uint32]) -> Numbers:
        """Return the similarity of each row to itself, before it is scaled to 1."""
        return np.asarray(self.value[leaves + np.array(self.first[:-1], dtype=np.int64)].sum(axis=1))
