"""From scikit-learn's parameters of trees and forests to the core's options."""

from __future__ import annotations

import math
import numbers
from typing import Any

from boxwood import _core
from boxwood.parameters import check_choice, check_integer, check_number, shown

__all__ = ["check_tree_parameters", "grow_options"]


def check_tree_parameters(estimator: Any, criteria: tuple[str, ...]) -> None:
    """Check the parameters that all decision and regression trees and forests share."""
    check_choice(estimator, "criterion", criteria)
    for name in ("max_depth", "max_leaf_nodes"):
        if getattr(estimator, name) is not None:
            check_integer(estimator, name, 1 if name == "max_depth" else 2)
    _check_count_or_share(estimator, "min_samples_split", 2)
    _check_count_or_share(estimator, "min_samples_leaf", 1)
    check_number(estimator, "min_weight_fraction_leaf", 0.0, 0.5)
    check_number(estimator, "min_impurity_decrease", 0.0)
    estimator._check_alpha()
    features = estimator.max_features
    if isinstance(features, str):
        check_choice(estimator, "max_features", ["sqrt", "log2"])
    elif isinstance(features, numbers.Integral):
        check_integer(estimator, "max_features", 1)
    elif features is not None:
        check_number(estimator, "max_features", 0.0, 1.0, open_low=True)


def _check_count_or_share(estimator: Any, name: str, smallest: int) -> None:
    value = getattr(estimator, name)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        check_number(estimator, name)
    count = isinstance(value, numbers.Integral) and int(value) >= smallest
    share = not isinstance(value, numbers.Integral) and 0.0 < float(value) <= 1.0
    if not (count or share):
        raise ValueError(  # scikit-learn's words
            f"The {name!r} parameter of {type(estimator).__name__} must be an int in the range "
            f"[{smallest}, inf) or a float in the range (0.0, 1.0]. Got {shown(value)} instead."
        )


def grow_options(estimator: Any, n_columns: int, n_rows: int, total: float, unit: float) -> _core.GrowOptions:
    """Give the core's options of growth for a table of so many rows of a total weight.

    `unit` is the core's unit of impurity in scikit-learn's.
    """
    options = _core.GrowOptions()
    if estimator.max_depth is not None:
        options.max_depth = int(estimator.max_depth)
    if estimator.max_leaf_nodes is not None:
        options.best_first = True
        options.max_leaf_nodes = int(estimator.max_leaf_nodes)
    smallest_leaf = max(
        _weight(estimator.min_samples_leaf, n_rows), float(estimator.min_weight_fraction_leaf) * total
    )
    options.min_samples_leaf = smallest_leaf if smallest_leaf > 1.0 else 0.0
    split = max(2.0, _weight(estimator.min_samples_split, n_rows))
    options.min_samples_split = split if split > 2.0 else 0.0
    # A split that gains nothing may make way for one that does, so that only a loss is refused.
    decrease = float(estimator.min_impurity_decrease) * total / unit
    options.min_gain = decrease * (1.0 - 1e-12) if decrease > 0.0 else -1e-9 * total
    options.max_features = features_a_node(estimator.max_features, n_columns)
    options.random_splits = 1 if getattr(estimator, "splitter", "best") == "random" else 0
    return options


def features_a_node(wanted: Any, n_columns: int) -> int:
    """Give the number of columns tried at a node; 0 for all of them."""
    if wanted is None:
        return 0
    if wanted == "sqrt":
        return max(1, int(math.sqrt(n_columns)))
    if wanted == "log2":
        return max(1, int(math.log2(n_columns)))
    if isinstance(wanted, numbers.Integral):
        return min(int(wanted), n_columns)
    return max(1, int(float(wanted) * n_columns))


def _weight(value: Any, n_rows: int) -> float:
    """Give a count, or the rounded-up share of the rows that a fraction asks for."""
    return float(value) if isinstance(value, numbers.Integral) else math.ceil(float(value) * n_rows)
