"""What a request may ask for at most."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """Limits of a service; what goes beyond one is refused with the status code that is named.

    Attributes
    ----------
    body_bytes : int
        Of a request's body; 413.
    header_bytes : int
        Of a request's line and headers; 431.
    expression_characters : int
        Of one expression or question; 422.
    rows : int
        Rows of a request or of an answer; 413.
    questions : int
        Questions of a batch; 413.
    seconds : float
        That an answer may take; 504. Work stops at the next row block or question of a batch.
    receive_seconds : float
        In which a request's headers, and then its body, must have come; 408.
    waiting : int
        Requests that wait for a thread; 503.
    """

    body_bytes: int = 8 * 2**20
    header_bytes: int = 16 * 2**10
    expression_characters: int = 10_000
    rows: int = 10_000
    questions: int = 1_000
    seconds: float = 30.0
    receive_seconds: float = 10.0
    waiting: int = 256
