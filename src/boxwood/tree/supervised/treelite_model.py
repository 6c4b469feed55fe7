"""Fitted trees and forests as a treelite model."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxwood.tree.supervised.trees import SupervisedTrees

__all__ = ["treelite_model"]

_LARGEST = float(np.finfo(np.float64).max)


def treelite_model(trees: SupervisedTrees, is_classifier: bool) -> Any:
    """Return trees as a ``treelite.Model`` of double precision, the mean over whose trees is told."""
    from treelite.model_builder import Metadata, ModelBuilder, PostProcessorFunc, TreeAnnotation

    if len(trees.directions):
        raise ValueError(
            "to_treelite: the model has oblique splits, sums of columns, which treelite's trees cannot. Fit "
            "with oblique=0 to convert it."
        )
    n_outputs = trees.value.shape[1]
    n_targets = 1 if is_classifier else n_outputs
    builder = ModelBuilder(
        threshold_type="float64",
        leaf_output_type="float64",
        metadata=Metadata(
            num_feature=len(trees.n_categories),
            task_type="kMultiClf" if is_classifier else "kRegressor",
            average_tree_output=True,
            num_target=n_targets,
            num_class=[n_outputs // n_targets] * n_targets,
            leaf_vector_shape=(n_targets, n_outputs // n_targets),
        ),
        tree_annotation=TreeAnnotation(
            num_tree=trees.n_trees,
            target_id=[0 if n_targets == 1 else -1] * trees.n_trees,
            class_id=[-1 if n_outputs > n_targets else 0] * trees.n_trees,
        ),
        postprocessor=PostProcessorFunc(name="identity_multiclass" if is_classifier else "identity"),
        base_scores=[0.0] * n_outputs,
    )
    for t in range(trees.n_trees):
        _add_tree(builder, trees, t)
    return builder.commit()


def _add_tree(builder: Any, trees: SupervisedTrees, t: int) -> None:
    coded = trees.coded
    nodes = trees.tree(t)
    builder.start_tree()
    for i in range(nodes.start, nodes.stop):
        builder.start_node(i - nodes.start)
        if trees.feature[i] < 0:
            value = trees.value[i].tolist()
            builder.leaf(value[0] if len(value) == 1 else value)
        elif coded[i]:
            _add_set(builder, trees, i)
        else:
            _add_threshold(builder, trees, i)
        builder.end_node()
    builder.end_tree()


def _add_threshold(builder: Any, trees: SupervisedTrees, i: int) -> None:
    threshold, left = float(trees.threshold[i]), int(trees.left[i])
    parts_missing = np.isinf(threshold)  # all numbers go left
    builder.numerical_test(
        int(trees.feature[i]),
        _LARGEST if parts_missing else threshold,
        default_left=bool(trees.missing_left[i]),
        opname="<=" if parts_missing else "<",
        left_child_key=left,
        right_child_key=left + 1,
    )


def _add_set(builder: Any, trees: SupervisedTrees, i: int) -> None:
    """Add a split into sets: a missing category, whose code is behind the unknown ones, is NaN there."""
    feature, left = int(trees.feature[i]), int(trees.left[i])
    codes = trees.codes_of_set(i).tolist()
    missing = trees.n_categories[feature] + 1
    builder.categorical_test(
        feature,
        default_left=missing in codes,
        category_list=[code for code in codes if code != missing],
        category_list_right_child=False,
        left_child_key=left,
        right_child_key=left + 1,
    )
