"""How long draws are weighed: until an error is reached, or a limit."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from boxwood.query.answer import Answer, Answers
from boxwood.query.errors import shown

__all__ = ["FEWEST_EFFECTIVE", "Weighing", "WeighingWarning"]

FEWEST_EFFECTIVE = 100.0
"""Effective draws below which more are made, and where there are no more, a warning is given: below, the
standard errors themselves are known to no better than a tenth."""

MOST_WITHOUT_TARGET = 2**15
"""Draws at the most where no error is asked for."""

Given = TypeVar("Given", Answer, Answers)


class WeighingWarning(UserWarning):
    """Issued where draws do not reach the error that is asked for, or are too few to trust."""


@dataclass(frozen=True)
class Weighing:
    """How many draws an answer takes.

    Attributes
    ----------
    error : float or None
        Standard error at which to stop; None takes `n_draws`.
    relative : bool
        Whether the error is a fraction of the answer.
    n_draws, most_draws : int
        Of each event, to begin with and at the most.
    seed : int
    """

    error: float | None = None
    relative: bool = True
    n_draws: int = 4096
    most_draws: int = 2**20
    seed: int = 0

    def __post_init__(self) -> None:
        if self.error is not None and not (isinstance(self.error, int | float) and self.error > 0.0):
            raise ValueError(f"error must be a number above 0, or None; got {shown(self.error)}.")
        for name in ("n_draws", "most_draws"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 2:
                raise ValueError(f"{name} must be an integer of at least 2; got {shown(value)}.")

    def reach(self, estimate: Callable[[int], Given], what: str) -> Given:
        """Return an estimate of enough draws; `estimate` takes their number."""
        n = min(self.n_draws, self.most_draws)
        while True:
            found = estimate(n)
            if self._is_reached(found):
                return found
            if 2 * n > self._limit:
                self._warn(found, n, what)
                return found
            n *= 2

    @property
    def _limit(self) -> int:
        limit = max(self.n_draws, MOST_WITHOUT_TARGET) if self.error is None else self.most_draws
        return min(limit, self.most_draws)

    def _is_reached(self, found: Answer | Answers) -> bool:
        if found.exact or not np.isfinite(np.asarray(found.standard_error)).all():
            return True
        if found.effective_sample_size < FEWEST_EFFECTIVE:
            return False
        return self.error is None or self._worst(found) <= self.error

    def _worst(self, found: Answer | Answers) -> float:
        errors = np.ravel(np.asarray(found.standard_error, dtype=np.float64))
        if self.relative:
            values = np.asarray(found)
            size = np.abs(np.ravel(values).astype(np.float64)) if values.dtype.kind != "M" else np.ones(1)
            errors = np.divide(errors, size, out=np.where(errors > 0.0, np.inf, 0.0), where=size > 0.0)
        return float(errors.max(initial=0.0))

    def _warn(self, found: Answer | Answers, n: int, what: str) -> None:
        if self.error is not None and self._worst(found) > self.error:
            kind = "relative" if self.relative else "absolute"
            reached = self._worst(found)
            message = f"{n} draws reach a {kind} error of {reached:.2g}, not {self.error:g}. Allow more"
            warnings.warn(f"{what}: {message} with most_draws.", WeighingWarning, stacklevel=5)
        if found.effective_sample_size < FEWEST_EFFECTIVE:
            size = found.effective_sample_size
            warnings.warn(
                f"{what}: {n} draws are worth {size:.0f} rows of the model, too few to trust the answer or "
                "its standard error. Ask for less evidence, or for more draws by `weighing(n_draws=...)`.",
                WeighingWarning,
                stacklevel=5,
            )
