"""The rule of a leaf: one sentence that its rows satisfy, and no others."""

from __future__ import annotations

import numpy as np

from boxwood.mixture.inspect.boxes import TreeBoxes
from boxwood.mixture.inspect.conditions import condition
from boxwood.parameters import shown

__all__ = ["rule_of_leaf"]


def rule_of_leaf(boxes: TreeBoxes, leaf: int, decimals: int | None = None) -> str:
    """Describe which rows fall into a leaf: one condition a column that was cut on the way.

    Parameters
    ----------
    boxes : TreeBoxes
    leaf : int
        The leaf's number, as `apply` gives it.
    decimals : int, optional
    """
    n_leaves = len(boxes.nodes.leaves)
    if isinstance(leaf, bool) or not isinstance(leaf, int | np.integer) or not 0 <= leaf < n_leaves:
        raise ValueError(f"leaf must be an integer from 0 to {n_leaves - 1}; got {shown(leaf)}.")
    node = boxes.nodes.leaves[leaf]
    conditions = [
        condition(column, part[node], decimals)
        for column, part in zip(boxes.columns, boxes.parts, strict=True)
    ]
    return " and ".join(_in_brackets(text) for text in conditions if text) or "any row"


def _in_brackets(text: str) -> str:
    """Bracket a condition with "or", so that "and" cannot be misread."""
    return f"({text})" if " missing or " in text else text
