"""Requests that are refused: a status code, a code for programs, and a sentence."""

from __future__ import annotations

from typing import Any

from boxwood.query.errors import QueryError
from boxwood.query.event import EventTooLargeError
from boxwood.query.expression import ExpressionError
from boxwood.query.query import ZeroProbabilityError

__all__ = ["STATUS_CODES", "RefusedError", "refusal_of"]

STATUS_CODES = {
    "bad_json": 400,
    "unauthorized": 401,
    "origin": 403,
    "not_found": 404,
    "method": 405,
    "slow_body": 408,
    "too_large": 413,
    "media_type": 415,
    "host": 421,
    "invalid": 422,
    "expression": 422,
    "impossible": 422,
    "headers": 431,
    "error": 500,
    "busy": 503,
    "timeout": 504,
}
"""The status of each code."""


class RefusedError(Exception):
    """Raised where a request is refused.

    Parameters
    ----------
    code : str
        One of `STATUS_CODES`.
    message : str
    start, end : int, optional
        The characters of an expression that are wrong.
    """

    def __init__(self, code: str, message: str, start: int | None = None, end: int | None = None) -> None:
        super().__init__(message)
        self.code, self.start, self.end = code, start, end

    @property
    def status(self) -> int:
        """The status code."""
        return STATUS_CODES[self.code]

    def to_json(self) -> dict[str, Any]:
        """Return the body that says so."""
        said: dict[str, Any] = {"code": self.code, "message": str(self)}
        if self.start is not None:
            said |= {"start": self.start, "end": self.end}
        return {"error": said}


def refusal_of(error: Exception) -> RefusedError | None:
    """Return what the library's complaint about a question means for its request; None for a fault of ours.

    Examples
    --------
    >>> refusal_of(ZeroProbabilityError("age > 200: no row can be so under this density.")).code
    'impossible'
    """
    if isinstance(error, RefusedError):
        return error
    if isinstance(error, ExpressionError):
        return RefusedError("expression", str(error), error.start, error.end)
    if isinstance(error, QueryError | EventTooLargeError):
        return RefusedError("expression", str(error))
    if isinstance(error, ZeroProbabilityError):
        return RefusedError("impossible", str(error))
    if isinstance(error, MemoryError):
        return RefusedError(
            "busy", "there is not enough memory for this just now: ask for less, or again later."
        )
    if isinstance(error, ValueError | TypeError | OverflowError):
        return RefusedError("invalid", str(error))
    return None
