"""How many threads ``n_jobs`` asks for."""

import os
import subprocess
import sys
from pathlib import Path

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


WITHOUT_THREADS = """
import resource
from pathlib import Path

import numpy as np

import boxwood as bw

rows = np.random.default_rng(0).normal(size=(2000, 3))
forest = bw.DensityForest(8, random_state=0, n_jobs=64).fit(rows)
scores = forest.score_samples(rows)
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
limit = 1024 * int(status["VmData"].split()[0]) + {room}
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))  # a thread's stack is 8 MB
np.testing.assert_array_equal(forest.score_samples(rows), scores)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's limits of memory")
@pytest.mark.parametrize("room", [2**20, 12 * 2**20])
def test_fewer_threads_than_asked_for_are_enough(room):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_THREADS.format(room=room)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
