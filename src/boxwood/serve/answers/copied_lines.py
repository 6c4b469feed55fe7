"""A question as a line of Python, of the command line and of SQL, to copy."""

from __future__ import annotations

import shlex

__all__ = ["copied_lines"]


def copied_lines(event: str | None, given: str | None) -> dict[str, str]:
    """Return the lines that ask for an event under evidence, or for the evidence where there is no event.

    Examples
    --------
    >>> print(copied_lines("sex == 'Male'", "age > 40")["python"])
    model.prob("sex == 'Male'", given='age > 40')
    >>> copied_lines(None, "age > 40")["sql"]
    "SELECT model_prob('age > 40');"
    """
    if event is None:
        event, given = given or "true", None
    evidence = "" if given is None else f", given={given!r}"
    question = f"P({event})" if given is None else f"P({event} | {given})"
    more = "" if given is None else f", given := {_sql(given)}"
    return {
        "python": f"model.prob({event!r}{evidence})",
        "cli": f"boxwood query model.boxwood {shlex.quote(question)}",
        "sql": f"SELECT model_prob({_sql(event)}{more});",
    }


def _sql(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
