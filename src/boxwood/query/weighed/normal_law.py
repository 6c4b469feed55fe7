"""The law of a column of a Gaussian given points: a normal distribution, everything in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from boxwood.columns import Field
from boxwood.query.answer import Answer, Answers

__all__ = ["NormalLaw"]


@dataclass(frozen=True)
class NormalLaw:
    """A normal distribution of a column's values that are there.

    Attributes
    ----------
    field : Field
    center, deviation : float
    gap_rate : float
    """

    field: Field
    center: float
    deviation: float
    gap_rate: float

    def cdf(self, values: Any) -> Answers:
        """Return P(X <= value)."""
        return Answers.exactly(
            special.ndtr((np.asarray(values, dtype=np.float64) - self.center) / self.deviation)
        )

    def quantile(self, p: Any) -> Answers:
        """Return the values whose `cdf` is p."""
        return Answers.exactly(self.center + self.deviation * special.ndtri(np.asarray(p, dtype=np.float64)))

    @property
    def mean(self) -> Answer:
        """The mean."""
        return Answer(self.center)

    @property
    def variance(self) -> Answer:
        """The variance."""
        return Answer(self.deviation**2)

    @property
    def missing(self) -> Answer:
        """The probability of a gap."""
        return Answer(self.gap_rate)

    @property
    def entropy(self) -> Answer:
        """In nats, gaps as a value."""
        r = self.gap_rate
        own = 0.5 * math.log(2.0 * math.pi * math.e) + math.log(self.deviation)
        split = -sum(p * math.log(p) for p in (r, 1.0 - r) if p > 0.0)
        return Answer((1.0 - r) * own + split)

    def mode(self) -> float:
        """Return the value of highest density."""
        return self.center

    def shortest_interval(self, level: float) -> tuple[float, float]:
        """Return the shortest interval with a probability of `level`."""
        low, high = np.asarray(self.quantile([0.5 - 0.5 * level, 0.5 + 0.5 * level])).tolist()
        return low, high

    def error_at(self, value: float) -> float:
        """Return the standard error of an end of an interval."""
        return 0.0
