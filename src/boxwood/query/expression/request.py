"""Requests: a probability, or a function of columns such as ``mean(age | city == 'Ulm')``."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from boxwood.columns.schema import Schema
from boxwood.query.errors import QueryError
from boxwood.query.event import Event
from boxwood.query.event_reader import column_position
from boxwood.query.expression.errors import ExpressionError
from boxwood.query.expression.grammar import FUNCTIONS
from boxwood.query.expression.meaning import Meaning
from boxwood.query.expression.parse import parse_request
from boxwood.query.expression.syntax import Constant, FunctionCall, Name, Node

__all__ = ["PROBABILITY", "Request", "read_request"]

PROBABILITY = "P"

_WANTED = {
    "quantile": "a column and probabilities, as in quantile(age, 0.1, 0.9)",
    "interval": "a column and, after it, the probability within, as in interval(age, 0.9)",
    "mi": "two columns, as in mi(age, income)",
    "density": "values of columns, as in density(age == 40)",
    **{
        name: f"one column, as in {name}(age)"
        for name in FUNCTIONS
        if name not in ("quantile", "interval", "mi", "density")
    },
}


@dataclass(frozen=True)
class Request:
    """What is asked of a table's density.

    Attributes
    ----------
    function : str
        "P", or one of the functions of columns.
    columns : tuple of int
        Positions of the columns that it is about.
    numbers : tuple of float
        Probabilities of quantiles, or of an interval.
    event : Event or None
        Of "P" and "density".
    evidence : Event or None
    """

    function: str
    columns: tuple[int, ...] = ()
    numbers: tuple[float, ...] = ()
    event: Event | None = None
    evidence: Event | None = field(default=None)


def read_request(schema: Schema, text: str) -> Request:
    """Return what a text asks for; ExpressionError points at what is wrong.

    Examples
    --------
    >>> import boxwood as bw
    >>> table = bw.read_columns({"age": [31, 44], "city": ["Bonn", "Ulm"]})
    >>> read_request(table.schema, "quantile(age, 0.5, 0.9 | city == 'Ulm')").numbers
    (0.5, 0.9)
    >>> read_request(table.schema, "mean(aeg)")
    Traceback (most recent call last):
    boxwood.query.expression.errors.ExpressionError: the table has no column 'aeg'. Did you mean 'age'?
      mean(aeg)
           ^^^
    """
    asked = parse_request(text)
    evidence = None if asked.evidence is None else Meaning(schema, text).event_of(asked.evidence)
    if not isinstance(asked, FunctionCall):
        return Request(PROBABILITY, event=Meaning(schema, text).event_of(asked.event), evidence=evidence)
    if asked.function == "density":
        return Request("density", event=_values(schema, text, asked), evidence=evidence)
    columns, numbers = _arguments(schema, text, asked)
    return Request(asked.function, columns, numbers, evidence=evidence)


def _values(schema: Schema, text: str, asked: FunctionCall) -> Event:
    parts = [Meaning(schema, text).event_of(part) for part in asked.arguments]
    joint = parts[0]
    for part in parts[1:]:
        joint = joint & part
    return joint


def _arguments(schema: Schema, text: str, asked: FunctionCall) -> tuple[tuple[int, ...], tuple[float, ...]]:
    n_columns = 2 if asked.function == "mi" else 1
    named, rest = asked.arguments[:n_columns], asked.arguments[n_columns:]
    if len(named) < n_columns or (rest and asked.function not in ("quantile", "interval")):
        raise _wrong(text, asked, asked)
    columns = tuple(_column(schema, text, asked, node) for node in named)
    numbers = tuple(_probability(text, asked, node) for node in rest)
    if (asked.function == "quantile" and not numbers) or (asked.function == "interval" and len(numbers) > 1):
        raise _wrong(text, asked, asked)
    return columns, numbers


def _column(schema: Schema, text: str, asked: FunctionCall, node: Node) -> int:
    if not isinstance(node, Name):
        raise _wrong(text, asked, node)
    try:
        return column_position(schema, node.name)
    except QueryError as error:
        raise ExpressionError(str(error), text, node.start, node.end) from None


def _probability(text: str, asked: FunctionCall, node: Node) -> float:
    if not isinstance(node, Constant) or not isinstance(node.value, Fraction):
        raise _wrong(text, asked, node)
    if not 0 <= node.value <= 1:
        raise ExpressionError("a probability lies between 0 and 1.", text, node.start, node.end)
    return float(node.value)


def _wrong(text: str, asked: FunctionCall, node: Node) -> ExpressionError:
    reason = f"{asked.function} takes {_WANTED[asked.function]}."
    return ExpressionError(reason, text, node.start, node.end)
