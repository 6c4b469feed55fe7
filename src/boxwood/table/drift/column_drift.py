"""How far one column of a new table is from a model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.table.drift.column_cells import ColumnCells

__all__ = ["ColumnDrift", "drift_of_cells"]

N_NULL = 1999
"""Tables without drift that a distance is compared with: the smallest p-value is 1/2000."""

VIRTUAL_ROWS = 0.5
"""What margins give every category beside its rows."""

LEAST_LEFT, MOST_OTHERS = 0.05, 2000
"""Rows that a category which was seen once is worth at least; categories that may yet be seen, at most."""

MOST_AT_ONCE = 1 << 21
"""Cells of simulated tables that are held at once."""


@dataclass(frozen=True)
class ColumnDrift:
    """The drift of a column.

    Attributes
    ----------
    column : str
    distance : float
        The largest difference of probabilities: of x <= value, or of being missing, where values are ordered;
        of any set of categories where they are not.
    p_value : float
        How often tables without drift, of the same size, are as far away.
    missing, missing_before : float
        How often the column is missing in the table, and under the model.
    unseen : float
        Fraction of rows with a category that training did not show.
    """

    column: str
    distance: float
    p_value: float
    missing: float
    missing_before: float
    unseen: float


def drift_of_cells(
    name: str, cells: ColumnCells, n_new: float, n_fitted: float, rng: np.random.Generator
) -> ColumnDrift:
    """Return a column's drift with its p-value.

    The model knows the column's distribution from `n_fitted` rows only, so that under no drift the distance
    is that of two samples: both are drawn from the model. Of categories, which it gives more than their
    frequencies where they are rare, both are drawn without that, and what a model makes of the second is
    compared with the first.
    """
    expected = cells.expected / cells.expected.sum()
    distance = float(cells.distance(cells.found, expected))
    sizes = [max(round(n), 1) for n in (n_new, n_fitted)]
    drawn_from = _without_prior(expected, sizes[1]) if cells.keeps_unseen else expected
    as_far, left = 0, N_NULL
    while left:
        n = min(left, max(MOST_AT_ONCE // len(drawn_from), 1))
        first, second = (rng.multinomial(size, drawn_from, n) for size in sizes)
        by_chance = (
            _distances_of_categories(first, second)
            if cells.keeps_unseen
            else cells.distance(first / sizes[0], second / sizes[1])
        )
        as_far += int((by_chance >= distance * (1.0 - 1e-12)).sum())
        left -= n
    p_value = (1.0 + as_far) / (1.0 + N_NULL)
    missing, before = float(cells.found[-1]), float(expected[-1])
    return ColumnDrift(name, distance, p_value, missing, before, cells.unseen)


def _without_prior(expected: NDArray[np.float64], n_fitted: int) -> NDArray[np.float64]:
    """Return probabilities of categories, those that may yet be seen among them, and of gaps.

    Without what margins add to rare ones: what unseen categories have is taken from the seen ones alike
    (absolute discounting), not in proportion, which common ones would pay. A category that was not seen is as
    rare as one that was seen once: so many of them would show as many single ones again.
    """
    seen, unseen, gap = expected[:-2], float(expected[-2]), float(expected[-1])
    counts = seen / seen.sum() * (n_fitted * (1.0 - gap) + VIRTUAL_ROWS * len(seen)) - VIRTUAL_ROWS
    rows_of_unseen = n_fitted * unseen
    rare = max(1.0 - rows_of_unseen / len(seen), LEAST_LEFT)
    left = np.maximum(counts - (1.0 - rare), rare)
    n_others = int(np.clip(round(rows_of_unseen / rare), 1, MOST_OTHERS))
    others = np.full(n_others, unseen / n_others)
    return np.array([*(left / left.sum() * (1.0 - unseen - gap)), *others, gap])


def _distances_of_categories(new: NDArray[np.int64], fitted: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return total variations of new samples from category margins of fitted ones (a row each).

    The last cell is that of gaps. A category that the fitted sample does not have is unseen in the new one.
    """
    counts, gaps = fitted[:, :-1], fitted[:, -1]
    n_new, n_fitted = new[0].sum(), fitted[0].sum()
    known, there = counts > 0, np.maximum(n_fitted - gaps, 1)
    unseen = (np.count_nonzero(counts == 1, axis=1) + 1) / (there + 2.0)
    present = 1.0 - gaps / n_fitted
    of_row = present * (1.0 - unseen) / (there + VIRTUAL_ROWS * np.count_nonzero(known, axis=1))
    masses = np.where(known, counts + VIRTUAL_ROWS, 0.0) * of_row[:, None]
    shown = np.where(known, new[:, :-1], 0)
    beyond = (new[:, :-1].sum(axis=1) - shown.sum(axis=1)) / n_new
    of_cells = np.abs(shown / n_new - masses).sum(axis=1)
    of_others = np.abs(beyond - present * unseen) + np.abs(new[:, -1] / n_new - gaps / n_fitted)
    return np.asarray(0.5 * (of_cells + of_others))
