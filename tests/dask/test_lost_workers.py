"""A worker whose process is killed at any moment: the fit ends, with the same bytes."""

import functools
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from dask_tables import in_parts, mixed_frame, sha256
from sklearn.base import clone

import boxwood as bw
import boxwood.dask
from boxwood.tree.levels import rounds as levels

FOREST = bw.DensityForest(n_estimators=8, random_state=0)

LONGEST = 180.0  # seconds that a fit with a lost worker may take before it counts as hanging


def processes_of(cluster: Any) -> set[int]:
    """Return the ids of the workers' processes."""
    return {worker.process.pid for worker in cluster.workers.values() if worker.process is not None}


def wait_for_two(cluster: Any, client: Any) -> None:
    """Wait until two workers are there, and those that were lost are forgotten.

    A worker that is killed while it starts does not come again by itself: then others are asked for.
    """
    cluster.scale(2)
    for attempt in range(200):
        answers = set(client.run(os.getpid, on_error="ignore").values())
        if len(answers) == 2 and answers <= processes_of(cluster):
            return
        if attempt % 50 == 49:
            cluster.scale(0)
            cluster.scale(2)
        time.sleep(0.5)
    raise TimeoutError("the cluster has not got its two workers again")


def fit_with_a_loss(
    cluster: Any, client: Any, fit: Callable[[], Any], after: float, generator: random.Random
) -> str:
    """Fit on the cluster, and kill one of its workers a while after the beginning."""
    wait_for_two(cluster, client)
    found: list[Any] = []

    def run() -> None:
        try:
            found.append(sha256(fit()))
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    time.sleep(after)
    os.kill(generator.choice(sorted(processes_of(cluster))), signal.SIGKILL)
    thread.join(LONGEST)
    assert not thread.is_alive(), "the fit hangs"
    if isinstance(found[0], BaseException):
        raise found[0]
    return str(found[0])


def check_losses(
    cluster: Any, client: Any, n_runs: int, model: Any, rounds: str = "trees", y: Any = None
) -> None:
    frame = mixed_frame()
    wanted = sha256(clone(model).fit(frame, *(() if y is None else (y,))))
    parts = (in_parts(frame, 4), *(() if y is None else (in_parts(y, 4),)))
    for run in range(n_runs):
        generator = random.Random(run)
        after = generator.uniform(0.0, 1.5)
        fit = functools.partial(bw.dask.fit, clone(model), *parts, client=client, rounds=rounds)
        found = fit_with_a_loss(cluster, client, fit, after, generator)
        assert found == wanted, f"run {run}, after {after} s"


def test_three_lost_workers_leave_no_trace(cluster: Any, client: Any) -> None:
    check_losses(cluster, client, 3, FOREST)


@pytest.mark.parametrize(
    "decides",
    [pytest.param(False, id="densities", marks=pytest.mark.slow), pytest.param(True, id="decisions")],
)
def test_workers_lost_between_levels_leave_no_trace(
    cluster: Any, client: Any, monkeypatch: pytest.MonkeyPatch, decides: bool
) -> None:
    monkeypatch.setattr(levels, "ROWS_OF_A_SUBTREE", 100)
    if decides:
        y = mixed_frame()["size"].to_numpy() > 0.3
        forest = bw.RandomForestClassifier(n_estimators=8, random_state=0)
        check_losses(cluster, client, 3, forest, "levels", y)
        return
    # Each level is a round of tasks: not those of a pilot, too.
    forest = clone(FOREST).set_params(min_samples_split=20, max_depth=10)
    check_losses(cluster, client, 3, forest, "levels")


@pytest.mark.slow
@pytest.mark.parametrize("rounds", ["trees", "levels"])
def test_fifty_lost_workers_leave_no_trace(
    cluster: Any, client: Any, monkeypatch: pytest.MonkeyPatch, rounds: str
) -> None:
    monkeypatch.setattr(levels, "ROWS_OF_A_SUBTREE", 100)
    check_losses(cluster, client, 50, FOREST, rounds)
