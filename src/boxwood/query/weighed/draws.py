"""Draws of a proposal under an event, with what each weighs in the model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.columns import concatenated
from boxwood.query.answer import Answer, Answers

__all__ = ["Draws", "joined_draws"]

Numbers = NDArray[np.float64]

CONSTANT = 1e-9
"""Relative spread below which weights are equal: rounding of logarithms."""


@dataclass(frozen=True, eq=False)
class Draws:
    """Rows under an event, of the proposal and, where some are there, of the model itself.

    Attributes
    ----------
    columns : Columns
    log_weights : ndarray of shape (n_rows,)
        Their exponentials, added up and divided by `n_draws`, are P(event) under the model, or its density
        where the event names continuous values; times a function of the row they are its integral.
    of_model : ndarray of shape (n_rows,), optional
        Which rows the model itself drew; none where it is left out.
    n_of_model : int
        How many rows the model drew, those outside the event too, which weigh nothing.
    """

    columns: Columns
    log_weights: Numbers
    of_model: NDArray[np.bool_] | None = None
    n_of_model: int = 0

    def __len__(self) -> int:
        return len(self.log_weights)

    @property
    def n_draws(self) -> int:
        """How many rows were drawn, those outside the event too."""
        inside = 0 if self.of_model is None else int(np.count_nonzero(self.of_model))
        return len(self) - inside + self.n_of_model

    @property
    def is_impossible(self) -> bool:
        """True where the model gives none of the rows a density."""
        return bool(np.isneginf(self.log_weights).all())

    @cached_property
    def weights(self) -> Numbers:
        """The weights, of sum 1."""
        raw = np.exp(self.log_weights - self._largest)
        return np.asarray(raw / raw.sum())

    @cached_property
    def _largest(self) -> float:
        return float(self.log_weights.max())

    @cached_property
    def effective_sample_size(self) -> float:
        """(Σw)²/Σw², Kish's count."""
        return 1.0 / float((self.weights**2).sum())

    @cached_property
    def log_total(self) -> float:
        """The logarithm of the event's probability."""
        if self.is_impossible:
            return -math.inf
        total = float(np.exp(self.log_weights - self._largest).sum())
        return self._largest + math.log(total) - math.log(self.n_draws)

    def own_variance(self) -> float:
        """Return the variance of the sum of `weights` that comes of the proposal's draws."""
        own = self.weights if self.of_model is None else self.weights[~self.of_model]
        return _variance_of_sum(own, len(own))

    @cached_property
    def relative_error(self) -> float:
        """The standard error of the event's probability over that probability."""
        variance = self.own_variance()
        if self.of_model is not None:
            variance += _variance_of_sum(self.weights[self.of_model], self.n_of_model)
        return math.sqrt(variance)

    def mean(self, values: Numbers, among: NDArray[np.bool_] | None = None) -> Answer:
        """Return the mean of a function of the rows under the event, of rows in `among` alone."""
        answers = self.means(values[:, None], among)
        return Answer.weighed(
            float(np.asarray(answers)[0]), answers.standard_error[0], answers.effective_sample_size
        )

    def means(self, values: Numbers, among: NDArray[np.bool_] | None = None) -> Answers:
        """Return the means of several functions, columns of `values`, with delta-method errors."""
        w = self.weights if among is None else np.where(among, self.weights, 0.0)
        total = float(w.sum())
        if total <= 0.0:
            return Answers.of(np.full(values.shape[1], math.nan), math.nan, 0.0)
        w = w / total
        means = w @ np.where(w[:, None] > 0.0, values, 0.0)
        away = np.where(w[:, None] > 0.0, values - means, 0.0)
        n = len(w)
        errors = np.sqrt((w**2) @ away**2 * (n / max(n - 1, 1)))
        return Answers.of(means, errors, 1.0 / float((w**2).sum()))


def _variance_of_sum(values: Numbers, n: int) -> float:
    """Return the variance of the sum of n draws, of which all but `values` are 0."""
    if n < 2:
        return 0.0
    mean = float(values.sum()) / n
    squares = float(((values - mean) ** 2).sum()) + (n - len(values)) * mean**2
    spread = n * squares / (n - 1)
    # Equal weights differ by the rounding of logarithms.
    return spread if spread > n * (CONSTANT * mean) ** 2 else 0.0


def joined_draws(parts: Sequence[Draws]) -> Draws:
    """Return the draws of several blocks as one."""
    if len(parts) == 1:
        return parts[0]
    columns = concatenated([part.columns for part in parts])
    of_model = [part.of_model for part in parts if part.of_model is not None]
    return Draws(
        columns,
        np.concatenate([part.log_weights for part in parts]),
        np.concatenate(of_model) if of_model else None,
        sum(part.n_of_model for part in parts),
    )
