"""Threads over columns: the native core releases the GIL, and no column depends on another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from boxwood.threads import n_threads

__all__ = ["each_column", "map_columns"]

T = TypeVar("T")


def map_columns(function: Callable[..., T], n_jobs: int | None, *columns: Iterable[Any]) -> list[T]:
    """Call a function for each column, in threads; the results are the same for any number of them."""
    return list(each_column(function, n_jobs, *columns))


def each_column(function: Callable[..., T], n_jobs: int | None, *columns: Iterable[Any]) -> Iterator[T]:
    """Do the same one result after another: with one thread, a result is made when it is asked for."""
    tasks = list(zip(*columns, strict=True))
    threads = min(n_threads(n_jobs), len(tasks))
    if threads <= 1:
        yield from (function(*task) for task in tasks)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(lambda task: function(*task), tasks)
