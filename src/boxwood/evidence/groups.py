"""Groups: rows that are left out together."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from boxwood import _core
from boxwood.evidence.weights import Evidence

__all__ = ["GroupedUnits", "grouped_units"]


@dataclass(frozen=True, eq=False)
class GroupedUnits:
    """The units of weight that each group has of each distinct row.

    Attributes
    ----------
    row, group, units : ndarray
        One entry for each pair of a distinct row and a group.
    keys : ndarray of uint64
        Hash of each group's label, ascending.
    n_rows : int
    """

    row: NDArray[np.int64]
    group: NDArray[np.int64]
    units: NDArray[np.int64]
    keys: NDArray[np.uint64]
    n_rows: int

    def of_rows(self, factor: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the units of each distinct row, those of each group times its factor."""
        total = np.zeros(self.n_rows, dtype=np.int64)
        np.add.at(total, self.row, self.units * factor[self.group])
        return total

    def total(self) -> NDArray[np.int64]:
        """Return the units of each group."""
        total = np.zeros(len(self.keys), dtype=np.int64)
        np.add.at(total, self.group, self.units)
        return total

    def shuffled(self, seed: int) -> NDArray[np.intp]:
        """Return the groups in a random order that depends on their labels alone."""
        return np.argsort(_core.draw_uniform(self.keys, seed), kind="stable")


def grouped_units(evidence: Evidence, groups: Any) -> GroupedUnits:
    """Split the units of each distinct row among the groups in which it stands.

    A continuous row leaves with all its copies: groups that share one become a single group. The copies of
    a discrete row each leave with their own group.

    Parameters
    ----------
    evidence : Evidence
    groups : array-like of shape (n_given_rows,)
        Labels: numbers or text.
    """
    labels = np.asarray(groups)
    if labels.shape != (len(evidence.number),):
        raise ValueError(
            f"groups has shape {labels.shape}, expected ({len(evidence.number)},): one label a row."
        )
    keys, group = _hashed_labels(labels)
    keys, group = _joined(evidence, keys, group)
    row = evidence.number.astype(np.int64)
    # In an order that neither that of the rows nor that of the labels leaves a trace in.
    order = np.lexsort((evidence.given_weights, group, row))
    row, group, weight = row[order], group[order], evidence.given_weights[order]
    starts = np.flatnonzero(np.r_[True, (np.diff(row) != 0) | (np.diff(group) != 0)])
    pieces = np.add.reduceat(weight, starts)
    row, group = row[starts], group[starts]
    return GroupedUnits(row, group, _split_units(evidence.units, row, pieces), keys, evidence.n_rows)


def _hashed_labels(labels: NDArray[Any]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    if labels.dtype.kind == "O":
        labels = np.array([str(label) for label in labels])
    distinct, inverse = np.unique(labels, return_inverse=True)
    hashes = np.array([_label_hash(label) for label in distinct.tolist()], dtype=np.uint64)
    keys, rank = np.unique(hashes, return_inverse=True)
    return keys, rank[inverse].astype(np.int64)


def _label_hash(label: Any) -> int:
    text = str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _joined(
    evidence: Evidence, keys: NDArray[np.uint64], group: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Join groups that share a continuous row; a joined group has the smallest of their keys."""
    chosen = np.flatnonzero(evidence.continuous[evidence.number])
    n_groups = len(keys)
    size = n_groups + evidence.n_rows
    links = coo_array(
        (np.ones(len(chosen)), (group[chosen], n_groups + evidence.number[chosen].astype(np.int64))),
        shape=(size, size),
    )
    component = connected_components(links, directed=False)[1][:n_groups]
    first = np.full(component.max(initial=-1) + 1, n_groups, dtype=np.int64)
    np.minimum.at(first, component, np.arange(n_groups))  # keys ascend
    leaders, place = np.unique(first[component], return_inverse=True)
    return keys[leaders], place[group].astype(np.int64)


def _split_units(
    units: NDArray[np.int64], row: NDArray[np.int64], weight: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Split each row's units in proportion to the weights of its pieces, without a remainder."""
    starts = np.flatnonzero(np.r_[True, np.diff(row) != 0])
    total = np.zeros(len(units))
    total[row[starts]] = np.add.reduceat(weight, starts)
    pieces = np.floor(units[row] * np.minimum(weight / total[row], 1.0)).astype(np.int64)
    pieces[starts] += units[row[starts]] - np.add.reduceat(pieces, starts)
    return pieces
