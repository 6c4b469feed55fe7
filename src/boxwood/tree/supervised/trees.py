"""Fitted decision and regression trees: flat arrays of all trees, and their native predictor."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.binning.thresholds import TableThresholds
from boxwood.model_file import State
from boxwood.tree.supervised.directions import Directions
from boxwood.tree.supervised.scale import Scale

__all__ = ["SupervisedTrees", "joined", "trees_of_flat"]

_NODE_ARRAYS: dict[str, Any] = {
    "feature": np.int32,
    "left": np.uint32,
    "threshold": np.float64,
    "missing_left": np.uint8,
    "count": np.float64,
    "impurity": np.float64,
}


@dataclass(frozen=True, eq=False)
class SupervisedTrees:
    """Nodes of all trees, one tree after another.

    Attributes
    ----------
    start : ndarray of shape (n_trees + 1,)
        Where each tree's nodes begin.
    feature : ndarray of shape (n_nodes,)
        Column that a node cuts, or behind the columns a direction; −1 for a leaf.
    left : ndarray of shape (n_nodes,)
        The left child, counted from the tree's first node; the right one follows it.
    threshold : ndarray of shape (n_nodes,)
        Values below it go left, all others right; of a categorical column, where the set of those that go
        left begins in `sets`.
    missing_left : ndarray of shape (n_nodes,)
        1 where missing numbers go left.
    count, impurity : ndarray of shape (n_nodes,)
        Weight of the rows, and weight times impurity.
    value : ndarray of shape (n_nodes, n_classes) or (n_nodes, n_outputs)
        Class shares, or the mean targets.
    sets : ndarray of uint32
        Sets of categories: a word with twice the number of those that follow, plus 1 where they are the
        codes themselves and not their bits.
    n_categories : list of int
        Of each column, −1 for numbers.
    directions : Directions
        Of oblique splits.
    """

    start: NDArray[np.int64]
    feature: NDArray[np.int32]
    left: NDArray[np.uint32]
    threshold: NDArray[np.float64]
    missing_left: NDArray[np.uint8]
    count: NDArray[np.float64]
    impurity: NDArray[np.float64]
    value: NDArray[np.float64]
    sets: NDArray[np.uint32]
    n_categories: list[int]
    directions: Directions
    _handles: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_handles": {}}  # native objects are not pickled, but made anew

    @property
    def n_trees(self) -> int:
        """How many trees there are."""
        return len(self.start) - 1

    @property
    def native(self) -> _core.SupervisedPredictor:
        """The native predictor; making it checks every array."""
        if "native" not in self._handles:
            self._handles["native"] = self._make()
        return self._handles["native"]

    def _make(self) -> _core.SupervisedPredictor:
        return _core.SupervisedPredictor(self.fitted(), np.ascontiguousarray(self.value))

    @property
    def shapley(self) -> _core.TreeShapley:
        """What gives Shapley values; ValueError where there are directions."""
        if "shapley" not in self._handles:
            value = np.ascontiguousarray(self.value)
            self._handles["shapley"] = _core.TreeShapley(self.fitted(), self.count, value)
        return self._handles["shapley"]

    def fitted(self) -> _core.FittedTrees:
        """Return the nodes in the core's form, a copy, with children counted among all nodes."""
        base = np.repeat(self.start[:-1], np.diff(self.start)).astype(np.uint32)
        return _core.FittedTrees(
            self.feature,
            np.where(self.feature >= 0, self.left + base, 0).astype(np.uint32),
            self.threshold,
            self.missing_left,
            self.start[:-1].astype(np.uint32),
            self.sets,
            self.n_categories,
            self.directions.start,
            self.directions.column,
            self.directions.weight,
            self.directions.fill,
        )

    @property
    def coded(self) -> NDArray[np.bool_]:
        """Which nodes split categories into sets."""
        # The last flag is that of leaves, whose feature is −1.
        flags = [*(n >= 0 for n in self.n_categories), *[False] * (len(self.directions) + 1)]
        return np.array(flags)[self.feature]

    @property
    def gain(self) -> NDArray[np.float64]:
        """What the split of each inner node took away of the impurity; 0 for leaves."""
        inner = np.flatnonzero(self.feature >= 0)
        left = self.left[inner] + np.repeat(self.start[:-1], np.diff(self.start))[inner]
        gain = np.zeros(len(self.feature))
        gain[inner] = self.impurity[inner] - self.impurity[left] - self.impurity[left + 1]
        return gain

    def codes_of_set(self, node: int) -> NDArray[np.uint32]:
        """Return the categories that a node sends left."""
        place = int(self.threshold[node])
        n_words, is_list = divmod(int(self.sets[place]), 2)
        words = self.sets[place + 1 : place + 1 + n_words]
        if is_list:
            return words
        bits = np.unpackbits(words.astype("<u4").view(np.uint8), bitorder="little")
        return np.flatnonzero(bits).astype(np.uint32)

    def tree(self, t: int) -> slice:
        """Return the nodes of one tree."""
        return slice(int(self.start[t]), int(self.start[t + 1]))

    def only(self, t: int) -> SupervisedTrees:
        """Return one tree by itself."""
        nodes = self.tree(t)
        arrays: dict[str, Any] = {name: getattr(self, name)[nodes] for name in (*_NODE_ARRAYS, "value")}
        start = np.array([0, nodes.stop - nodes.start], dtype=np.int64)
        return replace(self, start=start, **arrays, _handles={})

    def first(self, n_trees: int) -> SupervisedTrees:
        """Return the first trees by themselves."""
        end = int(self.start[n_trees])
        arrays: dict[str, Any] = {name: getattr(self, name)[:end] for name in (*_NODE_ARRAYS, "value")}
        return replace(self, start=self.start[: n_trees + 1].copy(), **arrays, _handles={})

    def parents(self, t: int) -> NDArray[np.int64]:
        """Return the parent of each node of a tree, −1 of the root."""
        nodes = self.tree(t)
        inner = np.flatnonzero(self.feature[nodes] >= 0)
        left = self.left[nodes][inner].astype(np.int64)
        parents = np.full(nodes.stop - nodes.start, -1, dtype=np.int64)
        parents[left] = parents[left + 1] = inner
        return parents

    def passed(self, t: int, leaves: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the nodes that rows pass on their way to leaves of a tree, as pairs of row and node."""
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

    def used_columns(self) -> list[int]:
        """Return the columns that some split looks at, itself or in a direction."""
        single = self.feature[(self.feature >= 0) & (self.feature < len(self.n_categories))]
        return sorted({*single.tolist(), *self.directions.column.tolist()})

    def importances(self, n_columns: int) -> NDArray[np.float64]:
        """Return the fraction of the gains by columns: each tree's shares, averaged."""
        gains = np.array([self._gains(t, n_columns) for t in range(self.n_trees)])
        sums = gains.sum(axis=1, keepdims=True)
        fractions = np.divide(gains, sums, out=np.zeros_like(gains), where=sums > 0.0).sum(axis=0)
        return np.asarray(fractions / fractions.sum() if fractions.sum() > 0.0 else fractions)

    def _gains(self, t: int, n_columns: int) -> NDArray[np.float64]:
        """Return what each column gained in a tree."""
        tree = self.only(t)
        inner = tree.feature >= 0
        gain = np.bincount(
            tree.feature[inner],
            weights=tree.gain[inner].clip(min=0.0),
            minlength=n_columns + len(self.directions),
        ).astype(np.float64)
        return gain[:n_columns] + self.directions.fractions(gain[n_columns:], n_columns)

    def depth(self, t: int) -> NDArray[np.int64]:
        """Return the depth of each node of a tree."""
        nodes = self.tree(t)
        feature, left = self.feature[nodes], self.left[nodes]
        depth = np.zeros(len(feature), dtype=np.int64)
        for node in np.flatnonzero(feature >= 0):
            depth[left[node]] = depth[left[node] + 1] = depth[node] + 1
        return depth

    def pruned(self, alpha: float) -> SupervisedTrees:
        """Return the trees pruned by cost-complexity with a penalty per leaf, as a fraction of the weight."""
        if alpha <= 0.0:
            return self
        return self._with_nodes([self.kept(t, alpha) for t in range(self.n_trees)])

    def path(self, t: int) -> list[tuple[float, int, float]]:
        """Return alpha, number of leaves and impurity along the pruning path of a tree."""
        nodes = self.tree(t)
        losses = self.impurity[nodes] / self.count[nodes.start]
        return _core.prune_path(self.feature[nodes], self.left[nodes], np.ascontiguousarray(losses))

    def kept(self, t: int, alpha: float) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the nodes of a tree that stay, parents first, and which of them are leaves now."""
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

    def _with_nodes(self, kept: list[tuple[NDArray[np.int64], NDArray[np.bool_]]]) -> SupervisedTrees:
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
            missing_left=np.where(leaf, 0, self.missing_left[index]).astype(np.uint8),
            count=self.count[index],
            impurity=self.impurity[index],
            value=np.ascontiguousarray(self.value[index]),
            _handles={},
        )

    def voting(self) -> SupervisedTrees:
        """Return the trees with all of a node's share on its majority: averages then count votes."""
        value = np.zeros_like(self.value)
        value[np.arange(len(value)), np.argmax(self.value, axis=1)] = 1.0
        return replace(self, value=value, _handles={})

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "start": self.start,
            **{name: getattr(self, name) for name in _NODE_ARRAYS},
            "value": self.value,
            "sets": self.sets,
            "directions": self.directions.to_state(),
        }

    @classmethod
    def from_state(cls, state: State, n_categories: list[int], n_classes: int) -> SupervisedTrees:
        """Read what `to_state` gave, after checking that they are trees; without classes they tell values."""
        start = state.array("start", np.int64, (None,), low=0)
        if len(start) < 2 or start[0] != 0 or np.any(np.diff(start) < 1):
            raise state.error("start", "does not ascend from 0")
        n_nodes = int(start[-1])
        arrays: dict[str, Any] = {
            name: state.array(name, dtype, (n_nodes,), finite=name != "threshold")
            for name, dtype in _NODE_ARRAYS.items()
        }
        value = state.array("value", np.float64, (n_nodes, n_classes or None))
        if value.shape[1] == 0:
            raise state.error("value", "is empty")
        sets = state.array("sets", np.uint32, (None,))
        directions = Directions.from_state(state.child("directions"), n_categories)
        trees = cls(start, **arrays, value=value, sets=sets, n_categories=n_categories, directions=directions)
        wrong = _wrong_nodes(trees, fractions=n_classes > 0)
        if wrong is not None:
            raise state.error(*wrong)
        try:
            assert trees.native
        except ValueError as error:
            raise state.error("feature", f"is no tree: {error}") from None
        return trees


def _wrong_nodes(trees: SupervisedTrees, *, fractions: bool) -> tuple[str, str] | None:
    """Return the array that cannot be a tree's and what is wrong with it, or None."""
    sizes = np.diff(trees.start)
    size, base = np.repeat(sizes, sizes), np.repeat(trees.start[:-1], sizes)
    inner = trees.feature >= 0
    if np.any(trees.feature < -1) or np.any(trees.feature >= len(trees.n_categories) + len(trees.directions)):
        return "feature", "names a column that is not there"
    left = trees.left[inner].astype(np.int64)
    number = (np.arange(len(base)) - base)[inner]
    if np.any(left <= number) or np.any(left + 1 >= size[inner]):
        return "left", "leads out of the tree"
    children = np.concatenate([base[inner] + left, base[inner] + left + 1])
    parents = np.bincount(children, minlength=len(base))
    if np.any(parents != (np.arange(len(base)) != base)):
        return "left", "gives a node no parent or several"
    if np.any(trees.missing_left > 1):
        return "missing_left", "is neither 0 nor 1"
    if np.any(trees.count <= 0.0):
        return "count", "holds a node without rows"
    if np.any(trees.impurity < -1e-9 * (1.0 + np.abs(trees.impurity).max())):
        return "impurity", "is negative"
    if fractions and (np.any(trees.value < 0.0) or np.any(np.abs(trees.value.sum(axis=1) - 1.0) > 1e-9)):
        return "value", "holds shares that do not add up to 1"
    return None


def trees_of_flat(
    flat: dict[str, Any], cuts: TableThresholds, n_outputs: int, scale: Scale | None, unit: float = 1.0
) -> SupervisedTrees:
    """Return the fitted form of what the core grew; values on a scale, impurities times a unit."""
    feature, cut = flat["feature"], flat.pop("cut")
    threshold = cuts.thresholds(feature, cut)
    if len(flat["threshold"]):  # some splits are of numbers as they are, not of codes
        threshold = np.where(np.isnan(flat["threshold"]), threshold, flat["threshold"])
    value = flat.pop("response").reshape(-1, n_outputs)
    if scale is not None:
        value = scale.restored(value)
    else:
        value /= value.sum(axis=1, keepdims=True)  # in place: a forest's arrays are large
    flat["impurity"] *= unit
    return SupervisedTrees(
        start=flat["start"],
        feature=feature,
        left=flat["left"],
        threshold=threshold,
        missing_left=flat["missing_left"],
        count=flat["count"],
        impurity=flat["impurity"],
        value=value,
        sets=flat["sets"],
        n_categories=list(cuts.n_categories),
        directions=Directions.of_flat(flat),
    )


def joined(forests: list[SupervisedTrees]) -> SupervisedTrees:
    """Return the trees of several forests on the same columns as one."""
    first_set, thresholds, features = 0, [], []
    directions = Directions.none()
    for trees in forests:
        thresholds.append(np.where(trees.coded, trees.threshold + first_set, trees.threshold))
        oblique = trees.feature >= len(trees.n_categories)
        features.append(np.where(oblique, trees.feature + len(directions), trees.feature).astype(np.int32))
        first_set += len(trees.sets)
        directions = directions.joined(trees.directions)
    starts = np.cumsum([0, *(n for trees in forests for n in np.diff(trees.start))])
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(trees, name) for trees in forests])
        for name in (*_NODE_ARRAYS, "value", "sets")
    }
    arrays["threshold"], arrays["feature"] = np.concatenate(thresholds), np.concatenate(features)
    return replace(forests[0], start=starts.astype(np.int64), **arrays, directions=directions, _handles={})
