"""How surprising each cell of a row is, from log-densities of some of the columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns, Field, Kind, Schema, to_native
from boxwood.columns.schema import all_missing

__all__ = ["KINDS", "cells_frame", "chained", "given_the_rest", "without_columns"]

KINDS = ("rest", "order")

Numbers = NDArray[np.float64]
ScoreOf = Callable[[Sequence[int]], Numbers]
"""The log-density of some columns of each row, the others summed out."""


def given_the_rest(score_of: ScoreOf, whole: Numbers, n_columns: int) -> Numbers:
    """Return −log p(cell | rest of the row): what the row's log-density lacks of that of the rest.

    Of a row that cannot be, every cell is infinitely surprising.

    Examples
    --------
    >>> logs = {(0,): -1.0, (1,): -2.0}
    >>> given_the_rest(lambda kept: np.array([logs[tuple(kept)]]), np.array([-2.5]), 2)
    array([[0.5, 1.5]])
    """
    impossible = np.isneginf(whole)
    found = np.empty((len(whole), n_columns))
    for j in range(n_columns):
        rest = score_of([k for k in range(n_columns) if k != j]) if n_columns > 1 else np.zeros(len(whole))
        with np.errstate(invalid="ignore"):
            found[:, j] = np.where(impossible, np.inf, rest - whole)
    return found


def chained(score_of: ScoreOf, whole: Numbers, n_columns: int) -> Numbers:
    """Return −log p(cell | cells before it), which sum to −log p(row).

    What comes after a cell that cannot be adds nothing.

    Examples
    --------
    >>> chained(lambda kept: np.array([-1.0]), np.array([-2.5]), 2)
    array([[1. , 1.5]])
    """
    found = np.empty((len(whole), n_columns))
    before = np.zeros(len(whole))
    for j in range(n_columns):
        after = whole if j == n_columns - 1 else score_of(range(j + 1))
        # A prefix is no less possible than the row; where rounding says so, the cell tells nothing.
        after = np.where(np.isneginf(after) & ~np.isneginf(whole), before, after)
        with np.errstate(invalid="ignore"):
            found[:, j] = np.where(np.isneginf(before), 0.0, before - after)
        before = after
    return found


def without_columns(columns: Columns, hidden: Sequence[int]) -> Columns:
    """Return rows with all values of some columns missing."""
    fields, n_rows = columns.schema.fields, columns.n_rows
    made: list[Column] = list(columns)
    for j in hidden:
        made[j] = all_missing(fields[j], n_rows)
    return Columns(columns.schema, n_rows, columns=made)


def cells_frame(schema: Schema, cells: Numbers) -> Any:
    """Return a number for each cell of a table in the table's own container."""
    fields = tuple(Field(field.name, Kind.NUMERIC) for field in schema.fields)
    made = [Column(field, np.ascontiguousarray(cells[:, j]), 0) for j, field in enumerate(fields)]
    of_cells = Schema(fields, schema.container, schema.named, schema.labels)
    return to_native(Columns(of_cells, len(cells), columns=made))
