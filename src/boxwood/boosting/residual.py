"""Coordinates that are what other columns leave unexplained of a column."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.cube_points import CubePoints
from boxwood.boosting.fourier_regression import (
    MOST_ROWS,
    FourierRegression,
    Regressed,
    fit_fourier_features,
    fractions_left,
    fractions_of_columns,
    most_left,
    predict_all,
)
from boxwood.boosting.normal_scores import log_derivative, normal_scores, points_of_scores
from boxwood.boosting.ridge import evenly
from boxwood.boosting.smooth_margins import fit_smooth_margins, number_columns, read_smooth_margins
from boxwood.margins import Margins
from boxwood.model_file import State
from boxwood.randomness import derived_seed
from boxwood.threads import parallel_map

__all__ = ["ResidualCoordinates"]

ROWS_FOR_ORDER, FEATURES_FOR_ORDER, FEATURES_FOR_PAIRS = 3000, 128, 384
"""The order of columns is found with small regressions."""
MOST_PAIRS = 24
"""With more columns than these a second look at each is not worth its time."""
REGRESSED_AT_ONCE = 8
"""Small regressions whose features are made together: 3 MB each."""
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
    regressions : list of FourierRegression
        Of the last columns, each on all before it; the first ones have none.
    margins : Margins
        Of the residuals, in the same order.
    gains : ndarray of shape (n_columns,)
        Log-likelihood that the regressions gained, divided among the table's columns.
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
        left_out = [predicted for _, predicted in fitted]
        residuals = _residuals(points, scores, regressions, left_out, n_threads)
        margins = fit_smooth_margins(residuals, points.weights)
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
        predictions = predict_all(self.regressions, scores, n_threads)
        for (i, regression), predicted in zip(self._numbered(), predictions, strict=True):
            residuals[:, i] = regression.residuals(scores[:, i], predicted)
            log_jacobian -= predicted[1]
        log_jacobian += self.margins.log_derivative(number_columns(residuals))
        return self._with_residuals(u, residuals), log_jacobian

    def training_points(self, points: CubePoints, n_threads: int = 1) -> Points:
        """Return the points to train on: each under regressions on the other rows."""
        weights = points.weights_of_rows()
        scores = normal_scores(points.u[:, self.columns])
        rows = scores[points.first_of_rows()]
        left_out = parallel_map(
            lambda numbered: numbered[1].left_out(rows[:, : numbered[0]], rows[:, numbered[0]], weights),
            self._numbered(),
            n_threads,
        )
        residuals = _residuals(points, scores, self.regressions, left_out, n_threads)
        return self._with_residuals(points.u, residuals)

    def invert(self, v: Points, n_threads: int = 1) -> Points:
        """Return the points that have these coordinates."""
        scores = self.margins.decode(np.ascontiguousarray(v[:, self.columns])).matrix()
        for i, regression in self._numbered():
            mean, log_spread = regression.predict(scores[:, :i], n_threads)
            scores[:, i] = mean + scores[:, i] * np.exp(log_spread)
        u = v.copy()
        u[:, self.columns] = points_of_scores(scores)
        return u

    def importance_of_columns(self, gains: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add what the regressions gained to the gains of the residuals."""
        return gains + self.gains

    def _numbered(self) -> list[tuple[int, FourierRegression]]:
        return _numbered(self.regressions, len(self.columns))

    def _with_residuals(self, u: Points, residuals: Points) -> Points:
        v = u.copy()
        v[:, self.columns] = self.margins.encode(number_columns(residuals))
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
    points: CubePoints,
    scores: Points,
    regressions: list[FourierRegression],
    left_out: list[NDArray[np.float64] | None],
    n_threads: int,
) -> Points:
    """Return the residuals of points, each under regressions on the other rows."""
    corrections = _corrections(scores[points.first_of_rows()], regressions, left_out, n_threads)
    predictions = predict_all(regressions, scores, n_threads)
    residuals = scores.copy()
    for k, (i, regression) in enumerate(_numbered(regressions, scores.shape[1])):
        predicted = predictions[k] + corrections[k][:, points.row]
        residuals[:, i] = regression.residuals(scores[:, i], predicted)
    return residuals


def _corrections(
    rows: Points,
    regressions: list[FourierRegression],
    left_out: list[NDArray[np.float64] | None],
    n_threads: int,
) -> list[NDArray[np.float64]]:
    """Return what to add to the predictions of all rows to get those of regressions on the others."""
    fitted = evenly(len(rows), MOST_ROWS)
    corrections = []
    for predicted, others in zip(predict_all(regressions, rows[fitted], n_threads), left_out, strict=True):
        correction = np.zeros((2, len(rows)))
        if others is not None:
            correction[:, fitted] = others - predicted
        corrections.append(correction)
    return corrections


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
    last: list[int] = []
    found = [
        left
        for begin in range(0, len(rest), REGRESSED_AT_ONCE)
        for left in _left_of(
            scores, weights, rest, rest[begin : begin + REGRESSED_AT_ONCE], FEATURES_FOR_ORDER
        )
    ]
    at_least = list(zip(found, rest, strict=True))
    tried = set(rest)
    while len(rest) > 1:
        j, left = _best_explained(scores, weights, rest, at_least, tried)
        tried = set()
        if left > most_left(len(few)):
            break
        rest.remove(j)
        at_least = [(bound, i) for bound, i in at_least if i != j]
        last.append(j)
    return np.array(rest + last[::-1], dtype=np.int64), len(rest)


def _left_of(
    scores: Points,
    weights: NDArray[np.float64] | None,
    rest: list[int],
    columns: Sequence[int],
    n_features: int,
) -> list[float]:
    """Return what the rest leaves of each of some columns."""
    regressed = [Regressed(scores[:, [i for i in rest if i != j]], scores[:, j], j) for j in columns]
    return fractions_left(regressed, weights, n_features)


def _best_explained(
    scores: Points,
    weights: NDArray[np.float64] | None,
    rest: list[int],
    at_least: list[tuple[float, int]],
    tried: set[int],
) -> tuple[int, float]:
    """Find the column of which the others leave least; `at_least` and `tried` are brought up to date.

    The two best are compared again with more features: few of them take a function for its inverse,
    which is wilder.
    """
    heapq.heapify(at_least)
    while at_least[0][1] not in tried:
        j = at_least[0][1]
        [left] = _left_of(scores, weights, rest, [j], FEATURES_FOR_ORDER)
        heapq.heapreplace(at_least, (left, j))
        tried.add(j)
    left, best = at_least[0]
    if left > most_left(len(scores)) or len(rest) > MOST_PAIRS:
        return best, left
    _, second = heapq.nsmallest(2, at_least)[1]
    pair = (best, second)
    compared = dict(zip(pair, _left_of(scores, weights, rest, pair, FEATURES_FOR_PAIRS), strict=True))
    winner = min(compared, key=lambda j: compared[j])
    return winner, min(left, compared[winner])


def _gains(
    regressions: list[FourierRegression], rows: Points, columns: NDArray[np.int64], d: int
) -> NDArray[np.float64]:
    """Divide what each regression gains a row between its column and those that explain it."""
    gains = np.zeros(d)
    fractions = fractions_of_columns(regressions, rows)
    for k, (i, regression) in enumerate(_numbered(regressions, len(columns))):
        gain = max(0.0, -0.5 * np.log(max(regression.left, 1e-300)))
        gains[columns[i]] += 0.5 * gain
        gains[columns[:i]] += 0.5 * gain * fractions[k]
    return gains
