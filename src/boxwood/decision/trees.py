"""Fitted decision and regression trees: flat arrays of all trees, and their native predictor."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.decision.cuts import TableCuts
from boxwood.model_file import State

__all__ = ["TargetTrees", "trees_of_flat"]

_NODE_ARRAYS: dict[str, Any] = {
    "feature": np.int32,
    "left": np.uint32,
    "threshold": np.float64,
    "count": np.float64,
    "impurity": np.float64,
    "gain": np.float64,
}


@dataclass(frozen=True, eq=False)
class TargetTrees:
    """Nodes of all trees, one tree after another.

    Attributes
    ----------
    start : ndarray of shape (n_trees + 1,)
        Where each tree's nodes begin.
    feature : ndarray of shape (n_nodes,)
        Column that a node cuts, −1 for a leaf.
    left : ndarray of shape (n_nodes,)
        The left child, counted from the tree's first node; the right one follows it.
    threshold : ndarray of shape (n_nodes,)
        Values below it go left, all others and missing ones right; of a categorical column, the set's number.
    count, impurity, gain : ndarray of shape (n_nodes,)
        Weight of the rows, weight times impurity, and what the split gained of it.
    value : ndarray of shape (n_nodes, n_outputs)
        Class shares, or the mean target.
    sets : ndarray of uint64
    words_per_set : int
    categorical : list of bool
    """

    start: NDArray[np.int64]
    feature: NDArray[np.int32]
    left: NDArray[np.uint32]
    threshold: NDArray[np.float64]
    count: NDArray[np.float64]
    impurity: NDArray[np.float64]
    gain: NDArray[np.float64]
    value: NDArray[np.float64]
    sets: NDArray[np.uint64]
    words_per_set: int
    categorical: list[bool]
    _handles: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_handles": {}}  # native objects are not pickled, but made anew

    @property
    def n_trees(self) -> int:
        """How many trees there are."""
        return len(self.start) - 1

    @property
    def native(self) -> _core.TargetPredictor:
        """The native predictor; making it checks every array."""
        if "native" not in self._handles:
            self._handles["native"] = self._make()
        return self._handles["native"]

    def _make(self) -> _core.TargetPredictor:
        leaf = self.feature < 0
        left = self.left.astype(np.uint32, copy=True)
        base = np.repeat(self.start[:-1], np.diff(self.start)).astype(np.uint32)
        left[~leaf] += base[~leaf]
        left[leaf] = np.arange(leaf.sum(), dtype=np.uint32)
        return _core.make_target_predictor(
            self.feature,
            left,
            self.threshold,
            self.start[:-1].astype(np.uint32),
            np.ascontiguousarray(self.value[leaf].ravel()),
            self.value.shape[1],
            self.sets,
            self.words_per_set,
            self.categorical,
        )

    def tree(self, t: int) -> slice:
        """Give the nodes of one tree."""
        return slice(int(self.start[t]), int(self.start[t + 1]))

    def importances(self, n_columns: int) -> NDArray[np.float64]:
        """Give the share of the gains by columns: each tree's shares, averaged."""
        total = np.zeros(n_columns)
        for t in range(self.n_trees):
            nodes = self.tree(t)
            inner = self.feature[nodes] >= 0
            gains = np.bincount(
                self.feature[nodes][inner], weights=self.gain[nodes][inner], minlength=n_columns
            )
            if gains.sum() > 0.0:
                total += gains / gains.sum()
        return total / total.sum() if total.sum() > 0.0 else total

    def depth(self, t: int) -> NDArray[np.int64]:
        """Give the depth of each node of a tree."""
        nodes = self.tree(t)
        feature, left = self.feature[nodes], self.left[nodes]
        depth = np.zeros(len(feature), dtype=np.int64)
        for node in np.flatnonzero(feature >= 0):
            depth[left[node]] = depth[left[node] + 1] = depth[node] + 1
        return depth

    def pruned(self, alpha: float) -> TargetTrees:
        """Give the trees pruned by cost-complexity with a penalty per leaf, as a share of the weight."""
        if alpha <= 0.0:
            return self
        kept = [self._kept(t, alpha) for t in range(self.n_trees)]
        return self._with_nodes(kept)

    def path(self, t: int) -> list[tuple[float, int, float]]:
        """Give alpha, number of leaves and impurity along the pruning path of a tree."""
        nodes = self.tree(t)
        losses = self.impurity[nodes] / self.count[nodes.start]
        return _core.prune_path(self.feature[nodes], self.left[nodes], np.ascontiguousarray(losses))

    def _kept(self, t: int, alpha: float) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Give the nodes of a tree that stay, parents first, and which of them are leaves now."""
        nodes = self.tree(t)
        losses = np.ascontiguousarray(self.impurity[nodes] / self.count[nodes.start])
        leaf = _core.best_subtree(self.feature[nodes], self.left[nodes], losses, alpha).astype(bool)
        order = [0]
        for node in order:
            if not leaf[node]:
                first = int(self.left[nodes][node])
                order += [first, first + 1]
        kept = np.array(order, dtype=np.int64)
        return kept + nodes.start, leaf[kept]

    def _with_nodes(self, kept: list[tuple[NDArray[np.int64], NDArray[np.bool_]]]) -> TargetTrees:
        index = np.concatenate([nodes for nodes, _ in kept])
        leaf = np.concatenate([leaves for _, leaves in kept])
        start = np.concatenate([[0], np.cumsum([len(nodes) for nodes, _ in kept])]).astype(np.int64)
        # Children of the inner nodes that stay stand in their order, behind all nodes visited before.
        left = np.zeros(len(index), dtype=np.uint32)
        for t in range(len(kept)):
            here = slice(start[t], start[t + 1])
            inner = ~leaf[here]
            left[here][inner] = 1 + 2 * np.arange(inner.sum(), dtype=np.uint32)
        return replace(
            self,
            start=start,
            feature=np.where(leaf, -1, self.feature[index]).astype(np.int32),
            left=left,
            threshold=np.where(leaf, 0.0, self.threshold[index]),
            count=self.count[index],
            impurity=self.impurity[index],
            gain=np.where(leaf, 0.0, self.gain[index]),
            value=np.ascontiguousarray(self.value[index]),
            _handles={},
        )

    def voting(self) -> TargetTrees:
        """Give the trees with all of a node's share on its majority: averages then count votes."""
        value = np.zeros_like(self.value)
        value[np.arange(len(value)), np.argmax(self.value, axis=1)] = 1.0
        return replace(self, value=value, _handles={})

    def to_state(self) -> dict[str, Any]:
        """Give what a model file keeps."""
        return {
            "start": self.start,
            **{name: getattr(self, name) for name in _NODE_ARRAYS},
            "value": self.value,
            "sets": self.sets,
            "words_per_set": self.words_per_set,
        }

    @classmethod
    def from_state(cls, state: State, categorical: list[bool], n_outputs: int) -> TargetTrees:
        """Read what `to_state` gave; the native predictor checks that they are trees."""
        start = state.array("start", np.int64, (None,), low=0)
        n_nodes = int(start[-1]) if len(start) else 0
        if len(start) < 2 or start[0] != 0 or np.any(np.diff(start) < 1):
            raise state.error("start", "does not ascend from 0")
        arrays: dict[str, Any] = {
            name: state.array(name, dtype, (n_nodes,), finite=False) for name, dtype in _NODE_ARRAYS.items()
        }
        value = state.array("value", np.float64, (n_nodes, n_outputs))
        sets = state.array("sets", np.uint64, (None,))
        words = state.integer("words_per_set", high=1024)
        trees = cls(start, **arrays, value=value, sets=sets, words_per_set=words, categorical=categorical)
        try:
            assert trees.native
        except ValueError as error:
            raise state.error("feature", f"is no tree: {error}") from None
        return trees


def trees_of_flat(flat: dict[str, Any], cuts: TableCuts, n_outputs: int, regression: bool) -> TargetTrees:
    """Give the fitted form of what the core grew."""
    feature, cut = flat["feature"], flat["cut"]
    threshold = np.zeros(len(feature))
    for j, categorical in enumerate(cuts.categorical):
        here = feature == j
        threshold[here] = cut[here] if categorical else cuts.threshold(j, cut[here])
    value = flat["response"].reshape(-1, n_outputs)
    if not regression:
        value = value / value.sum(axis=1, keepdims=True)
    return TargetTrees(
        start=flat["node_start"],
        feature=feature,
        left=flat["left"],
        threshold=threshold,
        count=flat["count"],
        impurity=flat["impurity"],
        gain=flat["gain"],
        value=np.ascontiguousarray(value),
        sets=flat["sets"],
        words_per_set=int(flat["words_per_set"]),
        categorical=cuts.categorical,
    )
