"""Groups: rows that are left out together."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.evidence.discrete import Discrete
from boxwood.evidence.weights import UNIT, Evidence

__all__ = ["Groups", "in_groups", "kept_labels"]


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of a table's rows.

    Attributes
    ----------
    keys : ndarray of uint64
        Hash of each group's label, ascending.
    of_rows : ndarray of int64
        The number of each row's group.
    units : ndarray of int64
        Units of weight of each group.
    """

    keys: NDArray[np.uint64]
    of_rows: NDArray[np.int64]
    units: NDArray[np.int64]

    @classmethod
    def of_evidence(cls, evidence: Evidence) -> Groups:
        """Return the groups of rows that have some."""
        keys, of_rows = np.unique(np.asarray(evidence.groups), return_inverse=True)
        units = np.zeros(len(keys), dtype=np.int64)
        np.add.at(units, of_rows, evidence.units)
        return cls(keys, of_rows, units)

    def shuffled(self, seed: int) -> NDArray[np.intp]:
        """Return the groups in a random order that depends on their labels alone."""
        return np.argsort(_core.draw_uniform(self.keys, seed), kind="stable")


def kept_labels(groups: Any, sample_weight: Any) -> NDArray[Any] | None:
    """Return the labels of groups without those of rows of weight zero, which are left out of tables."""
    if groups is None:
        return None
    labels = np.asarray(groups)
    if sample_weight is not None and labels.shape == np.shape(sample_weight):
        labels = labels[np.asarray(sample_weight, dtype=np.float64) > 0.0]
    return labels


def in_groups(evidence: Evidence, labels: Any) -> Evidence:
    """Split each distinct row among the groups in which it stands.

    A continuous row leaves with all its copies: groups that share one become a single group. The copies of
    a discrete row each leave with their own group.

    Parameters
    ----------
    evidence : Evidence
    labels : array-like of shape (n_given_rows,)
        Of groups: numbers or text.

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.evidence import shuffled_folds, weigh_rows
    >>> die = weigh_rows(bw.read_columns({"face": [1, 2, 3, 4, 5, 6] * 20}))
    >>> rolls = in_groups(die, np.repeat(["Ann", "Bea"], 60))
    >>> [float(fold.held.sum()) for fold in shuffled_folds(rolls, 5, 0)]
    [60.0, 60.0]
    """
    labels = np.asarray(labels)
    if labels.shape != (len(evidence.number),):
        raise ValueError(
            f"groups has shape {labels.shape}, expected ({len(evidence.number)},): one label a row."
        )
    keys, group = _joined(evidence, *_hashed_labels(labels))
    given = evidence.number.astype(np.int64)
    # In an order that neither that of the rows nor that of the labels leaves a trace in.
    order = np.lexsort((evidence.given_weights, group, given))
    row, group, weight = given[order], group[order], evidence.given_weights[order]
    is_first = np.r_[True, (np.diff(row) != 0) | (np.diff(group) != 0)]
    starts = np.flatnonzero(is_first)
    number = np.empty(len(given), dtype=np.uint32)
    number[order] = np.cumsum(is_first) - 1
    row, group = row[starts], group[starts]
    units = _split_units(evidence.units, row, np.add.reduceat(weight, starts))
    left = evidence.observations[row] * (units / evidence.units[row])
    return replace(
        evidence,
        columns=evidence.columns.without_weights().take(row).with_weights(units.astype(np.float64) * UNIT),
        number=number,
        keys=evidence.keys[row],
        observations=np.maximum(np.rint(left), 1.0).astype(np.int64),
        units=units,
        discrete=Discrete(evidence.discrete.measures, evidence.discrete.cells[row]),
        groups=keys[group],
    )


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
    from scipy.sparse import coo_array, csgraph  # takes 0.2 s to import, and questions do without

    chosen = np.flatnonzero(evidence.continuous[evidence.number])
    n_groups = len(keys)
    size = n_groups + evidence.n_rows
    links = coo_array(
        (np.ones(len(chosen)), (group[chosen], n_groups + evidence.number[chosen].astype(np.int64))),
        shape=(size, size),
    )
    component = csgraph.connected_components(links, directed=False)[1][:n_groups]
    first = np.full(component.max(initial=-1) + 1, n_groups, dtype=np.int64)
    np.minimum.at(first, component, np.arange(n_groups))  # keys ascend
    leaders, place = np.unique(first[component], return_inverse=True)
    return keys[leaders], place[group].astype(np.int64)


def _split_units(
    units: NDArray[np.int64], row: NDArray[np.int64], weight: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Split each row's units in proportion to the weights of its pieces; each has at least one."""
    starts = np.flatnonzero(np.r_[True, np.diff(row) != 0])
    total = np.zeros(len(units))
    total[row[starts]] = np.add.reduceat(weight, starts)
    pieces = np.floor(units[row] * np.minimum(weight / total[row], 1.0)).astype(np.int64)
    pieces[starts] += units[row[starts]] - np.add.reduceat(pieces, starts)
    return np.maximum(pieces, 1)
