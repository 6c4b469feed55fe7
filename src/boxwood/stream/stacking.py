"""Answers about batches, one below the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["stacked"]


def stacked(parts: Iterable[Any]) -> Any:
    """Return arrays or frames of some rows each as one array or frame.

    Examples
    --------
    >>> stacked(np.arange(n) for n in (2, 3))
    array([0, 1, 0, 1, 2])
    """
    listed = list(parts)
    if not listed:
        raise ValueError("there are no batches: a table needs at least one row.")
    if isinstance(listed[0], np.ndarray):
        return np.concatenate(listed)
    import narwhals as nw

    frames = [nw.from_native(part, eager_only=True) for part in listed]
    return nw.concat(frames, how="vertical").to_native()
