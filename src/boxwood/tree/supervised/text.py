"""A decision or regression tree as indented text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from boxwood.binning.thresholds import TableThresholds
from boxwood.columns import Schema
from boxwood.parameters import checked_names
from boxwood.tree.supervised.rules import Step, conditions_of_column
from boxwood.tree.supervised.trees import SupervisedTrees

__all__ = ["node_facts", "renamed_schema", "split_text", "tree_as_text"]

MOST_LABELS = 8
"""Categories that a line lists."""

DIGITS = 4
"""Significant digits of a value, unless decimals are given."""


def renamed_schema(schema: Schema, feature_names: Sequence[str] | None) -> Schema:
    """Return a schema with other names of the columns."""
    if feature_names is None:
        return schema
    names = checked_names("feature_names", feature_names, len(schema))
    fields = tuple(replace(field, name=name) for field, name in zip(schema.fields, names, strict=True))
    return Schema(fields, named=True)


def tree_as_text(
    trees: SupervisedTrees,
    schema: Schema,
    cuts: TableThresholds,
    classes: Sequence[str],
    *,
    max_depth: int | None = None,
    spacing: int = 3,
    decimals: int | None = None,
    show_weights: bool = False,
) -> str:
    """Write a tree line by line: a condition, then below it what lies on its side.

    Parameters
    ----------
    trees : SupervisedTrees
        A single tree.
    schema : Schema
    cuts : TableThresholds
    classes : sequence of str
        Names of the classes; empty of a regression tree.
    max_depth : int, optional
        Cuts below this depth are not shown.
    spacing : int
        Width of the lines between levels.
    decimals : int, optional
    show_weights : bool
        Whether a leaf has the weights of the classes.
    """
    indent, branch = "|" + " " * spacing, "|" + "-" * spacing
    below = _leaves_below(trees)
    lines = [f"{_rows(trees.count[0])} in {_leaves(below[0])}"]
    open_nodes = [(0, 0, "")]
    while open_nodes:
        node, depth, condition = open_nodes.pop()
        if condition:
            lines.append(indent * (depth - 1) + f"{branch} {condition}")
        is_leaf = trees.feature[node] < 0
        if is_leaf or (max_depth is not None and depth >= max_depth):
            name = f"leaf {node}" if is_leaf else _leaves(below[node])
            facts = _facts(trees, node, classes, decimals, show_weights)
            lines.append(indent * depth + f"{branch} {name}: {facts}")
            continue
        left = int(trees.left[node])
        for child, went_left in ((left + 1, False), (left, True)):
            text = split_text(trees, node, went_left, schema, cuts, decimals)
            open_nodes.append((child, depth + 1, text))
    return "\n".join(lines) + "\n"


def split_text(
    trees: SupervisedTrees,
    node: int,
    went_left: bool,
    schema: Schema,
    cuts: TableThresholds,
    decimals: int | None = None,
) -> str:
    """Describe which rows of a node go to one of its sides."""
    j = int(trees.feature[node])
    step = Step(node, float(trees.threshold[node]), went_left, bool(trees.missing_left[node]))
    (text,) = conditions_of_column(trees, j, [step], schema, cuts, decimals, MOST_LABELS)
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    if j >= len(schema):
        return text
    name = schema.fields[j].name
    return text.replace(f"{name} missing or {name} ", f"{name} missing or ", 1) or f"any {name}"


def node_facts(trees: SupervisedTrees, node: int, classes: Sequence[str], decimals: int | None = None) -> str:
    """Return what a node predicts and how many rows it has, in two lines."""
    if not classes:
        return f"{_values(trees, node, decimals)}\n{_rows(trees.count[node])}"
    fractions = trees.value[node]
    return f"{classes[int(fractions.argmax())]}\n{fractions.max():.0%} of {_number(trees.count[node])}"


def _facts(
    trees: SupervisedTrees, node: int, classes: Sequence[str], decimals: int | None, show_weights: bool
) -> str:
    if not classes:
        return f"value {_values(trees, node, decimals)}, {_rows(trees.count[node])}"
    fractions = trees.value[node]
    text = f"class {classes[int(fractions.argmax())]}, {fractions.max():.0%} of {_rows(trees.count[node])}"
    if not show_weights:
        return text
    weights = ", ".join(
        f"{weight:.{2 if decimals is None else decimals}f}" for weight in _weights(trees, node)
    )
    return f"{text}, weights [{weights}]"


def _weights(trees: SupervisedTrees, node: int) -> list[float]:
    return [float(weight) for weight in trees.value[node] * trees.count[node]]


def _values(trees: SupervisedTrees, node: int, decimals: int | None) -> str:
    values = [
        f"{value:.{DIGITS}g}" if decimals is None else f"{value:.{decimals}f}" for value in trees.value[node]
    ]
    return values[0] if len(values) == 1 else "[" + ", ".join(values) + "]"


def _leaves_below(trees: SupervisedTrees) -> list[int]:
    below = (trees.feature < 0).astype(np.int64)
    for node in np.flatnonzero(trees.feature >= 0)[::-1]:
        below[node] = below[trees.left[node]] + below[trees.left[node] + 1]
    return [int(n) for n in below]


def _number(count: float) -> str:
    return f"{count:.0f}" if count == round(count) else f"{count:.2f}"


def _rows(count: float) -> str:
    return "1 row" if count == 1.0 else f"{_number(count)} rows"


def _leaves(n_leaves: int) -> str:
    return "1 leaf" if n_leaves == 1 else f"{n_leaves} leaves"
