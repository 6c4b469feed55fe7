"""Which leaves carry an answer, and how much of it each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boxwood.mixture.inspect import boxes_of_tree, rule_of_leaf

if TYPE_CHECKING:
    from boxwood.query.engine import CubeBox, QueryEngine

__all__ = ["LeafContribution", "largest_leaves", "leaf_weights"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class LeafContribution:
    """A leaf that carries a part of an answer.

    Attributes
    ----------
    tree, leaf : int
        As `apply` numbers them.
    rule : str
        Which rows fall into the leaf, in words.
    weight : float
        The leaf's probability, its tree's weight in it.
    count : float
        The weight of the training rows in the leaf.
    fraction : float
        The part of the answer that it carries; those of all leaves sum to 1.
    """

    tree: int
    leaf: int
    rule: str
    weight: float
    count: float
    fraction: float


def leaf_weights(engine: QueryEngine, boxes: Sequence[CubeBox]) -> Numbers:
    """Return what each leaf contributes to the probability of disjoint boxes."""
    total = np.zeros(engine.leaves.n_leaves)
    if boxes:
        conditioned = engine.condition(boxes)
        for i in range(len(boxes)):
            leaves, weights = conditioned.leaf_weights(i)
            total[leaves] += weights
    return total


def largest_leaves(engine: QueryEngine, weights: Numbers, n: int) -> list[LeafContribution]:
    """Return the leaves with the largest part of an answer, the largest first."""
    order = np.argsort(-weights, kind="stable")[:n]
    order = order[weights[order] > 0.0]
    first = engine.leaves.first_leaf()
    trees = np.searchsorted(first, order, side="right") - 1
    boxes = {tree: boxes_of_tree(engine.margins, engine.mixture, int(tree)) for tree in np.unique(trees)}
    found = []
    for at, tree in zip(order.tolist(), trees.tolist(), strict=True):
        leaf = at - int(first[tree])
        nodes = boxes[tree].nodes
        node = nodes.leaves[leaf]
        weight = float(engine.mixture.weights[tree] * nodes.mass[node])
        rule, count = rule_of_leaf(boxes[tree], leaf), float(nodes.count[node])
        found.append(LeafContribution(tree, leaf, rule, weight, count, float(weights[at] / weights.sum())))
    return found
