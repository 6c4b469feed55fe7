"""Whether a target's values are classes to tell or numbers to estimate."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxwood.parameters import shown

__all__ = ["TASKS", "task_of"]

TASKS = ("auto", "classification", "regression")

MOST_CLASSES = 50
"""Whole numbers with more distinct values are numbers to estimate."""


def task_of(task: str, y: Any) -> str:
    """Return "classification" or "regression": what is asked for, or what the target's values are.

    Numbers are estimated where some are not whole or more than 50 are distinct; all else are classes.

    Examples
    --------
    >>> task_of("auto", [0, 1, 1]), task_of("auto", [0.5, 1.0]), task_of("auto", ["no", "yes"])
    ('classification', 'regression', 'classification')
    """
    if task not in TASKS:
        raise ValueError(f"task must be one of {', '.join(map(repr, TASKS))}; got {shown(task)}.")
    if task != "auto":
        return task
    values = np.asarray(y)
    if values.dtype.kind not in "iuf":
        return "classification"
    present = values[np.isfinite(values)]
    if (present != np.round(present)).any() or len(np.unique(present)) > MOST_CLASSES:
        return "regression"
    return "classification"
