"""A data frame and its density: questions by name, answers in the frame's own values."""

from boxwood.table.questions import GivenTable
from boxwood.table.table_model import TableModel

__all__ = ["GivenTable", "TableModel"]
