"""Replies to questions in words, as a person or a program reads them."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxwood.columns import Field
from boxwood.query.answer import Answer
from boxwood.query.dates import in_own_zone
from boxwood.query.expression import Request, read_request
from boxwood.query.query import ZeroProbabilityError

__all__ = ["Reply", "ask"]

_DATES = (np.datetime64, datetime.datetime)


@dataclass(frozen=True)
class Reply:
    """What was asked, and what a table's density says.

    Attributes
    ----------
    question : str
    value : float, str, date, list or dict
        Of ``probabilities`` a dict, of several quantiles and of intervals a list. Dates are numpy's, and of a
        column with a time zone `datetime.datetime` in that zone.
    unit : {"probability", "density", "nats", ""}
        Nothing where the value is one of a column.
    exact : bool
        Whether the value follows from the model in closed form; else it was found by weighing draws.
    standard_error : float
        Of a value that is not exact.

    Examples
    --------
    >>> print(Reply("mean(age)", 38.5))
    mean(age) = 38.5
    """

    question: str
    value: Any
    unit: str = ""
    exact: bool = True
    standard_error: float = 0.0

    def __str__(self) -> str:
        seconds = " s" if isinstance(self.value, _DATES) else ""
        error = f" ± {_shown(self.standard_error)}{seconds}" if self.standard_error else ""
        if isinstance(self.value, dict):
            lines = [f"  {label}: {_shown(p)}" for label, p in self.value.items()]
            return "\n".join([f"{self.question} ={error}", *lines])
        unit = f" {self.unit}" if self.unit == "nats" else ""
        return f"{self.question} = {_shown(self.value)}{error}{unit}"

    def to_json(self) -> dict[str, Any]:
        """Return the answer as plain JSON values; dates are text."""
        found = {"question": self.question, "value": _plain(self.value), "unit": self.unit}
        found["exact"] = self.exact
        return found if self.exact else {**found, "standard_error": self.standard_error}


def ask(query: Any, schema: Any, text: str) -> Reply:
    """Reply a request such as ``P(…)``, ``mean(…)`` or ``quantile(…)``.

    Parameters
    ----------
    query : Query
    schema : Schema
    text : str

    Returns
    -------
    Reply
    """
    request = read_request(schema, text)
    asked = query if request.evidence is None else query.given(request.evidence)
    value = _ANSWERS[request.function](asked, request)
    exact, error = _certainty(value, asked, request)
    field = schema.fields[request.columns[0]] if request.columns else None
    return Reply(text.strip(), _own(value, field), _UNITS.get(request.function, ""), exact, error)


def _certainty(value: Any, query: Any, request: Request) -> tuple[bool, float]:
    """Return whether an answer is exact, and the largest standard error of its parts; of modes 0."""
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else [value]
    by_draws = hasattr(query, "is_closed") and not all(map(query.is_closed, request.columns))
    exact = not by_draws and all(getattr(part, "exact", True) for part in parts)
    errors = [float(np.max(getattr(part, "standard_error", 0.0))) for part in parts]
    return exact, 0.0 if exact else max(errors, default=0.0)


def _density(query: Any, request: Request) -> Answer:
    try:
        both, evidence = query.given(request.event).evidence_probability, query.evidence_probability
    except ZeroProbabilityError:
        return Answer(0.0)
    both, evidence = (p if isinstance(p, Answer) else Answer(p) for p in (both, evidence))
    value = float(both / evidence)
    error = value * math.hypot(both.standard_error / both, evidence.standard_error / evidence)
    size = min(both.effective_sample_size, evidence.effective_sample_size)
    return Answer.weighed(value, error, size, both.exact and evidence.exact)


def _deviation(query: Any, request: Request) -> Any:
    variance = query.variance(request.columns[0])
    return variance.root() if isinstance(variance, Answer) else np.sqrt(variance)


def _quantile(query: Any, request: Request) -> Any:
    found = query.quantile(request.columns[0], list(request.numbers))
    return found if len(request.numbers) > 1 else found[0]


_ANSWERS: dict[str, Callable[[Any, Request], Any]] = {
    "P": lambda query, of: query.probability(of.event),
    "mean": lambda query, of: query.mean(of.columns[0]),
    "median": lambda query, of: query.quantile(of.columns[0], 0.5),
    "std": _deviation,
    "quantile": _quantile,
    "interval": lambda query, of: list(query.interval(of.columns[0], *of.numbers)),
    "mode": lambda query, of: query.mode(of.columns[0]),
    "probabilities": lambda query, of: query.probabilities_of(of.columns[0]),
    "density": _density,
    "entropy": lambda query, of: query.entropy(of.columns[0]),
    "mi": lambda query, of: query.mutual_information(*of.columns),
}

_UNITS = {
    "P": "probability",
    "probabilities": "probability",
    "density": "density",
    "entropy": "nats",
    "mi": "nats",
}


def _own(value: Any, field: Field | None) -> Any:
    """Return numpy's numbers and arrays as Python's own; dates stay, in the zone that their column has."""
    if isinstance(value, Mapping):
        return {label: float(p) for label, p in value.items()}
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _own(value[()], field)
    if isinstance(value, np.ndarray | list | tuple):
        return [_own(part, field) for part in value]
    if isinstance(value, np.datetime64):
        return value if field is None else in_own_zone(field, value)
    if isinstance(value, np.generic):
        return value.item()
    return float(value) if isinstance(value, float) else value


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_shown(part) for part in value)
    if isinstance(value, np.datetime64):
        return str(value).replace("T", " ").removesuffix(".000000").removesuffix(" 00:00:00")
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(label): _plain(part) for label, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, np.datetime64):
        return str(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value if isinstance(value, bool | int | float | str | None) else str(value)
