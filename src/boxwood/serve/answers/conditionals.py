"""All columns under evidence, for the explorer: one request for each redraw."""

from __future__ import annotations

from typing import Any

from boxwood.query.event import Event
from boxwood.query.event_reader import column_position
from boxwood.query.expression import read_expression, to_text
from boxwood.query.query import ZeroProbabilityError
from boxwood.query.weighed import WeighedQuery
from boxwood.serve.answers.asking import Asking
from boxwood.serve.answers.copied_lines import copied_lines
from boxwood.serve.answers.intervals import NOTHING, Intervals
from boxwood.serve.axes import BinProbabilities, bin_probabilities
from boxwood.serve.plain_json import answer, plain

__all__ = ["conditionals"]


def conditionals(asking: Asking) -> dict[str, Any]:
    """Return what evidence makes of every column, and how probable it is, and an event under it."""
    schema = asking.model.schema
    given = None if asking["given"] is None else read_expression(schema, asking["given"])
    event = None if asking["event"] is None else read_expression(schema, asking["event"])
    texts = [None if part is None else to_text(part, schema) for part in (event, given)]
    found: dict[str, Any] = {"given": texts[1], "copy": copied_lines(texts[0], texts[1])}
    try:
        under = asking.model if given is None else asking.model.given(given)
    except ZeroProbabilityError:
        return {**found, **_impossible(asking)}
    intervals = Intervals(asking.model, under, asking["level"])
    asking.deadline.check()
    return {
        **found,
        "possible": True,
        "message": None,
        "columns": _columns(asking, under) if asking["columns"] else [],
        "evidence": _evidence(asking, under, intervals),
        "event": None if event is None else _event(asking, under, intervals, event, texts[0]),
    }


def _evidence(asking: Asking, under: Any, intervals: Intervals) -> dict[str, Any]:
    sure = intervals.of_evidence() if asking["intervals"] else NOTHING
    exact = not isinstance(under.query, WeighedQuery)
    probability = answer(under.query.evidence_probability)
    return {"probability": probability, "is_density": exact and under.query._rank > 0, **sure}


def _event(
    asking: Asking, under: Any, intervals: Intervals, event: Event, text: str | None
) -> dict[str, Any]:
    probability = answer(under.query.probability(event))
    sure = intervals.of_event(event) if asking["intervals"] else NOTHING
    return {"event": text, "probability": probability, "level": asking["level"], **sure}


def _columns(asking: Asking, under: Any) -> list[dict[str, Any]]:
    axes = asking.loaded.axes

    def after(k: int) -> BinProbabilities:
        asking.deadline.check()
        return bin_probabilities(under.query, axes.axes[k], axes.ends[k])

    which = _which(asking)
    known: Any = [axes.before[k] for k in which]
    if under is not asking.model:
        # Of 15 columns of adult one thread takes 45 ms under evidence that half of the rows satisfy.
        known = asking.loaded.threads.map(after, which)
    return [
        {
            "name": axes.axes[k].field.name,
            "after": plain(part.bins),
            "missing_after": plain(part.missing),
            **_unchanging(asking, k),
        }
        for k, part in zip(which, known, strict=True)
    ]


def _which(asking: Asking) -> list[int]:
    """Return the positions of the columns that are asked for."""
    schema = asking.model.schema
    if asking["only"] is None:
        return list(range(len(schema)))
    return [column_position(schema, name) for name in dict.fromkeys(asking["only"])]


def _unchanging(asking: Asking, k: int) -> dict[str, Any]:
    """Return what is the same under all evidence."""
    if not asking["axes"]:
        return {}
    axes = asking.loaded.axes
    before = axes.before[k]
    return {**axes.described[k], "before": plain(before.bins), "missing_before": plain(before.missing)}


def _impossible(asking: Asking) -> dict[str, Any]:
    lines = []
    if asking["axes"] and asking["columns"]:
        nothing = {"after": None, "missing_after": None}
        lines = [{**_unchanging(asking, k), **nothing} for k in _which(asking)]
    return {
        "possible": False,
        "message": "no row can be so under this density.",
        "evidence": {"probability": {"value": 0.0, "exact": True}, "is_density": False, **NOTHING},
        "event": None,
        "columns": lines,
    }
