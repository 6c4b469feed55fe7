"""Fitted trees and forests as an ONNX model: one input a column, with sets of categories and gaps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field, Schema
from boxwood.tree.supervised.trees import SupervisedTrees

__all__ = ["onnx_model"]

OPSETS = {"": 18, "ai.onnx.ml": 5}
"""Sets of categories came with version 5 of ONNX's operators for machine learning."""

IR_VERSION = 10
"""What these need; a newer one would shut out older runtimes."""

_LESS, _MEMBER = 1, 6
_SUM = 1
_NUMBERS = "boxwood.numbers"
_SUMS = "boxwood.sums"


def onnx_model(trees: SupervisedTrees, schema: Schema, classes: NDArray[Any] | None) -> Any:
    """Return trees as an ``onnx.ModelProto``.

    Parameters
    ----------
    trees : SupervisedTrees
    schema : Schema
    classes : ndarray or None
        Labels of a classifier; None of a regressor.

    Returns
    -------
    onnx.ModelProto
        Its inputs are those of `_inputs`; its outputs ``label`` and ``probabilities``, or ``variable``.
    """
    from onnx import checker, helper

    if len(trees.directions):
        raise ValueError(
            "to_onnx: the model has oblique splits, sums of columns, which ONNX's trees cannot. Fit with "
            "oblique=0 to convert it."
        )
    inputs, nodes = _inputs(schema)
    responses, number = _distinct_responses(trees)
    nodes.append(_ensemble(trees, responses, number))
    initializers, outputs = _answers(nodes, set(schema.names), responses, classes)
    graph = helper.make_graph(nodes, "boxwood", inputs, outputs, initializers)
    model = helper.make_model(
        graph,
        producer_name="boxwood",
        ir_version=IR_VERSION,
        opset_imports=[helper.make_opsetid(domain, version) for domain, version in OPSETS.items()],
    )
    checker.check_model(model)
    return model


def _inputs(schema: Schema) -> tuple[list[Any], list[Any]]:
    """Return the graph's inputs and the nodes that turn them into a matrix of numbers.

    An array without names is one matrix ``X``; elsewhere each column is an input of shape (n_samples, 1):
    strings, or double-precision numbers.
    """
    from onnx import TensorProto, helper

    if not schema.named and schema.all_numeric:
        value = helper.make_tensor_value_info("X", TensorProto.DOUBLE, [None, len(schema)])
        return [value], [helper.make_node("Identity", ["X"], [_NUMBERS])]
    if "" in schema.names:
        raise ValueError(
            "to_onnx: a column's name is empty, which names no input of ONNX. Name it before the fit."
        )
    inputs, nodes, parts = [], [], []
    for j, field in enumerate(schema.fields):
        element = TensorProto.STRING if _has_text(field) else TensorProto.DOUBLE
        inputs.append(helper.make_tensor_value_info(field.name, element, [None, 1]))
        parts.append(field.name if field.kind.is_number else f"boxwood.codes_{j}")
        if not field.kind.is_number:
            nodes.append(_encoder(field, parts[-1]))
    nodes.append(helper.make_node("Concat", parts, [_NUMBERS], axis=1))
    return inputs, nodes


def _has_text(field: Field) -> bool:
    text = {isinstance(label, str) for label in field.categories}
    if len(text) == 2:
        raise ValueError(
            f"to_onnx: the categories of column {field.name!r} are strings and numbers, and an input of ONNX "
            "has one type. Make all of them strings before the fit."
        )
    return text == {True}


def _encoder(field: Field, output: str) -> Any:
    """Return the node that gives categories their codes; unknown and missing ones have codes of their own."""
    from onnx import helper, numpy_helper

    n = len(field.categories)
    text = _has_text(field)
    keys: list[Any] = [label if text else float(label) for label in field.categories]
    missing = "" if text else np.nan  # ONNX has no missing string
    if missing not in keys:
        keys.append(missing)
    codes = np.arange(len(keys), dtype=np.float64)
    if len(keys) > n:
        codes[n] = n + 1
    return helper.make_node(
        "LabelEncoder",
        [field.name],
        [output],
        domain="ai.onnx.ml",
        keys_tensor=numpy_helper.from_array(np.array(keys, dtype=object if text else np.float64), "keys"),
        values_tensor=numpy_helper.from_array(codes, "values"),
        default_tensor=numpy_helper.from_array(np.array([float(n)]), "default"),
    )


def _distinct_responses(trees: SupervisedTrees) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the different responses of leaves, and the number of each leaf's: most leaves are pure."""
    leaves = trees.value[trees.feature < 0]
    responses, number = np.unique(leaves, axis=0, return_inverse=True)
    return responses, number.ravel()


def _ensemble(trees: SupervisedTrees, responses: NDArray[np.float64], number: NDArray[np.int64]) -> Any:
    """Return the node of all trees: it adds up what they tell, or gives each tree's number of response."""
    from onnx import helper, numpy_helper

    inner, leaf = trees.feature >= 0, trees.feature < 0
    tree = np.repeat(np.arange(trees.n_trees), np.diff(trees.start))
    if responses.shape[1] == 1:
        target, weight, n_targets = np.zeros(leaf.sum(), int), responses[number, 0] / trees.n_trees, 1
    else:
        target, weight, n_targets = tree[leaf], number.astype(np.float64), trees.n_trees
    attributes = _nodes(trees, inner)
    arrays = {
        "nodes_splits": attributes.pop("splits"),
        "nodes_modes": attributes.pop("modes"),
        "membership_values": attributes.pop("members"),
        "leaf_weights": weight,
    }
    tensors = {name: numpy_helper.from_array(values, name) for name, values in arrays.items() if len(values)}
    return helper.make_node(
        "TreeEnsemble",
        [_NUMBERS],
        [_SUMS],
        domain="ai.onnx.ml",
        aggregate_function=_SUM,
        n_targets=n_targets,
        leaf_targetids=target.tolist(),
        **{name: values.tolist() for name, values in attributes.items()},
        **tensors,
    )


def _nodes(trees: SupervisedTrees, inner: NDArray[np.bool_]) -> dict[str, Any]:
    """Return the inner nodes as ONNX lists them, apart from the leaves.

    A tree of one leaf gets an inner node that leads to it both ways.
    """
    roots = trees.start[:-1]
    base = np.repeat(roots, np.diff(trees.start))
    listed = inner.copy()
    listed[roots] = True
    node_number, leaf_number = np.cumsum(listed) - 1, np.cumsum(~inner) - 1
    index = np.flatnonzero(listed)
    alone = ~inner[index]
    left = np.where(alone, index, trees.left[index] + base[index])
    right = np.where(alone, index, left + 1)
    coded = trees.coded[index] & ~alone
    members = [np.append(trees.codes_of_set(i).astype(np.float64), np.nan) for i in index[coded].tolist()]
    return {
        "tree_roots": node_number[roots],
        "nodes_featureids": np.where(alone, 0, trees.feature[index]),
        "nodes_truenodeids": np.where(inner[left], node_number[left], leaf_number[left]),
        "nodes_trueleafs": (~inner[left]).astype(np.int64),
        "nodes_falsenodeids": np.where(inner[right], node_number[right], leaf_number[right]),
        "nodes_falseleafs": (~inner[right]).astype(np.int64),
        "nodes_missing_value_tracks_true": trees.missing_left[index].astype(np.int64),
        "splits": np.where(coded | alone, 0.0, trees.threshold[index]),
        "modes": np.where(coded, _MEMBER, _LESS).astype(np.uint8),
        "members": np.concatenate([np.empty(0), *members]),
    }


def _answers(
    nodes: list[Any], names: set[str], responses: NDArray[np.float64], classes: NDArray[Any] | None
) -> tuple[list[Any], list[Any]]:
    """Add the nodes behind the trees; return the constants that they need and the graph's outputs."""
    from onnx import TensorProto, helper, numpy_helper

    n_outputs = responses.shape[1]
    result = _output_name("variable" if classes is None else "probabilities", names)
    constants = []
    if n_outputs == 1:
        nodes.append(helper.make_node("Identity", [_SUMS], [result]))
    else:
        constants.append(numpy_helper.from_array(responses, "boxwood.responses"))
        constants.append(numpy_helper.from_array(np.array([1]), "boxwood.axis"))
        nodes += [
            helper.make_node("Cast", [_SUMS], ["boxwood.number"], to=TensorProto.INT64),
            helper.make_node("Gather", ["boxwood.responses", "boxwood.number"], ["boxwood.trees"], axis=0),
            helper.make_node("ReduceMean", ["boxwood.trees", "boxwood.axis"], [result], keepdims=0),
        ]
    outputs = [helper.make_tensor_value_info(result, TensorProto.DOUBLE, [None, n_outputs])]
    if classes is not None:
        label = _output_name("label", names)
        constants.append(numpy_helper.from_array(_labels(classes), "boxwood.classes"))
        nodes.append(helper.make_node("ArgMax", [result], ["boxwood.best"], axis=1, keepdims=0))
        nodes.append(helper.make_node("Gather", ["boxwood.classes", "boxwood.best"], [label], axis=0))
        outputs.insert(0, helper.make_tensor_value_info(label, constants[-1].data_type, [None]))
    return constants, outputs


def _output_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _labels(classes: NDArray[Any]) -> NDArray[Any]:
    """Return the classes as an array that ONNX can hold: strings, booleans, integers or floats."""
    if classes.dtype.kind in "biuf":
        return classes
    if all(isinstance(label, str) for label in classes.tolist()):
        return classes.astype(object)
    raise ValueError("to_onnx: the classes are neither all strings nor all numbers. Fit on one of them.")
