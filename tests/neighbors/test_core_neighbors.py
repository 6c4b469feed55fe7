"""The core's searches against all distances: same rows, same distances to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference_neighbors import reference_neighbors

from boxwood import _core
from properties import examples

NORMS = ("euclidean", "manhattan", "chebyshev", "minkowski")


def table(n, d, seed=0, ties=False):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 4, (n, d)).astype(float) if ties else rng.normal(size=(n, d))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("n", "d", "k"), [(1, 1, 1), (7, 3, 7), (500, 2, 5), (1000, 9, 60), (300, 40, 3)])
@pytest.mark.parametrize("ties", [False, True])
def test_the_tree_finds_what_is_nearest(norm, n, d, k, ties):
    rows, queries = table(n, d, ties=ties), table(70, d, seed=1, ties=ties)
    distances, found = _core.KdTree(rows, norm, 3.0).query(queries, k)
    expected, order = reference_neighbors(queries, rows, k, norm=norm, p=3.0)
    if norm == "minkowski":  # powers round otherwise
        np.testing.assert_allclose(distances, expected, rtol=1e-12)
        assert ties or np.array_equal(found, order)
    else:
        np.testing.assert_array_equal(distances, expected)
        np.testing.assert_array_equal(found, order)


@pytest.mark.parametrize(("n", "d", "k"), [(1, 1, 1), (40, 3, 40), (600, 9, 60), (600, 64, 10)])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(
    ("shift", "scale"), [(0.0, 1.0), (1e6, 1.0), (-1e12, 1.0), (0.0, 1e-30), (1e6, 1e100)]
)
def test_products_find_what_is_nearest_wherever_the_table_lies(n, d, k, ties, shift, scale):
    rows = (table(n, d, ties=ties) + shift) * scale
    queries = (table(100, d, seed=1, ties=ties) + shift) * scale
    distances, found = _core.ProductSearch(rows).query(queries, k)
    expected, order = reference_neighbors(queries, rows, k)
    np.testing.assert_array_equal(distances, expected)
    np.testing.assert_array_equal(found, order)


@pytest.mark.parametrize("far", [1e3, 1e10, 1e40])
def test_products_with_outliers_among_rows_and_queries(far):
    rows, queries = table(500, 20), table(100, 20, seed=1)
    rows[::50] *= far
    queries[::10] *= far
    distances, found = _core.ProductSearch(rows).query(queries, 7)
    expected, order = reference_neighbors(queries, rows, 7)
    np.testing.assert_array_equal(distances, expected)
    np.testing.assert_array_equal(found, order)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("fraction", [0.0, 0.2, 0.9])
def test_the_scan_takes_partial_distances(norm, fraction):
    rng = np.random.default_rng(0)
    rows, queries = table(100, 5, ties=True), table(50, 5, seed=1, ties=True)
    for part in (rows, queries):
        part[rng.random(part.shape) < fraction] = np.nan
    flags = np.array([0, 1, 0, 0, 1], dtype=np.uint8)
    distances, found = _core.PartialScan(rows, flags, norm, 3.0).query(queries, 9)
    expected, order = reference_neighbors(queries, rows, 9, norm=norm, p=3.0, categorical=flags)
    np.testing.assert_allclose(distances, expected, rtol=1e-14)
    if norm != "minkowski":
        np.testing.assert_array_equal(found, order)


points = st.integers(1, 4).flatmap(
    lambda d: st.tuples(
        arrays(
            np.float64, st.tuples(st.integers(1, 60), st.just(d)), elements=st.floats(-1e6, 1e6, width=32)
        ),
        arrays(
            np.float64, st.tuples(st.integers(1, 20), st.just(d)), elements=st.floats(-1e6, 1e6, width=32)
        ),
    )
)


@given(points, st.integers(1, 60))
@examples(60)
def test_all_searches_agree(both, k):
    rows, queries = both
    k = min(k, len(rows))
    expected, order = reference_neighbors(queries, rows, k)
    flags = np.zeros(rows.shape[1], dtype=np.uint8)
    for search in (
        _core.KdTree(rows, "euclidean"),
        _core.ProductSearch(rows),
        _core.PartialScan(rows, flags, "euclidean"),
    ):
        distances, found = search.query(queries, k)
        np.testing.assert_array_equal(distances, expected)
        np.testing.assert_array_equal(found, order)


@pytest.mark.parametrize("make", ["tree", "products", "scan"])
def test_rows_that_are_taken_out_are_not_found(make):
    rows, queries = table(300, 4), table(50, 4, seed=1)
    search = {
        "tree": lambda: _core.KdTree(rows, "euclidean"),
        "products": lambda: _core.ProductSearch(rows),
        "scan": lambda: _core.PartialScan(rows, np.zeros(4, np.uint8), "euclidean"),
    }[make]()
    gone = np.random.default_rng(2).permutation(300)[:290]
    for row in gone:
        search.remove(int(row))
    left = np.setdiff1d(np.arange(300), gone)
    distances, found = search.query(queries, 10)
    expected, order = reference_neighbors(queries, rows[left], 10)
    assert len(search) == 10
    np.testing.assert_array_equal(distances, expected)
    np.testing.assert_array_equal(found, left[order])
    with pytest.raises(ValueError, match="no such row"):
        search.remove(int(gone[0]))
    with pytest.raises(ValueError, match="k must be"):
        search.query(queries, 11)


@pytest.mark.parametrize("n_threads", [2, 5])
def test_threads_do_not_matter(n_threads):
    rows, queries = table(3000, 6), table(1000, 6, seed=1)
    for search in (_core.KdTree(rows, "euclidean"), _core.ProductSearch(rows)):
        one, many = search.query(queries, 8, 1), search.query(queries, 8, n_threads)
        np.testing.assert_array_equal(one[0], many[0])
        np.testing.assert_array_equal(one[1], many[1])


def test_distances_that_overflow_are_reported():
    rows = np.full((20, 3), 1e200) * np.arange(20)[:, None]
    for search in (_core.KdTree(rows, "euclidean"), _core.ProductSearch(rows)):
        with pytest.raises(OverflowError, match="rescale the columns"):
            search.query(rows, 3)
    for bad in (np.nan, np.inf):
        for make in (lambda rows: _core.KdTree(rows, "euclidean"), _core.ProductSearch):
            with pytest.raises(ValueError, match="finite"):
                make(np.full((5, 2), bad))


def test_malformed_arguments_are_refused():
    rows = table(10, 3)
    tree = _core.KdTree(rows, "euclidean")
    with pytest.raises(ValueError, match="columns"):
        tree.query(table(5, 2), 1)
    with pytest.raises(ValueError, match="k must be"):
        tree.query(rows, 0)
    with pytest.raises(ValueError, match="norm"):
        _core.KdTree(rows, "taxicab")
    with pytest.raises(ValueError, match="one flag a column"):
        _core.PartialScan(rows, np.zeros(2, np.uint8), "euclidean")
    with pytest.raises(ValueError, match="every row once"):
        _core.condense(rows, np.zeros(10, np.int64), np.zeros(10, np.int64), False)
    with pytest.raises(ValueError, match="class"):
        _core.gabriel_enemies(rows, np.zeros(9, np.int64))
