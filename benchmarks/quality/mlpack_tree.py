"""mlpack's density tree by scikit-learn's interface."""

from __future__ import annotations

import numpy as np
from density_tree import grow_mlpack, score_mlpack

try:
    from mlpack import det
except ImportError:
    det = None

__all__ = ["MlpackTree", "has_mlpack"]


def has_mlpack() -> bool:
    """Return whether mlpack is installed."""
    return det is not None


class MlpackTree:
    """The unpruned tree; rows outside its training box, where it raises, get −inf."""

    def fit(self, X: np.ndarray) -> MlpackTree:
        """Grow."""
        self.train, self.model = X, grow_mlpack(det, X)
        return self

    def score_samples(self, X: np.ndarray) -> np.ndarray:
        """Return log-densities."""
        return score_mlpack(det, self.model, self.train, X)
