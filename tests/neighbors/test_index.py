"""The index: rows added and removed, tables of every kind, approximate answers with a measured recall."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_neighbors import reference_neighbors

import boxwood as bw
from properties import examples


def table(n, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@given(
    st.lists(st.one_of(st.integers(1, 40), st.tuples(st.just("remove"), st.integers(0, 10**6))), max_size=12)
)
@examples(50)
def test_any_history_gives_what_a_new_index_gives(history):
    rows = table(5)
    index = bw.NeighborIndex(rows)
    there = list(range(5))
    queries = table(7, seed=1)
    for seed, step in enumerate(history):
        if isinstance(step, int):
            more = table(step, seed=seed + 10)
            there += index.add(more).tolist()
            rows = np.concatenate([rows, more])
        elif len(there) > 1:
            index.remove(there.pop(step[1] % len(there)))
        k = min(4, len(there))
        distances, found = index.query(queries, k)
        expected, order = reference_neighbors(queries, rows[there], k)
        np.testing.assert_array_equal(distances, expected)
        np.testing.assert_array_equal(found, np.array(there)[order])
        assert len(index) == len(there)


@pytest.mark.parametrize("metric", ["manhattan", "cosine", "mahalanobis", "minkowski"])
@pytest.mark.parametrize("missing", ["error", "partial"])
def test_other_searches_add_and_remove_too(metric, missing):
    if missing == "partial" and metric in ("cosine", "mahalanobis"):
        pytest.skip("no partial distance")
    rows = table(60)
    index = bw.NeighborIndex(rows[:40], metric=metric, p=3.0, missing=missing)
    index.add(rows[40:])
    index.remove([3, 50])
    left = np.delete(np.arange(60), [3, 50])
    parameters = None
    if metric == "mahalanobis":
        parameters = {"V": np.cov(rows[:40], rowvar=False)}
    again = bw.NeighborIndex(rows[left], metric=metric, p=3.0, missing=missing, metric_params=parameters)
    distances, found = index.query(rows, 5)
    expected, order = again.query(rows, 5)
    np.testing.assert_allclose(distances, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(found, left[order])


def test_the_search_is_chosen_by_metric_size_and_dimension():
    assert bw.NeighborIndex(table(5000, 3)).algorithm == "kd_tree"
    assert bw.NeighborIndex(table(5000, 64)).algorithm == "products"
    assert bw.NeighborIndex(table(5000, 30)).algorithm == "products"
    plane = table(5000, 2) @ table(2, 30)
    assert bw.NeighborIndex(plane).algorithm == "kd_tree"  # thirty columns, but two dimensions
    assert bw.NeighborIndex(table(500, 64), metric="manhattan").algorithm == "kd_tree"
    assert bw.NeighborIndex(table(500, 64), missing="partial").algorithm == "partial"
    assert bw.NeighborIndex(table(50), metric="canberra").algorithm == "pairwise"
    assert bw.NeighborIndex(table(50), algorithm="brute").algorithm == "products"
    assert bw.NeighborIndex({"a": ["x", "y"], "b": [1.0, 2.0]}).algorithm == "partial"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [3, 40])
def test_a_table_far_from_the_origin_loses_nothing(dtype, d):
    rows, queries = (np.round(table(2000, d, seed) * 64) / 64 for seed in (0, 1))
    near, far = bw.NeighborIndex(rows.astype(dtype)), bw.NeighborIndex(rows + 1e6)
    for one, other in zip(near.query(queries.astype(dtype)), far.query(queries + 1e6), strict=True):
        np.testing.assert_array_equal(one, other)  # every number is exact in binary, so all must be equal


def test_frames_and_what_is_refused():
    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": ["x", "y", "x"]})
    index = bw.NeighborIndex(frame)
    assert index.query(frame, 1)[1].ravel().tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="column 'a', row 0: the value is missing"):
        index.query(pd.DataFrame({"a": [np.nan], "b": ["x"]}), 1)
    with pytest.raises(ValueError, match="n_neighbors is 4, but the index has 3 rows"):
        index.query(frame, 4)
    with pytest.raises(ValueError, match="positive integer"):
        index.query(frame, 0)
    with pytest.raises(ValueError, match="row 7 is not in the index"):
        index.remove([0, 7])
    assert len(index) == 3  # a removal that fails removes nothing
    with pytest.raises(ValueError, match="feature names"):
        index.add(pd.DataFrame({"a": [0.0], "c": ["x"]}))
    with pytest.raises(ValueError, match="algorithm must be one of"):
        bw.NeighborIndex(frame, algorithm="quick")
    with pytest.raises(ValueError, match="missing must be"):
        bw.NeighborIndex(frame, missing="drop")
    with pytest.raises(ValueError, match="p must be a positive number"):
        bw.NeighborIndex([[1.0]], metric="minkowski", p=-1)


def test_an_index_can_be_pickled():
    index = bw.NeighborIndex(table(300))
    index.add(table(20, seed=1))
    index.remove([4, 7])
    again = pickle.loads(pickle.dumps(index))
    for one, other in zip(index.query(table(9, seed=2)), again.query(table(9, seed=2)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_exact_searches_recall_everything():
    assert bw.NeighborIndex(table(100)).recall(table(10, seed=1)) == 1.0


class TestApproximate:
    @pytest.fixture(autouse=True)
    def _installed(self):
        pytest.importorskip("usearch", reason="the extra 'ann' is not installed")

    def test_most_neighbours_are_found(self):
        rows, queries = table(3000, 20), table(200, 20, seed=1)
        index = bw.NeighborIndex(rows + 1e6, algorithm="ann")
        recall = index.recall(queries + 1e6, 10)
        assert recall > 0.9
        distances, found = index.query(queries + 1e6, 10)
        exact, _ = reference_neighbors(queries + 1e6, rows + 1e6, 10)
        assert np.mean(distances <= exact[:, -1:]) == pytest.approx(recall)
        expected = np.sqrt((((rows + 1e6)[found] - (queries + 1e6)[:, None]) ** 2).sum(axis=2))
        np.testing.assert_allclose(distances, expected, rtol=1e-12)

    def test_rows_come_and_go(self):
        index = bw.NeighborIndex(table(500, 8), algorithm="ann")
        added = index.add(np.zeros((1, 8)))
        assert index.query(np.zeros((1, 8)), 1)[1].tolist() == [added.tolist()]
        index.remove(added)
        assert index.query(np.zeros((1, 8)), 1)[1][0, 0] != added[0]

    def test_a_classifier_asks_it(self):
        X = table(600, 8)
        y = (X[:, 0] > 0).astype(int)
        exact = bw.KNeighborsClassifier(5).fit(X, y).predict(X)
        near = bw.KNeighborsClassifier(5, algorithm="ann").fit(X, y).predict(X)
        assert np.mean(exact == near) > 0.97

    def test_euclid_and_numbers_only(self):
        with pytest.raises(ValueError, match="algorithm='ann' takes Euclidean distances"):
            bw.NeighborIndex(table(10), algorithm="ann", metric="manhattan")
