"""Errors of questions to a density, which suggest the nearest name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["QueryError", "UnseenCategoryWarning", "nearest", "shown"]

_LONGEST_NAME = 100
_MOST_NAMES = 3_000
"""Similarity takes some 20 µs a name, so that this many take less than a tenth of a second."""


class QueryError(ValueError):
    """Raised where a question does not fit the table: an unknown column, a value of another type."""


class UnseenCategoryWarning(UserWarning):
    """Issued for a category that the fitted table does not have; it may be misspelt."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the most similar of some names, None where none is similar.

    Examples
    --------
    >>> nearest("hours", ["age", "hours_per_week"]), nearest("AGE", ["age", "sex"]), nearest("zzz", ["age"])
    ('hours_per_week', 'age', None)
    """
    short = name[:_LONGEST_NAME].casefold()
    folded: dict[str, str] = {}
    for candidate in known:
        folded.setdefault(candidate[:_LONGEST_NAME].casefold(), candidate)
    if short in folded:
        return folded[short]
    # Of very many names those with the same beginning come first.
    ranked = sorted(folded, key=lambda candidate: candidate[:1] != short[:1])[:_MOST_NAMES]
    close = difflib.get_close_matches(short, ranked, n=1)
    if close:
        return folded[close[0]]
    parts = [candidate for candidate in ranked if len(short) > 2 and short in candidate]
    return folded[min(parts, key=len)] if parts else None


def shown(value: object) -> str:
    """Return a value as messages show it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
