"""Coordinates that a chain of trees is grown in: maps of the cube onto itself with known Jacobians."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.cube_points import CubePoints
from boxwood.boosting.networks.coordinates import NetworkCoordinates
from boxwood.boosting.networks.training import MOST_PASSES, NetworkRows, best_orders
from boxwood.boosting.rotated import RotatedCoordinates
from boxwood.boosting.settings import Settings
from boxwood.model_file import State
from boxwood.randomness import derived_seed

__all__ = ["Coordinates", "MarginCoordinates", "coordinates_from_state", "fit_networks"]

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


def fit_networks(
    settings: Settings, points: CubePoints, held: CubePoints, seed: int, n_threads: int = 1
) -> list[tuple[Coordinates, Points]]:
    """Fit networks of columns in several orders.

    Parameters
    ----------
    settings : Settings
        How many orders at most, of how many that are tried, and how long they are trained.
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
    if points.u.shape[1] < 2 or not settings.n_networks_wanted or not len(points.u):
        return []
    rows = NetworkRows.of_points(points, held, seed)
    if rows.worth < FEWEST_ROWS or not len(rows.held[3]):
        return []
    found: list[tuple[Coordinates, Points]] = []
    n_networks = settings.n_networks_for(MOST_PASSES * rows.n_rows * (rows.n_columns - 1))
    orders = best_orders(rows, n_networks, settings.n_orders, settings.most_visits, seed, n_threads)
    for k, order in enumerate(orders):
        coordinates = NetworkCoordinates.fit(
            rows, order, settings.most_visits, derived_seed(seed, NETWORKS, k), n_threads
        )
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
