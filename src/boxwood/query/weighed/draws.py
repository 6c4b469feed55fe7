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
    """Rows under an event.

    Attributes
    ----------
    columns : Columns
    log_weights : ndarray of shape (n_rows,)
        Their exponentials have the mean P(event) under the model, or its density where the event names
        continuous values; times a function of the row they have the mean of that function on the event.
    """

    columns: Columns
    log_weights: Numbers

    def __len__(self) -> int:
        return len(self.log_weights)

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
        return self._largest + math.log(float(np.exp(self.log_weights - self._largest).mean()))

    @cached_property
    def relative_error(self) -> float:
        """The standard error of the event's probability over that probability."""
        n = len(self)
        spread = max(n / self.effective_sample_size - 1.0, 0.0)
        return math.sqrt(spread / max(n - 1, 1)) if spread > CONSTANT else 0.0

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

    def take(self, n: int) -> Draws:
        """Return the first n draws."""
        if n >= len(self):
            return self
        return Draws(self.columns.take(np.arange(n)), self.log_weights[:n])


def joined_draws(parts: Sequence[Draws]) -> Draws:
    """Return the draws of several blocks as one."""
    if len(parts) == 1:
        return parts[0]
    columns = concatenated([part.columns for part in parts])
    return Draws(columns, np.concatenate([part.log_weights for part in parts]))
