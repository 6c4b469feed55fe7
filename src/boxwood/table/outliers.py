"""Which rows are odd, the oddest or those that a false discovery rate allows, and by which of their cells."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.density.corrected_draws import CorrectedDraws

__all__ = ["discoveries", "most_surprising", "oddest", "usual_surprise"]

USUAL_ROWS = 50
"""Rows that tell what surprise is usual: where answers are weighed draws, a row takes 50 ms."""


def oddest(scores: NDArray[np.float64], n: int) -> NDArray[np.intp]:
    """Return the positions of the n lowest scores, lowest first.

    Examples
    --------
    >>> oddest(np.array([-1.0, -9.0, -3.0]), 2)
    array([1, 2])
    """
    return np.argsort(scores, kind="stable")[:n]


def discoveries(p_values: NDArray[np.float64], fdr: float) -> NDArray[np.intp]:
    """Return the positions of small p-values among which a fraction of at most `fdr` is expected to be false.

    By the step-up procedure of Benjamini and Hochberg (1995); smallest first.

    Examples
    --------
    >>> discoveries(np.array([0.9, 0.001, 0.04, 0.012]), 0.05)
    array([1, 3])
    """
    order = np.argsort(p_values, kind="stable")
    allowed = fdr * np.arange(1, len(order) + 1) / max(len(order), 1)
    below = np.flatnonzero(p_values[order] <= allowed)
    return order[: below[-1] + 1] if len(below) else order[:0]


def usual_surprise(model: Any, columns: Columns) -> NDArray[np.float64]:
    """Return the median surprise of each column's cells, by which columns can be compared.

    A number of a million values surprises by more than ten nats in every row, and one in grams by seven nats
    more than in kilograms: that is no reason to blame it. The median is that of rows of the table, since a
    model knows the rows of its fit; fewer than 50 say little, and rows drawn from the model stand for them.

    Parameters
    ----------
    model : TableModel
    columns : Columns
    """
    if columns.n_rows < USUAL_ROWS:
        # As they are: to correct them would take longer than all the rest.
        plain = {"corrected": False} if isinstance(model.density_, CorrectedDraws) else {}
        columns = model._read(model.density_.sample(USUAL_ROWS, random_state=0, **plain))
    some = np.sort(np.random.default_rng(0).choice(columns.n_rows, USUAL_ROWS, replace=False))
    usual = np.median(model.query.conditionals(columns.take(some)).surprise(), axis=0)
    # Where most of a column's values have density 0 it is to blame, not what is usual.
    return np.where(np.isfinite(usual), usual, 0.0)


def most_surprising(
    model: Any, columns: Columns, rows: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return of each of some rows the column that exceeds its usual surprise most, and its surprise."""
    if not len(rows):
        return np.zeros(0, dtype=np.intp), np.zeros(0)
    surprise = model.query.conditionals(columns.take(rows)).surprise()
    most = np.argmax(surprise - usual_surprise(model, columns), axis=1)
    return most, surprise[np.arange(len(most)), most]
