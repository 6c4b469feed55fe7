"""Forests among processes and threads: Ctrl-C, fork, joblib, warnings."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import joblib
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

import boxwood as bw

X = np.random.default_rng(0).normal(size=(400, 2))

INTERRUPTED = """
    import sys, time
    import numpy as np, boxwood as bw
    rng = np.random.default_rng(0)
    model = bw.{model}.fit(rng.normal(size=(200, 6)))
    X = rng.normal(size=(30_000, 6))
    model.set_params(**{longer})
    old = dict(vars(model))
    try:
        print("ready", flush=True)
        while True:
            model.fit(X)
            old = dict(vars(model))
    except KeyboardInterrupt:
        assert all(vars(model)[name] is value for name, value in old.items())
        print("stopped", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("model", "longer"),
    [
        ("DensityForest(2, n_jobs=2, random_state=0)", {"n_estimators": 100_000, "min_samples_split": 20}),
        ("DensityTree()", {"splitter": "exact", "min_samples_split": 2}),
    ],
)
def test_ctrl_c_stops_a_fit_and_leaves_the_old_model(model, longer):
    program = textwrap.dedent(INTERRUPTED.format(model=model, longer=longer))
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)  # a fit of all these trees takes minutes
    assert out == "stopped\n", err
    assert process.returncode == 0


def _fit_and_score(queue):
    forest = bw.DensityForest(4, n_jobs=2, random_state=0).fit(X)
    queue.put(forest.score(X))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_fork_after_threads_works():
    expected = bw.DensityForest(4, n_jobs=2, random_state=0).fit(X).score(X)
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=_fit_and_score, args=(queue,))
    child.start()
    child.join(30)
    assert child.exitcode == 0
    assert queue.get() == expected


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted in /proc")
@pytest.mark.parametrize("n_jobs", [None, 1, 3])
def test_no_more_threads_than_asked_for(n_jobs):
    before, most, done = len(os.listdir("/proc/self/task")), 0, threading.Event()

    def watch():
        nonlocal most
        while not done.is_set():
            most = max(most, len(os.listdir("/proc/self/task")))

    watcher = threading.Thread(target=watch)
    watcher.start()
    forest = bw.DensityForest(60, n_jobs=n_jobs, min_samples_split=5, random_state=0).fit(X)
    forest.score(np.tile(X, (10, 1)))
    done.set()
    watcher.join()
    # The watcher is one, the workers are as many as asked for, and one that is done may still be leaving.
    assert most <= before + 2 + (n_jobs or 1)


@pytest.mark.parametrize("backend", ["threading", pytest.param("loky", marks=pytest.mark.slow)])
def test_a_parallel_search_over_parameters(backend):
    grid = {"max_leaf_nodes": [2, 8], "margins": ["linear", "smooth"]}
    searches = []
    with joblib.parallel_config(backend=backend):
        for n in (1, 2):
            model = bw.DensityTree(n_jobs=2)
            search = GridSearchCV(model, grid, cv=3, n_jobs=n, scoring=bw.log_likelihood_scorer())
            searches.append(search.fit(X))
    scores = [search.cv_results_["mean_test_score"] for search in searches]
    assert np.isfinite(scores[0]).all()
    np.testing.assert_array_equal(scores[0], scores[1])


def test_threads_may_fit_at_once():
    expected = bw.DensityForest(3, random_state=0).fit(X).score(X)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(bw.DensityForest(3, random_state=0).fit(X).score(X)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
