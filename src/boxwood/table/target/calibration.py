"""Distributions made to hold as many values as they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.model_file import State

__all__ = ["Calibration"]

N_PARTS = 20
PRIOR = 5.0
"""Rows that each part is given beforehand, evenly."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Calibration:
    """Where the values of rows out of bag lie in their distributions, in equal parts of [0, 1].

    A distribution whose cumulative function is F becomes R(F), R the cumulative function of the values of F
    (the probability integral transform, which would be uniform).

    Attributes
    ----------
    masses : ndarray of shape (n_parts,)
    """

    masses: Numbers

    @classmethod
    def none(cls) -> Self:
        """Return the calibration that changes nothing."""
        return cls(np.full(N_PARTS, 1.0 / N_PARTS))

    @classmethod
    def of_masses(cls, masses: Numbers, codes: NDArray[np.uint32], weights: Numbers | None) -> Self:
        """Find how much of the rows' values lies in each part; a value's bin is spread over what it has."""
        rows = np.arange(len(codes))
        high = np.cumsum(masses, axis=1)[rows, codes]
        low = high - masses[rows, codes]
        edges = np.linspace(0.0, 1.0, N_PARTS + 1)
        overlap = np.minimum(high[:, None], edges[1:]) - np.maximum(low[:, None], edges[:-1])
        fractions = np.clip(overlap, 0.0, None) / np.maximum(high - low, 1e-300)[:, None]
        found = (fractions if weights is None else fractions * weights[:, None]).sum(axis=0) + PRIOR
        return cls(found / found.sum())

    def of(self, masses: Numbers) -> Numbers:
        """Return distributions as they should be."""
        edges = np.linspace(0.0, 1.0, N_PARTS + 1)
        below = np.concatenate([np.zeros((len(masses), 1)), np.cumsum(masses, axis=1)], axis=1)
        sums = np.concatenate([[0.0], np.cumsum(self.masses)])
        changed = np.diff(np.interp(below, edges, sums), axis=1).clip(min=0.0)
        return np.asarray(changed / changed.sum(axis=1, keepdims=True))

    @classmethod
    def from_state(cls, state: State, name: str) -> Self:
        """Read the calibration of a model file."""
        masses: Any = state.array(name, np.float64, (N_PARTS,), low=1e-12)
        if abs(masses.sum() - 1.0) > 1e-6:
            raise state.error(name, "must sum to 1")
        return cls(masses)
