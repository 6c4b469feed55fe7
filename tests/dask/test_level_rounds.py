"""Forests that grow level by level on a cluster: the same model file, and a word where they cannot."""

import warnings
from typing import Any

import numpy as np
import pytest
from dask_tables import PARTITIONINGS, discrete_frame, in_parts, mixed_frame, numbers, sha256
from sklearn.base import clone

import boxwood as bw
import boxwood.dask
from boxwood.dask.trees import DaskRunner
from boxwood.tree.levels import rounds as levels

FORESTS = [
    bw.DensityForest(n_estimators=5, random_state=0),
    bw.DensityForest(n_estimators=3, bootstrap=True, min_samples_split=20, random_state=1),
    bw.DensityForest(n_estimators=2, leaf="uniform", missing="ignore", random_state=2),
]


@pytest.fixture(autouse=True)
def small_subtrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hand nodes over late, so that small tables have levels."""
    monkeypatch.setattr(levels, "ROWS_OF_A_SUBTREE", 60)


def by_levels(model: Any, *args: Any, **kwargs: Any) -> Any:
    """Fit by levels; that trees were grown otherwise is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings("error", message="rounds=")
        return bw.dask.fit(clone(model), *args, rounds="levels", **kwargs)


def fitted(model: Any, *args: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(model).fit(*args)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("model", FORESTS, ids=lambda model: repr(model)[14:60])
def test_levels_trees_and_one_place_are_the_same_to_the_byte(model: Any) -> None:
    for frame in (mixed_frame(), discrete_frame()):
        hashes = {sha256(by_levels(model, in_parts(frame, k))) for k in PARTITIONINGS}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            hashes.add(sha256(bw.dask.fit(clone(model), in_parts(frame, 3), rounds="trees")))
        assert hashes == {sha256(fitted(model, frame))}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("kind", ["frequency", "survey"])
def test_weights_are_those_of_the_rows(kind: str) -> None:
    X, weights = numbers(300), np.random.default_rng(0).integers(0, 4, 300).astype(float)
    if kind == "survey":
        weights += 0.37
    model = bw.DensityForest(n_estimators=3, weight_kind=kind, random_state=0)
    found = {sha256(by_levels(model, in_parts(X, k), sample_weight=in_parts(weights, k))) for k in (1, 4)}
    assert found == {sha256(fitted(model, X, None, weights))}


def test_workers_and_partitions_leave_no_trace(
    cluster: Any, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "ROWS_OF_A_SUBTREE", 200)
    frame = mixed_frame()  # and six levels, each of which is a round of tasks
    model = bw.DensityForest(n_estimators=3, min_samples_split=20, max_depth=6, random_state=0)
    hashes = {sha256(fitted(model, frame))}
    for n_workers, partitionings in ((1, PARTITIONINGS[:1]), (2, PARTITIONINGS[1:]), (3, PARTITIONINGS[-1:])):
        cluster.scale(n_workers)
        client.wait_for_workers(n_workers, timeout=120)
        for k in partitionings:
            hashes.add(sha256(by_levels(model, in_parts(frame, k), client=client)))
    assert len(hashes) == 1


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (bw.DensityForest(n_estimators=2, leaf="gaussian", random_state=0), "Gaussian leaves"),
        (bw.DensityForest(n_estimators=2, max_leaf_nodes=20, random_state=0), "the best node"),
        (bw.DensityForest(n_estimators=2, criterion="log_likelihood", random_state=0), "other criteria"),
        (bw.DensityForest(n_estimators=2, min_samples_leaf=4, random_state=0), "candidate halves"),
        (bw.DensityForest(n_estimators=2, splitter="exact", random_state=0), "no forest"),
        (bw.DensityTree(random_state=0), "no forest"),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_what_needs_all_rows_at_once_is_grown_tree_by_tree(model: Any, reason: str) -> None:
    X = numbers(400)
    with pytest.warns(UserWarning, match=f"rounds='levels': .*{reason}"):
        found = bw.dask.fit(clone(model), in_parts(X, 3), rounds="levels")
    assert sha256(found) == sha256(fitted(model, X))


def test_rounds_are_levels_or_trees() -> None:
    with pytest.raises(ValueError, match="rounds must be"):
        bw.dask.fit(bw.DensityForest(), in_parts(numbers(20), 2), rounds="rows")


def test_levels_are_for_tables_that_a_worker_has_no_room_for() -> None:
    class SmallCluster:
        worker_memory: int | None = 1000

    cluster: Any = SmallCluster()
    assert DaskRunner(cluster, "auto").by_levels(100) is None
    assert DaskRunner(cluster, "auto").by_levels(400) is cluster
    assert DaskRunner(cluster, "levels").by_levels(1) is cluster
    assert DaskRunner(cluster, "trees").by_levels(10**9) is None
    cluster.worker_memory = None
    assert DaskRunner(cluster, "auto").by_levels(10**9) is None


def test_the_cluster_says_what_its_workers_have(client: Any) -> None:
    memory = boxwood.dask.cluster.Cluster(client).worker_memory
    assert memory is None or memory > 2**20
