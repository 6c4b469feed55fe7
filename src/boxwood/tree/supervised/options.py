"""From scikit-learn's parameters of trees and forests to the core's options."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from boxwood import _core
from boxwood.columns import Schema
from boxwood.parameters import check_choice, check_integer, check_number, shown

__all__ = ["GAUSSIAN", "check_tree_parameters", "features_a_node", "grow_options", "monotone_signs"]

GAUSSIAN = "gaussian_conditional_entropy"
"""The criterion that looks at numbers themselves, not at their order."""


def check_tree_parameters(estimator: Any, criteria: tuple[str, ...]) -> None:
    """Check the parameters that all decision and regression trees and forests share."""
    check_choice(estimator, "criterion", criteria)
    for name in ("max_depth", "max_leaf_nodes"):
        if getattr(estimator, name) is not None:
            check_integer(estimator, name, 1 if name == "max_depth" else 2)
    _check_count_or_fraction(estimator, "min_samples_split", 2)
    _check_count_or_fraction(estimator, "min_samples_leaf", 1)
    check_number(estimator, "min_weight_fraction_leaf", 0.0, 0.5)
    check_number(estimator, "min_impurity_decrease", 0.0)
    check_integer(estimator, "oblique", 0)
    estimator._check_alpha()
    features = estimator.max_features
    if isinstance(features, str):
        check_choice(estimator, "max_features", ["sqrt", "log2"])
    elif isinstance(features, numbers.Integral):
        check_integer(estimator, "max_features", 1)
    elif features is not None:
        check_number(estimator, "max_features", 0.0, 1.0, open_low=True)


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


def _check_count_or_fraction(estimator: Any, name: str, smallest: int) -> None:
    value = getattr(estimator, name)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        check_number(estimator, name)
    count = isinstance(value, numbers.Integral) and int(value) >= smallest
    whole = name == "min_samples_split"  # all rows may be needed for a split, but not in a leaf of one
    inside = 0.0 < float(value) < 1.0 or (whole and float(value) == 1.0)
    fraction = not isinstance(value, numbers.Integral) and inside
    if not (count or fraction):
        raise ValueError(  # scikit-learn's words
            f"The {name!r} parameter of {type(estimator).__name__} must be an int in the range "
            f"[{smallest}, inf) or a float in the range (0.0, 1.0{']' if whole else ')'}. "
            f"Got {shown(value)} instead."
        )


def grow_options(
    estimator: Any, n_columns: int, total: float, fraction: float, unit: float
) -> _core.GrowOptions:
    """Return the core's options of growth for a table of a total weight, of which a tree sees a fraction.

    `unit` is the core's unit of impurity in scikit-learn's.
    """
    options = _core.GrowOptions()
    if estimator.max_depth is not None:
        options.max_depth = int(estimator.max_depth)
    if estimator.max_leaf_nodes is not None:
        options.best_first = True
        options.max_leaf_nodes = int(estimator.max_leaf_nodes)
    seen = total * fraction
    options.min_samples_leaf = max(
        _weight(estimator.min_samples_leaf, 1, total), float(estimator.min_weight_fraction_leaf) * seen
    )
    options.min_samples_split = _weight(estimator.min_samples_split, 2, total)
    # A split that gains nothing may make way for one that does, so that only a loss is refused.
    decrease = float(estimator.min_impurity_decrease) * seen / unit
    options.min_gain = decrease * (1.0 - 1e-12) if decrease > 0.0 else -1e-9 * total
    options.max_features = features_a_node(estimator.max_features, n_columns)
    options.n_directions = int(estimator.oblique)
    options.direction_columns = max(2, round(math.sqrt(n_columns)))
    options.random_splits = 1 if getattr(estimator, "splitter", "best") == "random" else 0
    return options


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
