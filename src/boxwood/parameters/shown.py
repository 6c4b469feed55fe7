"""Values as error messages show them."""

from __future__ import annotations

import reprlib

__all__ = ["shown"]


def shown(value: object) -> str:
    """Return a short repr for an error message: what a user passed, or a file holds, may be of any size.

    Examples
    --------
    >>> shown("a" * 1000)
    "'aaaaaaaaaaaa...aaaaaaaaaaaaa'"
    """
    try:
        return reprlib.repr(value)
    except ValueError:  # an integer of more digits than Python prints
        return f"a huge {type(value).__name__}"
