"""Smooth regression of one column on others: its mean and its spread, by random waves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.density.boosted.ridge import Ridge
from boxwood.model_file import State
from boxwood.randomness import generator

__all__ = ["WaveRegression", "fit_waves", "share_left"]

Numbers = NDArray[np.float64]

MOST_ROWS = 10_000
"""Rows that coefficients are found on; the rest is as good as left out."""
FIRST_WAVES, MOST_WAVES = 128, 1024
ROWS_A_WAVE = 8
ENOUGH_GAIN, ENOUGH_DOUBLING_GAIN = 0.98, 0.95
"""Waves must bring what is left of a column down to this share, and so must twice as many of them. Columns
that are functions of others gain 0.2 nats and more from every doubling, most others next to nothing."""
PENALTIES = 10.0 ** np.arange(-7.0, -1.0)
"""Candidates, of the mean, as shares of the total weight."""
SPREAD_PENALTIES = 10.0 ** np.arange(-4.0, 1.0)
EVEN_SPREAD = 0.99
"""A spread of which the others explain less is taken as even."""
LEAST_SQUARE = 1e-3
"""Added to squared residuals before their logarithm is taken, in units of their mean."""


@dataclass(frozen=True, eq=False)
class WaveRegression:
    """The mean of a column given others, and the logarithm of its spread: linear, and random waves.

    Attributes
    ----------
    frequencies : ndarray of shape (n_columns, n_waves)
        In turns a unit.
    phases : ndarray of shape (n_waves,)
        In turns.
    coefficients : ndarray of shape (2, n_columns + n_waves)
        Of the mean and of the logarithm of the squared spread.
    constants, penalties : ndarray of shape (2,)
    spread_bounds : ndarray of shape (2,)
        The logarithm of the spread stays within.
    left : float
        What is left of the column's normal scores: see `Ridge.best_penalty`.
    """

    frequencies: Numbers
    phases: Numbers
    coefficients: Numbers
    constants: Numbers
    penalties: Numbers
    spread_bounds: Numbers
    left: float

    def predict(self, X: Numbers, n_threads: int = 1) -> tuple[Numbers, Numbers]:
        """Give the mean and the logarithm of the spread at each row."""
        X = np.ascontiguousarray(X)
        d = X.shape[1]
        waves = np.ascontiguousarray(self.coefficients[:, d:])
        sums = _core.wave_sums(X, self.frequencies, self.phases, waves, n_threads)
        # Column by column: a product of matrices may round a row in another way beside other rows.
        for j in range(d):
            sums += X[:, j, None] * self.coefficients[:, j]
        sums += self.constants
        return sums[:, 0], np.clip(0.5 * sums[:, 1], *self.spread_bounds)

    def left_out_residuals(self, X: Numbers, y: Numbers, weights: Numbers | None) -> Numbers:
        """Give what `fit_waves` gave for the same rows: residuals over the spread, rows being left out."""
        rows = _fitted_rows(len(X))
        ridge = Ridge.of(_features(X[rows], self.frequencies, self.phases), _taken(weights, rows))
        mean = ridge.left_out(y[rows], float(self.penalties[0]))
        logs = _log_squares(y[rows] - mean)
        log_squares = ridge.left_out(logs, float(self.penalties[1])) if self.coefficients[1].any() else logs
        return self._residuals(X, y, mean, 0.5 * (log_squares - ridge.mean(logs)))

    def share_of_columns(self) -> Numbers:
        """Share the mean's variance out to the columns it depends on, by squares of coefficients."""
        d = len(self.frequencies)
        squares = self.frequencies**2
        of_waves = squares / np.maximum(squares.sum(axis=0), 1e-300) @ (self.coefficients[0, d:] ** 2)
        shares = self.coefficients[0, :d] ** 2 + of_waves
        return shares / max(float(shares.sum()), 1e-300)

    def _residuals(self, X: Numbers, y: Numbers, left_out_mean: Numbers, left_out_spread: Numbers) -> Numbers:
        """Give residuals over the spread; of rows that coefficients were found on, by what the others say."""
        mean, log_spread = self.predict(X)
        rows = _fitted_rows(len(X))
        mean[rows] = left_out_mean
        log_spread[rows] = np.clip(left_out_spread, *self.spread_bounds)
        return (y - mean) * np.exp(-log_spread)

    def to_state(self) -> dict[str, Any]:
        """Give what a model file keeps."""
        return dict(self.__dict__)

    @classmethod
    def from_state(cls, state: State, d: int) -> Self:
        """Read what `to_state` gave, after checking it."""
        phases = state.array("phases", np.float64, (None,))
        k = len(phases)
        bounds = state.array("spread_bounds", np.float64, (2,), low=-100.0, high=100.0)
        if bounds[0] > bounds[1]:
            raise state.error("spread_bounds", "are not in order")
        return cls(
            state.array("frequencies", np.float64, (d, k)),
            phases,
            state.array("coefficients", np.float64, (2, d + k)),
            state.array("constants", np.float64, (2,)),
            state.array("penalties", np.float64, (2,), low=0.0),
            bounds,
            state.number("left", low=0.0),
        )


def fit_waves(X: Numbers, y: Numbers, weights: Numbers | None, seed: int) -> tuple[WaveRegression, Numbers]:
    """Regress a column on others.

    Waves are added, twice as many each time, while cross-validation says that they help.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        Normal scores.
    y : ndarray of shape (n_rows,)
    weights : ndarray of shape (n_rows,), optional
        Frequencies.
    seed : int

    Returns
    -------
    regression : WaveRegression
    residuals : ndarray of shape (n_rows,)
        Over the spread; of each row under a regression on the others, so that they are as wide as those of
        new rows.
    """
    rows = _fitted_rows(len(X))
    inner_X, inner_y, inner_weights = X[rows], y[rows], _taken(weights, rows)
    frequencies, phases = _draw_waves(X.shape[1], min(MOST_WAVES, len(inner_X) // ROWS_A_WAVE), seed)
    ridge, k, penalty, left = _grow_waves(inner_X, inner_y, inner_weights, frequencies, phases)
    left_out_mean = ridge.left_out(inner_y, penalty)
    logs = _log_squares(inner_y - left_out_mean)
    spread_penalty, spread_left = ridge.best_penalty(logs, SPREAD_PENALTIES)
    coefficients, constants = (np.zeros((2, X.shape[1] + k)), np.zeros(2))
    coefficients[0], constants[0] = ridge.solve(inner_y, penalty)
    left_out_spread, bounds = np.zeros(len(logs)), np.zeros(2)
    if spread_left < EVEN_SPREAD:
        coefficients[1], constants[1] = ridge.solve(logs, spread_penalty)
        constants[1] -= ridge.mean(logs)
        left_out_spread = 0.5 * (ridge.left_out(logs, spread_penalty) - ridge.mean(logs))
        bounds = np.array([left_out_spread.min(), left_out_spread.max()])
    regression = WaveRegression(
        np.ascontiguousarray(frequencies[:, :k]),
        phases[:k].copy(),
        coefficients,
        constants,
        np.array([penalty, spread_penalty]),
        bounds,
        left,
    )
    return regression, regression._residuals(X, y, left_out_mean, left_out_spread)


def share_left(X: Numbers, y: Numbers, weights: Numbers | None, n_waves: int, seed: int) -> float:
    """Tell what others leave of a column: see `Ridge.best_penalty`."""
    frequencies, phases = _draw_waves(X.shape[1], n_waves, seed)
    return Ridge.of(_features(X, frequencies, phases), weights).best_penalty(y, PENALTIES)[1]


def _grow_waves(
    X: Numbers, y: Numbers, weights: Numbers | None, frequencies: Numbers, phases: Numbers
) -> tuple[Ridge, int, float, float]:
    """Give the regression, how many waves it has, its penalty and what it leaves."""
    ridge, k = Ridge.of(X, weights), 0
    penalty, left = ridge.best_penalty(y, PENALTIES)
    wider, wanted = FIRST_WAVES, ENOUGH_GAIN
    while wider <= len(phases):
        drawn = np.ascontiguousarray(frequencies[:, k:wider])
        more = ridge.with_more(_core.wave_features(np.ascontiguousarray(X), drawn, phases[k:wider].copy()))
        more_penalty, more_left = more.best_penalty(y, PENALTIES)
        if not more_left < wanted * left:
            break
        ridge, k, penalty, left = more, wider, more_penalty, more_left
        wider, wanted = 2 * wider, ENOUGH_DOUBLING_GAIN
    return ridge, k, penalty, left


def _draw_waves(d: int, n_waves: int, seed: int) -> tuple[Numbers, Numbers]:
    """Draw waves that run along random sets of columns, small and large, with lengths of a unit or so.

    Waves along few columns are of use where a column depends on few: on most tables that were tried they left
    less than waves along all columns.
    """
    rng = generator(seed)
    used = rng.random((d, n_waves)) < rng.random(n_waves)
    used[rng.integers(d, size=n_waves), np.arange(n_waves)] = True
    frequencies = rng.normal(size=(d, n_waves)) * used / np.sqrt(used.sum(axis=0)) / (2.0 * np.pi)
    return frequencies, rng.random(n_waves)


def _features(X: Numbers, frequencies: Numbers, phases: Numbers) -> Numbers:
    return np.hstack([X, _core.wave_features(np.ascontiguousarray(X), frequencies, phases)])


def _fitted_rows(n: int) -> slice:
    """Rows at equal distances: they come in the order of their values."""
    return slice(None, None, max(1, -(-n // MOST_ROWS)))


def _taken(weights: Numbers | None, rows: slice) -> Numbers | None:
    return None if weights is None else weights[rows]


def _log_squares(residuals: Numbers) -> Numbers:
    squares = residuals**2
    return np.log(squares + LEAST_SQUARE * max(float(squares.mean()), 1e-300))
