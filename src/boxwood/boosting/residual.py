"""Coordinates that are what other columns leave unexplained of a column."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.cube_points import CubePoints
from boxwood.boosting.fourier_regression import (
    FourierRegression,
    fit_fourier_features,
    fraction_left,
    most_left,
)
from boxwood.boosting.normal_scores import log_derivative, normal_scores, points_of_scores
from boxwood.boosting.ridge import evenly
from boxwood.boosting.smooth_margins import read_smooth_margins, smooth_margins_of
from boxwood.columns import read_columns
from boxwood.margins import Margins
from boxwood.model_file import State
from boxwood.randomness import derived_seed
from boxwood.threads import parallel_map

__all__ = ["ResidualCoordinates"]

ROWS_FOR_ORDER, FEATURES_FOR_ORDER, FEATURES_FOR_PAIRS = 3000, 128, 384
"""The order of columns is found with small regressions."""
MOST_PAIRS = 24
"""With more columns than these a second look at each is not worth its time."""
FOURIER = 1000
"""Where the seeds of Fourier features begin among those that are derived from the model's."""

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ResidualCoordinates:
    """Normal scores of columns less their mean given the columns before, over their spread given these.

    The map is triangular: each column is moved and stretched by functions of those before it, so that its
    Jacobian is known and it can be undone column by column.

    Attributes
    ----------
    columns : ndarray of int
        In the order of the regressions.
    regressions : list of WaveRegression
        Of the last columns, each on all before it; the first ones have none.
    margins : Margins
        Of the residuals, in the same order.
    gains : ndarray of shape (n_columns,)
        Log-likelihood that the regressions gained, shared out to the table's columns.
    """

    columns: NDArray[np.int64]
    regressions: list[FourierRegression]
    margins: Margins
    gains: NDArray[np.float64]

    @classmethod
    def fit(cls, points: CubePoints, seed: int, n_threads: int = 1) -> tuple[Self, Points] | None:
        """Fit the regressions; None where no column hangs on others.

        Returns
        -------
        coordinates : ResidualCoordinates
        points : ndarray
            The rows in these coordinates, to train on: each under regressions on the others.
        """
        first, weights = points.first_of_rows(), points.weights_of_rows()
        scores = normal_scores(points.u[:, points.continuous])
        [(order, n_plain)] = parallel_map(lambda rows: _order(rows, weights), [scores[first]], 1)
        if n_plain == len(order):
            return None
        columns, scores = points.continuous[order], scores[:, order]
        rows = scores[first]
        fitted = parallel_map(
            lambda i: fit_fourier_features(rows[:, :i], rows[:, i], weights, derived_seed(seed, FOURIER, i)),
            range(n_plain, len(order)),
            n_threads,
        )
        regressions = [regression for regression, _ in fitted]
        corrections = [correction[:, points.row] for _, correction in fitted]
        residuals = _residuals(scores, regressions, corrections, n_threads)
        margins = smooth_margins_of(residuals, points.weights)
        if margins is None:
            return None
        total = float(len(rows) if weights is None else weights.sum())
        gains = _gains(regressions, rows, columns, points.u.shape[1]) * total
        coordinates = cls(columns, regressions, margins, gains)
        return coordinates, coordinates._with_residuals(points.u, residuals)

    def apply(self, u: Points, n_threads: int = 1) -> tuple[Points, NDArray[np.float64]]:
        """Return the points and the logarithm of the Jacobian there."""
        scores = normal_scores(u[:, self.columns])
        residuals = scores.copy()
        log_jacobian = log_derivative(scores)
        for i, regression in _numbered(self.regressions, len(self.columns)):
            predicted = regression.predict(scores[:, :i], n_threads)
            residuals[:, i] = regression.residuals(scores[:, i], predicted)
            log_jacobian -= predicted[1]
        log_jacobian += self.margins.log_derivative(read_columns(residuals))
        return self._with_residuals(u, residuals), log_jacobian

    def training_points(self, points: CubePoints, n_threads: int = 1) -> Points:
        """Return the points to train on: each under regressions on the other rows."""
        weights = points.weights_of_rows()
        scores = normal_scores(points.u[:, self.columns])
        rows = scores[points.first_of_rows()]
        corrections = parallel_map(
            lambda numbered: numbered[1].corrections(rows[:, : numbered[0]], rows[:, numbered[0]], weights),
            _numbered(self.regressions, len(self.columns)),
            n_threads,
        )
        corrections = [correction[:, points.row] for correction in corrections]
        return self._with_residuals(points.u, _residuals(scores, self.regressions, corrections, n_threads))

    def invert(self, v: Points, n_threads: int = 1) -> Points:
        """Return the points that have these coordinates."""
        scores = self.margins.decode(np.ascontiguousarray(v[:, self.columns])).matrix()
        for i, regression in _numbered(self.regressions, len(self.columns)):
            mean, log_spread = regression.predict(scores[:, :i], n_threads)
            scores[:, i] = mean + scores[:, i] * np.exp(log_spread)
        u = v.copy()
        u[:, self.columns] = points_of_scores(scores)
        return u

    def importance_of_columns(self, gains: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add what the regressions gained to the gains of the residuals."""
        return gains + self.gains

    def _with_residuals(self, u: Points, residuals: Points) -> Points:
        v = u.copy()
        v[:, self.columns] = self.margins.encode(read_columns(residuals))
        return v

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "kind": "residual",
            "columns": self.columns,
            "regressions": [regression.to_state() for regression in self.regressions],
            "margins": self.margins.to_state(),
            "gains": self.gains,
        }

    @classmethod
    def from_state(cls, state: State, columns: NDArray[np.int64], d: int) -> Self:
        """Read what `to_state` gave, after checking it."""
        children = state.children("regressions")
        n_plain = len(columns) - len(children)
        if n_plain < 1:
            raise state.error("regressions", "are more than there are columns to explain")
        regressions = [FourierRegression.from_state(child, n_plain + i) for i, child in enumerate(children)]
        gains = state.array("gains", np.float64, (d,), low=0.0)
        return cls(columns, regressions, read_smooth_margins(state, len(columns)), gains)


def _numbered(regressions: list[FourierRegression], n_columns: int) -> list[tuple[int, FourierRegression]]:
    """Return each regression with the place of its column."""
    return list(enumerate(regressions, n_columns - len(regressions)))


def _residuals(
    scores: Points,
    regressions: list[FourierRegression],
    corrections: list[NDArray[np.float64]],
    n_threads: int,
) -> Points:
    """Return the residuals of points whose predictions are corrected."""
    residuals = scores.copy()
    for (i, regression), correction in zip(_numbered(regressions, scores.shape[1]), corrections, strict=True):
        predicted = regression.predict(scores[:, :i], n_threads) + correction
        residuals[:, i] = regression.residuals(scores[:, i], predicted)
    return residuals


def _order(scores: Points, weights: NDArray[np.float64] | None) -> tuple[NDArray[np.int64], int]:
    """Order columns so that those which hang most on others come last.

    The last column is the one that all others explain best, the last but one that which the rest explains
    best, and so on. What is left of a column mostly grows when others are taken away: one whose old figure is
    beaten is not tried again.

    Returns
    -------
    order : ndarray of int
    n_plain : int
        So many columns at the front are not explained by each other.
    """
    few = evenly(len(scores), ROWS_FOR_ORDER)
    scores, weights = scores[few], None if weights is None else weights[few]
    rest = list(range(scores.shape[1]))
    at_least = [(0.0, j) for j in rest]
    last: list[int] = []
    while len(rest) > 1:
        j, left = _best_explained(scores, weights, rest, at_least)
        if left > most_left(len(few)):
            break
        rest.remove(j)
        at_least = [(bound, i) for bound, i in at_least if i != j]
        last.append(j)
    return np.array(rest + last[::-1], dtype=np.int64), len(rest)


def _best_explained(
    scores: Points, weights: NDArray[np.float64] | None, rest: list[int], at_least: list[tuple[float, int]]
) -> tuple[int, float]:
    """Find the column of which the others leave least; `at_least` is brought up to date.

    The two best are compared again with more features: few of them take a function for its inverse,
    which is wilder.
    """

    def left_of(j: int, n_features: int) -> float:
        others = [i for i in rest if i != j]
        return fraction_left(scores[:, others], scores[:, j], weights, n_features, j)

    heapq.heapify(at_least)
    tried: set[int] = set()
    while at_least[0][1] not in tried:
        j = at_least[0][1]
        heapq.heapreplace(at_least, (left_of(j, FEATURES_FOR_ORDER), j))
        tried.add(j)
    left, best = at_least[0]
    if left > most_left(len(scores)) or len(rest) > MOST_PAIRS:
        return best, left
    _, second = heapq.nsmallest(2, at_least)[1]
    compared = {j: left_of(j, FEATURES_FOR_PAIRS) for j in (best, second)}
    winner = min(compared, key=lambda j: compared[j])
    return winner, min(left, compared[winner])


def _gains(
    regressions: list[FourierRegression], rows: Points, columns: NDArray[np.int64], d: int
) -> NDArray[np.float64]:
    """Share what each regression gains a row between its column and those that explain it."""
    gains = np.zeros(d)
    for i, regression in _numbered(regressions, len(columns)):
        gain = max(0.0, -0.5 * np.log(max(regression.left, 1e-300)))
        gains[columns[i]] += 0.5 * gain
        gains[columns[:i]] += 0.5 * gain * regression.fractions_of_columns(rows[:, :i])
    return gains
