"""One small cluster of processes for all tests of a module, and Dask's own scheduler for the others."""

from collections.abc import Iterator
from typing import Any

import pytest

import dask

dask.config.set({"distributed.comm.timeouts.connect": "3s", "distributed.admin.tick.interval": "1s"})


@pytest.fixture
def here() -> Iterator[None]:
    """Run tasks one after another in this process."""
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Start a scheduler and one worker process; tests scale it."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as made:
        yield made


@pytest.fixture(scope="module")
def client(cluster: Any) -> Iterator[Any]:
    """Return a client of the cluster that nobody else finds by accident."""
    from distributed import Client

    with Client(cluster, set_as_default=False) as made:
        yield made
