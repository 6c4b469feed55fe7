"""The rule of a leaf, in words: one condition a column that was cut on the way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.binning.thresholds import TableThresholds
from boxwood.columns import Field, Kind, Schema
from boxwood.parameters import shown
from boxwood.tree.supervised.trees import SupervisedTrees

__all__ = ["Step", "check_number_below", "conditions_of_column", "rule_of_node"]


@dataclass(frozen=True)
class Step:
    """A node on the way: its number among all trees' nodes, threshold, and which way was taken."""

    node: int
    threshold: float
    went_left: bool
    missing_left: bool


def rule_of_node(
    trees: SupervisedTrees,
    t: int,
    node: int,
    schema: Schema,
    cuts: TableThresholds,
    decimals: int | None = None,
) -> str:
    """Describe which rows come to a node of a tree.

    Parameters
    ----------
    trees : TargetTrees
    t : int
        The tree.
    node : int
        As `apply` gives it.
    schema : Schema
    cuts : TableThresholds
    decimals : int, optional
        Of numbers; without it, six significant digits.
    """
    check_number_below("tree", t, trees.n_trees)
    parents, nodes = trees.parents(t), trees.tree(t)
    check_number_below("leaf", node, len(parents))
    steps: dict[int, list[Step]] = {}
    while parents[node] >= 0:
        above = int(parents[node])
        went_left = bool(trees.left[nodes][above] == node)
        at = nodes.start + above
        step = Step(at, float(trees.threshold[at]), went_left, bool(trees.missing_left[at]))
        steps.setdefault(int(trees.feature[at]), []).append(step)
        node = above
    conditions = [
        text
        for j in sorted(steps)
        for text in conditions_of_column(trees, j, steps[j], schema, cuts, decimals)
    ]
    return " and ".join(text for text in conditions if text) or "any row"


def conditions_of_column(
    trees: SupervisedTrees,
    j: int,
    steps: Sequence[Step],
    schema: Schema,
    cuts: TableThresholds,
    decimals: int | None = None,
    most_labels: int | None = None,
) -> list[str]:
    """Describe the steps that cut a column, together, or a direction, one by one.

    Parameters
    ----------
    trees : SupervisedTrees
    j : int
        A column or, behind these, a direction.
    steps : sequence of Step
    schema : Schema
    cuts : TableThresholds
    decimals : int, optional
    most_labels : int, optional
        Categories that are listed; by default all.
    """
    if j >= len(schema):
        direction = trees.directions.text(j - len(schema), schema, decimals)
        return [_of_direction(direction, step, decimals) for step in steps]
    field, missing = schema.fields[j], cuts.has_missing[j]
    if field.kind.is_number:
        return [_of_numbers(field, steps, missing, decimals)]
    sets = [(trees.codes_of_set(step.node), step.went_left) for step in steps]
    return [_of_sets(field, sets, missing, most_labels)]


def check_number_below(name: str, value: object, end: int) -> None:
    """Raise unless a value is an integer from 0 to below the end."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 0 <= value < end:
        raise ValueError(f"{name} must be an integer from 0 to {end - 1}; got {shown(value)}.")


def _of_direction(direction: str, step: Step, decimals: int | None) -> str:
    bound = f"{step.threshold:.6g}" if decimals is None else f"{step.threshold:.{decimals}f}"
    return f"{direction} {'<' if step.went_left else '≥'} {bound}"


def _of_numbers(field: Field, steps: Sequence[Step], missing: bool, decimals: int | None) -> str:
    low = max((step.threshold for step in steps if not step.went_left), default=-math.inf)
    high = min((step.threshold for step in steps if step.went_left), default=math.inf)
    name = field.name
    if low == math.inf:
        return f"{name} missing"
    with_missing = missing and all(step.went_left == step.missing_left for step in steps)
    below, above = (_number(field, bound, decimals) for bound in (low, high))
    if low > -math.inf and high < math.inf:
        text = f"{below} ≤ {name} < {above}"
    elif low > -math.inf:
        text = f"{name} ≥ {below}"
    elif high < math.inf:
        text = f"{name} < {above}"
    else:
        return f"{name} not missing" if missing else ""
    return f"({name} missing or {text})" if with_missing else text


def _number(field: Field, value: float, decimals: int | None) -> str:
    if not math.isfinite(value):
        return str(value)
    if field.kind is Kind.DATETIME:
        return _date(np.datetime64(math.ceil(value), "us"))
    if field.kind is Kind.INTEGER and decimals is None:
        return f"{math.ceil(value)}"  # x < 2.5 is x < 3
    return f"{value:.6g}" if decimals is None else f"{value:.{decimals}f}"


def _date(value: np.datetime64) -> str:
    """Return a date as coarsely as is still exact: ``2020-02-10 12:00``, not with seconds that are 0."""
    for unit in ("D", "m", "s", "ms"):
        if value.astype(f"datetime64[{unit}]") == value:
            value = value.astype(f"datetime64[{unit}]")
            break
    return str(value).replace("T", " ")


def _of_sets(
    field: Field,
    steps: Sequence[tuple[NDArray[np.uint32], bool]],
    missing: bool,
    most_labels: int | None = None,
) -> str:
    n = len(field.categories)
    inside = np.ones(n + 2, dtype=bool)
    for codes, left in steps:
        known = np.zeros(n + 2, dtype=bool)
        known[codes[codes < n + 2]] = True
        inside &= known if left else ~known
    labels = [str(label) for label, flag in zip(field.categories, inside[:n], strict=True) if flag]
    name, with_missing = field.name, missing and bool(inside[n + 1])
    if not labels:
        return f"{name} missing" if with_missing else f"{name} unseen"
    if len(labels) == n:
        return "" if with_missing or not missing else f"{name} not missing"
    if most_labels is not None and len(labels) > most_labels:
        labels = [*labels[:most_labels], f"… {len(labels) - most_labels} more"]
    text = f"{name} = {labels[0]}" if len(labels) == 1 else f"{name} in {{{', '.join(labels)}}}"
    return f"({name} missing or {text})" if with_missing else text
