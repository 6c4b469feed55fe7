"""Margins of coordinates that are made here, which must have a density everywhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.read.from_array import numeric_schema
from boxwood.margins import Margins, NumberMargin, margins_of_summary, summarize
from boxwood.model_file import State

__all__ = ["fit_smooth_margins", "number_columns", "read_smooth_margins"]


def number_columns(values: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> Columns:
    """Return a matrix of finite numbers as margins read it; it is not validated, being made here."""
    matrix = np.ascontiguousarray(values)
    return Columns(numeric_schema(matrix.shape[1]), len(matrix), matrix=matrix, weights=weights)


def fit_smooth_margins(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> Margins | None:
    """Fit margins; None where many rows share a value: there would be no density.

    From counts, which know no lattice: coordinates of rounded numbers may lie on one.
    """
    margins = margins_of_summary(summarize([number_columns(values, weights)]))
    return margins if _are_smooth(margins) else None


def read_smooth_margins(state: State, d: int) -> Margins:
    """Read margins of a model file, after checking them."""
    margins = Margins.from_state(state, "margins", numeric_schema(d))
    if not _are_smooth(margins):
        raise state.error("margins", "of coordinates hold an atom or a lattice")
    return margins


def _are_smooth(margins: Margins) -> bool:
    return not any(
        isinstance(margin, NumberMargin) and (margin.lattice or len(margin.atoms))
        for margin in margins.columns
    )
