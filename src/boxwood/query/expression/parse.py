"""From text to a syntax tree: limits, and the parser's complaints in words that help."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, cast

from boxwood.query.expression.errors import ExpressionError, ExpressionTooLargeError
from boxwood.query.expression.grammar import FUNCTIONS, NAME, parser
from boxwood.query.expression.syntax import FunctionCall, Question
from boxwood.query.expression.syntax_builder import NumberTooLongError

__all__ = ["parse", "parse_request"]

MOST_CHARACTERS = 100_000
MOST_DEPTH = 100

SHORT = 1_000
"""Characters of expressions whose trees are kept: questions come again, and reading takes 0.15 ms."""

_HINTS = {
    "'": "the quote is never closed.",
    '"': "the quote is never closed.",
    "`": "the backtick is never closed.",
    "&": "write 'and' instead.",
    "|": "'|' separates evidence inside P( … | … ); write 'or' for alternatives.",
    "!": "write 'not' instead.",
    "~": "write 'not' instead.",
    "^": "there are no powers, only multiples of columns.",
    "{": "write lists in square brackets.",
}

_CALLED = re.compile(rf"^\s*({NAME})\s*\($")
"""A name and the parenthesis after it, at the beginning."""

_EXPECTED = {
    "NAME": "a column or a value",
    "COMPARISON": "a comparison (==, !=, <, <=, >, >=)",
    "_IN": "'in'",
    "_AND": "'and', 'or'",
    "MISSING": "'missing'",
    "RPAR": "a closing ')'",
    "RSQB": "a closing ']'",
    "LSQB": "a list such as [1, 2]",
    "LPAR": "'('",
}
"""What to call the terminals that may come next; those not named here go without saying."""


def parse(text: str) -> Question:
    """Return the syntax tree of an expression; ExpressionError points at what is wrong.

    Examples
    --------
    >>> parse("age > 40").event.operators
    ('>',)
    >>> parse("age > ")
    Traceback (most recent call last):
    boxwood.query.expression.errors.ExpressionError: the expression ends too early; ...
      age >
           ^
    """
    return cast(Question, _short(text, "start") if len(text) < SHORT else _checked(text, "start"))


def parse_request(text: str) -> Question | FunctionCall:
    """Return the syntax tree of a question or of a function of columns.

    Examples
    --------
    >>> parse_request("quantile(age, 0.9 | city == 'Ulm')").function
    'quantile'
    """
    try:
        return _checked(text, "request")
    except ExpressionError as error:
        called = _CALLED.search(text[: error.start + 1])
        if called is None:
            raise
        reason = f"there is no function {called[1]!r}; there are P, {', '.join(FUNCTIONS)}."
        raise ExpressionError(reason, text, called.start(1), called.end(1)) from None


@lru_cache(maxsize=1024)
def _short(text: str, start: str) -> Question | FunctionCall:
    return _checked(text, start)


def _checked(text: str, start: str) -> Question | FunctionCall:
    if len(text) > MOST_CHARACTERS:
        reason = f"the expression has {len(text)} characters, {MOST_CHARACTERS} are allowed."
        raise ExpressionTooLargeError(reason, text[:200], 0, 200)
    if not text.strip():
        raise ExpressionError("the expression is empty.", text, 0, 0)
    question = _parsed(text, start)
    if question.depth > MOST_DEPTH:
        reason = f"the expression is nested {question.depth} levels deep, {MOST_DEPTH} are allowed."
        raise ExpressionTooLargeError(reason, text, question.start, question.end)
    return question


def _parsed(text: str, start: str) -> Question | FunctionCall:
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput

    try:
        return cast(Question | FunctionCall, parser().parse(text, start=start))
    except NumberTooLongError as error:
        reason = "the number is too long, or too large or small, to calculate with."
        raise ExpressionError(reason, text, error.start, error.end) from None
    except UnexpectedCharacters as error:
        at = cast(int, error.pos_in_stream)
        reason = f"{text[at]!r} cannot stand here"
        raise ExpressionError(_with_hint(reason, text, at, error.allowed), text, at, at + 1) from None
    except UnexpectedInput as error:
        raise _unexpected(text, error) from None


def _unexpected(text: str, error: Any) -> ExpressionError:
    token, expected = error.token, error.accepts or error.expected
    if token.type == "$END":
        end = len(text.rstrip())
        return ExpressionError(f"the expression ends too early{_wanted(expected)}.", text, end, end + 1)
    reason = _with_hint(f"{str(token)[:40]!r} cannot stand here", text, token.start_pos, expected)
    return ExpressionError(reason, text, token.start_pos, token.end_pos)


def _with_hint(reason: str, text: str, start: int, expected: Any) -> str:
    hint = _HINTS.get(text[start])
    return f"{reason}: {hint}" if hint else f"{reason}{_wanted(expected)}."


def _wanted(expected: Any) -> str:
    names = [word for terminal, word in _EXPECTED.items() if terminal in (expected or ())]
    if not names:
        return ""
    if "NAME" in expected:  # whatever else may come here begins a column or a value, or a condition
        names = names[:1]
    return "; expected " + (" or ".join([", ".join(names[:-1]), names[-1]]) if names[1:] else names[0])
