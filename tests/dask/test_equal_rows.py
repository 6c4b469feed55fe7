"""Equal rows of different partitions become one, by hashes alone."""

import numpy as np
import pytest
from dask_tables import mixed_frame
from hypothesis import given
from hypothesis import strategies as st

from boxwood.columns import read_columns
from boxwood.dask.cluster import Cluster
from boxwood.dask.equal_rows import answered, hashed, merge_equal_rows, questions
from boxwood.dask.gathering import gather
from boxwood.dask.part import Part, read
from boxwood.mapped_memory import MappedMemory
from properties import examples


def counted(rows: np.ndarray, weights: np.ndarray) -> dict[tuple[float, ...], float]:
    """Count equal rows the slow way."""
    found: dict[tuple[float, ...], float] = {}
    for row, weight in zip(rows.tolist(), weights.tolist(), strict=True):
        key = tuple("gap" if value != value else value + 0.0 for value in row)
        found[key] = found.get(key, 0.0) + weight
    return found


@pytest.mark.usefixtures("here")
@examples(12)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 4)), min_size=1), st.data())
def test_rows_are_counted_whatever_the_partitions(
    rows: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    table = np.array(rows, dtype=float)
    table[table[:, 1] == 3.0, 1] = np.nan
    n_parts = data.draw(st.integers(1, 4))
    number = np.array(
        data.draw(st.lists(st.integers(0, n_parts - 1), min_size=len(rows), max_size=len(rows)))
    )
    cluster = Cluster()
    parts = [
        cluster.lazy(read, f"partition {k}", table[number == k, :2], None, table[number == k, 2])
        for k in range(n_parts)
    ]
    names = [f"partition {k}" for k in range(n_parts)]
    with MappedMemory() as memory:
        found, _ = gather(cluster, merge_equal_rows(cluster, parts, names), names, memory)
    matrix = found.matrix()
    assert counted(matrix, found.row_weights) == counted(table[:, :2], table[:, 2])
    assert len(matrix) == len(counted(matrix, found.row_weights))


def test_a_bucket_answers_the_first_that_asks() -> None:
    hashes = [np.array([[1, 7], [1, 8]], dtype=np.uint64), np.array([[1, 8], [2, 0]], dtype=np.uint64)]
    first, second = answered([(hashes[0], np.array([1.0, 2.0])), (hashes[1], np.array([3.0, 4.0]))])
    np.testing.assert_array_equal(first, [1.0, 5.0])
    np.testing.assert_array_equal(second, [0.0, 4.0])


def test_hashes_go_to_buckets_in_their_order() -> None:
    part = hashed(Part("partition 0", read_columns(mixed_frame(300)), None))
    asked = questions(part, 7)
    np.testing.assert_array_equal(np.concatenate([hashes for hashes, _ in asked]), part.hashes)
    tops = [hashes[:, 0].astype(float) / 2.0**64 for hashes, _ in asked if len(hashes)]
    assert all(
        (k / 7 - 1e-9 <= top).all() and (top <= (k + 1) / 7 + 1e-9).all() for k, top in enumerate(tops)
    )
    assert part.weights.sum() == 360.0
