"""Margins of coordinates that are made here, which must have a density everywhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.read.from_array import numeric_schema
from boxwood.margins import Margins, NumberMargin
from boxwood.model_file import State

__all__ = ["number_columns", "read_smooth_margins"]


def number_columns(values: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> Columns:
    """Return a matrix of finite numbers as margins read it; it is not validated, being made here."""
    matrix = np.ascontiguousarray(values)
    return Columns(numeric_schema(matrix.shape[1]), len(matrix), matrix=matrix, weights=weights)


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
