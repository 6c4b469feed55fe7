"""Numbers as a reader wants them."""

from __future__ import annotations

__all__ = ["number_text"]


def number_text(value: float) -> str:
    """Return a number without powers of ten where that can be; years have no comma.

    Examples
    --------
    >>> number_text(2007.0), number_text(195968.4), number_text(0.012345678), number_text(1e20)
    ('2007', '195,968', '0.012346', '1e+20')
    """
    if abs(value) >= 1e15 or value != value:
        return f"{value:.5g}"
    if abs(value) >= 1e4:
        return f"{value:,.0f}"
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.5g}"
