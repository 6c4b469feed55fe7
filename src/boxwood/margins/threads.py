"""Threads over columns: the native core releases the GIL, and no column depends on another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["map_columns", "n_threads"]

T = TypeVar("T")


def n_threads(n_jobs: int | None) -> int:
    """Give the number of threads that `n_jobs` asks for, by joblib's rule.

    Examples
    --------
    >>> n_threads(None), n_threads(3), n_threads(-1) >= 1
    (1, 3, True)
    """
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs must be None or a whole number other than 0; got 0.")
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


def map_columns(function: Callable[..., T], n_jobs: int | None, *columns: Iterable[Any]) -> list[T]:
    """Call a function for each column, in threads; the results are the same for any number of them."""
    tasks = list(zip(*columns, strict=True))
    threads = min(n_threads(n_jobs), len(tasks))
    if threads <= 1:
        return [function(*task) for task in tasks]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda task: function(*task), tasks))
