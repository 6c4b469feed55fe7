"""Density trees of few rows, smoothed: every column, rounded or not, has a density on the same scale."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from boxwood import _core
from boxwood.columns import Columns, read_columns
from boxwood.density.forest import DensityForest
from boxwood.evidence import Evidence
from boxwood.tree.density.forest import FittedForest

__all__ = ["SmoothTrees", "fit_smooth_trees", "new_smooth_trees"]

SAMPLE_SIZE = 256
SPREAD = 0.3
"""Standard deviation of the noise that rows are spread by, in deviations of a column. Atoms become bumps: the
probability of one and the density of another column would add up on scales that do not compare."""


class SmoothTrees(DensityForest):
    """A density forest that scores no left-out rows: that takes half of a fit, and folds score them here."""

    def _out_of_bag(self, evidence: Evidence, fitted: FittedForest) -> NDArray[np.float64]:
        return np.full(evidence.n_rows, np.nan)


def new_smooth_trees(seed: int, fraction: float = 0.5, n_jobs: int | None = None) -> SmoothTrees:
    """Return the forest, not fitted."""
    return SmoothTrees(
        max_samples=fraction,
        dependencies=None,
        duplicates="copies",
        weight_kind="survey",
        false_alarm_rate=0.5,  # of its own threshold nothing is asked
        random_state=seed,
        n_jobs=n_jobs,
    )


def fit_smooth_trees(
    evidence: Evidence, points: NDArray[np.float64], n: float, seed: int, n_jobs: int | None
) -> SmoothTrees:
    """Fit trees of about 256 rows each, at most half of n, to rows spread by noise."""
    fraction = min(min(0.5 * n, SAMPLE_SIZE) / evidence.n, 1.0)
    spread = points + SPREAD * _noise(evidence.keys, points.shape[1], seed)
    table = as_table(spread).with_weights(evidence.weights)
    return new_smooth_trees(seed, fraction, n_jobs).fit(table)


def as_table(points: NDArray[np.float64]) -> Columns:
    return read_columns(points)


def _noise(keys: NDArray[np.uint64], width: int, seed: int) -> NDArray[np.float64]:
    """Return normal numbers that depend on the rows' content and the seed alone."""
    drawn: list[Any] = [ndtri(_core.draw_uniform(keys, seed + 1 + j).clip(1e-12)) for j in range(width)]
    return np.column_stack(drawn)
