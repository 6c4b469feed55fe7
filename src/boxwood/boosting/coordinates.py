"""Coordinates that a chain of trees is grown in: maps of the cube onto itself with known Jacobians."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.cube_points import CubePoints
from boxwood.boosting.residual import ResidualCoordinates
from boxwood.boosting.rotated import RotatedCoordinates
from boxwood.model_file import State

__all__ = ["Coordinates", "MarginCoordinates", "coordinates_from_state", "fit_coordinates"]

Points = NDArray[np.float64]


class MarginCoordinates:
    """The cube as the margins make it."""

    def apply(self, u: Points, n_threads: int = 1) -> tuple[Points, NDArray[np.float64]]:
        """Return the points and the logarithm of the Jacobian there."""
        return u.copy(), np.zeros(len(u))

    def training_points(self, points: CubePoints, n_threads: int = 1) -> Points:
        """Return the points to train on."""
        return points.u

    def invert(self, v: Points, n_threads: int = 1) -> Points:
        """Return the points that have these coordinates."""
        return v

    def importance_of_columns(self, gains: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide the gains of coordinates among the columns."""
        return gains

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"kind": "margins"}


Coordinates = MarginCoordinates | RotatedCoordinates | ResidualCoordinates


def fit_coordinates(
    kind: str, points: CubePoints, seed: int, n_threads: int = 1
) -> tuple[Coordinates, Points] | None:
    """Fit coordinates to points of the cube.

    Continuous columns alone are moved: the density of intervals that are moved is too ragged to be averaged.

    Parameters
    ----------
    kind : {"margins", "pca", "ica", "residual"}
    points : CubePoints
    seed : int
        Where the search for independent components begins; which Fourier features regressions have.
    n_threads : int

    Returns
    -------
    coordinates : Coordinates
    points : ndarray of shape (n_points, n_columns)
        To train on.
        None where there are none of the kind: fewer than two columns, columns that depend on each other
        (or, of residuals, that do not).
    """
    if kind == "margins":
        return MarginCoordinates(), points.u
    if len(points.continuous) < 2 or len(points.u) <= len(points.continuous):
        return None
    if kind == "residual":
        return ResidualCoordinates.fit(points, seed, n_threads)
    return RotatedCoordinates.fit(kind, points, seed)


def coordinates_from_state(state: State, d: int) -> Coordinates:
    """Read what `to_state` gave, after checking it."""
    kind = state.text("kind", ["margins", "rotated", "residual"])
    if kind == "margins":
        return MarginCoordinates()
    columns = state.array("columns", np.int64, (None,), low=0, high=d - 1)
    if len(columns) < 2 or len(np.unique(columns)) < len(columns):
        raise state.error("columns", "are not at least two different ones")
    if kind == "rotated":
        return RotatedCoordinates.from_state(state, columns)
    return ResidualCoordinates.from_state(state, columns, d)
