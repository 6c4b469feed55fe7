"""Telling what is odd: p-values from scores of rows that the model did not see, and a threshold of them."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import OutlierMixin

from boxwood import _core
from boxwood.model_file import State
from boxwood.parameters import DeclaredParameters, Parameter, Real, declare

__all__ = ["FALSE_ALARM_RATE", "NoveltyMixin", "offset_of", "score_table", "thinned", "weighted_quantile"]

_CALIBRATION_SIZE = 10_000
"""Held-out scores beyond this number are thinned to quantiles: p-values finer than 1e-4 are no news."""


FALSE_ALARM_RATE = Parameter(
    "false_alarm_rate",
    Real(0.0, 0.5, open_low=True),
    "The fraction of ordinary new rows that `predict` calls odd.",
)


class NoveltyMixin(OutlierMixin, DeclaredParameters):
    """What follows from ``score_samples``, a score of rows that is low for odd ones."""

    _parameters = declare(FALSE_ALARM_RATE)

    false_alarm_rate: float
    offset_: float
    calibration_scores_: NDArray[np.float64]
    _training_p_values: NDArray[np.float64]
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
        scores = self._score_table(X)
        # Without a threshold nothing is odd, not even a row of density zero.
        return scores - self.offset_ if np.isfinite(self.offset_) else np.full(len(scores), np.inf)

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return −1 for rows that are odd and 1 for the others.

        A row is odd if its p-value is below `false_alarm_rate`: that fraction of ordinary new rows is called
        odd. If the fit had too few rows for a p-value that small, no row is odd, and a warning says so.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        odd = self.decision_function(X) < 0.0
        n, rate = len(self.calibration_scores_), float(self.false_alarm_rate)
        if np.isneginf(self.offset_) and _too_few(n, rate):
            _warn_of_few(n, rate)
        return np.where(odd, -1, 1)

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
        return p_values_of(self._score_table(X), self.calibration_scores_)

    @property
    def training_p_values_(self) -> NDArray[np.float64]:
        """The p-values of the training rows, each by a score that it was held out of."""
        if "_training_p_values" not in self.__dict__:
            raise AttributeError(
                "training_p_values_ is there after a fit to all rows at once. A model file does not keep it: "
                "it has a value for each row of the training table."
            )
        return self._training_p_values

    def _score_table(self, X: Any) -> NDArray[np.float64]:
        """Return the scores of rows of which some are expected to be odd, without a warning of these."""
        return np.asarray(self.score_samples(X), dtype=np.float64)

    @classmethod
    def _updated_params(cls, params: dict[str, Any]) -> dict[str, Any]:
        # Files of before false_alarm_rate: their threshold is in the file, and stays.
        return {name: value for name, value in params.items() if name != "contamination"}

    def _novelty(
        self,
        held_out: NDArray[np.float64],
        weights: NDArray[np.float64] | None,
        of_rows: bool = True,
    ) -> dict[str, Any]:
        """Return the threshold and what is behind p-values, from scores of rows that were held out.

        `of_rows`: the scores are those of the table's rows, in their order.
        """
        calibration = thinned(held_out, weights)
        found: dict[str, Any] = {
            "offset_": offset_of(calibration, float(self.false_alarm_rate)),
            "calibration_scores_": calibration,
        }
        self.__dict__.pop("_training_p_values", None)  # those of an earlier fit
        if of_rows:
            found["_training_p_values"] = ranks_among(held_out, weights)
        return found

    def _get_novelty_state(self) -> dict[str, Any]:
        state: dict[str, Any] = {"calibration_scores": self.calibration_scores_}
        return {**state, "offset": self.offset_} if np.isfinite(self.offset_) else state

    def _novelty_of_state(self, state: State) -> dict[str, Any]:
        scores = state.array("calibration_scores", np.float64, (None,), finite=False)
        if len(scores) == 0 or np.any(scores[1:] < scores[:-1]):
            raise state.error("calibration_scores", "is empty or not sorted")
        largest = sys.float_info.max
        known = "offset" in state
        offset = state.number("offset", low=-largest, high=largest) if known else -np.inf
        return {"offset_": offset, "calibration_scores_": scores}


def score_table(model: Any, X: Any) -> NDArray[np.float64]:
    """Return a model's scores of rows of which some may be odd, without a warning of these."""
    score = model._score_table if isinstance(model, NoveltyMixin) else model.score_samples
    return np.asarray(score(X), dtype=np.float64)


def p_values_of(scores: NDArray[np.float64], calibration: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (1 + calibration scores up to each score)/(1 + all of them); those are sorted.

    Examples
    --------
    >>> p_values_of(np.array([-1.0, 2.5]), np.array([1.0, 2.0, 3.0]))
    array([0.25, 0.75])
    """
    rank = np.searchsorted(calibration, scores, side="right")
    return np.asarray((1.0 + rank) / (1.0 + len(calibration)), dtype=np.float64)


def offset_of(calibration: NDArray[np.float64], rate: float) -> float:
    """Return the smallest calibration score whose p-value reaches the rate; those are sorted.

    −inf if even the oddest row's p-value reaches it: there are too few rows.

    Examples
    --------
    >>> offset_of(np.arange(39.0), 0.05)
    0.0
    """
    if _too_few(len(calibration), rate):
        return -np.inf
    reached = p_values_of(calibration, calibration) >= rate
    return float(calibration[np.argmax(reached)])


def _too_few(n_scores: int, rate: float) -> bool:
    """Return whether there are too few scores for any p-value to be below the rate."""
    return 1.0 / (1.0 + n_scores) >= rate


def _warn_of_few(n_scores: int, rate: float) -> None:
    warnings.warn(
        f"scores of {n_scores} row{'s' if n_scores != 1 else ''} left out of the fit are too few to call one "
        f"row in {1.0 / rate:.3g} odd: `predict` calls none odd. Fit more rows, or set false_alarm_rate "
        f"above {1.0 / (1.0 + n_scores):.3g}.",
        stacklevel=4,
    )


def ranks_among(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return the fraction of the weight that values up to each value have: p-values of held-out rows.

    Examples
    --------
    >>> ranks_among(np.array([3.0, 1.0, 2.0, 2.0]), None)
    array([1.  , 0.25, 0.75, 0.75])
    """
    ranked, upper = _ranked(values, weights)
    return np.asarray(upper[np.searchsorted(ranked, values)] / upper[-1], dtype=np.float64)


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
