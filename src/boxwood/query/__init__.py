"""Questions to a fitted density: events in a table's own values, and their probabilities."""

from boxwood.query.answer import Answer, Answers
from boxwood.query.behind import Distance, LeafContribution, ProbabilityInterval
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
from boxwood.query.weighed import WeighedQuery, WeighingWarning

__all__ = [
    "Answer",
    "Answers",
    "Box",
    "CategorySet",
    "Distance",
    "Event",
    "EventTooLargeError",
    "ExpressionError",
    "Interval",
    "LeafContribution",
    "NumberSet",
    "ProbabilityInterval",
    "Query",
    "QueryEngine",
    "QueryError",
    "RowConditionals",
    "SumColumn",
    "UnseenCategoryWarning",
    "WeighedQuery",
    "WeighingWarning",
    "ZeroProbabilityError",
    "read_event",
    "read_expression",
    "read_question",
    "to_text",
]
