"""What networks read of points of the cube."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.normal_scores import normal_scores
from boxwood.boosting.steps import Steps

__all__ = ["network_inputs"]


def network_inputs(u: NDArray[np.float64], steps: Mapping[int, Steps]) -> NDArray[np.float32]:
    """Return normal scores, those of a value's middle where it is an interval."""
    middles = u
    if steps:
        middles = u.copy()
        for j, of_column in steps.items():
            middles[:, j] = of_column.middles(u[:, j])
    return np.ascontiguousarray(normal_scores(middles), dtype=np.float32)
