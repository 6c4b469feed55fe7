"""A table of everything that a page may stumble over."""

from __future__ import annotations

from typing import Any

import numpy as np

NASTY = (
    "</script><script>throw Error('a name was run')</script>",
    "<img src=x onerror=\"console.error('a name was read as HTML')\">",
    'it\'s "quoted" & <b>bold</b>',
    "a.b[0]\\c",
    "var(--first)",
)
"""Names and categories that a page must show, not obey."""


def nasty_table(n: int = 400) -> dict[str, Any]:
    """Thirty columns: dates, gaps, one value, many categories, and names that are HTML."""
    rng = np.random.default_rng(0)
    base = rng.normal(size=n)
    days = np.datetime64("2020-01-01") + rng.integers(0, 900, n).astype("timedelta64[D]")
    table: dict[str, Any] = {
        "when": days,
        "moment": days.astype("datetime64[s]") + rng.integers(0, 86_400, n).astype("timedelta64[s]"),
        NASTY[0]: [NASTY[k] for k in rng.integers(0, len(NASTY), n)],
        NASTY[1]: base + rng.normal(size=n),
        NASTY[2]: np.where(rng.random(n) < 0.4, np.nan, base),
        NASTY[3]: rng.integers(0, 5, n),
        NASTY[4]: [
            f"a rather long category, number {k:03d}, that needs room" for k in rng.integers(0, 200, n)
        ],
        "nothing": [None] * n,
        "one value": ["same"] * n,
        "constant": np.ones(n),
        "yes": rng.random(n) < 0.3,
        "a name without any space that goes_on_and_on_and_on_and_on_and_on_and_on_and_on": base * 1e9,
    }
    return table | {f"x{k}": base * (k % 3) + rng.normal(size=n) for k in range(30 - len(table))}
