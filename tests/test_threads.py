"""How many threads ``n_jobs`` asks for."""

import os

import pytest

from boxwood.threads import n_threads


def test_n_jobs_by_joblib_s_rule():
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert n_threads(None) == 1
    assert n_threads(5) == 5
    assert n_threads(-1) == cores
    assert n_threads(-2) == max(1, cores - 1)
    assert n_threads(-10_000) == 1


def test_zero_is_refused():
    with pytest.raises(ValueError, match="n_jobs"):
        n_threads(0)
