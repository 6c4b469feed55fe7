"""Gaps that training did not show, in densities whose margins have a place for those that it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.gaps import UnseenGaps
from boxwood.margins import Margins
from boxwood.model_file import State

__all__ = ["UnseenGapsMixin", "pool_unseen_gaps"]


def pool_unseen_gaps(densities: Sequence[Any]) -> None:
    """Give a gap that was never seen the same probability under models of parts of one table.

    Else a gap in a column that had none would speak for the part with the fewest rows.
    """
    known = [density for density in densities if isinstance(density, UnseenGapsMixin)]
    n = sum(density._gaps.n for density in known)
    for density in known:
        density._gaps = replace(density._gaps, n=n)


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

    def _get_gaps_state(self) -> dict[str, Any]:
        return {"n_rows": self._gaps.n} if np.isfinite(self._gaps.n) else {}

    def _gaps_of_state(self, state: State, margins: Margins) -> UnseenGaps:
        # Files of before gaps had a probability do not say how many rows there were.
        n = state.number("n_rows", low=0.0) if "n_rows" in state else np.inf
        return UnseenGaps.of_masses(n, [margin.missing_mass for margin in margins.columns])
