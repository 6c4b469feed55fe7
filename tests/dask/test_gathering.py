"""Rows that are brought to the driver: all of them, in their order, within a limit of memory."""

import warnings
from typing import Any

import numpy as np
import pytest
from dask_tables import in_parts, mixed_frame, sha256
from sklearn.base import clone

import boxwood as bw
import boxwood.dask
from boxwood.columns import read_columns
from boxwood.columns.part_schema import read_by
from boxwood.dask.cluster import Cluster
from boxwood.dask.gathering import gather
from boxwood.dask.part import Part
from boxwood.mapped_memory import MappedMemory


def parts_of(table: Any, n_parts: int, weighted: tuple[int, ...] = ()) -> list[Part]:
    """Cut a table into parts of its schema, some of which have weights."""
    rows = np.array_split(np.arange(table.n_rows), n_parts)
    parts = []
    for k, own in enumerate(rows):
        columns = read_by(table.take(own), table.schema)
        if k in weighted:
            columns = columns.with_weights(own + 2.0)
        parts.append(Part(f"partition {k}", columns, own))
    return parts


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("n_parts", [1, 4, 900])  # of 720 rows: some parts are empty
@pytest.mark.parametrize("weighted", [(), (0,), (2, 3)])
def test_gathered_rows_are_those_of_the_parts(n_parts: int, weighted: tuple[int, ...]) -> None:
    table = read_columns(mixed_frame())
    parts = parts_of(table, n_parts, weighted)
    cluster = Cluster()
    with MappedMemory() as memory:
        found, targets = gather(
            cluster, [cluster.call(lambda part=part: part) for part in parts], [p.name for p in parts], memory
        )
    assert found.without_weights() == table
    assert targets is not None
    assert targets.tolist() == list(range(table.n_rows))
    weights = np.concatenate([part.columns.row_weights for part in parts])
    np.testing.assert_array_equal(found.row_weights, weights)


@pytest.mark.usefixtures("here")
def test_large_blocks_are_mapped_where_a_fit_would_pass_the_limit() -> None:
    table = read_columns(mixed_frame())
    cluster = Cluster()
    for limit, mapped in ((10_000, True), (10**9, False)):
        with MappedMemory(limit) as memory:
            gather(cluster, [cluster.call(lambda: parts_of(table, 1)[0])], ["partition 0"], memory)
            assert memory.is_mapping == mapped


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("rounds", ["trees", "levels"])
def test_a_limit_of_memory_leaves_no_trace(rounds: str) -> None:
    frame = mixed_frame()
    forest = bw.DensityForest(n_estimators=3, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = sha256(clone(forest).fit(frame))
        found = bw.dask.fit(clone(forest), in_parts(frame, 3), rounds=rounds, memory_limit="100kB")
    assert sha256(found) == wanted


@pytest.mark.usefixtures("here")
def test_a_limit_that_is_none_is_refused_before_anything_is_read() -> None:
    with pytest.raises(ValueError, match="memory_limit"):
        bw.dask.fit(bw.GaussianNB(), in_parts(mixed_frame(), 2), memory_limit="lots")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("change", [-1, 1])
def test_a_partition_that_changes_while_it_is_read_is_an_error(
    monkeypatch: pytest.MonkeyPatch, change: int
) -> None:
    parts = parts_of(read_columns(mixed_frame()), 2)
    monkeypatch.setattr("boxwood.dask.gathering._n_rows", lambda part: part.columns.n_rows + change)
    cluster = Cluster()
    calls = [cluster.call(lambda part=part: part) for part in parts]
    with MappedMemory() as memory, pytest.raises(ValueError, match=r"partition 0 had .* changed"):
        gather(cluster, calls, [part.name for part in parts], memory)
