"""Decision forests that grow level by level on a cluster: the same model file, or a word of warning."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from dask_tables import PARTITIONINGS, in_parts, mixed_frame, numbers, sha256
from sklearn.base import clone
from test_level_rounds import by_levels, fitted

import boxwood as bw
import boxwood.dask
from boxwood.tree.levels import rounds

FORESTS = [
    bw.RandomForestClassifier(n_estimators=5, random_state=0),
    bw.RandomForestClassifier(n_estimators=3, max_features=None, min_samples_leaf=4, random_state=1),
    bw.RandomForestClassifier(n_estimators=3, bootstrap=False, max_depth=4, random_state=2),
]


@pytest.fixture(autouse=True)
def small_subtrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hand nodes over late, so that small tables have levels."""
    monkeypatch.setattr(rounds, "ROWS_OF_A_SUBTREE", 40)


def classes_of(frame: pd.DataFrame, n_classes: int) -> np.ndarray[Any, Any]:
    """Return classes that depend on a number, a category and chance."""
    score = frame["wait"] + 0.7 * (frame["colour"] == "red") + np.random.default_rng(3).random(len(frame))
    return np.asarray(pd.qcut(score, n_classes, labels=[f"class {k}" for k in range(n_classes)]))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("model", FORESTS, ids=lambda model: repr(model)[:60])
def test_levels_trees_and_one_place_are_the_same_to_the_byte(model: Any, n_classes: int) -> None:
    frame = mixed_frame()
    frame["always"] = 1.0  # a column that nothing can be parted by does not count as tried
    y = classes_of(frame, n_classes)
    hashes = {sha256(by_levels(model, in_parts(frame, k), in_parts(y, k))) for k in PARTITIONINGS}
    hashes.add(sha256(bw.dask.fit(clone(model), in_parts(frame, 3), in_parts(y, 3), rounds="trees")))
    assert hashes == {sha256(fitted(model, frame, y))}


@pytest.mark.usefixtures("here")
def test_entropies_of_two_classes_and_monotone_columns_are_summed_exactly() -> None:
    X = numbers()
    y = np.where(X[:, 0] + X[:, 1] ** 2 > 1.0, "yes", "no")
    for model in (
        bw.RandomForestClassifier(3, criterion="entropy", random_state=0),
        bw.RandomForestClassifier(3, monotonic_cst=[1, 0, -1], random_state=0),
    ):
        assert sha256(by_levels(model, in_parts(X, 3), in_parts(y, 3))) == sha256(fitted(model, X, y))


@pytest.mark.usefixtures("here")
def test_missing_numbers_go_to_the_side_of_one_place() -> None:
    X = numbers()
    y = (X[:, 0] > 0.0).astype(int)
    X[np.random.default_rng(1).random(X.shape) < 0.2] = np.nan
    model = bw.RandomForestClassifier(4, random_state=0)
    assert sha256(by_levels(model, in_parts(X, 4), in_parts(y, 4))) == sha256(fitted(model, X, y))


@pytest.mark.usefixtures("here")
def test_whole_weights_are_frequencies() -> None:
    X, weights = numbers(300), np.random.default_rng(0).integers(0, 4, 300).astype(float)
    y = (X[:, 0] > 0.0).astype(int)
    model = bw.RandomForestClassifier(3, random_state=0)
    found = by_levels(model, in_parts(X, 3), in_parts(y, 3), sample_weight=in_parts(weights, 3))
    assert sha256(found) == sha256(fitted(model, X, y, weights))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (bw.RandomForestClassifier(2, max_leaf_nodes=20, random_state=0), "the best node"),
        (bw.RandomForestClassifier(2, criterion="entropy", random_state=0), "more than two classes"),
        (bw.RandomForestClassifier(2, class_weight="balanced_subsample", random_state=0), "balanced"),
        (bw.RandomForestClassifier(2, oblique=2, random_state=0), "oblique"),
        (bw.RandomForestRegressor(2, random_state=0), "variances are sums of floats"),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_what_needs_all_rows_at_once_is_grown_tree_by_tree(model: Any, reason: str) -> None:
    X = numbers(300)
    y = np.digitize(X[:, 0], [-1.0, 1.0])
    with pytest.warns(UserWarning, match=f"rounds='levels': .*{reason}"):
        found = bw.dask.fit(clone(model), in_parts(X, 3), in_parts(y, 3), rounds="levels")
    assert sha256(found) == sha256(fitted(model, X, y))


@pytest.mark.usefixtures("here")
def test_weights_that_are_not_whole_are_grown_tree_by_tree() -> None:
    X = numbers(300)
    y, weights = (X[:, 0] > 0.0).astype(int), np.full(300, 0.3)
    model = bw.RandomForestClassifier(2, random_state=0)
    with pytest.warns(UserWarning, match="no whole numbers"):
        found = bw.dask.fit(
            clone(model), in_parts(X, 2), in_parts(y, 2), sample_weight=in_parts(weights, 2), rounds="levels"
        )
    assert sha256(found) == sha256(fitted(model, X, y, weights))


def test_workers_and_partitions_leave_no_trace(
    cluster: Any, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "ROWS_OF_A_SUBTREE", 150)
    frame = mixed_frame()
    y = classes_of(frame, 3)
    model = bw.RandomForestClassifier(n_estimators=4, random_state=0)
    hashes = {sha256(fitted(model, frame, y))}
    for n_workers, partitionings in ((1, PARTITIONINGS[:1]), (2, PARTITIONINGS[1:]), (3, PARTITIONINGS[-1:])):
        cluster.scale(n_workers)
        client.wait_for_workers(n_workers, timeout=120)
        for k in partitionings:
            hashes.add(sha256(by_levels(model, in_parts(frame, k), in_parts(y, k), client=client)))
    assert len(hashes) == 1
