"""How many threads ``n_jobs`` asks for."""

from __future__ import annotations

import os

__all__ = ["n_threads"]


def n_threads(n_jobs: int | None) -> int:
    """Give the number of threads that `n_jobs` asks for, by joblib's rule.

    None is one thread, −1 as many as this process may use cores, −2 one less, and so on.

    Examples
    --------
    >>> n_threads(None), n_threads(3), n_threads(-1) >= 1
    (1, 3, True)
    """
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs must be None or a whole number other than 0; got 0.")
    return int(n_jobs) if n_jobs > 0 else max(1, _n_cores() + 1 + int(n_jobs))


def _n_cores() -> int:
    # A container or a batch system may allow fewer cores than the machine has.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
