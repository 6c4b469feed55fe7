"""Where a number lies given the columns: a linear regression, and forests of what is left of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.binning.thresholds import rows_of
from boxwood.columns import Columns, Schema
from boxwood.model_file import State
from boxwood.regress import RandomForestRegressor
from boxwood.table.target.leaf_forest import grow
from boxwood.table.target.linear_part import LinearPart
from boxwood.table.target.settings import TargetSettings

__all__ = ["Location"]

LEAST_GAIN = 0.002
"""A round must lessen the squared error by this fraction of it."""
LEAST_LINEAR_GAIN = 0.02
"""So must the linear regression."""
LARGEST_STEP = 1.2
"""Of what a round tells: a bootstrap's mean is too flat."""
MORE_TREES = 1.0 - math.exp(-1.0)
"""Of the trees saw a row. The variance of a mean over trees falls with their number: half of the trees out of
bag have twice of what all of them have, and a new row's trees less by this fraction."""
MOST_NOISE = 0.5
"""Of the squared error is taken for the noise of few trees."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Location:
    """Iterated bagging (Breiman, 2001): each forest is grown on the out-of-bag residuals of those before it.

    Attributes
    ----------
    constant : float
    linear : LinearPart or None
    steps : list of float
        By which the forests' means are multiplied.
    forests : list of RandomForestRegressor
    """

    constant: float
    linear: LinearPart | None
    steps: list[float]
    forests: list[Any]

    @classmethod
    def fit(
        cls, columns: Columns, target: Numbers, seed: int, settings: TargetSettings
    ) -> tuple[Self, Numbers]:
        """Fit the location; return it and the residual of each row by what did not see it.

        New rows have more trees than a row out of bag: residuals are drawn together by what these are worth.
        """
        weights = columns.weights
        constant = float(np.average(target, weights=weights))
        linear, residual = _linear(columns, target - constant)
        last = _squares(residual, weights)
        steps: list[float] = []
        forests: list[Any] = []
        noise = 0.0
        for k in range(settings.rounds if last > 0.0 else 0):
            grown = grow(_new_forest(settings), columns, residual, 0, (seed + 1 + k) % 2**64)
            predicted = grown.left_out[:, 0]
            step = _step(residual, predicted, weights)
            left = residual - step * predicted
            error = _squares(left, weights)
            if error > (1.0 - LEAST_GAIN) * last:
                break
            by_half = residual - step * grown.half[:, 0]
            if not np.isnan(by_half).all():  # rows that come often may be in every sample
                noise += max(_squares(by_half, weights) - error, 0.0)
            residual, last = left, error
            steps.append(step)
            forests.append(grown.forest)
        kept = 1.0 - min(MORE_TREES * noise / last, MOST_NOISE) if last > 0.0 else 1.0
        return cls(constant, linear, steps, forests), residual * math.sqrt(kept)

    def predict(self, columns: Columns) -> Numbers:
        """Return where the number lies given each row."""
        found = np.full(columns.n_rows, self.constant)
        if self.linear is not None:
            found += self.linear.predict(columns)
        rows = rows_of(columns)
        for step, forest in zip(self.steps, self.forests, strict=True):
            found += step * forest.trees_.native.predict(rows, 1)[:, 0]
        return found

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        forests = [forest._get_state() for forest in self.forests]
        state = {
            "constant": self.constant,
            "steps": np.array(self.steps, dtype=np.float64),
            "forests": forests,
        }
        return state if self.linear is None else {**state, "linear": self.linear.to_state()}

    @classmethod
    def from_state(cls, state: State, schema: Schema) -> Self:
        """Read the location of a model file."""
        steps = state.array("steps", np.float64, (None,))
        forests = []
        for child in state.children("forests", len(steps)):
            forest = RandomForestRegressor()
            forest._restore(schema.to_json(), child)
            forests.append(forest)
        linear = LinearPart.from_state(state.child("linear"), schema) if "linear" in state else None
        return cls(state.number("constant"), linear, steps.tolist(), forests)


def _new_forest(settings: TargetSettings) -> Any:
    return RandomForestRegressor(
        settings.n_trees, min_samples_leaf=10, max_features=0.5, n_jobs=settings.n_jobs
    )


def _linear(columns: Columns, target: Numbers) -> tuple[LinearPart | None, Numbers]:
    part, predicted = LinearPart.fit(columns, target)
    before = _squares(target, columns.weights)
    useful = _squares(target - predicted, columns.weights) < (1.0 - LEAST_LINEAR_GAIN) * before
    return (part, target - predicted) if useful else (None, target)


def _step(residual: Numbers, predicted: Numbers, weights: Any) -> float:
    """Return by how much out-of-bag means must be multiplied to leave the least squared error."""
    square = float(np.average(predicted**2, weights=weights))
    if not square > 0.0:
        return 0.0
    return float(np.clip(np.average(residual * predicted, weights=weights) / square, 0.0, LARGEST_STEP))


def _squares(residual: Numbers, weights: Any) -> float:
    """Return the mean square of what is known."""
    there = ~np.isnan(residual)
    return float(np.average(residual[there] ** 2, weights=None if weights is None else weights[there]))
