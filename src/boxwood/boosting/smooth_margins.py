"""Margins of coordinates that are made here, which must have a density everywhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import read_columns
from boxwood.margins import Margins, NumberMargin, fit_margins
from boxwood.model_file import State

__all__ = ["read_smooth_margins", "smooth_margins_of"]


def smooth_margins_of(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> Margins | None:
    """Fit margins; None where many rows share a value: there would be no density."""
    margins = fit_margins(read_columns(values, sample_weight=weights))
    return margins if _are_smooth(margins) else None


def read_smooth_margins(state: State, d: int) -> Margins:
    """Read margins of a model file, after checking them."""
    margins = Margins.from_state(state, "margins", read_columns(np.zeros((1, d))).schema)
    if not _are_smooth(margins):
        raise state.error("margins", "of coordinates hold an atom")
    return margins


def _are_smooth(margins: Margins) -> bool:
    return not any(isinstance(margin, NumberMargin) and len(margin.atoms) for margin in margins.columns)
