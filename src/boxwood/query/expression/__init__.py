"""Expressions: events in words, such as ``30 <= age < 40 and city in ['Bonn', 'Ulm']``."""

from boxwood.query.expression.errors import ExpressionError, ExpressionTooLargeError
from boxwood.query.expression.read import read_expression, read_question
from boxwood.query.expression.request import Request, read_request
from boxwood.query.expression.write import to_text

__all__ = [
    "ExpressionError",
    "ExpressionTooLargeError",
    "Request",
    "read_expression",
    "read_question",
    "read_request",
    "to_text",
]
