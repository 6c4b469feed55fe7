"""What density trees and forests share: a mixture on the cube under margins."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from boxwood.columns import Columns, Schema
from boxwood.density.base import DensityEstimator
from boxwood.margins import Margins
from boxwood.mixture import Mixture
from boxwood.model_file import State
from boxwood.randomness import seed_of

__all__ = ["BoxDensity"]


class BoxDensity(DensityEstimator):
    """A density whose fitted form is a mixture of products of 1-D pieces."""

    margins_: Margins
    mixture_: Mixture
    feature_importances_: NDArray[np.float64]
    n_jobs: int | None

    def apply(self, X: Any) -> NDArray[np.uint32]:
        """Give the number of the leaf that each row falls into, in every tree.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            A missing value goes where missing values went in training.

        Returns
        -------
        ndarray of shape (n_samples,) for a tree, (n_samples, n_estimators) for a forest
        """
        return self.mixture_.apply(self.margins_.encode(self._read(X)))

    @property
    def memory_report_(self) -> dict[str, int]:
        """Bytes of the fitted form: structure (32 a node), category sets, leaves and knots."""
        return self.mixture_.memory_report()

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        return self._log_density(self.margins_, self.mixture_, columns)

    def _log_density(self, margins: Margins, mixture: Mixture, columns: Columns) -> NDArray[np.float64]:
        points = observed_points(margins, columns)
        return mixture.log_density(points, self._n_threads()) + margins.log_derivative(columns)

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Columns:
        return self.margins_.decode(self.mixture_.sample(n_samples, seed_of(rng)))

    def _n_threads(self) -> int:
        return int(effective_n_jobs(self.n_jobs))

    def _get_state(self) -> dict[str, Any]:
        return {
            "margins": self.margins_.to_state(),
            "mixture": self.mixture_.to_state(),
            "feature_importances": self.feature_importances_,
            **self._get_novelty_state(),
        }

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        importances = state.array("feature_importances", np.float64, (len(schema),), low=0.0, high=1.0)
        return {
            "margins_": Margins.from_state(state, "margins", schema),
            "mixture_": Mixture.from_state(state.child("mixture"), len(schema)),
            "feature_importances_": importances,
            **self._novelty_of_state(state),
        }


def observed_points(margins: Margins, columns: Columns) -> NDArray[np.float64]:
    """Give the rows on the cube with NaN for missing values, which are summed out when scored."""
    points = margins.encode(columns)
    for j, column in enumerate(columns):
        if column.n_missing:
            points[column.missing(), j] = np.nan
    return points


def shares_of(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give importances as shares of their sum; all zero where nothing was split."""
    total = float(gains.sum())
    return gains / total if total > 0.0 else np.zeros_like(gains)
