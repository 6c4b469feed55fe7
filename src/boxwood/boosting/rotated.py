"""Coordinates of older model files, no longer fitted: components of the columns' normal scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.cube_points import CubePoints
from boxwood.boosting.normal_scores import log_derivative, normal_scores, points_of_scores
from boxwood.boosting.smooth_margins import number_columns, read_smooth_margins
from boxwood.linear.rotation import Rotation
from boxwood.margins import Margins
from boxwood.model_file import State

__all__ = ["RotatedCoordinates"]

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RotatedCoordinates:
    """Components of the normal scores of some columns, each under a margin of its own; the others stay.

    Attributes
    ----------
    columns : ndarray of int
        The columns that are rotated.
    rotation : Rotation
    margins : Margins
        Of the components.
    """

    columns: NDArray[np.int64]
    rotation: Rotation
    margins: Margins

    def apply(self, u: Points, n_threads: int = 1) -> tuple[Points, NDArray[np.float64]]:
        """Return the points and the logarithm of the Jacobian there."""
        scores = normal_scores(u[:, self.columns])
        components = self.rotation.apply(scores)
        log_jacobian = self.margins.log_derivative(number_columns(components)) + self.rotation.log_determinant
        log_jacobian += log_derivative(scores)
        return self._with_components(u, components), log_jacobian

    def training_points(self, points: CubePoints, n_threads: int = 1) -> Points:
        """Return the points to train on."""
        components = self.rotation.apply(normal_scores(points.u[:, self.columns]))
        return self._with_components(points.u, components)

    def invert(self, v: Points, n_threads: int = 1) -> Points:
        """Return the points that have these coordinates."""
        components = self.margins.decode(np.ascontiguousarray(v[:, self.columns])).matrix()
        u = v.copy()
        u[:, self.columns] = points_of_scores(self.rotation.invert(components))
        return u

    def importance_of_columns(self, gains: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide the gains of components among the columns, by the squares of their coefficients."""
        squares = self.rotation.matrix**2
        divided = gains.copy()
        divided[self.columns] = gains[self.columns] @ (squares / squares.sum(axis=1, keepdims=True))
        return divided

    def _with_components(self, u: Points, components: Points) -> Points:
        v = u.copy()
        v[:, self.columns] = self.margins.encode(number_columns(components))
        return v

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "kind": "rotated",
            "columns": self.columns,
            "rotation": self.rotation.to_state(),
            "margins": self.margins.to_state(),
        }

    @classmethod
    def from_state(cls, state: State, columns: NDArray[np.int64]) -> Self:
        """Read what `to_state` gave, after checking it."""
        rotation = Rotation.from_state(state.child("rotation"), len(columns))
        return cls(columns, rotation, read_smooth_margins(state, len(columns)))
