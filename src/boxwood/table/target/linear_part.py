"""What a linear regression tells of a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.ridge import Ridge
from boxwood.columns import Column, Columns
from boxwood.model_file import State

__all__ = ["LinearPart"]

PENALTIES = np.array([1e-5, 1e-4, 1e-3, 1e-2, 1e-1])
"""Candidates, as fractions of the total weight; features have a variance of 1."""
FARTHEST = 5.0
"""Features are cut off so many deviations from their mean: beyond, a line is trusted no more."""
MOST_CATEGORIES = 64
"""A column of more categories is left to the forests."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinearPart:
    """A ridge regression on standardised columns; categories are indicators, gaps are means.

    Attributes
    ----------
    means, scales : ndarray of shape (n_columns,)
        Of columns of numbers; 0 and 1 of others.
    coefficients : ndarray of shape (n_features,)
    constant : float
    """

    means: Numbers
    scales: Numbers
    coefficients: Numbers
    constant: float

    @classmethod
    def fit(cls, columns: Columns, target: Numbers) -> tuple[Self, Numbers]:
        """Fit the regression; return it and what it tells of each row by the others alone."""
        means, scales = _moments(columns)
        features = _features(columns, means, scales)
        if not features.shape[1]:
            center = float(np.average(target, weights=columns.weights))
            return cls(means, scales, np.empty(0), center), np.full(len(target), center)
        ridge = Ridge.of(features, columns.weights)
        penalty, _ = ridge.best_penalty(target, PENALTIES)
        coefficients, constant = ridge.solve(target, penalty)
        return cls(means, scales, coefficients, constant), ridge.left_out(target, penalty)

    def predict(self, columns: Columns) -> Numbers:
        """Return what the regression tells of rows."""
        features = _features(columns, self.means, self.scales)
        return np.asarray(self.constant + features @ self.coefficients)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "means": self.means,
            "scales": self.scales,
            "coefficients": self.coefficients,
            "constant": self.constant,
        }

    @classmethod
    def from_state(cls, state: State, schema: Any) -> Self:
        """Read the regression of a model file."""
        n = sum(_n_features(field) for field in schema.fields)
        means = state.array("means", np.float64, (len(schema),))
        scales = state.array("scales", np.float64, (len(schema),), low=np.finfo(np.float64).tiny)
        coefficients = state.array("coefficients", np.float64, (n,))
        return cls(means, scales, coefficients, state.number("constant"))


def _n_features(field: Any) -> int:
    if field.kind.is_number:
        return 1
    return len(field.categories) if len(field.categories) <= MOST_CATEGORIES else 0


def _moments(columns: Columns) -> tuple[Numbers, Numbers]:
    means, scales = np.zeros(len(columns)), np.ones(len(columns))
    for j, column in enumerate(columns):
        there = ~column.missing()
        if not column.field.kind.is_number or not there.any():
            continue
        values = column.numbers()[there]
        weights = None if columns.weights is None else columns.weights[there]
        means[j] = np.average(values, weights=weights)
        scale = np.sqrt(np.average((values - means[j]) ** 2, weights=weights))
        scales[j] = scale if scale > 0.0 and np.isfinite(scale) else 1.0
    return means, scales


def _features(columns: Columns, means: Numbers, scales: Numbers) -> Numbers:
    parts = [_of_column(column, means[j], scales[j]) for j, column in enumerate(columns)]
    return np.ascontiguousarray(np.hstack([np.empty((columns.n_rows, 0)), *parts]))


def _of_column(column: Column, mean: float, scale: float) -> Numbers:
    numbers = column.numbers()
    if column.field.kind.is_number:
        scaled = np.clip((numbers - mean) / scale, -FARTHEST, FARTHEST)
        return np.where(np.isnan(scaled), 0.0, scaled)[:, None]
    n = _n_features(column.field)
    return (numbers[:, None] == np.arange(n)).astype(np.float64)
