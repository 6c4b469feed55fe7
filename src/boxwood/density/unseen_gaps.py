"""Gaps that training did not show, in densities whose margins have a place for those that it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.gaps import GapRates, UnseenGaps
from boxwood.margins import Margins
from boxwood.model_file import State

__all__ = ["UnseenGapsMixin", "pool_unseen_gaps"]


def pool_unseen_gaps(densities: Sequence[Any], columns: Columns) -> None:
    """Give a gap that a part of a table never showed the probability that the whole table gives it.

    Otherwise such a gap would rule the part out, or speak for the part with the fewest rows.

    Parameters
    ----------
    densities : sequence of densities
        One for each part.
    columns : Columns
        All rows.
    """
    n = sum(density._gaps.n for density in densities if isinstance(density, UnseenGapsMixin))
    rates = GapRates.of_rows(columns).rates
    for density in densities:
        moved = density._take_gap_rates(rates, n)
        if moved and density.missing == "event":  # the rows of the part have values there
            density.calibration_scores_ = density.calibration_scores_ + moved
            density.offset_ += moved


class UnseenGapsMixin:
    """Adds to scores the probability that columns without gaps in training have none in a row."""

    missing: str
    _gaps: UnseenGaps

    def _missing_values(self) -> str:
        return "event" if self.missing == "event" else "marginal"

    def _with_unseen_gaps(
        self, scores: NDArray[np.float64], gaps: UnseenGaps, columns: Columns
    ) -> NDArray[np.float64]:
        return scores + gaps.log_probability(columns) if self.missing == "event" else scores

    def _take_gap_rates(self, rates: NDArray[np.float64], n: float) -> float:
        before = self._gaps.log_presence(range(len(rates)))
        self._gaps = replace(self._gaps, n=n, rates=tuple(rates.tolist()))
        return self._gaps.log_presence(range(len(rates))) - before

    def _get_gaps_state(self) -> dict[str, Any]:
        return self._gaps.to_state()

    def _gaps_of_state(self, state: State, margins: Margins) -> UnseenGaps:
        return UnseenGaps.from_state(state, [margin.missing_mass for margin in margins.columns])
