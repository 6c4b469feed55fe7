"""Expressions read as events."""

from __future__ import annotations

from boxwood.columns.schema import Schema
from boxwood.query.event import Event
from boxwood.query.expression.errors import ExpressionError
from boxwood.query.expression.meaning import Meaning
from boxwood.query.expression.parse import parse

__all__ = ["read_expression", "read_question"]


def read_expression(schema: Schema, text: str) -> Event:
    """Return the event that an expression describes, for the columns of a table.

    Raises
    ------
    ExpressionError
        Where the text is not an expression, names an unknown column, compares a column with a value that it
        cannot have, or has evidence.

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
    return Meaning(schema, text).event_of(question.event)


def read_question(schema: Schema, text: str) -> tuple[Event, Event | None]:
    """Return the event and the evidence of ``P(event | evidence)``; None where there is no evidence.

    Examples
    --------
    >>> import boxwood as bw
    >>> table = bw.read_columns({"x": [1.0, 2.0, 3.0], "y": [2.0, 2.0, 2.0]})
    >>> event, evidence = read_question(table.schema, "P(x < y | y > 1)")
    >>> event.contains(table), evidence.contains(table)
    (array([ True, False, False]), array([ True,  True,  True]))
    """
    question = parse(text)
    event = Meaning(schema, text).event_of(question.event)
    evidence = None if question.evidence is None else Meaning(schema, text).event_of(question.evidence)
    return event, evidence
