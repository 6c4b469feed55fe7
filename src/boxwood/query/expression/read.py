"""Expressions read as events."""

from __future__ import annotations

from boxwood.columns.schema import Schema
from boxwood.query.event import Event
from boxwood.query.expression.errors import ExpressionError
from boxwood.query.expression.meaning import Meaning
from boxwood.query.expression.parse import parse
from boxwood.query.expression.syntax import Node
from boxwood.query.linear_event import LinearEvent

__all__ = ["read_boxes", "read_expression", "read_question"]


def read_expression(schema: Schema, text: str) -> Event:
    """Return the event that an expression describes, for the columns of a table.

    Raises
    ------
    ExpressionError
        Where the text is not an expression, names an unknown column, compares a column with a value that it
        cannot have or with another column, or has evidence.

    Examples
    --------
    >>> import boxwood as bw
    >>> table = bw.read_columns({"age": [31, 44, None], "city": ["Bonn", "Ulm", "Ulm"]})
    >>> read_expression(table.schema, "30 <= age < 40 and city in ['Bonn', 'Ulm']").contains(table)
    array([ True, False, False])
    >>> read_expression(table.schema, "city == 'Ulm' and aeg > 40")
    Traceback (most recent call last):
    boxwood.query.expression.errors.ExpressionError: the table has no column 'aeg'. Did you mean 'age'?
      city == 'Ulm' and aeg > 40
                        ^^^
    """
    question = parse(text)
    if question.evidence is not None:
        reason = "evidence cannot stand here; give it apart from the event, as `given`."
        raise ExpressionError(reason, text, question.evidence.start, question.evidence.end)
    return read_boxes(schema, text, question.event)


def read_question(schema: Schema, text: str) -> tuple[Event | LinearEvent, Event | None]:
    """Return the event and the evidence of ``P(event | evidence)``; None where there is no evidence.

    An event that compares columns with each other is a `LinearEvent`.

    Examples
    --------
    >>> import boxwood as bw
    >>> table = bw.read_columns({"x": [1.0, 2.0, 3.0], "y": [2.0, 2.0, 2.0]})
    >>> event, evidence = read_question(table.schema, "P(x < y | y > 1)")
    >>> event.coefficients, event.operator, event.bound, evidence.contains(table)
    (((0, 1.0), (1, -1.0)), '<', 0.0, array([ True,  True,  True]))
    """
    question = parse(text)
    event = Meaning(schema, text).event_of(question.event)
    evidence = None if question.evidence is None else read_boxes(schema, text, question.evidence)
    return event, evidence


def read_boxes(schema: Schema, text: str, node: Node) -> Event:
    """Return the event of a part of an expression where it must be one of boxes."""
    event = Meaning(schema, text).event_of(node)
    if isinstance(event, LinearEvent):
        names = " and ".join(repr(schema.names[j]) for j, _ in event.coefficients[:5])
        reason = f"the columns {names} are compared with each other, which cannot be answered here."
        raise ExpressionError(reason, text, node.start, node.end)
    return event
