"""How far one column of a new table is from a model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boxwood.table.drift.column_cells import ColumnCells

__all__ = ["ColumnDrift", "drift_of_cells"]

N_NULL = 1999
"""Tables without drift that a distance is compared with: the smallest p-value is 1/2000."""

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
    is that of two samples: both are drawn from the model.
    """
    expected = cells.expected / cells.expected.sum()
    distance = float(cells.distance(cells.found, expected))
    sizes = [max(round(n), 1) for n in (n_new, n_fitted)]
    as_far, left = 0, N_NULL
    while left:
        n = min(left, max(MOST_AT_ONCE // len(expected), 1))
        first, second = (rng.multinomial(size, expected, n) / size for size in sizes)
        as_far += int((cells.distance(first, second) >= distance * (1.0 - 1e-12)).sum())
        left -= n
    p_value = (1.0 + as_far) / (1.0 + N_NULL)
    missing, before = float(cells.found[-1]), float(expected[-1])
    return ColumnDrift(name, distance, p_value, missing, before, cells.unseen)
