"""Hashes of what a model answers and of what its file keeps, for `fingerprint.py`."""

from __future__ import annotations

import hashlib
import pickle
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file
from scipy import sparse

import boxwood as bw

METHODS = (
    *("score_samples", "p_values", "class_p_values", "decision_function", "cdf"),
    *("predict", "predict_proba", "predict_joint_log_proba", "transform", "apply", "kneighbors"),
)
"""What a model answers about rows, where it has it."""

ATTRIBUTES = (
    *("oob_score_", "oob_log_density_", "oob_decision_function_", "oob_prediction_", "validation_score_"),
    *("feature_importances_", "coef_", "intercept_", "ccp_alpha_", "min_samples_split_", "sample_indices_"),
)
"""What a fit leaves beside the model, where it does."""


def answers(model: Any, new: Any) -> list[Any]:
    """Return what a fitted model says about new rows, and a sample of it."""
    told = [getattr(model, name)(new) for name in METHODS if hasattr(model, name)]
    return [*told, model.sample(40, random_state=0)] if hasattr(model, "sample") else told


def arrays_of_file(model: Any, new: Any, answered: list[Any]) -> str:
    """Save a model; give the hash of the arrays of its file, whatever their names and their order.

    A copy of the model, loaded or unpickled, must answer the same.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.boxwood"
        model.save(path)
        arrays, copies = load_file(path), [bw.load(path), pickle.loads(pickle.dumps(model))]
    if any(digest(answers(copy, new)) != digest(answered) for copy in copies):
        return "error: a copy of the model answers otherwise"
    return digest(sorted(digest(array) for array in arrays.values()))


def digest(value: Any) -> str:
    """Return the hash of a value's bytes."""
    return hashlib.sha256(b"".join(pieces(value))).hexdigest()


def pieces(value: Any) -> Iterator[bytes]:
    """Return the bytes of arrays with their types and shapes, of frames, of text and of lists of these."""
    if isinstance(value, Mapping):
        yield from pieces([*value.items()])
    elif isinstance(value, list | tuple):
        yield f"{len(value)} values:".encode()
        for part in value:
            yield from pieces(part)
    elif sparse.issparse(value):
        yield from pieces(value.toarray())
    elif hasattr(value, "columns"):
        yield from pieces([(str(name), value[name].to_numpy()) for name in value.columns])
    else:
        array = np.asarray(value)
        yield f"{array.dtype.str}{array.shape}:".encode()
        yield array.tobytes() if array.dtype.kind in "biufM" else repr(array.tolist()).encode()
