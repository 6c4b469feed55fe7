"""From a syntax tree to an event: names become columns, values sets, conditions boxes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import pairwise
from typing import Any

from boxwood.columns.schema import Schema
from boxwood.query.errors import QueryError
from boxwood.query.event import Effort, Event, EventTooLargeError
from boxwood.query.expression.errors import ExpressionError, ExpressionTooLargeError
from boxwood.query.expression.operands import Operands
from boxwood.query.expression.syntax import (
    Combination,
    Comparison,
    Constant,
    Membership,
    Missingness,
    Name,
    Negation,
    Node,
)

__all__ = ["Meaning"]

MOST_CONDITIONS = 1_000
"""Comparisons of an expression; a list counts as one, however long."""


class Meaning:
    """Reads the parts of one expression for the columns of one table.

    Parameters
    ----------
    schema : Schema
    text : str
        The expression, for messages.
    """

    def __init__(self, schema: Schema, text: str) -> None:
        self._text = text
        self._operands = Operands(schema, text)
        self._effort = Effort()
        self._n_conditions = 0

    def event_of(self, node: Node) -> Event:
        """Return the event of a condition."""
        try:
            return self._event(node)
        except EventTooLargeError as error:
            if isinstance(error, ExpressionError):
                raise
            raise ExpressionTooLargeError(str(error), self._text, node.start, node.end) from None

    def _event(self, node: Node) -> Event:
        if isinstance(node, Combination):
            return self._all_of(node) if node.all_of else self._any_of(node)
        if isinstance(node, Negation):
            return self._event(node.part).complement(self._effort)
        self._count(node)
        try:
            return self._condition(node)
        except ExpressionError:
            raise
        except (QueryError, ArithmeticError) as error:
            raise ExpressionError(str(error), self._text, node.start, node.end) from None

    def _condition(self, node: Node) -> Event:
        operands = self._operands
        if isinstance(node, Comparison):
            pairs = zip(pairwise(node.parts), node.operators, strict=True)
            return self._all(operands.compared(a, sign, b) for (a, b), sign in pairs)
        if isinstance(node, Membership):
            return operands.among(node)
        if isinstance(node, Missingness):
            return operands.missing(node)
        if isinstance(node, Constant) and isinstance(node.value, bool):
            return Event.everything() if node.value else Event([])
        if isinstance(node, Name):
            return operands.flag(node)
        raise QueryError("this is a value, not a condition: compare it with something.")

    def _all_of(self, node: Combination) -> Event:
        parts = [self._event(part) for part in node.parts]
        # Those of few boxes first: they leave less of the others.
        parts.sort(key=lambda part: len(part.boxes))
        return self._all(parts)

    def _all(self, parts: Iterable[Event]) -> Event:
        return reduce(lambda a, b: a.intersection(b, self._effort), parts)

    def _any_of(self, node: Combination) -> Event:
        alone: dict[int, Any] = {}
        others: list[Event] = []
        for part in node.parts:
            event = self._event(part)
            sets = event.boxes[0].sets if len(event.boxes) == 1 else {}
            if len(sets) == 1:  # alternatives in one column become one set before any box is cut
                ((j, values),) = sets.items()
                alone[j] = alone[j] | values if j in alone else values
            else:
                others.append(event)
        parts = [Event.of_column(j, values) for j, values in alone.items()] + others
        return reduce(lambda a, b: a.union(b, self._effort), parts)

    def _count(self, node: Node) -> None:
        self._n_conditions += 1
        if self._n_conditions > MOST_CONDITIONS:
            reason = (
                f"the expression has more than {MOST_CONDITIONS} comparisons. Write alternatives in one "
                "column as a list: `column in [...]`."
            )
            raise ExpressionTooLargeError(reason, self._text, node.start, node.end)
