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
from boxwood.query.dates import in_own_zone
from boxwood.query.event import Event
from boxwood.query.expression.grammar import KEYWORDS, NAME
from boxwood.query.interval import Interval, complement
from boxwood.query.sum_column import SumColumn

__all__ = ["to_text"]

_SPECIAL = re.compile(r"[\\'`]")

_LINE = Interval(-math.inf, math.inf, False, False)

_COMPARED = {
    (Interval(-math.inf, 0.0, False, False),): "<",
    (Interval(-math.inf, 0.0, False, True),): "<=",
    (Interval(0.0, math.inf, False, False),): ">",
    (Interval(0.0, math.inf, True, False),): ">=",
    (Interval(0.0, 0.0, True, True),): "==",
    (Interval(-math.inf, 0.0, False, False), Interval(0.0, math.inf, False, False)): "!=",
}
"""Sets of differences that are a comparison of two columns."""


def to_text(event: Event, schema: Schema) -> str:
    """Return an event as an expression, which reads as the same event again.

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.query.event_reader import read_event
    >>> schema = bw.read_columns({"age": [31, 44, None], "home town": ["Bonn", "Ulm", "Ulm"]}).schema
    >>> to_text(read_event(schema, {"age": (30, 40), "home town": ["Ulm", None]}), schema)
    "30 <= age <= 39 and (`home town` == 'Ulm' or `home town` is missing)"
    """
    if event.is_empty:
        return "false"
    boxes = [[_condition(schema, j, values) for j, values in sorted(box.sets.items())] for box in event.boxes]
    texts = [" and ".join(conditions) or "true" for conditions in boxes]
    if len(texts) > 1:
        texts = [f"({text})" if len(box) > 1 else text for text, box in zip(texts, boxes, strict=True)]
    return " or ".join(texts)


def _condition(schema: Schema, j: int, values: ColumnSet) -> str:
    if isinstance(j, SumColumn):
        assert isinstance(values, NumberSet)
        return _sum_condition(schema, j, values)
    field = schema.fields[j]
    name = _name(field.name)
    if isinstance(values, CategorySet):
        parts = _category_parts(name, field, values)
    else:
        parts = _number_parts(name, field, values)
    if values.missing:
        parts.append(f"{name} is missing")
    return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


def _sum_condition(schema: Schema, column: SumColumn, values: NumberSet) -> str:
    names = [_name(schema.names[j]) for j in column.columns]
    if column.is_difference and values.intervals in _COMPARED:  # dates are compared, not subtracted
        parts = [f"{names[0]} {_COMPARED[values.intervals]} {names[1]}"]
    else:
        factors = [factor for _, factor in column.coefficients[1:]]
        terms = [
            f" {'-' if f < 0 else '+'} {abs(f)!r} * {name}"
            for f, name in zip(factors, names[1:], strict=True)
        ]
        parts = _ranges(names[0] + "".join(terms), values)
    if values.missing:
        parts += [f"{name} is missing" for name in names]
    return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


def _ranges(name: str, values: NumberSet) -> list[str]:
    of_sum = Field("sum", Kind.NUMERIC)
    found = []
    for interval in values.intervals:
        if _is_point(interval):
            found.append(f"{name} == {_number(of_sum, interval.low)}")
        elif interval == _LINE:  # every sum, and none that is missing
            found.append(f"{name} >= 0 or {name} < 0")
        else:
            found.append(_range(name, of_sum, interval))
    return found


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
    moment = np.datetime64(math.floor(value), "us")
    own = in_own_zone(field, moment)
    if isinstance(own, datetime.datetime):
        return own.isoformat(" ")
    date = moment.item()
    assert isinstance(date, datetime.datetime)
    midnight = date.time() == datetime.time()
    return date.date().isoformat() if midnight else date.isoformat(" ")
