"""Fitted trees as scikit-learn's own, for `plot_tree`, SHAP, ONNX converters and whatever reads those."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import NODE_DTYPE, Tree

from boxwood.columns import Schema
from boxwood.tree.supervised.options import GAUSSIAN, features_a_node
from boxwood.tree.supervised.trees import SupervisedTrees

__all__ = ["give_columns", "give_parameters", "sklearn_nodes", "sklearn_tree"]


def sklearn_nodes(trees: SupervisedTrees, t: int, schema: Schema, n_outputs: int) -> Any:
    """Return one tree as scikit-learn's `Tree`.

    Rows with x < t go left here, there rows with x ≤ t after rounding x to single precision: the next
    smaller threshold makes both the same for all single-precision x.
    """
    nodes = trees.tree(t)
    feature, left = trees.feature[nodes].astype(np.int64), trees.left[nodes].astype(np.int64)
    _check_numbers(feature, schema)
    leaf = feature < 0
    count, value = trees.count[nodes], trees.value[nodes]
    threshold = trees.threshold[nodes]
    table = np.zeros(len(feature), dtype=NODE_DTYPE)
    table["left_child"] = np.where(leaf, -1, left)
    table["right_child"] = np.where(leaf, -1, left + 1)
    table["feature"] = np.where(leaf, -2, feature)
    # Before the infinite threshold, which parts missing values from numbers, no next smaller one is needed.
    table["threshold"] = np.where(
        leaf, -2.0, np.where(np.isinf(threshold), threshold, np.nextafter(threshold, -np.inf))
    )
    table["impurity"] = trees.impurity[nodes] / count
    table["n_node_samples"] = np.maximum(1, np.rint(count)).astype(np.int64)
    table["weighted_n_node_samples"] = count
    table["missing_go_to_left"] = trees.missing_left[nodes]
    values = np.ascontiguousarray(
        value.reshape(len(value), n_outputs, -1)
    )  # classes or values of each output
    tree = Tree(len(schema), np.full(n_outputs, values.shape[2], dtype=np.intp), n_outputs)
    tree.__setstate__(
        {
            "max_depth": int(trees.depth(t).max()),
            "node_count": len(feature),
            "nodes": table,
            "values": values,
        }
    )
    return tree


def sklearn_tree(
    trees: SupervisedTrees, t: int, schema: Schema, parameters: dict[str, Any], classes: Any, n_outputs: int
) -> Any:
    """Return one tree as a fitted scikit-learn estimator.

    Parameters
    ----------
    trees : TargetTrees
    t : int
    schema : Schema
    parameters : dict
        Of the estimator; those that scikit-learn does not know are left out.
    classes : ndarray or None
        Labels of a classifier, None for a regressor.
    n_outputs : int
        Values that a regressor tells; 1 for a classifier.
    """
    estimator: Any = DecisionTreeRegressor() if classes is None else DecisionTreeClassifier()
    give_parameters(estimator, parameters, schema)
    estimator.tree_ = sklearn_nodes(trees, t, schema, n_outputs)
    estimator.n_outputs_ = n_outputs
    estimator.max_features_ = features_a_node(parameters["max_features"], len(schema)) or len(schema)
    if classes is not None:
        estimator.classes_, estimator.n_classes_ = classes, len(classes)
    give_columns(estimator, schema)
    return estimator


def give_parameters(estimator: Any, parameters: dict[str, Any], schema: Schema) -> None:
    """Set what a scikit-learn estimator knows of parameters, in its form, so that it can be fitted anew."""
    known = estimator.get_params()
    given = {name: value for name, value in parameters.items() if name in known}
    if given["criterion"] == GAUSSIAN:
        given["criterion"] = "entropy"  # which is what the nodes tell as their impurity
    if isinstance(given["monotonic_cst"], dict):
        given["monotonic_cst"] = [given["monotonic_cst"].get(name, 0) for name in schema.names]
    estimator.set_params(**given)


def give_columns(estimator: Any, schema: Schema) -> None:
    """Tell a scikit-learn estimator which columns it was fitted on."""
    estimator.n_features_in_ = len(schema)
    if schema.named:
        estimator.feature_names_in_ = np.array(schema.names, dtype=object)


def _check_numbers(feature: Any, schema: Schema) -> None:
    if np.any(feature >= len(schema)):
        raise ValueError(
            "to_sklearn: the model has oblique splits, sums of columns, which scikit-learn's trees cannot. "
            "Fit with oblique=0 to convert it."
        )
    for j in np.unique(feature[feature >= 0]).tolist():
        field = schema.fields[j]
        if not field.kind.is_number:
            raise ValueError(
                f"to_sklearn: the model splits column {field.name!r} into sets of categories, which "
                "scikit-learn's trees cannot. Fit on numbers, such as one-hot columns, to convert it."
            )
