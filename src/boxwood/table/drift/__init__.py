"""How far a new table is from a fitted one."""

from boxwood.table.drift.column_drift import ColumnDrift
from boxwood.table.drift.drift import Drift
from boxwood.table.drift.measure import measure_drift

__all__ = ["ColumnDrift", "Drift", "measure_drift"]
