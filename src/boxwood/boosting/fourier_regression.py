"""Smooth regression of one column on others: its mean and its spread, by random Fourier features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.boosting.ridge import Ridge, evenly
from boxwood.model_file import State
from boxwood.randomness import generator

__all__ = [
    "MOST_ROWS",
    "FourierRegression",
    "Regressed",
    "fit_fourier_features",
    "fractions_left",
    "fractions_of_columns",
    "most_left",
    "predict_all",
]

Numbers = NDArray[np.float64]

MOST_ROWS = 10_000
"""Rows that coefficients are found on; the rest is as good as left out."""
FIRST_FEATURES, MOST_FEATURES = 128, 1024
ROWS_A_FEATURE = 4
LEAST_EXPLAINED, DEVIATIONS = 0.03, 3.0
"""A column of which others explain less stays as it is; of few rows, one that chance may explain."""
ENOUGH_GAIN, ENOUGH_DOUBLING_GAIN = 0.98, 0.9
"""Features must bring what is left of a column down to this fraction, and so must twice as many of them.
Columns that are functions of others gain 0.2 nats and more from every doubling, most others next to
nothing."""
PENALTIES = 10.0 ** np.arange(-7.0, -1.0)
"""Candidates, of the mean, as fractions of the total weight."""
SPREAD_PENALTIES = 10.0 ** np.arange(-4.0, 1.0)
EVEN_SPREAD = 0.99
"""A spread of which the others explain less is taken as even."""
SPREAD_QUANTILES = (0.05, 0.95)
"""The spread stays between these quantiles of what it is at the rows, since it is uncertain beyond: samples
of wider ones lie far outside of the data."""
LEAST_SQUARE = 0.05
"""Added to squared residuals before their logarithm is taken, in units of their mean."""
ROWS_FOR_SLOPES = 500


@dataclass(frozen=True, eq=False)
class FourierRegression:
    """The mean of a column given others, and the logarithm of its spread: linear and random Fourier features.

    Attributes
    ----------
    frequencies : ndarray of shape (n_columns, n_features)
        In turns a unit.
    phases : ndarray of shape (n_features,)
        In turns.
    coefficients : ndarray of shape (2, n_columns + n_features)
        Of the mean and of the logarithm of the squared spread.
    constants, penalties : ndarray of shape (2,)
    bounds : ndarray of shape (2, 2)
        Between which the mean and the logarithm of the spread stay.
    left : float
        What is left of the column's normal scores: see `Ridge.best_penalty`.
    """

    frequencies: Numbers
    phases: Numbers
    coefficients: Numbers
    constants: Numbers
    penalties: Numbers
    bounds: Numbers
    left: float

    @classmethod
    def of_nothing(cls, d: int) -> Self:
        """Return the regression of a column that the others do not explain."""
        return cls(
            np.zeros((d, 0)), np.zeros(0), np.zeros((2, d)), np.zeros(2), np.zeros(2), np.zeros((2, 2)), 1.0
        )

    def predict(self, X: Numbers, n_threads: int = 1) -> Numbers:
        """Return the mean and the logarithm of the spread at each row: (2, n_rows)."""
        return predict_all([self], X, n_threads)[0]

    def residuals(self, y: Numbers, predicted: Numbers) -> Numbers:
        """Return what is left of a column, over its spread."""
        mean, log_spread = predicted
        return (y - mean) * np.exp(-log_spread)

    def left_out(self, X: Numbers, y: Numbers, weights: Numbers | None) -> Numbers | None:
        """Return what `fit_fourier_features` gave for the same rows."""
        if self.left == 1.0:
            return None
        rows = evenly(len(X), MOST_ROWS)
        ridge = Ridge.of(_features([(X[rows], self.frequencies, self.phases)])[0], _taken(weights, rows))
        return self._left_out(ridge, y[rows])

    def _with_linear_part(self, sums: Numbers, X: Numbers) -> Numbers:
        # Column by column: a product of matrices may round a row in another way beside other rows.
        for j in range(len(self.frequencies)):
            sums += X[:, j, None] * self.coefficients[:, j]
        sums += self.constants
        return self._bounded(sums.T * [[1.0], [0.5]])

    def _bounded(self, predicted: Numbers) -> Numbers:
        return np.clip(predicted, self.bounds[:, :1], self.bounds[:, 1:])

    def _left_out(self, ridge: Ridge, y: Numbers) -> Numbers:
        """Predict each row by a regression on the others."""
        mean = np.clip(ridge.left_out(y, float(self.penalties[0])), *self.bounds[0])
        spread = np.zeros(len(y))
        if self.coefficients[1].any():
            logs = _log_squares(y - mean, ridge)
            spread = 0.5 * (ridge.left_out(logs, float(self.penalties[1])) - ridge.mean(logs))
        return self._bounded(np.stack([mean, spread]))

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return dict(self.__dict__)

    @classmethod
    def from_state(cls, state: State, d: int) -> Self:
        """Read what `to_state` gave, after checking it."""
        phases = state.array("phases", np.float64, (None,))
        k = len(phases)
        bounds = state.array("bounds", np.float64, (2, 2), low=-100.0, high=100.0)
        if (bounds[:, 0] > bounds[:, 1]).any():
            raise state.error("bounds", "are not in order")
        return cls(
            state.array("frequencies", np.float64, (d, k)),
            phases,
            state.array("coefficients", np.float64, (2, d + k)),
            state.array("constants", np.float64, (2,)),
            state.array("penalties", np.float64, (2,), low=0.0),
            bounds,
            state.number("left", low=0.0),
        )


def predict_all(regressions: list[FourierRegression], X: Numbers, n_threads: int = 1) -> list[Numbers]:
    """Return what each regression, on as many first columns as it has, predicts at each row."""
    X = np.ascontiguousarray(X)
    wanted = [
        (of.frequencies, of.phases, np.ascontiguousarray(of.coefficients[:, len(of.frequencies) :]))
        for of in regressions
    ]
    sums = _core.fourier_sums(X, wanted, n_threads)
    return [of._with_linear_part(own, X) for of, own in zip(regressions, sums, strict=True)]


def fractions_of_columns(regressions: list[FourierRegression], X: Numbers) -> list[Numbers]:
    """Divide each mean's variation among its columns, by the squares of its slopes at some rows."""
    X = np.ascontiguousarray(X[evenly(len(X), ROWS_FOR_SLOPES)])
    constants = [of.coefficients[0, : len(of.frequencies)] for of in regressions]
    wanted = [
        (
            of.frequencies,
            of.phases - 0.25,
            -2.0 * np.pi * of.coefficients[0, len(of.frequencies) :] * of.frequencies,
        )
        for of in regressions
    ]
    slopes = zip(_core.fourier_sums(X, wanted), constants, strict=True)
    squares = [np.mean((sines + constant) ** 2, axis=0) for sines, constant in slopes]
    return [np.asarray(square / max(float(square.sum()), 1e-300)) for square in squares]


def fit_fourier_features(
    X: Numbers, y: Numbers, weights: Numbers | None, seed: int
) -> tuple[FourierRegression, Numbers | None]:
    """Regress a column on others.

    Features are added, twice as many each time, while rows that are left out say that they help.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        Normal scores, all rows different.
    y : ndarray of shape (n_rows,)
    weights : ndarray of shape (n_rows,), optional
        Frequencies.
    seed : int

    Returns
    -------
    regression : FourierRegression
    left_out : ndarray of shape (2, n_rows at most), optional
        What a regression on the others predicts at each of ``evenly(n_rows, MOST_ROWS)``; under it residuals
        are as wide as those of new rows. None where the others do not explain the column.
    """
    rows = evenly(len(X), MOST_ROWS)
    inner_X, inner_y, inner_weights = X[rows], y[rows], _taken(weights, rows)
    frequencies, phases = _draw_fourier_features(
        X.shape[1], min(MOST_FEATURES, len(rows) // ROWS_A_FEATURE), seed
    )
    ridge, k, penalty, left = _grow_fourier_features(inner_X, inner_y, inner_weights, frequencies, phases)
    if left > most_left(len(rows)):
        return FourierRegression.of_nothing(X.shape[1]), None
    coefficients, constants = np.zeros((2, X.shape[1] + k)), np.zeros(2)
    coefficients[0], constants[0] = ridge.solve(inner_y, penalty)
    bounds = np.array([[inner_y.min(), inner_y.max()], [0.0, 0.0]])
    logs = _log_squares(inner_y - np.clip(ridge.left_out(inner_y, penalty), *bounds[0]), ridge)
    spread_penalty, spread_left = ridge.best_penalty(logs, SPREAD_PENALTIES)
    if spread_left < EVEN_SPREAD:
        coefficients[1], constants[1] = ridge.solve(logs, spread_penalty)
        constants[1] -= ridge.mean(logs)
        spread = 0.5 * (ridge.left_out(logs, spread_penalty) - ridge.mean(logs))
        bounds[1] = np.quantile(spread, SPREAD_QUANTILES)
    regression = FourierRegression(
        np.ascontiguousarray(frequencies[:, :k]),
        phases[:k].copy(),
        coefficients,
        constants,
        np.array([penalty, spread_penalty]),
        bounds,
        left,
    )
    return regression, regression._left_out(ridge, inner_y)


def most_left(n_rows: int) -> float:
    """Return what others may leave of a column at the most for it to hang on them."""
    return min(1.0 - LEAST_EXPLAINED, float(np.exp(-DEVIATIONS / np.sqrt(n_rows))))


class Regressed(NamedTuple):
    """A column to explain by others, and the seed of its features."""

    X: Numbers
    y: Numbers
    seed: int


def fractions_left(columns: list[Regressed], weights: Numbers | None, n_features: int) -> list[float]:
    """Return what others leave of each column: see `Ridge.best_penalty`."""
    drawn = [
        (of.X, *_draw_fourier_features(of.X.shape[1], min(n_features, len(of.X) // ROWS_A_FEATURE), of.seed))
        for of in columns
    ]
    return [
        Ridge.of(features, weights).best_penalty(of.y, PENALTIES)[1]
        for of, features in zip(columns, _features(drawn), strict=True)
    ]


def _grow_fourier_features(
    X: Numbers, y: Numbers, weights: Numbers | None, frequencies: Numbers, phases: Numbers
) -> tuple[Ridge, int, float, float]:
    """Return the regression, how many Fourier features it has, its penalty and what it leaves."""
    X = np.ascontiguousarray(X)
    ridge, k = Ridge.of(X, weights), 0
    penalty, left = ridge.best_penalty(y, PENALTIES)
    total = len(X) if weights is None else float(weights.sum())
    wanted, fractions = ENOUGH_GAIN, PENALTIES
    while k < len(phases):
        wider = min(max(2 * k, FIRST_FEATURES), len(phases))
        drawn = np.ascontiguousarray(frequencies[:, k:wider])
        [features] = _core.fourier_features([(X, drawn, phases[k:wider].copy())])
        more = ridge.with_more(features)
        more_penalty, more_left = more.best_penalty(y, fractions)
        if not more_left < wanted * left:
            break
        ridge, k, penalty, left = more, wider, more_penalty, more_left
        wanted = ENOUGH_DOUBLING_GAIN
        fractions = PENALTIES[
            np.abs(np.log10(PENALTIES * total / penalty)) < 1.5
        ]  # the best and its neighbours
    return ridge, k, penalty, left


def _draw_fourier_features(d: int, n_features: int, seed: int) -> tuple[Numbers, Numbers]:
    """Draw frequencies along random sets of columns, small and large, with wavelengths of a unit or so.

    Features along few columns are of use where a column depends on few: on most tables that were tried they
    left less than Fourier features along all columns.
    """
    rng = generator(seed)
    used = rng.random((d, n_features)) < rng.random(n_features)
    used[rng.integers(d, size=n_features), np.arange(n_features)] = True
    frequencies = rng.normal(size=(d, n_features)) * used / np.sqrt(used.sum(axis=0)) / (2.0 * np.pi)
    return frequencies, rng.random(n_features)


def _features(drawn: list[tuple[Numbers, Numbers, Numbers]]) -> list[Numbers]:
    """Return the linear and Fourier features of each (X, frequencies, phases)."""
    drawn = [(np.ascontiguousarray(X), frequencies, phases) for X, frequencies, phases in drawn]
    features = _core.fourier_features(drawn)
    return [np.hstack([X, fourier]) for (X, _, _), fourier in zip(drawn, features, strict=True)]


def _taken(weights: Numbers | None, rows: NDArray[np.intp]) -> Numbers | None:
    return None if weights is None else weights[rows]


def _log_squares(residuals: Numbers, ridge: Ridge) -> Numbers:
    squares = residuals**2
    return np.log(squares + LEAST_SQUARE * max(ridge.mean(squares), 1e-300))
