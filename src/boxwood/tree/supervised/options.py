"""From scikit-learn's parameters of trees and forests to the core's options."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from boxwood import _core
from boxwood.columns import Schema
from boxwood.parameters import fill_options, shown
from boxwood.tree.leaf_bound import most_leaves

__all__ = ["GAUSSIAN", "features_a_node", "grow_options", "monotone_signs"]

GAUSSIAN = "gaussian_conditional_entropy"
"""The criterion that looks at numbers themselves, not at their order."""


def monotone_signs(estimator: Any, schema: Schema, n_classes: int, n_outputs: int) -> list[int]:
    """Return the direction in which the target must go with each column: 1, −1, or 0 for any.

    The sentences are scikit-learn's where it has one.
    """
    _check_gaussian(estimator, schema)
    wanted = estimator.monotonic_cst
    if wanted is None:
        return [0] * len(schema)
    if n_outputs > 1:
        raise ValueError("Monotonicity constraints are not supported with multiple outputs.")
    if n_classes > 2:
        raise ValueError("Monotonicity constraints are not supported with multiclass classification")
    if isinstance(wanted, dict):
        unknown = [name for name in wanted if name not in schema.names]
        if unknown:
            raise ValueError(f"monotonic_cst names {unknown}, but the table has {list(schema.names)}.")
        wanted = [wanted.get(name, 0) for name in schema.names]
    signs = np.asarray(wanted)
    if signs.shape != (len(schema),):
        raise ValueError(
            f"monotonic_cst has shape {signs.shape[0] if signs.ndim else 0} but the input data X has "
            f"{len(schema)} features."
        )
    if not np.all(np.isin(signs, (-1, 0, 1))):
        raise ValueError(
            f"monotonic_cst must be None or an array-like of -1, 0 or 1, but got {shown(wanted)}"
        )
    for field, sign in zip(schema.fields, signs.tolist(), strict=True):
        if sign and not field.kind.is_number:
            raise ValueError(f"monotonic_cst: column {field.name!r} has categories, which have no order.")
    if signs.any() and (estimator.oblique or estimator.criterion == GAUSSIAN):
        raise ValueError(f"monotonic_cst goes neither with oblique splits nor with criterion={GAUSSIAN!r}.")
    return [int(sign) for sign in signs]


def _check_gaussian(estimator: Any, schema: Schema) -> None:
    if estimator.criterion != GAUSSIAN:
        return
    for field in schema.fields:
        if not field.kind.is_number:
            raise ValueError(
                f"criterion={GAUSSIAN!r} takes numbers, but column {field.name!r} has categories. Leave it "
                "out or take another criterion."
            )
    if estimator.oblique:
        raise ValueError(f"criterion={GAUSSIAN!r} cuts single columns; it does not go with oblique splits.")


def grow_options(
    estimator: Any, n_columns: int, total: float, fraction: float, unit: float
) -> _core.GrowOptions:
    """Return the core's options of growth for a table of a total weight, of which a tree sees a fraction.

    `unit` is the core's unit of impurity in scikit-learn's.
    """
    seen = total * fraction
    smallest_leaf = float(estimator.min_weight_fraction_leaf) * seen
    # A split that gains nothing may make way for one that does, so that only a loss is refused.
    leaves = most_leaves(estimator, total)
    decrease = float(estimator.min_impurity_decrease) * seen / unit
    return fill_options(
        _core.GrowOptions(),
        estimator,
        best_first=leaves is not None,
        **({} if leaves is None else {"max_leaf_nodes": max(leaves, 2)}),
        min_samples_leaf=max(_weight(estimator.min_samples_leaf, 1, total), smallest_leaf),
        min_samples_split=_weight(estimator.min_samples_split, 2, total),
        min_gain=decrease * (1.0 - 1e-12) if decrease > 0.0 else -1e-9 * total,
        max_features=features_a_node(estimator.max_features, n_columns),
        n_directions=int(estimator.oblique),
        direction_columns=max(2, round(math.sqrt(n_columns))),
    )


def features_a_node(wanted: Any, n_columns: int) -> int:
    """Return the number of columns tried at a node; 0 for all of them."""
    if wanted is None:
        return 0
    if wanted == "sqrt":
        return max(1, int(math.sqrt(n_columns)))
    if wanted == "log2":
        return max(1, int(math.log2(n_columns)))
    if isinstance(wanted, numbers.Integral):
        return min(int(wanted), n_columns)
    return max(1, int(float(wanted) * n_columns))


def _weight(wanted: Any, smallest: int, total: float) -> float:
    """Return the least weight that a count or a fraction asks for; 0 for the smallest count.

    A fraction is of the weight, since weights are frequencies: whole ones reach it where they reach the next
    integer, and those that add up to 1 do as well as those that add up to the rows.
    """
    if isinstance(wanted, numbers.Integral):
        return 0.0 if int(wanted) == smallest else float(wanted)
    return float(wanted) * total * (1.0 - 1e-12)  # rounding must not ask for one row more
