"""Coordinates by networks: each column's distribution function given the columns before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from boxwood import _core
from boxwood.boosting.cube_points import CubePoints
from boxwood.boosting.networks.column_network import ColumnNetwork, locate
from boxwood.boosting.networks.inputs import network_inputs
from boxwood.boosting.networks.training import NetworkRows, training_options
from boxwood.boosting.normal_scores import NEAREST_TO_EDGE, normal_scores, points_of_scores
from boxwood.boosting.steps import Steps
from boxwood.model_file import State

__all__ = ["NetworkCoordinates"]

LOG_ROOT_2PI = 0.5 * np.log(2.0 * np.pi)

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NetworkCoordinates:
    """Each column's probability of a smaller value, given the columns before it in an order.

    The distribution is a mixture of normals of the column's normal score whose parameters a small sine
    network computes from the normal scores of the columns before. The map is triangular: its Jacobian is the
    product of the conditional densities, and it can be undone column by column. Within a step, the interval
    of one value, the density is the value's probability over the step's width.

    Attributes
    ----------
    networks : list of ColumnNetwork
        In the order in which the map is undone; columns without one stay as they are.
    steps : dict
        Of columns whose values are intervals: networks read their middles and explain them as a whole.
    gains : ndarray of shape (n_columns,)
        Log-likelihood that the networks gained, divided among the table's columns.
    """

    networks: list[ColumnNetwork]
    steps: dict[int, Steps]
    gains: NDArray[np.float64]

    @classmethod
    def fit(
        cls, rows: NetworkRows, order: NDArray[np.int64], most_visits: int, seed: int, n_threads: int = 1
    ) -> Self | None:
        """Train the networks of columns in an order; None where no column hangs on others.

        Together they visit so many rows at most.
        """
        tasks = rows.tasks(order, seed)
        options = training_options(rows.n_rows, len(tasks), most_visits)
        trained = _core.train_networks(rows.train, rows.held, tasks, options, n_threads)
        networks = [
            ColumnNetwork(column, inputs, parameters, gain)
            for (inputs, column, _), (parameters, gain, _) in zip(tasks, trained, strict=True)
            if len(parameters)
        ]
        return cls(networks, rows.steps, rows.gains(networks)) if networks else None

    def apply(self, u: Points, n_threads: int = 1) -> tuple[Points, NDArray[np.float64]]:
        """Return the points and the logarithm of the Jacobian there."""
        own = u[:, [network.column for network in self.networks]]
        lower, upper = self._around(own)
        is_step = upper > lower
        scores = normal_scores(own)
        low, high = (np.where(is_step, ndtri(end), scores) for end in (lower, upper))
        below, logs = locate(self.networks, network_inputs(u, self.steps), low, high, n_threads)
        width = np.where(is_step, upper - lower, 1.0)
        place = np.where(is_step, (own - lower) / width, 0.0)
        levels = below + place * np.exp(np.where(is_step, logs, 0.0))
        logs += np.where(is_step, -np.log(width), 0.5 * scores**2 + LOG_ROOT_2PI)
        v, log_jacobian = u.copy(), np.zeros(len(u))
        for k, network in enumerate(self.networks):  # sums along rows may add in another order
            v[:, network.column] = np.clip(levels[:, k], NEAREST_TO_EDGE, 1.0 - NEAREST_TO_EDGE)
            log_jacobian += logs[:, k]
        return v, log_jacobian

    def _around(self, own: Points) -> tuple[Points, Points]:
        """Return the ends of the steps that the columns lie in, or the points where they lie in none."""
        lower, upper = own.copy(), own.copy()
        for k, network in enumerate(self.networks):
            if network.column in self.steps:
                lower[:, k], upper[:, k] = self.steps[network.column].around(own[:, k])
        return lower, upper

    def training_points(self, points: CubePoints, n_threads: int = 1) -> Points:
        """Return the points to train on."""
        return self.apply(points.u, n_threads)[0]

    def invert(self, v: Points, n_threads: int = 1) -> Points:
        """Return the points that have these coordinates."""
        u = v.copy()
        inputs = network_inputs(u, self.steps)
        for network in self.networks:
            j = network.column
            levels = np.clip(v[:, j], NEAREST_TO_EDGE, 1.0 - NEAREST_TO_EDGE)
            own = points_of_scores(network.quantiles(inputs, levels, n_threads))
            if j in self.steps:
                own = _placed(network, self.steps[j], inputs, own, levels, n_threads)
            u[:, j] = own
            steps = {0: self.steps[j]} if j in self.steps else {}
            inputs[:, j] = network_inputs(own[:, None], steps)[:, 0]
        return u

    def importance_of_columns(self, gains: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add what the networks gained to the gains of the coordinates."""
        return gains + self.gains

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "kind": "network",
            "networks": [network.to_state() for network in self.networks],
            "columns_of_steps": np.array(list(self.steps), dtype=np.int64),
            "steps": [steps.to_state() for steps in self.steps.values()],
            "gains": self.gains,
        }

    @classmethod
    def from_state(cls, state: State, d: int) -> Self:
        """Read what `to_state` gave, after checking it."""
        networks = [ColumnNetwork.from_state(child, d) for child in state.children("networks")]
        done: set[int] = set()
        last = {network.column for network in networks}
        for network in networks:
            if network.column in done or (last - done) & set(network.inputs):
                raise state.error("networks", "read a column that a later network moves")
            done.add(network.column)
        columns = state.array("columns_of_steps", np.int64, (None,), low=0, high=d - 1)
        if len(np.unique(columns)) < len(columns):
            raise state.error("columns_of_steps", "names a column twice")
        children = state.children("steps", len(columns))
        steps = {int(j): Steps.from_state(child) for j, child in zip(columns, children, strict=True)}
        return cls(networks, steps, state.array("gains", np.float64, (d,), low=0.0))


def _placed(
    network: ColumnNetwork,
    steps: Steps,
    inputs: NDArray[np.float32],
    u: NDArray[np.float64],
    levels: NDArray[np.float64],
    n_threads: int,
) -> NDArray[np.float64]:
    """Return points of a column with those in a step moved to where their level lies in its mass."""
    lower, upper = steps.around(u)
    low, high = ndtri(lower)[:, None], ndtri(upper)[:, None]
    below, log_mass = locate([network], inputs, low, high, n_threads)
    place = np.clip((levels - below[:, 0]) / np.exp(log_mass[:, 0]), 0.0, 1.0)
    return np.where(upper > lower, lower + place * (upper - lower), u)
