"""Two columns of categories compared with each other: an event of their labels."""

from __future__ import annotations

from boxwood.columns.column import Field
from boxwood.columns.kind import Kind
from boxwood.columns.schema import Schema
from boxwood.query.box import Box
from boxwood.query.column_set import CategorySet
from boxwood.query.errors import QueryError
from boxwood.query.event import Event
from boxwood.query.values import present_values

__all__ = ["labels_compared"]


def labels_compared(schema: Schema, a: int, sign: str, b: int) -> Event:
    """Return the event that the labels of two columns compare so; neither is missing then.

    Of labels that training did not show it is not known whether two are equal: they count as different.
    Labels have an order where both columns are ordered in the same way.

    Examples
    --------
    >>> import boxwood as bw
    >>> table = bw.read_columns({"home": ["Bonn", "Ulm", None], "away": ["Ulm", "Ulm", "Ulm"]})
    >>> labels_compared(table.schema, 0, "==", 1).contains(table)
    array([False,  True, False])
    """
    first, second = schema.fields[a], schema.fields[b]
    if not set(first.categories) & set(second.categories):
        raise QueryError(f"columns {first.name!r} and {second.name!r} have no category in common.")
    if sign in ("==", "!="):
        equal = _paired(a, b, first, second, "==")
        both = Event.of_column(a, present_values(first)) & Event.of_column(b, present_values(second))
        return equal if sign == "==" else both - equal
    if not (first.kind is second.kind is Kind.ORDINAL and first.categories == second.categories):
        raise QueryError(
            f"columns {first.name!r} and {second.name!r} have no common order of categories. Compare them by "
            "== or !=."
        )
    return _paired(a, b, first, second, sign)


def _paired(a: int, b: int, first: Field, second: Field, sign: str) -> Event:
    """Return the union over a label of the first column of what the second may have beside it."""
    position = {label: code for code, label in enumerate(second.categories)}
    boxes = []
    for code, label in enumerate(first.categories):
        if label not in position:
            continue
        at = position[label]
        allowed = {
            "==": range(at, at + 1),
            "<": range(at + 1, len(position)),
            "<=": range(at, len(position)),
            ">": range(at),
            ">=": range(at + 1),
        }[sign]
        boxes.append(Box({a: _codes(first, [code]), b: _codes(second, allowed)}))
    return Event(boxes)


def _codes(field: Field, codes: list[int] | range) -> CategorySet:
    n_categories, boolean = len(field.categories), field.kind is Kind.BOOLEAN
    return CategorySet(frozenset(codes), n_categories=n_categories, boolean=boolean)
