"""Intervals of the cube that stand for one value each, as networks see them: by their middles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.cube_intervals import CubeIntervals
from boxwood.model_file import State

__all__ = ["Steps"]

MOST_STEPS = 4096
"""A column of more values than these is continuous to a network."""


@dataclass(frozen=True, eq=False)
class Steps:
    """Stretches of [0, 1] within which all points stand for one value of a column.

    Attributes
    ----------
    lower, upper : ndarray of float
        Ascending; none reaches into the next.

    Examples
    --------
    >>> Steps(np.array([0.0, 0.5]), np.array([0.2, 1.0])).middles(np.array([0.1, 0.3, 0.9]))
    array([0.1 , 0.3 , 0.75])
    """

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]

    @classmethod
    def of_columns(cls, intervals: CubeIntervals) -> dict[int, Self]:
        """Return the steps of the columns that have any, by number."""
        found = {}
        for j in np.flatnonzero(intervals.discrete):
            width = intervals.width[:, j]
            wide = (width > 0.0) & (width < 1.0)
            lower, first = np.unique(intervals.lower[wide, j], return_index=True)
            if 0 < len(lower) <= MOST_STEPS:
                upper = np.minimum(lower + width[wide][first], 1.0)
                upper[:-1] = np.minimum(upper[:-1], lower[1:])
                found[int(j)] = cls(lower, upper)
        return found

    def around(self, u: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the ends of the step of each point; those of a point in none are the point itself."""
        step = np.maximum(np.searchsorted(self.lower, u, side="right") - 1, 0)
        lower, upper = self.lower[step], self.upper[step]
        inside = (u >= lower) & (u <= upper)
        return np.where(inside, lower, u), np.where(inside, upper, u)

    def middles(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the middle of the step of each point; a point in none is its own."""
        lower, upper = self.around(u)
        return 0.5 * (lower + upper)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"lower": self.lower, "upper": self.upper}

    @classmethod
    def from_state(cls, state: State) -> Self:
        """Read what `to_state` gave, after checking it."""
        lower = state.array("lower", np.float64, (None,), low=0.0, high=1.0)
        upper = state.array("upper", np.float64, (len(lower),), low=0.0, high=1.0)
        if not len(lower) or (upper < lower).any() or (lower[1:] < upper[:-1]).any():
            raise state.error("lower", "and upper are no ascending stretches")
        return cls(lower, upper)
