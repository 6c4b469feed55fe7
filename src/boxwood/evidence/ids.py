"""Columns of ids and free text: no two different rows share a value, though measured ones would."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Kind

__all__ = ["find_ids"]

FEWEST_ROWS = 50
"""Fewer rows may all differ by chance."""

EXPECTED_PAIRS = 10.0
"""Integers are ids where drawing them from their own density would give this many equal pairs, and there is
none: the chance of that is about exp(−10)."""


def find_ids(columns: Columns) -> list[str]:
    """Return the names of the columns that number or name the rows of a table of distinct rows.

    Text of which no two rows have the same, and integers that never coincide where so many draws from their
    density would, as numbers from 1 to n. Numbers of few rows from a wide range, which hardly ever coincide,
    floats and dates are no ids.

    Examples
    --------
    >>> import boxwood as bw
    >>> rng = np.random.default_rng(0)
    >>> table = {"row": rng.permutation(300), "salary": rng.integers(20_000, 90_000, 300)}
    >>> find_ids(bw.read_columns({**table, "name": [f"n{i}" for i in range(300)]}))
    ['row', 'name']
    """
    return [
        column.name
        for column in columns
        if (column.kind is Kind.CATEGORICAL and _all_differ(column.values[column.values >= 0]))
        or (column.kind is Kind.INTEGER and _never_coincide(column.values[~np.isnan(column.values)]))
    ]


def _all_differ(values: NDArray[np.int32] | NDArray[np.float64]) -> bool:
    return len(values) >= FEWEST_ROWS and len(np.unique(values)) == len(values)


def _never_coincide(values: NDArray[np.float64]) -> bool:
    if not _all_differ(values):
        return False
    ordered, n = np.sort(values), len(values)
    # The density at a row: the nearest neighbours, about a root of n of them, over what they span.
    m = max(round(np.sqrt(n)), 1)
    places = np.arange(n)
    first, last = np.maximum(places - m, 0), np.minimum(places + m, n - 1)
    density = (last - first) / (n * (ordered[last] - ordered[first]))
    return bool(0.5 * n * n * density.mean() >= EXPECTED_PAIRS)
