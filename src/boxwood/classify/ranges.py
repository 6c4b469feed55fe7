"""The range of each column of a table, and rows that are moved into it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns
from boxwood.model_file import State

__all__ = ["ranges_of", "ranges_of_state", "within_ranges"]


def ranges_of(columns: Columns) -> NDArray[np.float64]:
    """Return the least and the largest value of each column, infinite for categories: shape (2, n_columns).

    Examples
    --------
    >>> import boxwood as bw
    >>> ranges_of(bw.read_columns([[1.0, np.nan], [3.0, 2.0]]))
    array([[1., 2.],
           [3., 2.]])
    """
    ranges = np.array([[-np.inf], [np.inf]]).repeat(len(columns), axis=1)
    for j, column in enumerate(columns):
        if column.field.kind.is_number and column.n_missing < len(column.values):
            ranges[:, j] = np.nanmin(column.values), np.nanmax(column.values)
    return ranges


def within_ranges(columns: Columns, ranges: NDArray[np.float64]) -> Columns:
    """Return the rows with numbers beyond the ranges moved to their ends."""
    moved = []
    for j, column in enumerate(columns):
        if np.isfinite(ranges[0, j]):
            column = Column(column.field, np.clip(column.values, *ranges[:, j]), column.n_missing)
        moved.append(column)
    return Columns(columns.schema, columns.n_rows, columns=moved, weights=columns.weights)


def ranges_of_state(state: State, n_columns: int) -> NDArray[np.float64] | None:
    """Read the entry ``ranges`` of a model file; classifiers that were fitted in parts have none."""
    if "ranges" not in state:
        return None
    ranges = state.array("ranges", np.float64, (2, n_columns), finite=False)
    if np.isnan(ranges).any() or np.any(ranges[0] > ranges[1]):
        raise state.error("ranges", "are not lower and upper ends")
    return ranges
