"""The parser's actions: each makes a part of the syntax tree of the parts below it."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

from boxwood.query.expression.syntax import (
    Arithmetic,
    Combination,
    Comparison,
    Constant,
    FunctionCall,
    Membership,
    Missingness,
    Name,
    Negation,
    Node,
    Question,
)

__all__ = ["NumberTooLongError", "SyntaxBuilder"]

LONGEST_NUMBER = 400
"""Characters of a number; no float has more digits before its point."""

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class NumberTooLongError(Exception):
    """Raised for a number of hundreds of characters; its place is in `start` and `end`."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__("number")
        self.start, self.end = start, end


class SyntaxBuilder:
    """Has an action for each rule of the grammar, by the rule's name.

    The parser calls them from the bottom up while it reads, so that nothing recurses.
    """

    def plain(self, parts: list[Any]) -> Question:
        """Take an expression without evidence."""
        return Question(*_place(parts), parts[0], None, False)

    def probability(self, parts: list[Any]) -> Question:
        """Take ``P(event | evidence)``."""
        _, _, event, _, evidence, _ = parts
        return Question(*_place(parts), event, evidence, True)

    def request(self, parts: list[Any]) -> Question:
        """Take a question that is no function."""
        return parts[0]

    def function(self, parts: list[Any]) -> FunctionCall:
        """Take ``function(arguments | evidence)``."""
        name, _, arguments, _, evidence, _ = parts
        start, end, depth = _place([name, *arguments, *([evidence] if evidence else []), parts[-1]])
        return FunctionCall(start, end, depth, str(name), tuple(arguments), evidence)

    def arguments(self, parts: list[Any]) -> list[Node]:
        """Take the arguments of a function."""
        return parts

    def conditions(self, parts: list[Any]) -> Node:
        """Take conditions with commas between them: all must hold."""
        return Combination(*_place(parts), True, tuple(parts))

    conjunction = conditions

    def condition(self, parts: list[Any]) -> Node:
        """Take conditions of which one must hold."""
        return Combination(*_place(parts), False, tuple(parts))

    def not_(self, parts: list[Any]) -> Node:
        """Take a condition that must not hold."""
        return Negation(*_place(parts), parts[1])

    def comparison(self, parts: list[Any]) -> Node:
        """Take a chain of comparisons."""
        operators = tuple("==" if token == "=" else str(token) for token in parts[1::2])
        return Comparison(*_place(parts), operators, tuple(parts[::2]))

    def in_(self, parts: list[Any]) -> Node:
        """Take a membership."""
        return Membership(*_place(parts[:1], parts[-1][-1].end_pos), parts[0], _items(parts[-1]), False)

    def not_in(self, parts: list[Any]) -> Node:
        """Take the absence of a membership."""
        return Membership(*_place(parts[:1], parts[-1][-1].end_pos), parts[0], _items(parts[-1]), True)

    def items(self, parts: list[Any]) -> list[Any]:
        """Take the items of a list, its brackets too."""
        return parts

    def is_missing(self, parts: list[Any]) -> Node:
        """Take a question for a missing value."""
        return Missingness(*_place(parts), parts[0], False)

    def is_not_missing(self, parts: list[Any]) -> Node:
        """Take a question for a value that is there."""
        return Missingness(*_place(parts), parts[0], True)

    def sum(self, parts: list[Any]) -> Node:
        """Take a sum."""
        return Arithmetic(*_place(parts), ("+", *map(str, parts[1::2])), tuple(parts[::2]))

    def product(self, parts: list[Any]) -> Node:
        """Take a product."""
        return Arithmetic(*_place(parts), ("*", *map(str, parts[1::2])), tuple(parts[::2]))

    def sign(self, parts: list[Any]) -> Node:
        """Take a value with a sign; that of a number becomes a part of it."""
        sign, part = parts
        if isinstance(part, Constant) and isinstance(part.value, Fraction):
            return replace(part, start=sign.start_pos, value=-part.value if sign == "-" else part.value)
        return Arithmetic(*_place(parts), (str(sign),), (part,))

    def number(self, parts: list[Any]) -> Node:
        """Take a number, exactly as it is written."""
        token = parts[0]
        if len(token) > LONGEST_NUMBER or abs(int(token.lower().partition("e")[2] or 0)) > LONGEST_NUMBER:
            raise NumberTooLongError(token.start_pos, token.end_pos)
        return Constant(*_place(parts), Fraction(token.replace("_", "")))

    def text(self, parts: list[Any]) -> Node:
        """Take a text without its quotes."""
        return Constant(*_place(parts), _unquoted(parts[0]))

    def true(self, parts: list[Any]) -> Node:
        """Take the truth value true."""
        return Constant(*_place(parts), True)

    def false(self, parts: list[Any]) -> Node:
        """Take the truth value false."""
        return Constant(*_place(parts), False)

    def name(self, parts: list[Any]) -> Node:
        """Take a column's name."""
        return Name(*_place(parts), str(parts[0]))

    def quoted_name(self, parts: list[Any]) -> Node:
        """Take a column's name in backticks."""
        return Name(*_place(parts), _unquoted(parts[0]))

    def parentheses(self, parts: list[Any]) -> Node:
        """Take what stands in parentheses, one level deeper."""
        opening, part, closing = parts
        return replace(part, start=opening.start_pos, end=closing.end_pos, depth=part.depth + 1)


def _place(parts: list[Any], end: int | None = None) -> tuple[int, int, int]:
    """Return where parts begin and end, and how deep what holds them is."""
    first, last = parts[0], parts[-1]
    start = first.start if isinstance(first, Node) else first.start_pos
    if end is None:
        end = last.end if isinstance(last, Node) else last.end_pos
    depth = 1 + max((part.depth for part in parts if isinstance(part, Node)), default=0)
    return start, end, depth


def _items(parts: list[Any]) -> tuple[Node, ...]:
    return tuple(part for part in parts if isinstance(part, Node))


def _unquoted(token: str) -> str:
    return _ESCAPED.sub(r"\1", str(token)[1:-1])
