"""Equal rows of different partitions become one: a shuffle of hashes and counts, not of rows.

A row has a hash of 128 bits of what it holds. Partitions send the hashes of their distinct rows, with how
often each came, to the bucket of their first bits; a bucket adds up and answers, in the order in which it was
asked, with the total to the first partition that has a row and with 0 to all others. So 24 bytes a row go out
and 8 come back, no row leaves its partition, and no row has a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns
from boxwood.dask.cluster import Cluster
from boxwood.dask.part import Part

__all__ = ["BYTES_A_ROW", "HashedPart", "merge_equal_rows"]

BYTES_A_ROW = 32
"""Of a distinct row of a partition that are sent: 16 of its hash, 8 of its count, 8 of the answer."""

MOST_BUCKETS = 64
"""Every partition asks every bucket, and each question is a task."""


@dataclass(frozen=True, eq=False)
class HashedPart:
    """The distinct rows of a partition in the order of their hashes, and what each of them weighs."""

    part: Part
    hashes: NDArray[np.uint64]  # (n_rows, 2)
    weights: NDArray[np.float64]


def merge_equal_rows(cluster: Cluster, parts: Sequence[Any], names: Sequence[str]) -> list[Any]:
    """Return the tasks of the partitions' own rows: each distinct row of the table is in one of them.

    Parameters
    ----------
    cluster : Cluster
    parts : tasks of `Part`
        Of one schema, with whole weights or none.
    names : what errors call them
    """
    if len(parts) == 1:
        return [cluster.call(_own_rows, cluster.call(hashed, parts[0]))]
    n_buckets = min(len(parts), MOST_BUCKETS)
    hashes = cluster.start([cluster.call(hashed, part) for part in parts], names)
    asked = [cluster.call(questions, part, n_buckets) for part in hashes]
    answers = [
        cluster.call(answered, [question[bucket] for question in asked]) for bucket in range(n_buckets)
    ]
    return [cluster.call(_own_rows, part, [answer[k] for answer in answers]) for k, part in enumerate(hashes)]


def hashed(part: Part) -> HashedPart:
    """Merge the equal rows of one partition."""
    columns = part.columns
    hashes = _core.hash_rows(np.ascontiguousarray(columns.matrix()))
    first, weights = _summed(hashes, columns.row_weights)
    rows = columns.without_weights().take(first)
    return HashedPart(Part(part.name, rows, None), hashes[first], weights)


def questions(part: HashedPart, n_buckets: int) -> list[tuple[NDArray[np.uint64], NDArray[np.float64]]]:
    """Return the hashes and weights that go to each bucket: hashes ascend, and so do buckets."""
    places = np.searchsorted(_buckets(part.hashes, n_buckets), np.arange(n_buckets + 1))
    return [(part.hashes[begin:end], part.weights[begin:end]) for begin, end in pairwise(places)]


def answered(
    asked: list[tuple[NDArray[np.uint64], NDArray[np.float64]]],
) -> list[NDArray[np.float64]]:
    """Add up the weights of equal hashes; the first partition that asked is told the sum, others 0."""
    hashes = np.concatenate([hashes for hashes, _ in asked])
    weights = np.concatenate([weights for _, weights in asked])
    first, sums = _summed(hashes, weights)
    totals = np.zeros(len(hashes))
    totals[first] = sums
    ends = np.cumsum([len(own) for own, _ in asked])[:-1]
    return list(np.split(totals, ends))


def _summed(
    hashes: NDArray[np.uint64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the first row of each hash, by ascending hashes, and the weight of all rows that have it."""
    order = np.argsort(hashes[:, 0], kind="stable")  # so that the first row comes first
    if len(order) == 0:
        return order, np.zeros(0)
    changes = np.diff(hashes[order], axis=0) != 0
    if (changes[:, 1] & ~changes[:, 0]).any():  # the first words of different rows agree: hardly ever
        order = np.lexsort((hashes[:, 1], hashes[:, 0]))
        changes = np.diff(hashes[order], axis=0) != 0
    starts = np.flatnonzero(np.r_[True, changes.any(axis=1)])
    return order[starts], np.add.reduceat(weights[order], starts)


def _own_rows(part: HashedPart, answers: list[NDArray[np.float64]] | None = None) -> Part:
    """Return the rows that a partition keeps, with the weight of all that are equal to each."""
    weights = part.weights if answers is None else np.concatenate(answers)
    return Part(part.part.name, _kept(part.part.columns, weights), None)


def _kept(columns: Columns, weights: NDArray[np.float64]) -> Columns:
    own = columns.take(weights > 0.0)
    mine = weights[weights > 0.0]
    return own if (mine == 1.0).all() else own.with_weights(mine)


def _buckets(hashes: NDArray[np.uint64], n_buckets: int) -> NDArray[np.uint64]:
    """Return the bucket of each hash: its first 32 bits in as many equal ranges."""
    return (hashes[:, 0] >> np.uint64(32)) * np.uint64(n_buckets) >> np.uint64(32)
