"""Fitted decision and regression trees: flat arrays of all trees, and their native predictor."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.decision.cuts import TableCuts
from boxwood.model_file import State

__all__ = ["TargetTrees", "joined", "trees_of_flat"]

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

    def only(self, t: int) -> TargetTrees:
        """Give one tree by itself."""
        nodes = self.tree(t)
        arrays: dict[str, Any] = {name: getattr(self, name)[nodes] for name in (*_NODE_ARRAYS, "value")}
        start = np.array([0, nodes.stop - nodes.start], dtype=np.int64)
        return replace(self, start=start, **arrays, _handles={})

    def parents(self, t: int) -> NDArray[np.int64]:
        """Give the parent of each node of a tree, −1 of the root."""
        nodes = self.tree(t)
        inner = np.flatnonzero(self.feature[nodes] >= 0)
        left = self.left[nodes][inner].astype(np.int64)
        parents = np.full(nodes.stop - nodes.start, -1, dtype=np.int64)
        parents[left] = parents[left + 1] = inner
        return parents

    def passed(self, t: int, leaves: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Give the nodes that rows pass on their way to leaves of a tree, as pairs of row and node."""
        parents, rows, nodes = self.parents(t), np.arange(len(leaves)), leaves
        pairs = []
        while len(rows):
            pairs.append((rows, nodes))
            rows, nodes = rows[parents[nodes] >= 0], parents[nodes][parents[nodes] >= 0]
        none = np.empty(0, dtype=np.int64)
        return (
            np.concatenate([none, *(rows for rows, _ in pairs)]),
            np.concatenate([none, *(nodes for _, nodes in pairs)]),
        )

    def importances(self, n_columns: int) -> NDArray[np.float64]:
        """Give the share of the gains by columns: each tree's shares, averaged."""
        inner = self.feature >= 0
        tree = np.repeat(np.arange(self.n_trees), np.diff(self.start))[inner]
        summed = np.bincount(
            tree * n_columns + self.feature[inner],
            weights=self.gain[inner].clip(min=0.0),
            minlength=self.n_trees * n_columns,
        )
        gains = summed.reshape(self.n_trees, n_columns).astype(np.float64)
        sums = gains.sum(axis=1, keepdims=True)
        shares = np.divide(gains, sums, out=np.zeros_like(gains), where=sums > 0.0).sum(axis=0)
        return np.asarray(shares / shares.sum() if shares.sum() > 0.0 else shares)

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
        return self._with_nodes([self.kept(t, alpha) for t in range(self.n_trees)])

    def path(self, t: int) -> list[tuple[float, int, float]]:
        """Give alpha, number of leaves and impurity along the pruning path of a tree."""
        nodes = self.tree(t)
        losses = self.impurity[nodes] / self.count[nodes.start]
        return _core.prune_path(self.feature[nodes], self.left[nodes], np.ascontiguousarray(losses))

    def kept(self, t: int, alpha: float) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Give the nodes of a tree that stay, parents first, and which of them are leaves now."""
        nodes = self.tree(t)
        losses = np.ascontiguousarray(self.impurity[nodes] / self.count[nodes.start])
        leaf = _core.best_subtree(self.feature[nodes], self.left[nodes], losses, alpha).astype(bool)
        level, levels = np.zeros(1, dtype=np.int64), []
        while len(level):
            levels.append(level)
            first = self.left[nodes][level[~leaf[level]]].astype(np.int64)
            level = np.stack([first, first + 1], axis=1).ravel()
        kept = np.concatenate(levels)
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
    def from_state(cls, state: State, categorical: list[bool], n_outputs: int, shares: bool) -> TargetTrees:
        """Read what `to_state` gave, after checking that they are trees; `shares` add up to 1."""
        start = state.array("start", np.int64, (None,), low=0)
        if len(start) < 2 or start[0] != 0 or np.any(np.diff(start) < 1):
            raise state.error("start", "does not ascend from 0")
        n_nodes = int(start[-1])
        arrays: dict[str, Any] = {
            name: state.array(name, dtype, (n_nodes,), finite=name != "threshold")
            for name, dtype in _NODE_ARRAYS.items()
        }
        value = state.array("value", np.float64, (n_nodes, n_outputs))
        sets = state.array("sets", np.uint64, (None,))
        words = state.integer("words_per_set", high=1024)
        trees = cls(start, **arrays, value=value, sets=sets, words_per_set=words, categorical=categorical)
        wrong = _wrong_nodes(trees, shares)
        if wrong is not None:
            raise state.error(*wrong)
        try:
            assert trees.native
        except ValueError as error:
            raise state.error("feature", f"is no tree: {error}") from None
        return trees


def _wrong_nodes(trees: TargetTrees, shares: bool) -> tuple[str, str] | None:
    """Give the array that cannot be a tree's and what is wrong with it, or None."""
    sizes = np.diff(trees.start)
    size, base = np.repeat(sizes, sizes), np.repeat(trees.start[:-1], sizes)
    inner = trees.feature >= 0
    if np.any(trees.feature < -1) or np.any(trees.feature >= len(trees.categorical)):
        return "feature", "names a column that is not there"
    left = trees.left[inner].astype(np.int64)
    number = (np.arange(len(base)) - base)[inner]
    if np.any(left <= number) or np.any(left + 1 >= size[inner]):
        return "left", "leads out of the tree"
    children = np.concatenate([base[inner] + left, base[inner] + left + 1])
    parents = np.bincount(children, minlength=len(base))
    if np.any(parents != (np.arange(len(base)) != base)):
        return "left", "gives a node no parent or several"
    coded = np.append(trees.categorical, False)[trees.feature]
    n_sets = len(trees.sets) // trees.words_per_set if trees.words_per_set else 0
    chosen = trees.threshold[coded]
    if not np.all((chosen >= 0) & (chosen < n_sets) & (chosen == np.floor(chosen))):
        return "threshold", "names a set that is not there"
    if np.any(trees.count <= 0.0):
        return "count", "holds a node without rows"
    if np.any(trees.impurity < -1e-9 * (1.0 + np.abs(trees.impurity).max())):
        return "impurity", "is negative"
    if shares and (np.any(trees.value < 0.0) or np.any(np.abs(trees.value.sum(axis=1) - 1.0) > 1e-9)):
        return "value", "holds shares that do not add up to 1"
    return None


def trees_of_flat(
    flat: dict[str, Any], cuts: TableCuts, n_outputs: int, regression: bool, unit: float = 1.0
) -> TargetTrees:
    """Give the fitted form of what the core grew; impurities times a unit."""
    feature, cut = flat["feature"], flat.pop("cut")
    threshold = np.zeros(len(feature))
    for j, categorical in enumerate(cuts.categorical):
        here = feature == j
        threshold[here] = cut[here] if categorical else cuts.threshold(j, cut[here])
    value = flat.pop("response").reshape(-1, n_outputs)
    # In place: a forest's arrays are large.
    if not regression:
        value /= value.sum(axis=1, keepdims=True)
    for name in ("impurity", "gain"):
        flat[name] *= unit
    return TargetTrees(
        start=flat["node_start"],
        feature=feature,
        left=flat["left"],
        threshold=threshold,
        count=flat["count"],
        impurity=flat["impurity"],
        gain=flat["gain"],
        value=value,
        sets=flat["sets"],
        words_per_set=int(flat["words_per_set"]),
        categorical=cuts.categorical,
    )


def joined(forests: list[TargetTrees]) -> TargetTrees:
    """Give the trees of several forests on the same cuts as one."""
    words = max(trees.words_per_set for trees in forests)
    sizes = [len(trees.sets) // max(1, trees.words_per_set) for trees in forests]
    first_set = np.concatenate([[0], np.cumsum(sizes)])
    thresholds = []
    for trees, first in zip(forests, first_set, strict=False):
        coded = np.append(trees.categorical, False)[trees.feature]
        thresholds.append(np.where(coded, trees.threshold + first, trees.threshold))
    starts = np.cumsum([0, *(n for trees in forests for n in np.diff(trees.start))])
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(trees, name) for trees in forests])
        for name in (*_NODE_ARRAYS, "value", "sets")
    }
    arrays["threshold"] = np.concatenate(thresholds)
    return replace(forests[0], start=starts.astype(np.int64), **arrays, words_per_set=words, _handles={})
