"""Threads over columns: the native core releases the GIL, and no column depends on another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from boxwood.threads import n_threads

__all__ = ["map_columns"]

T = TypeVar("T")


def map_columns(function: Callable[..., T], n_jobs: int | None, *columns: Iterable[Any]) -> list[T]:
    """Call a function for each column, in threads; the results are the same for any number of them."""
    tasks = list(zip(*columns, strict=True))
    threads = min(n_threads(n_jobs), len(tasks))
    if threads <= 1:
        return [function(*task) for task in tasks]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda task: function(*task), tasks))
