"""The parts of a boosted density, as attributes of what was fitted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.chain import Chain
from boxwood.boosting.gaussian_scores import GaussianScores
from boxwood.boosting.model import BoostedModel
from boxwood.margins import Margins
from boxwood.mixture import Mixture

__all__ = ["BoostedParts"]


class BoostedParts:
    """Mixin of an estimator whose ``model_`` is a `BoostedModel`."""

    model_: BoostedModel

    @property
    def margins_(self) -> Margins:
        """The margins of the columns."""
        return self._fitted_model().margins

    @property
    def chains_(self) -> list[Chain]:
        """The chains, each with ``coordinates`` and ``trees``."""
        return self._fitted_model().chains

    @property
    def forest_(self) -> Mixture | None:
        """The forest, where it is part of the mixture."""
        return self._fitted_model().forest

    @property
    def gaussians_(self) -> GaussianScores | None:
        """The mixture of Gaussians, where it is part of the mixture."""
        return self._fitted_model().gaussians

    @property
    def weights_(self) -> NDArray[np.float64]:
        """The weights of the chains and, last, of the forest."""
        return self._fitted_model().weights

    @property
    def n_estimators_(self) -> list[int]:
        """The rounds of each chain."""
        return [chain.trees.n_trees for chain in self.chains_]

    def _fitted_model(self) -> BoostedModel:
        if "model_" not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        return self.model_
