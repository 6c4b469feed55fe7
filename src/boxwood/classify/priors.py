"""Priors of classes: learnt from the rows, uniform, or given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.model_file import State
from boxwood.parameters import Checked, Parameter, shown

__all__ = ["PRIORS", "check_priors", "class_counts", "fit_priors", "priors_of_state"]


def check_priors(name: str, priors: Any) -> None:
    """Raise unless the parameter ``priors`` is None, "uniform" or numbers that are a distribution."""
    if priors is None or (isinstance(priors, str) and priors == "uniform"):
        return
    if isinstance(priors, str | bytes | dict):
        raise ValueError(f'{name} must be None, "uniform" or one number a class; got {shown(priors)}.')
    array = np.asarray(priors)
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise ValueError(f'{name} must be None, "uniform" or one number a class; got {shown(priors)}.')
    if not np.all(np.isfinite(array) & (array >= 0.0)):
        raise ValueError(
            f"Priors must be non-negative: {name} must be finite and non-negative; got {shown(priors)}."
        )
    if not np.isclose(array.sum(), 1.0):
        raise ValueError(f"The sum of the priors should be 1; it is {array.sum():.6g} ({name}).")


PRIORS = Parameter(
    "priors",
    Checked('array-like of shape (n_classes,), "uniform" or None', check_priors),
    'Probabilities of the classes; None learns their fractions of the rows, and "uniform" gives the '
    "maximum-likelihood rule.",
)


def fit_priors(estimator: Any, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the prior of each class from the parameter ``priors`` and the weight of the classes' rows."""
    n_classes = len(counts)
    if estimator.priors is None:
        return counts / counts.sum()
    if isinstance(estimator.priors, str):
        return np.full(n_classes, 1.0 / n_classes)
    priors = np.asarray(estimator.priors, dtype=np.float64)
    if len(priors) != n_classes:
        raise ValueError(
            f"{type(estimator).__name__}: Number of priors must match number of classes; there are "
            f"{len(priors)} priors for {n_classes} classes."
        )
    return priors / priors.sum()


def class_counts(
    codes: NDArray[Any], n_classes: int, weights: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Return the weight of the rows of each class."""
    return np.bincount(codes, weights, minlength=n_classes).astype(np.float64)


def priors_of_state(state: State, n_classes: int) -> dict[str, Any]:
    """Read the entries ``class_count`` and ``priors`` of a model file."""
    counts = state.array("class_count", np.float64, (n_classes,), low=0.0)
    priors = state.array("priors", np.float64, (n_classes,), low=0.0, high=1.0)
    if not counts.sum() > 0.0 or not np.isfinite(counts.sum()):
        raise state.error("class_count", "is zero, or too large to add up")
    if abs(priors.sum() - 1.0) > 1e-9:
        raise state.error("priors", f"sums to {priors.sum()}, not to 1")
    return {"class_count_": counts, "priors_": priors}
