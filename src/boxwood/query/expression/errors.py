"""Errors of expressions, which point at the spot."""

from __future__ import annotations

from typing import Any

from boxwood.query.errors import QueryError
from boxwood.query.event import EventTooLargeError

__all__ = ["ExpressionError", "ExpressionTooLargeError"]

_BEFORE, _AFTER = 50, 40
"""Characters that are shown before and after the spot."""


class ExpressionError(QueryError):
    """Raised for an expression that cannot be read; the message points at the spot.

    Attributes
    ----------
    reason : str
        What is wrong, without the expression.
    text : str
        The expression.
    start, end : int
        The characters that are wrong.

    Examples
    --------
    >>> print(ExpressionError("the table has no column 'aeg'.", "aeg > 40", 0, 3))
    the table has no column 'aeg'.
      aeg > 40
      ^^^
    """

    def __init__(self, reason: str, text: str, start: int, end: int) -> None:
        super().__init__(f"{reason}\n{_pointed(text, start, end)}")
        self.reason, self.text, self.start, self.end = reason, text, start, end

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.text, self.start, self.end)


class ExpressionTooLargeError(ExpressionError, EventTooLargeError):
    """Raised for an expression that is too long, too deep, or of too many disjoint boxes."""


def _pointed(text: str, start: int, end: int) -> str:
    """Return the line around a spot and one of carets below it."""
    first = max(text.rfind("\n", 0, start) + 1, start - _BEFORE)
    line_end = text.find("\n", start)
    last = min(len(text) if line_end < 0 else line_end, max(min(end, start + _AFTER), start) + _AFTER)
    head = "…" if first > 0 and text[first - 1] != "\n" else ""
    tail = "…" if last < len(text) and text[last] != "\n" else ""
    line = "".join(letter if letter.isprintable() else " " for letter in text[first:last])
    width = max(1, min(end, last) - start)
    return f"  {head}{line}{tail}\n  {' ' * (len(head) + start - first)}{'^' * width}"
