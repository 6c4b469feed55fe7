"""A chain of trees in some coordinates: a density of the cube."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.boosting.coordinates import Coordinates, MarginCoordinates, coordinates_from_state
from boxwood.model_file import State

__all__ = ["Chain", "log_densities"]

_ARRAYS = {
    "cut": np.float32,
    "mass": np.float32,
    "right": np.uint32,
    "column": np.uint16,
    "left_is_node": np.uint16,
    "ends": np.int64,
}


@dataclass(frozen=True, eq=False)
class Chain:
    """A density of the cube: coordinates, and trees that map them onto uniform points.

    Attributes
    ----------
    coordinates : Coordinates
    trees : MapChain
        Native.
    gains : ndarray of shape (n_columns,)
        Log-likelihood that the cuts of each coordinate gained in training.
    seed : int
    """

    coordinates: Coordinates
    trees: _core.MapChain
    gains: NDArray[np.float64]
    seed: int = field(default=0)

    @classmethod
    def of_no_trees(cls, d: int) -> Chain:
        """Return the uniform density."""
        none = _core.MapChain(d, *(np.zeros(0, dtype) for dtype in _ARRAYS.values()))
        return cls(MarginCoordinates(), none, np.zeros(d))

    def encode(self, u: NDArray[np.float64], n_threads: int = 1) -> NDArray[np.float64]:
        """Map points of the cube to where the model is uniform."""
        v, _ = self.coordinates.apply(u, n_threads)
        self.trees.move(v, 0, self.trees.n_trees, n_threads)
        return v

    def decode(self, v: NDArray[np.float64], n_threads: int = 1) -> NDArray[np.float64]:
        """Map uniform points to points of the cube."""
        v = v.copy()
        self.trees.move_back(v, n_threads)
        return self.coordinates.invert(v, n_threads)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "trees": (self.trees.n_columns, self.trees.flat())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        n_columns, flat = state["trees"]
        self.__dict__.update(state, trees=_core.MapChain(n_columns, *flat))

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        arrays = dict(zip(_ARRAYS, self.trees.flat(), strict=True))
        return {"coordinates": self.coordinates.to_state(), "gains": self.gains, "seed": self.seed, **arrays}

    @classmethod
    def from_state(cls, state: State, d: int) -> Chain:
        """Read what `to_state` gave; the native chain checks every tree."""
        coordinates = coordinates_from_state(state.child("coordinates"), d)
        gains = state.array("gains", np.float64, (d,), low=0.0)
        seed = state.integer("seed", high=2**64)
        arrays = [state.array(name, dtype, (None,)) for name, dtype in _ARRAYS.items()]
        try:
            return cls(coordinates, _core.MapChain(d, *arrays), gains, seed)
        except ValueError as error:
            raise state.error("cut", f"is no chain of trees: {error}") from None


def log_densities(chains: Sequence[Chain], u: NDArray[np.float64], n_threads: int = 1) -> NDArray[np.float64]:
    """Return the log-density of points of the cube under each chain: (n_points, n_chains)."""
    moved = [chain.coordinates.apply(u, n_threads) for chain in chains]
    logs = _core.move_chains([chain.trees for chain in chains], [v for v, _ in moved], n_threads)
    for k, (_, log_jacobian) in enumerate(moved):
        logs[:, k] += log_jacobian
    return logs
