"""Questions to a fitted density: events in a table's own values, and their probabilities."""

from boxwood.query.engine import QueryEngine
from boxwood.query.query import Query, ZeroProbabilityError
from boxwood.query.row_conditionals import RowConditionals

__all__ = ["Query", "QueryEngine", "RowConditionals", "ZeroProbabilityError"]
