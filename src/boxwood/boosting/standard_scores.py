"""Columns less their means, over their deviations: where Gaussians need no margins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Schema
from boxwood.model_file import State

__all__ = ["StandardScores"]


@dataclass(frozen=True, eq=False)
class StandardScores:
    """The scale of each column.

    Attributes
    ----------
    means, deviations : ndarray of shape (n_columns,)

    Examples
    --------
    >>> import boxwood as bw
    >>> columns = bw.read_columns(np.array([[1.5], [2.5], [6.5]]))
    >>> standard = StandardScores(np.array([3.5]), np.array([2.0]))
    >>> standard.scores(columns).ravel()
    array([-1. , -0.5,  1.5])
    """

    means: NDArray[np.float64]
    deviations: NDArray[np.float64]

    @classmethod
    def of(cls, columns: Columns) -> Self | None:
        """Return the scale of a table of numbers; None where a column does not vary."""
        values, weights = columns.matrix(), columns.row_weights
        means = np.average(values, axis=0, weights=weights)
        deviations = np.sqrt(np.average((values - means) ** 2, axis=0, weights=weights))
        return cls(means, deviations) if (deviations > 0.0).all() else None

    def scores(self, columns: Columns) -> NDArray[np.float64]:
        """Return the standard scores of a table; gaps are NaN."""
        return (columns.matrix() - self.means) / self.deviations

    def log_derivative(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithm of the Jacobian of `scores` at each row, without the columns that are NaN."""
        log_jacobian = np.zeros(len(scores))
        # Column by column, as in `normal_scores.log_derivative`.
        for column, deviation in zip(scores.T, self.deviations, strict=True):
            log_jacobian -= np.where(np.isnan(column), 0.0, np.log(deviation))
        return log_jacobian

    def columns(self, scores: NDArray[np.float64], schema: Schema) -> Columns:
        """Return the table that has these scores."""
        values = np.ascontiguousarray(self.means + scores * self.deviations)
        return Columns(schema, len(values), matrix=values)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"means": self.means, "deviations": self.deviations}

    @classmethod
    def from_state(cls, state: State, d: int) -> Self:
        """Read what `to_state` gave, after checking it."""
        means = state.array("means", np.float64, (d,))
        deviations = state.array("deviations", np.float64, (d,), low=0.0)
        if not deviations.all():
            raise state.error("deviations", "are not positive")
        return cls(means, deviations)
