"""Whom synthetic rows give away: copies, near copies, members of the training table, singular people."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.synthetic.encoded import RealScale, sampled

__all__ = ["Privacy", "measure_privacy"]

MOST_ROWS = 5_000
"""Rows of each table whose distances are measured."""
MOST_PAIRS = 200
"""Pairs of columns in which singular combinations are looked for."""


@dataclass(frozen=True)
class Privacy:
    """How near synthetic rows come to the real ones that were trained on.

    Attributes
    ----------
    copies : float
        Fraction of the synthetic rows that equal a real one in every column.
    copies_of_holdout : float or None
        The same fraction of rows that were held out: what chance makes of such a table.
    distance, distance_of_holdout : float or None
        Median distance to the closest real row, of synthetic and of held-out rows, in columns.
    closer_to_training : float or None
        Fraction of the synthetic rows that are closer to the training table than to as many held-out rows;
        0.5 where nothing is given away.
    membership_auc : float or None
        Of an attack that takes a person for a member of the training table where a synthetic row is near;
        0.5 is a coin.
    singular : float
        Fraction of the combinations of two values that only one real row has which synthetic rows show.
    singular_of_holdout : float or None
        The same fraction of what held-out rows show.
    """

    copies: float
    copies_of_holdout: float | None
    distance: float
    distance_of_holdout: float | None
    closer_to_training: float | None
    membership_auc: float | None
    singular: float
    singular_of_holdout: float | None


def measure_privacy(real: Columns, synthetic: Columns, holdout: Columns | None, seed: int) -> Privacy:
    """Compare synthetic rows with those that were trained on, and with rows that were not."""
    rng = np.random.default_rng(seed)
    drawn = sampled(synthetic, MOST_ROWS, rng)
    copies = _copies(real, synthetic)
    if holdout is None:
        singular = _singular(real, synthetic, rng)
        scale = RealScale((real,))
        near = _nearest(scale.encode(sampled(real, MOST_ROWS, rng)), scale.encode(drawn))
        return Privacy(copies, None, float(np.median(near)), None, None, None, singular, None)
    n = min(real.n_rows, holdout.n_rows, MOST_ROWS)
    parts = tuple(sampled(table, n, rng) for table in (real, holdout))
    scale = RealScale(parts)
    points, train, held = (scale.encode(table) for table in (drawn, *parts))
    to_train, to_held = _nearest(train, points), _nearest(held, points)
    return Privacy(
        copies,
        _copies(real, holdout),
        float(np.median(to_train)),
        float(np.median(_nearest(train, held))),
        float(np.mean(to_train < to_held) + 0.5 * np.mean(to_train == to_held)),
        _membership_auc(_nearest(points, train), _nearest(points, held)),
        *_both_singular(real, synthetic, holdout, rng),
    )


def _nearest(points: NDArray[np.float64], queries: NDArray[np.float64]) -> NDArray[np.float64]:
    from sklearn.neighbors import NearestNeighbors

    found, _ = NearestNeighbors(n_neighbors=1, metric="manhattan").fit(points).kneighbors(queries)
    return np.asarray(found[:, 0])


def _membership_auc(members: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    from sklearn.metrics import roc_auc_score

    labels = np.repeat([1, 0], [len(members), len(others)])
    return float(roc_auc_score(labels, -np.concatenate([members, others])))


def _keys(columns: Columns, which: tuple[int, ...]) -> NDArray[np.void]:
    """Return what rows hold in some columns as keys that compare as the values do."""
    values = np.stack([_numbers(columns, j) for j in which], axis=1)
    return np.ascontiguousarray(values + 0.0).view(np.dtype((np.void, values.itemsize * values.shape[1])))[
        :, 0
    ]


def _numbers(columns: Columns, j: int) -> NDArray[np.float64]:
    column = columns[j]
    return np.where(column.missing(), 1.7e308, column.values.astype(np.float64))


def _copies(real: Columns, others: Columns) -> float:
    every = tuple(range(len(real)))
    return float(np.isin(_keys(others, every), _keys(real, every)).mean())


def _both_singular(
    real: Columns, synthetic: Columns, holdout: Columns, rng: np.random.Generator
) -> tuple[float, float]:
    """Return what as many synthetic and held-out rows show: more rows show more."""
    n = min(synthetic.n_rows, holdout.n_rows)
    seed = int(rng.integers(2**31))  # the same pairs of columns for both
    synthetic_part, holdout_part = sampled(synthetic, n, rng), sampled(holdout, n, rng)
    return (
        _singular(real, synthetic_part, np.random.default_rng(seed)),
        _singular(real, holdout_part, np.random.default_rng(seed)),
    )


def _singular(real: Columns, others: Columns, rng: np.random.Generator) -> float:
    """Return the fraction of combinations that one real row has which other rows show too."""
    pairs: list[tuple[int, ...]] = [*combinations(range(len(real)), 2)] or [(0,)]
    chosen = rng.permutation(len(pairs))[:MOST_PAIRS]
    n_singular = n_shown = 0
    for k in chosen:
        values, counts = np.unique(_keys(real, pairs[k]), return_counts=True)
        alone = values[counts == 1]
        n_singular += len(alone)
        n_shown += int(np.isin(alone, _keys(others, pairs[k])).sum())
    return n_shown / n_singular if n_singular else 0.0
