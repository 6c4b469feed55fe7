"""Fitted forests as scikit-learn's own."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from boxwood.columns import Schema
from boxwood.tree.supervised.export import give_columns, give_parameters, sklearn_tree
from boxwood.tree.supervised.trees import SupervisedTrees

__all__ = ["sklearn_forest"]


def sklearn_forest(
    trees: SupervisedTrees, schema: Schema, parameters: dict[str, Any], classes: Any, n_outputs: int
) -> Any:
    """Return a forest as a fitted scikit-learn one; its trees tell numbers of classes, as theirs do."""
    forest: Any = RandomForestRegressor() if classes is None else RandomForestClassifier()
    give_parameters(forest, parameters, schema)
    codes = None if classes is None else np.arange(len(classes), dtype=np.float64)
    plain = {**parameters, "class_weight": None, "random_state": None}
    # scikit-learn's single trees know no class weights of a forest.
    own = {name: value for name, value in plain.items() if name != "class_weight" or classes is not None}
    forest.estimators_ = [sklearn_tree(trees, t, schema, own, codes, n_outputs) for t in range(trees.n_trees)]
    forest.estimator_ = DecisionTreeRegressor() if classes is None else DecisionTreeClassifier()
    forest.n_outputs_ = n_outputs
    if classes is not None:
        forest.classes_, forest.n_classes_ = classes, len(classes)
    give_columns(forest, schema)
    return forest
