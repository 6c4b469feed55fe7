"""The network of one column: its distribution given other columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.model_file import State

__all__ = ["ColumnNetwork", "locate"]


Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ColumnNetwork:
    """A mixture of normals of a column's normal score, given other columns.

    Attributes
    ----------
    column : int
    inputs : list of int
        The columns that it reads.
    parameters : ndarray of float32
        Of the sine network, weights and biases of one layer after the other.
    gain : float
        Nats that it gained a held-out row over the standard normal distribution.
    """

    column: int
    inputs: list[int]
    parameters: NDArray[np.float32]
    gain: float

    def quantiles(
        self, rows: NDArray[np.float32], levels: NDArray[np.float64], n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Return the scores at which each row's distribution function takes its level."""
        return _core.network_quantiles(self.parameters, rows, self.inputs, levels, n_threads)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "column": self.column,
            "inputs": np.array(self.inputs, dtype=np.int64),
            "parameters": self.parameters,
            "gain": self.gain,
        }

    @classmethod
    def from_state(cls, state: State, d: int) -> Self:
        """Read what `to_state` gave, after checking it."""
        column = state.integer("column", high=d - 1)
        inputs = state.array("inputs", np.int64, (None,), low=0, high=d - 1)
        if not len(inputs) or len(np.unique(inputs)) < len(inputs) or column in inputs:
            raise state.error("inputs", "are no other columns")
        n_parameters = _core.network_size(len(inputs))
        parameters = state.array("parameters", np.float32, (n_parameters,))
        return cls(column, [int(j) for j in inputs], parameters, state.number("gain"))


def locate(
    networks: Sequence[ColumnNetwork],
    rows: NDArray[np.float32],
    low: Matrix,
    high: Matrix,
    n_threads: int = 1,
) -> tuple[Matrix, Matrix]:
    """Return the mass below each low score, and the log-density there or the log-mass up to the high one.

    Parameters
    ----------
    networks : sequence of ColumnNetwork
    rows : ndarray of float32
        What the networks read: (n_rows, n_columns).
    low, high : ndarray of shape (n_rows, n_networks)
        Ends of each network's own values; equal where they are points.
    n_threads : int
    """
    pairs = [(network.parameters, network.inputs) for network in networks]
    return _core.locate_by_networks(
        pairs, rows, np.ascontiguousarray(low), np.ascontiguousarray(high), n_threads
    )
