"""What all stages of fitting a boosted density are told, in a fold as in the whole table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.boosting.chain import Chain
from boxwood.boosting.fit_steps import FitSteps
from boxwood.boosting.model import BoostedModel
from boxwood.boosting.settings import Settings
from boxwood.boosting.training import grow_chains, points_of
from boxwood.columns import Columns
from boxwood.evidence import Evidence
from boxwood.margins import Margins, fit_margins
from boxwood.threads import n_threads
from boxwood.tree.density.forest import ForestParameters

__all__ = ["FitOptions"]


@dataclass(frozen=True, eq=False)
class FitOptions:
    """Options of a fit.

    Attributes
    ----------
    settings : Settings
    grow : _core.MapGrowOptions
        Of chains.
    validation_fraction : float
    missing : str
        As the estimator has it.
    missing_values : {"event", "marginal"}
        As densities have it.
    n_points : int
    n_jobs : int or None
    seed : int
    """

    settings: Settings
    grow: _core.MapGrowOptions
    validation_fraction: float
    missing: str
    missing_values: str
    n_points: int
    n_jobs: int | None
    seed: int

    @property
    def forest(self) -> ForestParameters:
        """Parameters of the forest."""
        return ForestParameters(self.settings.n_trees_of_forest, missing=self.missing, n_jobs=self.n_jobs)

    def margins(self, rows: Evidence) -> Margins:
        """Fit the margins of chains."""
        return fit_margins(rows.columns, "smooth", self.n_jobs)

    def chains(
        self,
        train: Evidence,
        held: Evidence,
        margins: Margins,
        steps: FitSteps,
        start: Sequence[Chain] = (),
    ) -> list[Chain]:
        """Grow the chains, or go on with those that are there."""
        points = points_of(margins, train.columns, self.seed)
        held_points = points_of(margins, held.columns, self.seed + 1)
        threads = n_threads(self.n_jobs)
        return grow_chains(points, held_points, self.settings, self.grow, threads, self.seed, steps, start)

    def log_densities(
        self, model: BoostedModel, held: Columns, forest_unseen: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Return the log-density of rows held out under each part of a model."""
        return model.log_densities(
            held,
            self.n_points,
            n_threads(self.n_jobs),
            self.missing_values,
            held_out=True,
            forest_unseen=forest_unseen,
        )
