"""Questions to a fitted density: events in a table's own values, and their probabilities.

Names are imported when they are first used.
"""

from typing import TYPE_CHECKING

from boxwood.first_use import at_first_use

if TYPE_CHECKING:
    from boxwood.query.answer import Answer, Answers
    from boxwood.query.behind import Distance, LeafContribution, ProbabilityInterval
    from boxwood.query.box import Box
    from boxwood.query.column_set import CategorySet, NumberSet
    from boxwood.query.engine import QueryEngine
    from boxwood.query.errors import QueryError, UnseenCategoryWarning
    from boxwood.query.event import Event, EventTooLargeError
    from boxwood.query.event_reader import read_event
    from boxwood.query.expression import ExpressionError, read_expression, read_question, to_text
    from boxwood.query.interval import Interval
    from boxwood.query.query import Query, ZeroProbabilityError
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

__getattr__ = at_first_use(
    __name__,
    {
        "Answer": "boxwood.query.answer",
        "Answers": "boxwood.query.answer",
        "Box": "boxwood.query.box",
        "CategorySet": "boxwood.query.column_set",
        "Distance": "boxwood.query.behind",
        "Event": "boxwood.query.event",
        "EventTooLargeError": "boxwood.query.event",
        "ExpressionError": "boxwood.query.expression",
        "Interval": "boxwood.query.interval",
        "LeafContribution": "boxwood.query.behind",
        "NumberSet": "boxwood.query.column_set",
        "ProbabilityInterval": "boxwood.query.behind",
        "Query": "boxwood.query.query",
        "QueryEngine": "boxwood.query.engine",
        "QueryError": "boxwood.query.errors",
        "RowConditionals": "boxwood.query.row_conditionals",
        "SumColumn": "boxwood.query.sum_column",
        "UnseenCategoryWarning": "boxwood.query.errors",
        "WeighedQuery": "boxwood.query.weighed",
        "WeighingWarning": "boxwood.query.weighed",
        "ZeroProbabilityError": "boxwood.query.query",
        "read_event": "boxwood.query.event_reader",
        "read_expression": "boxwood.query.expression",
        "read_question": "boxwood.query.expression",
        "to_text": "boxwood.query.expression",
    },
)
