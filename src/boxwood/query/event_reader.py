"""Events from what a person writes: an expression, a dictionary, or keywords."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from boxwood.columns.column import Field
from boxwood.columns.errors import at
from boxwood.columns.kind import Kind
from boxwood.columns.labels import is_missing
from boxwood.columns.schema import Schema
from boxwood.query.column_set import CategorySet, ColumnSet, NumberSet, nothing
from boxwood.query.errors import QueryError, nearest, shown
from boxwood.query.event import Event
from boxwood.query.values import compared, one_of, present_values

__all__ = ["column_position", "read_event"]


def read_event(
    schema: Schema, given: str | Mapping[str, Any] | Event | None = None, /, **columns: Any
) -> Event:
    """Return the event that an expression, a dictionary or keywords describe.

    Parameters
    ----------
    schema : Schema
        That of the fitted table.
    given : str, mapping or Event, optional
        An expression, or values by column: a value; a pair ``(low, high)`` for low <= x < high, where None
        leaves an end open; a list or set of values; None or NaN for a missing value.
    **columns
        Values by column, as in a dictionary. All conditions must hold.

    Raises
    ------
    QueryError
        For a column that the table does not have, and for a value that does not fit its column.

    Examples
    --------
    >>> import boxwood as bw
    >>> table = bw.read_columns({"age": [31, 44, None], "city": ["Bonn", "Ulm", "Ulm"]})
    >>> read_event(table.schema, age=(30, 40), city=["Bonn", "Ulm"]).contains(table)
    array([ True, False, False])
    >>> read_event(table.schema, "age is missing or city == 'Bonn'").contains(table)
    array([ True, False,  True])
    >>> read_event(table.schema, aeg=3)
    Traceback (most recent call last):
    boxwood.query.errors.QueryError: the table has no column 'aeg'. Did you mean 'age'?
    """
    event = _event_of(schema, given)
    return event & _event_of(schema, columns) if columns else event


def column_position(schema: Schema, name: object) -> int:
    """Return a column's position by its name; QueryError suggests the nearest one."""
    if isinstance(name, str) and name in schema.names:
        return schema.names.index(name)
    known = nearest(str(name), schema.names)
    hint = f"Did you mean {known!r}?" if known is not None else f"It has {_listed(schema.names)}."
    raise QueryError(f"the table has no column {shown(name)}. {hint}")


def _listed(names: tuple[str, ...]) -> str:
    listed = ", ".join(repr(name) for name in names[:10])
    return listed if len(names) <= 10 else f"{listed} and {len(names) - 10} more"


def _event_of(schema: Schema, given: Any) -> Event:
    if given is None:
        return Event.everything()
    if isinstance(given, Event):
        return given
    if isinstance(given, str):
        from boxwood.query.expression import read_expression

        return read_expression(schema, given)
    if not isinstance(given, Mapping):
        raise QueryError(
            f"an event is an expression (a string), a dictionary of columns, or keywords; it is a "
            f"{type(given).__name__}."
        )
    event = Event.everything()
    for name, value in given.items():
        j = column_position(schema, name)
        event &= Event.of_column(j, _set_of(schema.fields[j], value))
    return event


def _set_of(field: Field, value: Any) -> ColumnSet:
    if isinstance(value, NumberSet | CategorySet):
        if type(value) is not type(nothing(field)):
            raise QueryError(f"{at(field.name)} is {field.kind}, and its set is a {type(value).__name__}.")
        return value
    if isinstance(value, tuple):
        return _range_of(field, value)
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return one_of(field, [value])
    if isinstance(value, np.ndarray):
        value = value.ravel().tolist() if value.dtype.kind != "M" else list(value.ravel())
    return one_of(field, list(value))


def _range_of(field: Field, ends: tuple[Any, ...]) -> ColumnSet:
    if len(ends) != 2 or (not field.kind.is_number and field.kind is not Kind.ORDINAL):
        raise QueryError(
            f"{at(field.name)}: a tuple is a range (low, high) of an ordered column, and "
            f"{shown(ends)} cannot be one. Write a list for several values."
        )
    values: Any = present_values(field)
    for operator, end in zip((">=", "<"), ends, strict=True):
        if not is_missing(end) and not _is_infinite(end, operator):
            values &= compared(field, operator, end)
    if values.is_empty:
        raise QueryError(
            f"{at(field.name)}: no value is at least {shown(ends[0])} and below {shown(ends[1])}."
        )
    return values


def _is_infinite(end: Any, operator: str) -> bool:
    return isinstance(end, float | np.floating) and bool(end == (-np.inf if operator == ">=" else np.inf))
