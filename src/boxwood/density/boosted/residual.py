"""Coordinates that are what other columns leave unexplained of a column."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from boxwood.columns import read_columns
from boxwood.density.boosted.normal_scores import log_derivative, normal_scores
from boxwood.density.boosted.smooth_margins import read_smooth_margins, smooth_margins_of
from boxwood.density.boosted.wave_regression import WaveRegression, fit_waves, share_left
from boxwood.margins import Margins
from boxwood.model_file import State
from boxwood.threads import side_by_side

__all__ = ["ResidualCoordinates"]

ROWS_FOR_ORDER, WAVES_FOR_ORDER = 3000, 128
"""The order of columns is found with small regressions."""
UNEXPLAINED = 0.97
"""Columns of which others leave more than this share come first and stay as they are."""

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
    regressions: list[WaveRegression]
    margins: Margins
    gains: NDArray[np.float64]

    @classmethod
    def fit(
        cls,
        u: Points,
        weights: NDArray[np.float64] | None,
        seed: int,
        columns: NDArray[np.int64],
        n_threads: int = 1,
    ) -> tuple[Self, Points] | None:
        """Fit the regressions; None where no column hangs on others.

        Returns
        -------
        coordinates : ResidualCoordinates
        points : ndarray
            The rows in these coordinates, to train on: each under regressions on the others.
        """
        scores = normal_scores(u[:, columns])
        [(order, n_plain)] = side_by_side(lambda rows: _order(rows, weights), [scores], 1)
        if n_plain == len(order):
            return None
        scores = scores[:, order]
        fitted = side_by_side(
            lambda i: fit_waves(scores[:, :i], scores[:, i], weights, seed + i),
            range(n_plain, len(order)),
            n_threads,
        )
        residuals = np.column_stack([scores[:, :n_plain], *(own for _, own in fitted)])
        regressions = [regression for regression, _ in fitted]
        margins = smooth_margins_of(residuals, weights)
        if margins is None:
            return None
        total = float(len(u) if weights is None else weights.sum())
        gains = _gains(regressions, columns[order], u.shape[1]) * total
        coordinates = cls(columns[order], regressions, margins, gains)
        return coordinates, coordinates._with_residuals(u, residuals)

    def apply(self, u: Points, n_threads: int = 1) -> tuple[Points, NDArray[np.float64]]:
        """Give the points and the logarithm of the Jacobian there."""
        scores = normal_scores(u[:, self.columns])
        residuals = scores.copy()
        log_jacobian = log_derivative(scores)
        for i, regression in self._numbered():
            mean, log_spread = regression.predict(scores[:, :i], n_threads)
            residuals[:, i] = (scores[:, i] - mean) * np.exp(-log_spread)
            log_jacobian -= log_spread
        log_jacobian += self.margins.log_derivative(read_columns(residuals))
        return self._with_residuals(u, residuals), log_jacobian

    def training_points(self, u: Points, weights: NDArray[np.float64] | None, n_threads: int = 1) -> Points:
        """Give the points to train on: each under regressions on the others."""
        scores = normal_scores(u[:, self.columns])
        left_out = side_by_side(
            lambda numbered: numbered[1].left_out_residuals(
                scores[:, : numbered[0]], scores[:, numbered[0]], weights
            ),
            self._numbered(),
            n_threads,
        )
        n_plain = len(self.columns) - len(self.regressions)
        return self._with_residuals(u, np.column_stack([scores[:, :n_plain], *left_out]))

    def invert(self, v: Points) -> Points:
        """Give the points that have these coordinates."""
        scores = self.margins.decode(np.ascontiguousarray(v[:, self.columns])).matrix()
        for i, regression in self._numbered():
            mean, log_spread = regression.predict(scores[:, :i])
            scores[:, i] = mean + scores[:, i] * np.exp(log_spread)
        u = v.copy()
        u[:, self.columns] = ndtr(scores)
        return u

    def importance_of_columns(self, gains: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add what the regressions gained to the gains of the residuals."""
        return gains + self.gains

    def _numbered(self) -> list[tuple[int, WaveRegression]]:
        return list(enumerate(self.regressions, len(self.columns) - len(self.regressions)))

    def _with_residuals(self, u: Points, residuals: Points) -> Points:
        v = u.copy()
        v[:, self.columns] = self.margins.encode(read_columns(residuals))
        return v

    def to_state(self) -> dict[str, Any]:
        """Give what a model file keeps."""
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
        regressions = [WaveRegression.from_state(child, n_plain + i) for i, child in enumerate(children)]
        gains = state.array("gains", np.float64, (d,), low=0.0)
        return cls(columns, regressions, read_smooth_margins(state, len(columns)), gains)


def _order(scores: Points, weights: NDArray[np.float64] | None) -> tuple[NDArray[np.int64], int]:
    """Order columns so that those which hang most on others come last.

    The last column is the one that all others explain best, the last but one that which the rest explains
    best, and so on. What is left of a column grows when others are taken away, so that a column whose old
    figure is beaten need not be tried again.

    Returns
    -------
    order : ndarray of int
    n_plain : int
        So many columns at the front are not explained by each other.
    """
    step = max(1, len(scores) // ROWS_FOR_ORDER)
    scores, weights = scores[::step], None if weights is None else weights[::step]
    rest = list(range(scores.shape[1]))
    at_least = [(0.0, j) for j in rest]
    last: list[int] = []
    while len(rest) > 1:
        j, left = _best_explained(scores, weights, rest, at_least)
        if left > UNEXPLAINED:
            break
        rest.remove(j)
        at_least = [(bound, i) for bound, i in at_least if i != j]
        last.append(j)
    return np.array(rest + last[::-1], dtype=np.int64), len(rest)


def _best_explained(
    scores: Points, weights: NDArray[np.float64] | None, rest: list[int], at_least: list[tuple[float, int]]
) -> tuple[int, float]:
    """Find the column of which the others leave least; `at_least` is brought up to date."""
    heapq.heapify(at_least)
    tried: set[int] = set()
    while True:
        left, j = at_least[0]
        if j in tried:
            return j, left
        others = [i for i in rest if i != j]
        left = share_left(scores[:, others], scores[:, j], weights, WAVES_FOR_ORDER, j)
        heapq.heapreplace(at_least, (left, j))
        tried.add(j)


def _gains(regressions: list[WaveRegression], columns: NDArray[np.int64], d: int) -> NDArray[np.float64]:
    """Share what each regression gains a row between its column and those that explain it."""
    gains = np.zeros(d)
    for i, regression in enumerate(regressions, len(columns) - len(regressions)):
        gain = max(0.0, -0.5 * np.log(max(regression.left, 1e-300)))
        gains[columns[i]] += 0.5 * gain
        gains[columns[:i]] += 0.5 * gain * regression.share_of_columns()
    return gains
