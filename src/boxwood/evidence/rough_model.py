"""A rough model of a table, to tell repetitions that chance may bring from copies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns

__all__ = ["rough_log_probability"]


def rough_log_probability(
    columns: Columns, cells: NDArray[np.bool_], weights: NDArray[np.int64], n_observations: float
) -> NDArray[np.float64]:
    """Return the log-probability of each row under a Chow–Liu tree over what is discrete.

    Parameters
    ----------
    columns : Columns
    cells : ndarray of bool, shape (n_rows, n_columns)
        Which values are discrete; all continuous values of a column count as one level.
    weights : ndarray of int64
        Whole numbers, so that sums do not depend on the scale of the weights given.
    n_observations : float
        What all rows together are worth.

    Examples
    --------
    >>> import boxwood as bw
    >>> table = bw.read_columns({"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "q"]})
    >>> log_p = rough_log_probability(table, np.ones((4, 2), bool), np.array([3, 1, 3, 1]), 8.0)
    >>> np.exp(log_p).round(3)
    array([0.375, 0.125, 0.375, 0.125])
    """
    codes = np.empty((len(columns), columns.n_rows), dtype=np.int32)
    for j, column in enumerate(columns):
        numbers = np.where(cells[:, j], column.numbers(), np.inf)
        codes[j] = np.unique(numbers, return_inverse=True)[1]  # gaps are one level too
    n_levels = codes.max(axis=1, initial=0).astype(np.int32) + np.int32(1)
    return _core.fit_chow_liu(codes, n_levels, weights, n_observations)[1]
