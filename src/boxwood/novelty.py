"""Telling what is odd: a threshold of training scores, and p-values from held-out ones."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import OutlierMixin

from boxwood import _core
from boxwood.model_file import State
from boxwood.parameters import DeclaredParameters, Parameter, Real, declare

__all__ = ["NoveltyMixin", "thinned", "weighted_quantile"]

_CALIBRATION_SIZE = 10_000
"""Held-out scores beyond this number are thinned to quantiles: p-values finer than 1e-4 are no news."""


class NoveltyMixin(OutlierMixin, DeclaredParameters):
    """What follows from ``score_samples``, a score of rows that is low for odd ones."""

    _parameters = declare(
        Parameter(
            "contamination",
            Real(0.0, 0.5, open_low=True),
            "The fraction of training rows that `predict` calls odd.",
        ),
    )

    contamination: float
    offset_: float
    calibration_scores_: NDArray[np.float64]
    score_samples: Any

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the score (of a density the log-density) less `offset_`: negative for what is odd.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return −1 for rows that are odd (of a score below `offset_`) and 1 for the others.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return np.where(self.decision_function(X) < 0.0, -1, 1)

    def p_values(self, X: Any) -> NDArray[np.float64]:
        """Return the fraction of unseen rows that are at least as odd as each row.

        The comparison is with scores of rows that were held out of the model that scored them, so
        that a row like the training data gets a p-value that is uniform on (0, 1].

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        scores = self.score_samples(X)
        rank = np.searchsorted(self.calibration_scores_, scores, side="right")
        return np.asarray((1.0 + rank) / (1.0 + len(self.calibration_scores_)), dtype=np.float64)

    def _novelty(
        self, scores: NDArray[np.float64], held_out: NDArray[np.float64], weights: NDArray[np.float64] | None
    ) -> dict[str, Any]:
        """Return the novelty threshold of the training scores and, for p-values, the held-out scores."""
        return {
            "offset_": self._offset(scores, weights),
            "calibration_scores_": thinned(held_out, weights),
        }

    def _offset(self, scores: NDArray[np.float64], weights: NDArray[np.float64] | None) -> float:
        """Return the score below which the fraction `contamination` of the training rows lies."""
        return weighted_quantile(scores, weights, float(self.contamination))

    def _get_novelty_state(self) -> dict[str, Any]:
        return {"offset": self.offset_, "calibration_scores": self.calibration_scores_}

    def _novelty_of_state(self, state: State) -> dict[str, Any]:
        scores = state.array("calibration_scores", np.float64, (None,), finite=False)
        if len(scores) == 0 or np.any(scores[1:] < scores[:-1]):
            raise state.error("calibration_scores", "is empty or not sorted")
        largest = sys.float_info.max
        offset = state.number("offset", low=-largest, high=largest)
        return {"offset_": offset, "calibration_scores_": scores}


def weighted_quantile(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None, level: float
) -> float:
    """Return a quantile; with weights w, as if each value stood there w times.

    Between order statistics it interpolates linearly, as ``numpy.quantile`` does.

    Examples
    --------
    >>> weighted_quantile(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 2.0]), 0.5)
    2.5
    """
    ranked, upper = _ranked(values, weights)
    # Copy k (counted from 0) of the repeated values lies in the first run whose total exceeds k.
    position = level * max(upper[-1] - 1.0, 0.0)
    below, above = np.floor(position), np.ceil(position)
    runs = np.searchsorted(upper, [below, above], side="right").clip(max=len(ranked) - 1)
    low, high = ranked[runs]
    return float(low if low == high else low + (position - below) * (high - low))


def thinned(scores: NDArray[np.float64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Sort scores; many or weighted ones become equally weighted quantiles of them.

    Examples
    --------
    >>> thinned(np.array([3.0, 1.0]), np.array([1.0, 2.0]))
    array([1., 1., 3.])
    """
    if weights is None and len(scores) <= _CALIBRATION_SIZE:
        return np.sort(scores)
    ranked, upper = _ranked(scores, weights)
    size = int(min(_CALIBRATION_SIZE, max(1.0, np.round(upper[-1]))))
    middles = (np.arange(size) + 0.5) * (upper[-1] / size)
    return ranked[np.searchsorted(upper, middles).clip(max=len(ranked) - 1)]


def _ranked(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the distinct values in ascending order, and the total weight up to each."""
    ranked, weight = _core.runs_of(values, weights)
    return ranked, np.cumsum(weight)
