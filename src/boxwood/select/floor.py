"""What a row scores at the least, so that one row of density zero does not decide everything."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxwood.columns import Column, ColumnMeasure
from boxwood.evidence import Evidence
from boxwood.parameters import shown

__all__ = ["check_floor", "floor_of"]


def check_floor(floor: Any) -> None:
    """Raise unless a floor is "range", a finite number or None."""
    if floor is None or (isinstance(floor, str) and floor == "range"):
        return
    number = isinstance(floor, int | float | np.number) and floor is not True and floor is not False
    if number and np.isfinite(floor):
        return
    raise ValueError(f'floor must be "range", a finite number or None; got {shown(floor)}.')


def floor_of(floor: float | str | None, evidence: Evidence) -> float:
    """Return what a row of a table scores at the least; −inf for None."""
    check_floor(floor)
    if floor is None:
        return -np.inf
    if not isinstance(floor, str):
        return float(floor)
    ranges = map(_log_range, evidence.columns, evidence.discrete.measures)
    return -float(2.0 * np.log(evidence.n + 1.0) + sum(ranges))


def _log_range(column: Column, measure: ColumnMeasure) -> float:
    """Return the logarithm of how much there is of a column, in the base measure."""
    values = column.values[~column.missing()]
    if not len(values):
        return 0.0
    if not column.kind.is_number:
        return float(np.log(len(np.unique(values))))
    extent = float(values.max()) - float(values.min())
    if measure.lattice is not None:
        return float(np.log(extent / measure.lattice.step + 1.0))
    return float(np.log(extent)) if extent > 0.0 else 0.0  # a constant is an atom
