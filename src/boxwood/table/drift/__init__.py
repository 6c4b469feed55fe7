"""How far a new table is from a fitted one.

Names are imported when they are first used.
"""

from typing import TYPE_CHECKING

from boxwood.first_use import at_first_use

if TYPE_CHECKING:
    from boxwood.table.drift.column_drift import ColumnDrift
    from boxwood.table.drift.drift import Drift
    from boxwood.table.drift.measure import measure_drift

__all__ = ["ColumnDrift", "Drift", "measure_drift"]

__getattr__ = at_first_use(
    __name__,
    {
        "ColumnDrift": "boxwood.table.drift.column_drift",
        "Drift": "boxwood.table.drift.drift",
        "measure_drift": "boxwood.table.drift.measure",
    },
)
