"""Questions to a fitted density: events in a table's own values, and their probabilities."""

from boxwood.query.answers import Answer, Distance, LeafContribution
from boxwood.query.box import Box
from boxwood.query.column_set import CategorySet, NumberSet
from boxwood.query.engine import QueryEngine
from boxwood.query.errors import QueryError, UnseenCategoryWarning
from boxwood.query.event import Event, EventTooLargeError
from boxwood.query.expression import ExpressionError, read_expression, read_question, to_text
from boxwood.query.interval import Interval
from boxwood.query.query import Query, ZeroProbabilityError
from boxwood.query.read_event import read_event
from boxwood.query.row_conditionals import RowConditionals
from boxwood.query.sum_column import SumColumn

__all__ = [
    "Answer",
    "Box",
    "CategorySet",
    "Distance",
    "Event",
    "EventTooLargeError",
    "ExpressionError",
    "Interval",
    "LeafContribution",
    "NumberSet",
    "Query",
    "QueryEngine",
    "QueryError",
    "RowConditionals",
    "SumColumn",
    "UnseenCategoryWarning",
    "ZeroProbabilityError",
    "read_event",
    "read_expression",
    "read_question",
    "to_text",
]
