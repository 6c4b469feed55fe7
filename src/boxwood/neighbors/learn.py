"""Metrics learnt from classes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.neighbors.metric import Metric

__all__ = ["learn_nca"]

_MOST_ROWS = 2000
"""NCA compares all pairs of rows; of larger tables an even fraction of each class is taken."""


def learn_nca(
    rows: NDArray[np.float64], codes: NDArray[np.int64], parameters: dict[str, Any] | None
) -> Metric:
    """Return the linear map under which neighbours are of one class (neighbourhood components analysis).

    Parameters
    ----------
    rows : ndarray of shape (n_samples, n_features)
    codes : ndarray of shape (n_samples,)
        Classes.
    parameters : dict, optional
        Of scikit-learn's ``NeighborhoodComponentsAnalysis``.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neighbors import NeighborhoodComponentsAnalysis

    taken = _even_fraction(codes)
    nca = NeighborhoodComponentsAnalysis(**{"random_state": 0, **(parameters or {})})
    with warnings.catch_warnings():
        # A map that is good enough need not have converged.
        warnings.simplefilter("ignore", ConvergenceWarning)
        nca.fit(rows[taken], codes[taken])
    return Metric("euclidean", matrix=np.ascontiguousarray(nca.components_.T, dtype=np.float64))


def _even_fraction(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return rows evenly spaced within each class, about as many in all as NCA can take."""
    fraction = min(1.0, _MOST_ROWS / len(codes))
    parts = []
    for code in np.unique(codes):
        rows = np.flatnonzero(codes == code)
        n = max(1, round(fraction * len(rows)))
        parts.append(rows[np.linspace(0, len(rows) - 1, n).round().astype(np.int64)])
    return np.sort(np.concatenate(parts))
