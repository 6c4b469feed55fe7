"""The rows of a fit, by what they hold, and the scores that they had while they were left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns
from boxwood.density.left_out import left_out_scores
from boxwood.model_file import State

__all__ = ["TrainingRows", "row_keys"]

MOST_ROWS = 1 << 20
"""Rows whose scores are kept: 16 bytes each in a model file."""


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Left-out scores of a fit's rows, found again in any order and in any table.

    Attributes
    ----------
    keys : ndarray of uint64
        Hashes of what rows hold, ascending.
    scores : ndarray of float64
        The log-density of each by what did not see it.

    Examples
    --------
    >>> import boxwood as bw
    >>> rows = TrainingRows.of_fit(bw.read_columns({"a": [1.0, 2.0]}), np.array([-3.0, -4.0]))
    >>> rows.scores_of(bw.read_columns({"a": [2.0, 5.0]}))
    array([-4., nan])
    """

    keys: NDArray[np.uint64]
    scores: NDArray[np.float64]

    @classmethod
    def of_fit(cls, columns: Columns, scores: NDArray[np.float64]) -> Self:
        """Return the rows of a table; equal ones have one score."""
        known = np.flatnonzero(np.isfinite(scores))
        keys, first = np.unique(row_keys(columns)[known], return_index=True)
        return cls(keys, np.asarray(scores, dtype=np.float64)[known[first]])

    @classmethod
    def of_density(cls, columns: Columns, density: Any) -> Self | None:
        """Return the rows of a density's fit; None where it left out few of them, or has too many."""
        scores = left_out_scores(density)
        if scores is None or not len(scores) == columns.n_rows <= MOST_ROWS:
            return None
        # Of small forests all trees saw some rows; other densities hold out a tenth, or leave out all.
        return cls.of_fit(columns, scores) if 2 * np.isfinite(scores).sum() > len(scores) else None

    def scores_of(self, columns: Columns) -> NDArray[np.float64]:
        """Return the left-out scores of a table's rows, NaN of rows that the fit did not have."""
        keys = row_keys(columns)
        if not len(self.keys):
            return np.full(len(keys), np.nan)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.scores[at], np.nan)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"keys": self.keys, "scores": self.scores}

    @classmethod
    def from_state(cls, state: State) -> Self:
        """Return the rows that a model file has."""
        keys = state.array("keys", np.uint64, (None,))
        scores = state.array("scores", np.float64, keys.shape)
        if np.any(keys[1:] <= keys[:-1]):
            raise state.error("keys", "is not ascending")
        return cls(keys, scores)


def row_keys(columns: Columns) -> NDArray[np.uint64]:
    """Return a hash of what each row holds; the columns are read by the schema of the fit."""
    return np.asarray(_core.hash_rows(np.ascontiguousarray(columns.matrix()))[:, 0])
