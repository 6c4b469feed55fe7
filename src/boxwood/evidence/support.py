"""All values that a column can have, if the user lists them: the faces of a die, all labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import (
    MISSING_CODE,
    BaseMeasure,
    Column,
    ColumnMeasure,
    Columns,
    Field,
    Kind,
    Lattice,
    Schema,
)
from boxwood.columns.column import Label
from boxwood.columns.errors import at
from boxwood.columns.labels import sorted_labels
from boxwood.columns.source import limits_of
from boxwood.evidence.weights import Evidence
from boxwood.parameters import Checked, Parameter, shown

__all__ = [
    "SUPPORT",
    "check_equal_steps",
    "check_support",
    "equal_steps",
    "read_support",
    "with_declared_values",
    "with_support",
]

MOST_UNEVEN = 500
"""Most values at unequal steps that can be listed for a column. Each of them is an atom."""

MOST_VALUES = 1_000_000
"""Most values that can be listed. Longer lists are better described by bounds."""

_SLACK = 1e-6
"""Many values are at equal steps if each is as near to a point of a lattice, in steps."""


def check_support(where: str, support: object) -> None:
    """Check that a support is None, values, or maps columns to values."""
    if support is None:
        return
    if isinstance(support, Mapping):
        for column, values in support.items():
            _values(f"{where}[{column!r}]", values)
    else:
        _values(where, support)


SUPPORT = Parameter(
    "support",
    Checked("dict of column to values, sequence of values, or None", check_support),
    "All values that a column can have, including values that do not occur in the training rows: "
    '``{"face": range(1, 7)}``, or ``range(1, 7)`` for a table of one column. Columns are given by name or '
    "position. Listed numbers have probabilities and all other numbers have density zero. Listed labels are "
    "the only labels of a column of categories. A training row with another value is an error.",
)


@dataclass(frozen=True, eq=False)
class _Given:
    """The values that were listed for one column."""

    name: str
    values: list[Any]


def with_declared_values(columns: Columns, support: Any) -> Columns:
    """Return the same table with the fields that a support declares.

    Listed labels are the categories of their columns. Columns of numbers are no longer rounded as finely as
    the table was, because a support may be finer. Raises ValueError, with column, row and value, if a row has
    a value that is not listed.

    Examples
    --------
    >>> import boxwood as bw
    >>> balls = bw.read_columns({"ball": ["red", "blue", "red"]})
    >>> with_declared_values(balls, {"ball": ["red", "blue", "green"]})["ball"].field.categories
    ('blue', 'green', 'red')
    """
    listed = _by_position(columns.schema, support)
    if not listed:
        return columns
    found = list(columns)
    for j, given in listed.items():
        declare = _of_numbers if columns.schema.fields[j].kind.is_number else _of_labels
        found[j] = declare(columns[j], given)
    schema = replace(columns.schema, fields=tuple(column.field for column in found))
    same = Columns(schema, columns.n_rows, columns=found, weights=columns.weights)
    same.of_one_fit = columns.of_one_fit
    return same.with_measure(columns.measure)


def with_support(evidence: Evidence, schema: Schema, support: Any) -> Evidence:
    """Return the evidence with supports in the measure of its columns.

    Parameters
    ----------
    evidence : Evidence
        Evidence of columns with declared values (see `with_declared_values`).
    schema : Schema
    support : mapping of column to values, values, or None
    """
    values = read_support(schema, support)
    if all(one is None for one in values):
        return evidence
    measures = [
        measure if one is None else _measure_of(schema.fields[j], one, measure)
        for j, (one, measure) in enumerate(zip(values, evidence.discrete.measures, strict=True))
    ]
    cells = evidence.discrete.cells.copy()
    cells[:, [j for j, one in enumerate(values) if one is not None]] = True
    whole = None if evidence.columns.measure is None else evidence.columns.measure.whole
    columns = evidence.columns.with_measure(BaseMeasure(partial(list, measures), whole))
    return replace(
        evidence, columns=columns, discrete=replace(evidence.discrete, measures=measures, cells=cells)
    )


def read_support(schema: Schema, support: Any) -> list[NDArray[np.float64] | None]:
    """Return the listed values of each column, ascending: numbers, or the codes of declared categories.

    Columns without a list have None.

    Examples
    --------
    >>> import boxwood as bw
    >>> schema = bw.read_columns({"face": [1, 2, 2, 5]}).schema
    >>> read_support(schema, range(1, 7))
    [array([1., 2., 3., 4., 5., 6.])]
    >>> read_support(schema, None)
    [None]
    """
    found: list[NDArray[np.float64] | None] = [None] * len(schema)
    for j, given in _by_position(schema, support).items():
        field = schema.fields[j]
        found[j] = (
            _numbers(given, field) if field.kind.is_number else np.arange(len(field.categories), dtype=float)
        )
    return found


def _by_position(schema: Schema, support: Any) -> dict[int, _Given]:
    """Return what was listed, by the column's position."""
    if support is None:
        return {}
    if not isinstance(support, Mapping):
        if len(schema) != 1:
            raise ValueError(
                f"support lists values for a table of one column; this one has {len(schema)}. Give "
                f"{{column: values}}, for example {{{schema.names[0]!r}: {shown(support)}}}."
            )
        support = {schema.names[0]: support}
    found: dict[int, _Given] = {}
    for column, values in support.items():
        j = _position(schema, column)
        if j in found:
            raise ValueError(f"support names the column {schema.names[j]!r} twice.")
        found[j] = _Given(f"support[{column!r}]", _values(f"support[{column!r}]", values))
    return found


def _position(schema: Schema, column: Any) -> int:
    if column in schema.names:
        j = schema.names.index(column)
    elif isinstance(column, int | np.integer) and not isinstance(column, bool) and 0 <= column < len(schema):
        j = int(column)
    else:
        raise ValueError(
            f"support names the column {column!r}, which the table does not have: {list(schema.names)}."
        )
    if schema.fields[j].kind is Kind.BOOLEAN:
        raise ValueError(
            f"support names the column {schema.names[j]!r}, which is boolean: its values are always false "
            "and true. Leave the column out."
        )
    return j


def _values(where: str, values: object) -> list[Any]:
    """Return the listed values as a list. Raise if they are not a list of values."""
    if not isinstance(values, list | tuple | range | np.ndarray) or (
        isinstance(values, np.ndarray) and values.ndim != 1
    ):
        raise TypeError(
            f"{where} must be a list, tuple, range or array of values, such as range(1, 7); got "
            f"{shown(values)}."
        )
    if len(values) > MOST_VALUES:
        raise ValueError(
            f"{where} lists {len(values):,} values; at most {MOST_VALUES:,} can be listed. Give bounds= "
            "instead."
        )
    listed = list(values)
    if not listed:
        raise ValueError(f"{where} lists no value.")
    for value in listed:
        if np.ndim(value) > 0 or value is None or value != value:
            raise ValueError(f"{where} must list numbers or labels; got {shown(value)}.")
    return listed


def _numbers(given: _Given, field: Field) -> NDArray[np.float64]:
    wrong = [value for value in given.values if not _is_number(value)]
    if wrong:
        raise ValueError(
            f"{given.name} must list numbers, because the column {field.name!r} holds {field.kind} values; "
            f"got {shown(wrong[0])}."
        )
    values = np.unique(np.array(given.values, dtype=np.float64) + 0.0)
    if not np.isfinite(values).all():
        raise ValueError(f"{given.name} must list finite numbers; got {values[~np.isfinite(values)][0]}.")
    if field.kind is Kind.INTEGER and (values != np.rint(values)).any():
        wrong = values[values != np.rint(values)][0]
        raise ValueError(f"{given.name} lists {wrong:g}, but the column {field.name!r} holds integers.")
    if equal_steps(values) is None and len(values) > MOST_UNEVEN:
        raise ValueError(
            f"{given.name} lists {len(values)} values at unequal steps; at most {MOST_UNEVEN} are possible. "
            "List all values of an equal step, or give bounds= instead."
        )
    return values


def check_equal_steps(schema: Schema, supports: list[NDArray[np.float64] | None]) -> None:
    """Raise if listed numbers are at unequal steps. Some models cannot give each such number a bin."""
    for field, support in zip(schema.fields, supports, strict=True):
        if support is not None and field.kind.is_number and equal_steps(support) is None:
            raise ValueError(
                f"{at(field.name)}: the values of its support ({_listed(support)}) lie at unequal steps. "
                "List values at equal steps, or convert the column to categories."
            )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def equal_steps(values: NDArray[np.float64]) -> Lattice | None:
    """Return the lattice whose points from the first to the last value are these values; None if none is.

    Examples
    --------
    >>> equal_steps(np.array([0.1, 0.2, 0.3])), equal_steps(np.array([1.0, 2.0, 5.0]))
    (Lattice(origin=0.0, step=0.1), None)
    """
    step = 1.0 if len(values) == 1 else float(values[-1] - values[0]) / (len(values) - 1)
    decimal = float(f"{step:.12g}")  # 0.1, where the difference of two doubles is 0.09999999999999998
    for each in (decimal, step):
        lattice = Lattice(float(f"{np.mod(values[0], each):.12g}"), each)
        if np.array_equal(_points(lattice, values), values):
            return lattice
    close = np.abs(_points(lattice, values) - values).max() <= _SLACK * step
    return lattice if close and len(values) > MOST_UNEVEN else None


def _points(lattice: Lattice, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return as many points of a lattice as there are values, from the first value on."""
    return lattice.points(lattice.places(values[:1]) + np.arange(len(values)))


def _measure_of(field: Field, support: NDArray[np.float64], measure: ColumnMeasure) -> ColumnMeasure:
    if not field.kind.is_number:
        return replace(measure, support=support)
    lattice = equal_steps(support)
    ends = (float(support[0]), float(support[-1]))
    atoms = np.zeros(0) if lattice is not None else support
    return ColumnMeasure(True, lattice, atoms, ends, ends, support)


def _check_rows(column: Column, support: NDArray[np.float64]) -> None:
    values, lattice = column.values, equal_steps(support)
    listed = np.isin(values, support)
    if lattice is not None:  # 0.1 + 0.2 is 0.3
        half = 0.5 * lattice.step
        listed |= lattice.holds(values) & (values > support[0] - half) & (values < support[-1] + half)
    outside = np.flatnonzero(~np.isnan(values) & ~listed)
    if len(outside):
        row = int(outside[0])
        raise ValueError(
            f"{at(column.name, row)}: {values[row]:g} is not in the column's support ({_listed(support)}). "
            "Add the value to the support, or leave such rows out."
        )


def _of_numbers(column: Column, given: _Given) -> Column:
    """Return the column without the precision of its source, whose type must hold all listed values."""
    source, values = column.field.source, _numbers(given, column.field)
    _check_rows(column, values)
    if source is None:
        return column
    limits = limits_of(source.dtype)
    if limits is not None and (values[0] < limits[0] or values[-1] > limits[1]):
        wrong = values[0] if values[0] < limits[0] else values[-1]
        raise ValueError(
            f"{given.name} lists {wrong:g}, which the type of the column {column.name!r} cannot hold: its "
            f"numbers lie between {limits[0]:g} and {limits[1]:g}. Convert the column to a wider type."
        )
    return column.with_source(replace(source, decimals=None, unit=None))


def _of_labels(column: Column, given: _Given) -> Column:
    """Return the column with the listed labels as its categories."""
    field, codes = column.field, column.values
    labels = _labels(given, field)
    position = {label: code for code, label in enumerate(labels)}
    new = [position.get(label, -2) for label in field.categories]
    table = np.array([*new, -2, MISSING_CODE], dtype=np.int32)
    found = table[codes]
    if (found == -2).any():
        row = int(np.argmax(found == -2))
        label = field.categories[codes[row]] if codes[row] < len(field.categories) else "an unknown label"
        raise ValueError(
            f"{at(column.name, row)}: {label!r} is not in the column's support ({_listed(labels)}). Add the "
            "label to the support, or leave such rows out."
        )
    return Column(replace(field, categories=labels), found, column.n_missing)


def _labels(given: _Given, field: Field) -> tuple[Label, ...]:
    """Return the listed labels in the order of categories; an ordinal column keeps the order of the list."""
    known = {label: label for label in field.categories}
    listed: dict[Label, Label] = {}
    for value in given.values:
        label = value.item() if isinstance(value, np.generic) else value
        if not isinstance(label, str | int | float | bool):
            raise ValueError(f"{given.name} must list labels; got {shown(value)}.")
        if known and isinstance(label, str) not in {isinstance(one, str) for one in known}:
            raise ValueError(
                f"{given.name} lists {shown(label)}, but the labels of the column {field.name!r} are such as "
                f"{next(iter(known))!r}."
            )
        listed[known.get(label, label)] = label
    if field.kind is Kind.ORDINAL:
        kept = [label for label in listed if label in known]
        if kept != [label for label in field.categories if label in listed]:
            raise ValueError(
                f"{given.name} must list the labels of the ordered column {field.name!r} in its order: "
                f"{_listed(field.categories)}."
            )
        return tuple(listed)
    return sorted_labels(listed)


def _listed(values: Iterable[Any]) -> str:
    texts = [f"{value:g}" if isinstance(value, float | np.floating) else repr(value) for value in values]
    return ", ".join(texts) if len(texts) <= 8 else ", ".join([*texts[:6], "…", texts[-1]])
