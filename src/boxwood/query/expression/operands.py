"""What is compared in an expression: columns, values, and sums of columns."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from boxwood.columns.column import Field
from boxwood.columns.errors import at
from boxwood.columns.kind import Kind
from boxwood.columns.schema import Schema
from boxwood.query.column_set import missing_values
from boxwood.query.errors import QueryError
from boxwood.query.event import Event
from boxwood.query.event_reader import column_position
from boxwood.query.expression.errors import ExpressionError
from boxwood.query.expression.labels_compared import labels_compared
from boxwood.query.expression.linear_form import LinearForm
from boxwood.query.expression.syntax import Arithmetic, Constant, Membership, Missingness, Name, Node
from boxwood.query.sum_column import sum_event_parts
from boxwood.query.values import compared, one_of, present_values

__all__ = ["Operands"]

_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_TESTS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class Operands:
    """Reads conditions on the columns of one table.

    Parameters
    ----------
    schema : Schema
    text : str
        The expression, for messages.
    """

    def __init__(self, schema: Schema, text: str) -> None:
        self._schema = schema
        self._text = text

    def compared(self, left: Node, sign: str, right: Node) -> Event:
        """Return the event that two operands compare so."""
        if isinstance(right, Name) and isinstance(left, Constant):
            left, sign, right = right, _SWAPPED[sign], left
        if isinstance(left, Name) and isinstance(right, Constant):
            j = self._position(left)
            with self._pointing_at(right):
                return Event.of_column(j, compared(self._schema.fields[j], sign, _plain(right.value)))
        if isinstance(left, Name) and isinstance(right, Name):
            fields = [self._schema.fields[self._position(name)] for name in (left, right)]
            if not any(field.kind.is_number for field in fields):
                return self._labels_compared(left, sign, right)
        self._check_columns(left, right)
        return self._linear(self._form(left).plus(self._form(right), -1), sign)

    def among(self, node: Membership) -> Event:
        """Return the event that a column has one of some values, or none of them and is not missing."""
        j = self._column_of(node.part, "in")
        field, values = self._schema.fields[j], []
        for item in node.items:
            if not isinstance(item, Constant):
                raise self._error("a list may hold numbers, texts, true and false.", item)
            values.append(_plain(item.value))
        found = self._checked_values(node, j, values)
        return Event.of_column(j, present_values(field) & ~found if node.negated else found)

    def missing(self, node: Missingness) -> Event:
        """Return the event that a column is missing, or that it is not."""
        j = self._column_of(node.part, "is missing")
        field = self._schema.fields[j]
        return Event.of_column(j, present_values(field) if node.negated else missing_values(field))

    def flag(self, node: Name) -> Event:
        """Return the event that a boolean column is true."""
        j = self._position(node)
        field = self._schema.fields[j]
        if field.kind is not Kind.BOOLEAN:
            reason = (
                f"{at(field.name)} is {field.kind}: compare it with something, as in `{field.name} == ...`."
            )
            raise self._error(reason, node)
        return Event.of_column(j, compared(field, "==", True))

    def _position(self, node: Name) -> int:
        with self._pointing_at(node):
            return column_position(self._schema, node.name)

    def _column_of(self, node: Node, words: str) -> int:
        if not isinstance(node, Name):
            raise self._error(f"'{words}' asks about a column, and this is none.", node)
        return self._position(node)

    def _checked_values(self, node: Membership, j: int, values: list[Any]) -> Any:
        field = self._schema.fields[j]
        try:
            return one_of(field, values)
        except QueryError:
            for item, value in zip(node.items, values, strict=True):
                with self._pointing_at(item):
                    one_of(field, [value])
            raise

    def _check_columns(self, left: Node, right: Node) -> None:
        """Refuse what is not a sum of numbers, in words that name the remedy."""
        for node in (left, right):
            for part in _leaves(node):
                if isinstance(part, Constant) and not isinstance(part.value, Fraction):
                    other = right if node is left else left
                    reason = "this is text" if isinstance(part.value, str) else "this is a truth value"
                    raise self._error(
                        f"{reason}, and can be compared with a single column only.", part, other
                    )
                if not isinstance(part, Constant | Name):
                    raise self._error("a condition cannot be compared or calculated with.", part)
        names = [part for node in (left, right) for part in _leaves(node) if isinstance(part, Name)]
        if not names:
            raise self._error("this comparison names no column.", left, right)
        kinds = {self._schema.fields[self._position(name)].kind for name in names}
        plain = isinstance(left, Name) and isinstance(right, Name)
        if kinds <= {Kind.NUMERIC, Kind.INTEGER} or (plain and kinds == {Kind.DATETIME}):
            return
        for name in names:
            field = self._schema.fields[self._position(name)]
            if field.kind not in (Kind.NUMERIC, Kind.INTEGER):
                reason = f"{at(field.name)} is {field.kind}: it can be compared with values only"
                raise self._error(f"{reason}, not calculated with or compared with other columns.", name)

    def _form(self, node: Node) -> LinearForm:
        if isinstance(node, Name):
            return LinearForm(Fraction(0), {self._position(node): Fraction(1)})
        if isinstance(node, Constant):
            assert isinstance(node.value, Fraction)
            return LinearForm(node.value)
        assert isinstance(node, Arithmetic)
        additive = node.operators[0] in "+-"
        form = LinearForm(Fraction(0 if additive else 1))
        for sign, part in zip(node.operators, node.parts, strict=True):
            with self._pointing_at(part):
                if additive:
                    form = form.plus(self._form(part), -1 if sign == "-" else 1)
                else:
                    form = form.times(self._form(part)) if sign == "*" else form.over(self._form(part))
        return form

    def _linear(self, form: LinearForm, sign: str) -> Event:
        """Return the event that a sum compares so with zero; none of its columns is missing then."""
        present = Event.everything()
        for j in form.terms:
            present &= Event.of_column(j, present_values(self._schema.fields[j]))
        terms = {j: coefficient for j, coefficient in form.terms.items() if coefficient}
        if not terms:
            return present if _TESTS[sign](form.constant, 0) else Event([])
        if len(terms) == 1:
            ((j, coefficient),) = terms.items()
            direction = sign if coefficient > 0 else _SWAPPED[sign]
            bound = _plain(-form.constant / coefficient)
            return present & Event.of_column(j, compared(self._schema.fields[j], direction, bound))
        extra = Event.everything() if len(terms) == len(form.terms) else present
        return extra & self._of_sum(terms, sign, -form.constant)

    def _of_sum(self, terms: dict[int, Fraction], sign: str, bound: Fraction) -> Event:
        """Return the event that a sum of several columns compares so with a bound."""
        try:
            column, scaled, reversed_ = sum_event_parts(terms, bound)
        except OverflowError:
            raise QueryError("this number is too large to calculate with.") from None
        for_sum = Field("sum", Kind.NUMERIC)
        return Event.of_column(
            column, compared(for_sum, _SWAPPED[sign] if reversed_ else sign, _float(scaled))
        )

    def _labels_compared(self, left: Name, sign: str, right: Name) -> Event:
        """Return the event that two columns of categories have labels that compare so."""
        a, b = self._position(left), self._position(right)
        if a == b:
            present = Event.of_column(a, present_values(self._schema.fields[a]))
            return present if sign in ("==", "<=", ">=") else Event([])
        try:
            return labels_compared(self._schema, a, sign, b)
        except QueryError as error:
            raise self._error(str(error), left, right) from None

    def _error(self, reason: str, node: Node, other: Node | None = None) -> ExpressionError:
        end = node.end if other is None else max(node.end, other.end)
        return ExpressionError(reason, self._text, node.start, end)

    @contextmanager
    def _pointing_at(self, node: Node) -> Iterator[None]:
        """Let errors point at a part of the expression."""
        try:
            yield
        except ExpressionError:
            raise
        except (QueryError, ArithmeticError) as error:
            raise ExpressionError(str(error), self._text, node.start, node.end) from None


def _leaves(node: Node) -> Iterator[Node]:
    if isinstance(node, Arithmetic):
        for part in node.parts:
            yield from _leaves(part)
    else:
        yield node


def _plain(value: Fraction | str | bool) -> str | bool | int | float:
    if not isinstance(value, Fraction):
        return value
    return int(value) if value.denominator == 1 else _float(value)


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        raise QueryError("this number is too large to calculate with.") from None
