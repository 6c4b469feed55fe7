"""Gaps of a table filled by what a density expects of them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from boxwood.columns import Columns
from boxwood.table.expected import expected_values
from boxwood.table.filling import rounded, with_values

__all__ = ["Refill", "impute"]

Refill = Callable[[Columns, Columns, str, np.random.Generator], Columns]
"""A table, the same with its gaps filled, how they are filled, and a generator; returns other fillings."""


def impute(
    query: Any,
    columns: Columns,
    how: str,
    rng: np.random.Generator,
    left: Collection[str] = (),
    refill: Refill | None = None,
) -> Columns:
    """Return a table without gaps: each is filled by what is expected given what its row shows.

    Draws of several gaps of a row are joint: each is drawn given the ones before it (the chain rule).
    Columns whose names are in `left` are left as they are. `refill` tells gaps anew from what they are filled
    with.
    """
    filled = columns
    for j, column in enumerate(columns):
        rows = np.flatnonzero(column.missing())
        if not len(rows) or column.name in left:
            continue
        known = filled if how == "draw" else columns
        conditionals = query.conditionals(known.take(rows))
        values = expected_values(conditionals, j, column.field, how, rng)
        filled = with_values(filled, j, rows, values)
    return rounded(columns, filled if refill is None else refill(columns, filled, how, rng))
