"""What cannot be fitted is told in the driver, with the partition."""

import os
import signal
import threading
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask_tables import in_parts, mixed_frame, numbers, sha256

import boxwood as bw
import boxwood.dask
import dask
from boxwood.dask import cluster as cluster_module
from boxwood.dask.cluster import Cluster
from boxwood.dask.versions import check_versions

MODEL = bw.DensityForest(n_estimators=2, random_state=0)


def delayed(*tables: Any) -> list[Any]:
    return [dask.delayed(table) for table in tables]


@pytest.mark.usefixtures("here")
def test_other_columns_are_named_with_the_partition() -> None:
    first = pd.DataFrame({"a": [1.5, 2.5], "b": [1, 2]})
    with pytest.raises(ValueError, match=r"partition 1 has the columns 'a', 'c', partition 0 has 'a', 'b'"):
        bw.dask.fit(MODEL, delayed(first, first.rename(columns={"b": "c"})))


@pytest.mark.usefixtures("here")
def test_other_types_are_named_with_the_partition() -> None:
    first, second = pd.DataFrame({"a": [1.5, 2.5]}), pd.DataFrame({"a": ["x", "y"]})
    with pytest.raises(TypeError, match=r"column 'a': partition 2 holds categorical values, partition 0"):
        bw.dask.fit(MODEL, delayed(first, first, second))


@pytest.mark.usefixtures("here")
def test_a_value_that_cannot_be_read_is_named_with_partition_column_and_row() -> None:
    good, bad = pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame({"a": [1.0, np.inf]})
    with pytest.raises(ValueError, match=r"partition 1: column 'a', row 1"):
        bw.dask.fit(MODEL, delayed(good, bad))


@pytest.mark.usefixtures("here")
def test_a_reader_that_fails_is_named_with_the_partition() -> None:
    @dask.delayed
    def read(k: int) -> Any:
        if k == 2:
            raise OSError("the disk is gone")
        return numbers(50)

    with pytest.raises(RuntimeError, match=r"partition 2: .*the disk is gone") as raised:
        bw.dask.fit(MODEL, [read(k) for k in range(4)])
    assert isinstance(raised.value.__cause__, OSError)


def test_workers_tell_what_fails_too(client: Any) -> None:
    @dask.delayed
    def read(k: int) -> Any:
        if k == 1:
            raise OSError("the disk is gone")
        return np.random.default_rng(k).normal(size=(50, 2))

    with pytest.raises(RuntimeError, match=r"partition 1: .*the disk is gone"):
        bw.dask.fit(MODEL, [read(k) for k in range(3)], client=client)
    columns = [pd.DataFrame({"a": [1.5, 2.5]}), pd.DataFrame({"b": [1.5, 2.5]})]
    with pytest.raises(ValueError, match="partition 1 has the columns 'b'"):
        bw.dask.fit(MODEL, delayed(*columns), client=client)
    good, bad = pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame({"a": [1.0, np.inf]})
    with pytest.raises(ValueError, match=r"partition 1: column 'a', row 1"):
        bw.dask.fit(MODEL, delayed(good, bad), client=client)


@pytest.mark.usefixtures("here")
def test_empty_partitions_are_no_partitions() -> None:
    frame = mixed_frame(200)
    wanted = sha256(bw.DensityForest(n_estimators=2, random_state=0).fit(frame))
    empty = frame[:0]
    parts = delayed(empty, frame[:100], empty, frame[100:], empty)
    assert sha256(bw.dask.fit(bw.DensityForest(n_estimators=2, random_state=0), parts)) == wanted
    # An empty frame of a reader that knows no types.
    untyped = delayed(pd.DataFrame({name: [] for name in frame.columns}), frame[:100], frame[100:])
    assert sha256(bw.dask.fit(bw.DensityForest(n_estimators=2, random_state=0), untyped)) == wanted


@pytest.mark.usefixtures("here")
def test_a_table_without_rows_is_refused() -> None:
    empty = mixed_frame(10)[:0]
    with pytest.raises(ValueError, match="every partition is empty"):
        bw.dask.fit(MODEL, delayed(empty, empty))
    with pytest.raises(ValueError, match="no partitions"):
        bw.dask.fit(MODEL, [])
    with pytest.raises(ValueError, match="every partition is empty"):
        bw.dask.fit(bw.GaussianNB(), delayed(numbers(3)[:0]), delayed(np.zeros(0)))


@pytest.mark.usefixtures("here")
def test_targets_and_weights_must_have_the_partitions_of_the_table() -> None:
    X, y = numbers(60), np.arange(60) % 2
    with pytest.raises(ValueError, match="y has 2 partitions, X has 3"):
        bw.dask.fit(bw.GaussianNB(), in_parts(X, 3), in_parts(y, 2))
    with pytest.raises(ValueError, match=r"partition 0: y has 60 values for 30 rows"):
        bw.dask.fit(bw.GaussianNB(), delayed(X[:30], X[30:]), delayed(y, y))
    weights = delayed(np.ones(30), np.r_[-1.0, np.ones(29)])
    with pytest.raises(ValueError, match=r"partition 1: sample_weight, row 0: -1"):
        bw.dask.fit(MODEL, delayed(X[:30], X[30:]), sample_weight=weights)
    frame = dd.from_pandas(pd.DataFrame({"a": [1.0, 2.0]}), npartitions=1)
    with pytest.raises(ValueError, match="has no column 'z'"):
        bw.dask.fit(bw.GaussianNB(), frame, "z")


def test_tables_in_memory_need_no_cluster() -> None:
    with pytest.raises(TypeError, match="needs no cluster"):
        bw.dask.fit(MODEL, numbers(10))
    with pytest.raises(TypeError, match=r"X\[0\] is a ndarray, not delayed"):
        bw.dask.fit(MODEL, [numbers(10)])


class FakeClient:
    """Workers that answer what they are told to."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = answers

    def run(self, function: Any, package: str, *, on_error: str) -> dict[str, Any]:
        assert function is version
        assert package == "boxwood"
        assert on_error == "return"
        return self.answers

    def nthreads(self) -> dict[str, int]:
        return {}


def test_workers_without_the_package_or_with_another_version_are_named() -> None:
    mine = version("boxwood")
    check_versions(FakeClient({"tcp://a:1": mine, "tcp://b:2": mine}))
    with pytest.raises(RuntimeError, match=rf"tcp://b:2 has boxwood 0\.0\.9, this process {mine}"):
        check_versions(FakeClient({"tcp://a:1": mine, "tcp://b:2": "0.0.9"}))
    with pytest.raises(RuntimeError, match=r"tcp://a:1 does not have boxwood"):
        check_versions(FakeClient({"tcp://a:1": PackageNotFoundError("boxwood"), "tcp://b:2": mine}))
    check_versions(FakeClient({"tcp://a:1": ConnectionResetError("lost"), "tcp://b:2": mine}))
    with pytest.raises(RuntimeError, match="does not have boxwood"):
        Cluster(FakeClient({"tcp://a:1": PackageNotFoundError("boxwood")}))


def test_a_cluster_without_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "SECONDS_WITHOUT_WORKERS", 0.5)
    lonely = Cluster(FakeClient({}))
    since = lonely._check_workers(None)
    assert since is not None
    with pytest.raises(RuntimeError, match="no worker"):
        lonely._check_workers(since - 1.0)


class GatheringForEver(FakeClient):
    """A client without workers: what it shall bring will never be made."""

    def __init__(self) -> None:
        super().__init__({})
        self.over = threading.Event()

    def gather(self, futures: Any) -> list[Any]:
        self.over.wait(60.0)
        return list(futures)


def test_results_that_never_come_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "SECONDS_WITHOUT_WORKERS", 0.1)
    monkeypatch.setattr(cluster_module, "_LOOK_EVERY", 0.1)
    client = GatheringForEver()
    try:
        with pytest.raises(RuntimeError, match="no worker"):
            Cluster(client)._gathered(["result"], ["partition 0"])
    finally:
        client.over.set()


def test_a_partition_that_kills_its_workers_is_named(client: Any) -> None:
    @dask.delayed
    def read(k: int) -> Any:
        if k == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return np.random.default_rng(k).normal(size=(50, 2))

    def allow_one(dask_scheduler: Any) -> None:
        dask_scheduler.allowed_failures = 1  # a worker takes seconds to come again

    client.run_on_scheduler(allow_one)
    with pytest.raises(RuntimeError, match=r"partition 1\b.*: 2 workers died") as raised:
        bw.dask.fit(MODEL, [read(k) for k in range(3)], client=client)
    assert type(raised.value.__cause__).__name__ == "KilledWorker"
