"""Class labels: read from a target, kept in a model file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from boxwood.columns import Columns
from boxwood.columns.targets import check_labels_there
from boxwood.in_parts import LabelSummary
from boxwood.model_file import State
from boxwood.parameters import shown
from boxwood.stream.named_target import NamedTarget

__all__ = ["classes_of_state", "coded_labels", "codes_in", "labels_of_part", "read_classes", "read_labels"]

_LARGEST_RANGE = 65_536
"""Integers of a smaller range are counted, which takes a tenth of the time of sorting them."""


def read_labels(estimator: Any, y: Any) -> NDArray[Any]:
    """Return a target as one label a row; ValueError where it is none, or holds values instead of classes."""
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None.")
    labels = column_or_1d(_of_own_type(y), warn=True)
    check_labels_there(labels)
    if labels.dtype.kind not in "biu":  # integers are classes whatever they are
        check_classification_targets(labels)
    return labels


def _of_own_type(y: Any) -> Any:
    """Return pandas' nullable integers and truth values as such: scikit-learn makes floats of them."""
    plain = getattr(getattr(y, "dtype", None), "numpy_dtype", None)
    return y.to_numpy(plain) if plain is not None and plain.kind in "biu" and not y.isna().any() else y


def labels_of_part(columns: Columns, targets: Any, estimator: Any) -> LabelSummary:
    """Return the classes of a part of a table (see `TableInParts.fold`)."""
    return LabelSummary.of_part(read_labels(estimator, targets), columns.weights)


def read_classes(estimator: Any, y: Any) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """Return the sorted classes of a target, and which of them each row is of.

    Examples
    --------
    >>> classes, codes = read_classes(None, ["plum", "apple", "plum"])
    >>> print(classes, codes)
    ['apple' 'plum'] [1 0 1]
    """
    known = y.classes() if isinstance(y, NamedTarget) else None
    if known is not None:
        return known
    return coded_labels(read_labels(estimator, y))


def coded_labels(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """Return the sorted classes of labels that were read, and which of them each row is of."""
    if labels.dtype.kind in "biu" and len(labels):
        low, high = int(labels.min()), int(labels.max())
        if high - low < _LARGEST_RANGE and high < 2**63:
            return _counted(labels, low)
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.uint32)


def _counted(labels: NDArray[Any], low: int) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    offsets = labels.astype(np.int64) - low
    present = np.bincount(offsets) > 0
    ranks = (np.cumsum(present) - 1).astype(np.uint32)
    return (np.flatnonzero(present) + low).astype(labels.dtype), ranks[offsets]


def codes_in(classes: NDArray[Any], labels: NDArray[Any]) -> NDArray[np.uint32]:
    """Return the place of each label among sorted classes; ValueError names the first unknown one."""
    codes = np.searchsorted(classes, labels).clip(max=len(classes) - 1)
    unknown = classes[codes] != labels
    if np.any(unknown):
        row = int(np.argmax(unknown))
        label, known = shown(labels[row : row + 1].tolist()[0]), shown(classes.tolist())
        raise ValueError(
            f"y, row {row}: {label} is not one of the known classes {known}. "
            # scikit-learn's words, which its users know.
            f"The target label(s) [{label}] in y do not exist in the initial classes."
        )
    return codes.astype(np.uint32)


def classes_of_state(state: State) -> NDArray[Any]:
    """Read the entry ``classes`` of a model file, written as a list: sorted or not, none twice."""
    classes = np.array(state.labels("classes"))
    if len(classes) == 0 or len(np.unique(classes)) != len(classes):
        raise state.error("classes", "is empty or holds a class twice")
    return classes
