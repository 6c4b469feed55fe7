"""Drift measured: columns in cells, whole rows by their log-densities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.evidence import weigh_rows
from boxwood.table.drift.column_cells import column_cells
from boxwood.table.drift.column_drift import drift_of_cells
from boxwood.table.drift.drift import Drift

__all__ = ["measure_drift"]

Numbers = NDArray[np.float64]


def measure_drift(
    density: Any, query: Any, columns: Columns, n_fitted: float, fdr: float, rng: np.random.Generator
) -> Drift:
    """Return how far a table is from a density.

    Repeated rows of continuous values are copies and count once, as in a fit.
    """
    evidence = weigh_rows(columns, weight_kind=density.weight_kind, duplicates=density.duplicates)
    rows, weights = evidence.columns, evidence.columns.weights
    weights = np.ones(rows.n_rows) if weights is None else np.asarray(weights, dtype=np.float64)
    n_new = float(weights.sum())
    found = tuple(
        drift_of_cells(column.field.name, column_cells(query, j, column, weights), n_new, n_fitted, rng)
        for j, column in enumerate(rows)
    )
    distance = score_distance(density._score_table(rows), weights, density.calibration_scores_)
    p_value = distance_p_value(distance, n_new, float(len(density.calibration_scores_)))
    return Drift(found, distance, p_value, n_new, fdr, density.schema_)


def score_distance(scores: Numbers, weights: Numbers, calibration: Numbers) -> float:
    """Return by how much weighted scores lie below sorted calibration scores (one-sided Kolmogorov-Smirnov).

    Rows that the density was fitted to lie above: that is no drift.

    Examples
    --------
    >>> score_distance(np.array([1.0, 2.0]), np.ones(2), np.array([0.5, 1.5, 2.0, 3.0]))
    0.25
    >>> score_distance(np.array([8.0, 9.0]), np.ones(2), np.array([0.5, 1.5, 2.0, 3.0]))
    0.0
    """
    places = np.unique(np.concatenate([scores, calibration]))
    order = np.argsort(scores, kind="stable")
    upto = np.concatenate([[0.0], np.cumsum(weights[order])]) / weights.sum()
    new = upto[np.searchsorted(scores[order], places, side="right")]
    held_out = np.searchsorted(calibration, places, side="right") / len(calibration)
    return max(0.0, float((new - held_out).max()))


def distance_p_value(distance: float, n: float, m: float) -> float:
    """Return how often two samples of one distribution are as far apart, by the limit for large ones."""
    return float(np.exp(-2.0 * n * m / (n + m) * distance**2))
