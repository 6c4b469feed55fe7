"""Gaps: "missing" as an event of a column, beside the density of its values."""

from boxwood.gaps.gap_rates import MISSING, GapRates
from boxwood.gaps.unseen_gaps import UnseenGaps

__all__ = ["MISSING", "GapRates", "UnseenGaps"]
