"""Mixtures of 1 to 50 Gaussians whose number is chosen by cross-validation."""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import KFold

__all__ = ["TunedGaussians"]

NUMBERS = (1, 2, 3, 5, 8, 12, 20, 30, 50)
COVARIANCES = ("full", "diag")
PATIENCE = 2
"""Numbers in turn that are no better, after which larger ones are not tried."""
N_FOLDS = 5


class TunedGaussians:
    """scikit-learn's mixture of standardised columns: number and kind of covariances by five folds.

    These models know no gaps. Boxwood's densities keep 1/(n + 2) a column for a gap that was never seen, and
    scores compare under the same measure only: so does this one.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def fit(self, X: np.ndarray) -> Self:
        """Choose, then fit to all rows."""
        self.mean, self.deviation = X.mean(axis=0), X.std(axis=0)
        X = self._standardised(X)
        folds = list(KFold(N_FOLDS, shuffle=True, random_state=self.seed).split(X))
        tried = [best for kind in COVARIANCES if (best := self._best(X, folds, kind))]
        _, self.n_components, kind = max(tried)
        self.mixture = self._mixture(self.n_components, kind).fit(X)
        log_presence = X.shape[1] * np.log1p(-1.0 / (len(X) + 2.0))
        self.log_factor = log_presence - np.log(self.deviation).sum()
        return self

    def score_samples(self, X: np.ndarray) -> np.ndarray:
        """Return log-densities."""
        return self.mixture.score_samples(self._standardised(X)) + self.log_factor

    def _standardised(self, X: np.ndarray) -> np.ndarray:
        return (X - self.mean) / self.deviation

    def _best(self, X: np.ndarray, folds: list, kind: str) -> tuple[float, int, str] | None:
        best, n_worse = None, 0
        fewest = min(len(train) for train, _ in folds)
        for k in NUMBERS:
            if n_worse == PATIENCE or 2 * k > fewest:
                break
            scores = [self._mixture(k, kind).fit(X[train]).score_samples(X[held]) for train, held in folds]
            found = float(np.concatenate(scores).mean()), k, kind
            best, n_worse = (found, 0) if best is None or found > best else (best, n_worse + 1)
        return best

    def _mixture(self, k: int, kind: str) -> GaussianMixture:
        return GaussianMixture(k, covariance_type=kind, random_state=self.seed)
