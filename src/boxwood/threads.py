"""How many threads ``n_jobs`` asks for, and linear algebra on so many."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

__all__ = ["ONE_THREAD", "n_threads", "parallel_map"]

T = TypeVar("T")
Result = TypeVar("Result")


def n_threads(n_jobs: int | None) -> int:
    """Return the number of threads that `n_jobs` asks for, by joblib's rule.

    None is one thread, −1 as many as this process may use cores, −2 one less, and so on.

    Examples
    --------
    >>> n_threads(None), n_threads(3), n_threads(-1) >= 1
    (1, 3, True)
    """
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs must be None or an integer other than 0; got 0.")
    return int(n_jobs) if n_jobs > 0 else max(1, _n_cores() + 1 + int(n_jobs))


def _n_cores() -> int:
    # A container or a batch system may allow fewer cores than the machine has.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def parallel_map(task: Callable[[T], Result], items: Iterable[T], n_threads: int) -> list[Result]:
    """Do tasks of linear algebra on several threads, each of them on one.

    The libraries underneath would otherwise start threads of their own for every product, which round
    sums in another order on another machine and, where cores are busy, wait for each other: small regressions
    took 25 times as long.

    Examples
    --------
    >>> parallel_map(abs, [-1, 2, -3], 2)
    [1, 2, 3]
    """
    with ONE_THREAD:
        if n_threads == 1:
            return [task(item) for item in items]
        with ThreadPoolExecutor(n_threads) as pool:
            # Each in a copy of the caller's context: what gives arrays their memory is part of it.
            futures = [pool.submit(copy_context().run, task, item) for item in items]
            return [future.result() for future in futures]


class _OneThread:
    """Keeps linear algebra, and OpenMP, on one thread while anybody is inside: it is the process's setting.

    Gradient boosting of scikit-learn's waits for its threads where cores are busy: 46 s a fold, not 0.1.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_inside = 0
        self._limits: Any = None

    def __enter__(self) -> None:
        from threadpoolctl import threadpool_limits

        with self._lock:
            self._n_inside += 1
            if self._n_inside == 1:
                self._limits = threadpool_limits(1).__enter__()

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._n_inside -= 1
            if self._n_inside == 0:
                self._limits.__exit__(*error)


ONE_THREAD = _OneThread()
