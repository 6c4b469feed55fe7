"""What forests of decision and regression trees share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.decision.base import TargetEstimator
from boxwood.decision.cuts import rows_of
from boxwood.parameters import check_choice, check_integer, check_number

__all__ = ["ForestMixin"]


class ForestMixin(TargetEstimator):
    """Sampling, out-of-bag scores and warm starts."""

    n_estimators: int
    oob_score: bool
    bootstrap: bool
    warm_start: bool
    max_samples: Any
    seed_: int

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_integer(self, "n_estimators", 1)
        for name in ("bootstrap", "oob_score", "warm_start"):
            check_choice(self, name, [True, False])
        if hasattr(self, "voting"):
            check_choice(self, "voting", ["soft", "hard"])
        if self.oob_score and not self.bootstrap:
            raise ValueError("Out of bag estimation only available if bootstrap=True")
        if isinstance(self.max_samples, int | np.integer):
            check_integer(self, "max_samples", 1)
        elif self.max_samples is not None:
            check_number(self, "max_samples", 0.0, 1.0, open_low=True)
        if self.max_samples is not None and not self.bootstrap:
            raise ValueError("`max_sample` cannot be set if `bootstrap=False`: every tree sees all rows.")

    def _fit_forest(
        self, columns: Columns, classes: NDArray[Any] | None, n_classes: int, values: NDArray[Any] | None
    ) -> dict[str, Any]:
        before = self.trees_.n_trees if self.warm_start and self.__sklearn_is_fitted__() else 0
        if before > self.n_estimators:
            raise ValueError(
                f"n_estimators={self.n_estimators} must be larger or equal to the {before} trees of the "
                "last fit when warm_start==True."
            )
        # A tree depends on the seed and its number alone: adding trees is fitting all of them again.
        seed = self.seed_ if before else self._seed()
        cuts, trees, table, options = self._grow(
            columns, classes, n_classes, values, seed, int(self.n_estimators)
        )
        fitted = {
            "cuts_": cuts,
            "trees_": trees,
            "seed_": seed,
            "n_outputs_": 1,
            "feature_importances_": trees.importances(len(columns)),
        }
        if self.oob_score:
            fitted["oob"] = trees.native.predict_out_of_bag(rows_of(columns), table, options)
        return fitted

    def _get_state(self) -> dict[str, Any]:
        return {**super()._get_state(), "seed": self.seed_}

    def _trees_of_state(self, schema: Any, state: Any, n_outputs: int) -> dict[str, Any]:
        seed = state.integer("seed", high=2**64)
        return {**super()._trees_of_state(schema, state, n_outputs), "seed_": seed}
