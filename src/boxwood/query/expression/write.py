"""Events written as expressions."""

from __future__ import annotations

import datetime
import math
import re

import numpy as np

from boxwood.columns.column import Field
from boxwood.columns.kind import Kind
from boxwood.columns.schema import Schema
from boxwood.query.column_set import CategorySet, ColumnSet, NumberSet
from boxwood.query.dates import zone_of
from boxwood.query.event import Event
from boxwood.query.expression.grammar import KEYWORDS, NAME
from boxwood.query.interval import Interval, complement

__all__ = ["to_text"]

_SPECIAL = re.compile(r"[\\'`]")


def to_text(event: Event, schema: Schema) -> str:
    """Return an event as an expression, which reads as the same event again.

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.query.read_event import read_event
    >>> schema = bw.read_columns({"age": [31, 44, None], "home town": ["Bonn", "Ulm", "Ulm"]}).schema
    >>> to_text(read_event(schema, {"age": (30, 40), "home town": ["Ulm", None]}), schema)
    "30 <= age <= 39 and (`home town` == 'Ulm' or `home town` is missing)"
    """
    if event.is_empty:
        return "false"
    boxes = [
        [_condition(schema.fields[j], values) for j, values in sorted(box.sets.items())]
        for box in event.boxes
    ]
    texts = [" and ".join(conditions) or "true" for conditions in boxes]
    if len(texts) > 1:
        texts = [f"({text})" if len(box) > 1 else text for text, box in zip(texts, boxes, strict=True)]
    return " or ".join(texts)


def _condition(field: Field, values: ColumnSet) -> str:
    name = _name(field.name)
    if isinstance(values, CategorySet):
        parts = _category_parts(name, field, values)
    else:
        parts = _number_parts(name, field, values)
    if values.missing:
        parts.append(f"{name} is missing")
    return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


def _name(name: str) -> str:
    if re.fullmatch(NAME, name) and name not in KEYWORDS:
        return name
    return f"`{_escaped(name)}`"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: "\\" + found[0], text)


def _category_parts(name: str, field: Field, values: CategorySet) -> list[str]:
    if not values.unseen:
        return _among(name, [_label(field, code) for code in sorted(values.codes)])
    # Only what is not in a list can be unseen.
    others = [_label(field, code) for code in range(values.n_categories) if code not in values.codes]
    return _not_among(name, others)


def _label(field: Field, code: int) -> str:
    label = field.categories[code]
    if isinstance(label, str):
        return f"'{_escaped(label)}'"
    return str(label).lower() if isinstance(label, bool) else repr(label)


def _among(name: str, values: list[str]) -> list[str]:
    if not values:
        return []
    return [f"{name} == {values[0]}" if len(values) == 1 else f"{name} in [{', '.join(values)}]"]


def _not_among(name: str, values: list[str]) -> list[str]:
    if not values:
        return [f"{name} is not missing"]
    return [f"{name} != {values[0]}" if len(values) == 1 else f"{name} not in [{', '.join(values)}]"]


def _number_parts(name: str, field: Field, values: NumberSet) -> list[str]:
    gaps = complement(values.intervals, values.whole)
    if all(_is_point(gap) for gap in gaps):
        return _not_among(name, [_number(field, gap.low) for gap in gaps])
    points = [_number(field, interval.low) for interval in values.intervals if _is_point(interval)]
    ranges = [_range(name, field, interval) for interval in values.intervals if not _is_point(interval)]
    return _among(name, points) + ranges


def _is_point(interval: Interval) -> bool:
    return interval.low == interval.high


def _range(name: str, field: Field, interval: Interval) -> str:
    low, high = _number(field, interval.low), _number(field, interval.high)
    above, below = "<=" if interval.low_closed else "<", "<=" if interval.high_closed else "<"
    if interval.low == -math.inf:
        return f"{name} {below} {high}"
    if interval.high == math.inf:
        return f"{name} {'>=' if interval.low_closed else '>'} {low}"
    return f"{low} {above} {name} {below} {high}"


def _number(field: Field, value: float) -> str:
    if math.isinf(value):
        return ""
    if field.kind is Kind.DATETIME:
        return f"'{_date(field, value)}'"
    return str(int(value)) if value == math.floor(value) and abs(value) < 2**53 else repr(value)


def _date(field: Field, value: float) -> str:
    date = np.datetime64(math.floor(value), "us").item()
    assert isinstance(date, datetime.datetime)
    zone = zone_of(field)
    if zone is not None:
        return date.replace(tzinfo=datetime.UTC).astimezone(zone).isoformat(" ")
    midnight = date.time() == datetime.time()
    return date.date().isoformat() if midnight else date.isoformat(" ")
