"""Gaps: "missing" as an event of a column, beside the density of its values."""

from boxwood.gaps.gap_rates import MISSING, GapRates

__all__ = ["MISSING", "GapRates"]
