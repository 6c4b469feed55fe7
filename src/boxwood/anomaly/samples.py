"""Small samples of rows, drawn by their content."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.evidence import Evidence, validation_fold

__all__ = ["draw_samples"]


def draw_samples(
    evidence: Evidence, size: int, n: float, n_samples: int, seed: int
) -> list[NDArray[np.float64]]:
    """Return the weights of the distinct rows in each sample: about `size` rows, at most half of n.

    One row is no sample of itself: then it is in all of them.
    """
    fraction = min(min(0.5 * n, size) / evidence.n, 0.99)
    drawn = [validation_fold(evidence, fraction, seed + k) for k in range(n_samples)]
    return [folds[0].held if folds else evidence.weights for folds in drawn]
