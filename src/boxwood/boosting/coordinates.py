"""Coordinates that a chain of trees is grown in: maps of the cube onto itself with known Jacobians."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.cube_points import CubePoints
from boxwood.boosting.networks.coordinates import NetworkCoordinates
from boxwood.boosting.networks.training import NetworkRows, best_orders
from boxwood.boosting.rotated import RotatedCoordinates
from boxwood.model_file import State
from boxwood.randomness import derived_seed

__all__ = ["Coordinates", "MarginCoordinates", "coordinates_from_state", "fit_coordinates", "fit_networks"]

NETWORKS = 3000
"""Where the seeds of orders begin among those that are derived from the model's."""
FEWEST_ROWS = 20
"""Rows that networks are trained on, at least."""

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


Coordinates = MarginCoordinates | RotatedCoordinates | NetworkCoordinates


def fit_coordinates(kind: str, points: CubePoints, seed: int) -> tuple[Coordinates, Points] | None:
    """Fit coordinates to points of the cube.

    Continuous columns alone are moved: the density of intervals that are moved is too ragged to be averaged.

    Parameters
    ----------
    kind : {"margins", "pca", "ica"}
    points : CubePoints
    seed : int
        Where the search for independent components begins.

    Returns
    -------
    coordinates : Coordinates
    points : ndarray of shape (n_points, n_columns)
        To train on.
        None where there are none of the kind: fewer than two columns, columns that depend on each other.
    """
    if kind == "margins":
        return MarginCoordinates(), points.u
    if len(points.continuous) < 2 or len(points.u) <= len(points.continuous):
        return None
    return RotatedCoordinates.fit(kind, points, seed)


def fit_networks(
    n_networks: int, points: CubePoints, held: CubePoints, seed: int, n_threads: int = 1
) -> list[tuple[Coordinates, Points]]:
    """Fit networks of columns in several orders.

    Parameters
    ----------
    n_networks : int
        Orders, at most.
    points, held : CubePoints
        Held-out rows say how long a network is trained; some of the points do where there are none.
    seed : int
        Of initial parameters, batches and orders that are tried.
    n_threads : int

    Returns
    -------
    list of (coordinates, points)
        Of the orders in which any column is explained by those before it.
    """
    if points.u.shape[1] < 2 or not n_networks or not len(points.u):
        return []
    rows = NetworkRows.of_points(points, held, seed)
    if rows.n_rows < FEWEST_ROWS or not len(rows.held[3]):
        return []
    found: list[tuple[Coordinates, Points]] = []
    for k, order in enumerate(best_orders(rows, n_networks, seed, n_threads)):
        coordinates = NetworkCoordinates.fit(rows, order, derived_seed(seed, NETWORKS, k), n_threads)
        if coordinates is not None:
            found.append((coordinates, coordinates.training_points(points, n_threads)))
    return found


def coordinates_from_state(state: State, d: int) -> Coordinates:
    """Read what `to_state` gave, after checking it."""
    kind = state.text("kind", ["margins", "rotated", "network", "residual"])
    if kind == "margins":
        return MarginCoordinates()
    if kind == "network":
        return NetworkCoordinates.from_state(state, d)
    if kind == "residual":
        raise state.error("kind", "is 'residual', which this version no longer has: fit the model again")
    columns = state.array("columns", np.int64, (None,), low=0, high=d - 1)
    if len(columns) < 2 or len(np.unique(columns)) < len(columns):
        raise state.error("columns", "are not at least two different ones")
    return RotatedCoordinates.from_state(state, columns)
