"""Margins: one monotone map per column onto [0, 1], with its inverse and log-derivative."""

from boxwood.margins.category import CategoryMargin
from boxwood.margins.known_points import known_points
from boxwood.margins.left_out import left_out_log_derivative
from boxwood.margins.margins import Margins, decoded_columns, fit_margins, margins_of_summary
from boxwood.margins.number import NumberMargin
from boxwood.margins.summary import TableSummary, summarize

__all__ = [
    "CategoryMargin",
    "Margins",
    "NumberMargin",
    "TableSummary",
    "decoded_columns",
    "fit_margins",
    "known_points",
    "left_out_log_derivative",
    "margins_of_summary",
    "summarize",
]
