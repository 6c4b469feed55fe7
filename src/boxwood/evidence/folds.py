"""Which rows are left out: the one place for folds and validation.

A continuous row leaves with all its copies. A discrete row is as many equal units as it has observations,
and each leaves on its own. What is drawn depends on the seed and on the row's content alone: neither the
order of rows nor their partition leaves a trace, and weight 2 is the row twice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.evidence.groups import Groups
from boxwood.evidence.weights import UNIT, Evidence

__all__ = ["Fold", "shuffled_folds", "validation_fold"]

Units = NDArray[np.int64]


class Fold(NamedTuple):
    """Scaled weights of the distinct rows in training, and of those held out."""

    train: NDArray[np.float64]
    held: NDArray[np.float64]


def shuffled_folds(evidence: Evidence, n_folds: int, seed: int) -> list[Fold]:
    """Deal the rows to folds; those without a row to train on or to test on are left out.

    Groups are dealt in random order, each to the lightest fold.

    Parameters
    ----------
    evidence : Evidence
    n_folds : int
    seed : int

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.evidence import weigh_rows
    >>> die = weigh_rows(bw.read_columns({"face": [1, 2, 3, 4, 5, 6] * 20}))
    >>> [float(fold.held.sum()) for fold in shuffled_folds(die, 3, 0)]
    [36.0, 39.0, 45.0]
    """
    if n_folds < 2:
        raise ValueError(f"n_folds must be at least 2; got {n_folds}.")
    if evidence.groups is not None:
        fold_of = _folds_of_groups(Groups.of_evidence(evidence), n_folds, seed)
        parts = [np.where(fold_of == k, evidence.units, 0) for k in range(n_folds)]
        return _folds([(evidence.units - part, part) for part in parts])
    counts = _core.deal_folds(evidence.keys, evidence.observations, n_folds, seed)
    bounds = _units_of(evidence, np.cumsum(counts, axis=1))
    held = list(np.diff(bounds, axis=1, prepend=0).T)
    return _folds([(evidence.units - part, part) for part in held])


def validation_fold(evidence: Evidence, fraction: float, seed: int) -> list[Fold]:
    """Hold out about a fraction of the rows: at least one, and not all; none where there is but one.

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.evidence import weigh_rows
    >>> rows = weigh_rows(bw.read_columns(np.random.default_rng(0).normal(size=(100, 1))))
    >>> [fold] = validation_fold(rows, 0.2, 0)
    >>> float(fold.held.sum())
    20.0
    """
    if not 0.0 < fraction < 1.0:
        raise ValueError(f"fraction must lie between 0 and 1; got {fraction}.")
    if evidence.groups is not None:
        groups = Groups.of_evidence(evidence)
        held = np.where(_held_groups(groups, fraction, seed)[groups.of_rows], evidence.units, 0)
    else:
        counts = _core.hold_out(evidence.keys, evidence.observations, fraction, seed)
        held = _units_of(evidence, _neither_none_nor_all(evidence, counts, seed)[:, None])[:, 0]
    return _folds([(evidence.units - held, held)])


def _units_of(evidence: Evidence, counts: Units) -> Units:
    """Return the units of weight of some observations of each row: ⌊units·count/observations⌋."""
    whole, rest = np.divmod(evidence.units, evidence.observations)
    # Apart, as the product of units and count may pass 2⁶³; a row has at most 2³⁰ observations.
    return whole[:, None] * counts + rest[:, None] * counts // evidence.observations[:, None]


def _neither_none_nor_all(evidence: Evidence, counts: Units, seed: int) -> Units:
    """Move one unit where none, or all, would be held out: of the first row in a random order."""
    total, held = int(evidence.observations.sum()), int(counts.sum())
    if total < 2 or 0 < held < total:
        return counts
    first = int(np.argmin(_core.draw_uniform(evidence.keys, seed)))
    moved = counts.copy()
    moved[first] += 1 if held == 0 else -1
    return moved


def _folds_of_groups(groups: Groups, n_folds: int, seed: int) -> Units:
    """Return the fold of each row."""
    fold_of = np.zeros(len(groups.keys), dtype=np.int64)
    load = np.zeros(n_folds, dtype=np.int64)
    for group in groups.shuffled(seed):
        fold_of[group] = np.argmin(load)
        load[fold_of[group]] += groups.units[group]
    return fold_of[groups.of_rows]


def _held_groups(groups: Groups, fraction: float, seed: int) -> NDArray[np.bool_]:
    """Hold out groups in random order until they have the fraction: at least one, and not all."""
    order = groups.shuffled(seed)
    reached = np.cumsum(groups.units[order]) <= fraction * groups.units.sum()
    n_held = min(max(1, int(reached.sum())), len(order) - 1)
    held = np.zeros(len(order), dtype=np.bool_)
    held[order[:n_held]] = True
    return held


def _folds(parts: list[tuple[Units, Units]]) -> list[Fold]:
    return [_fold(train, held) for train, held in parts if train.any() and held.any()]


def _fold(train: Units, held: Units) -> Fold:
    return Fold(train.astype(np.float64) * UNIT, held.astype(np.float64) * UNIT)
