"""Slices of a table: cells over two columns, what the others are fixed at, and the rows that are near."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns, Kind, Schema, read_columns
from boxwood.plot.slices.slice_axis import A_DAY, Axes, SliceAxis

__all__ = [
    "ShownColumns",
    "axis_of_values",
    "fixed_columns",
    "fixed_in_words",
    "grid_table",
    "places_of_rows",
    "rows_near",
    "shown_columns",
    "typical_value",
    "value_of",
]

ShownColumns = int | str | Sequence[int | str] | None
"""One column, or two; None for the first two."""

NEAR = 0.1
"""Rows are near a slice where at most this fraction of all rows lies between, along every fixed column."""

FEWEST_NEAR = 0.25
"""Of the rows the nearest so many are shown in any case: with many fixed columns hardly any are near."""


def shown_columns(schema: Schema, columns: ShownColumns = None) -> tuple[int, ...]:
    """Return the positions of the columns that are shown: by default the first two, or the only one."""
    if columns is None:
        return tuple(range(min(2, len(schema))))
    given = (columns,) if isinstance(columns, str | int | np.integer) else tuple(columns)
    found = tuple(_position(schema, column) for column in given)
    if not 1 <= len(found) <= 2 or len(set(found)) < len(found):
        raise ValueError(f"expected one column or two different columns; got {columns!r}.")
    return found


def _position(schema: Schema, column: int | str) -> int:
    if isinstance(column, str):
        return schema.index(column)
    if not -len(schema) <= column < len(schema):
        raise ValueError(f"columns: there is no column {column}; the table has {len(schema)}.")
    return range(len(schema))[column]


def fixed_columns(
    schema: Schema,
    at: Mapping[int | str, Any] | None,
    shown: tuple[int, ...],
    *,
    known: bool = False,
) -> dict[int, Column]:
    """Read the values at which other columns are fixed: one row a column, by its position.

    Parameters
    ----------
    schema : Schema
    at : dict of column to value or None
    shown : tuple of int
    known : bool
        Whether values must be there, and categories those of the schema.

    Raises
    ------
    ValueError
        Where a column is shown and fixed at once, or fixed at what is not known.
    """
    fixed = {}
    for key, value in (at or {}).items():
        j = _position(schema, key)
        field = schema.fields[j]
        if j in shown:
            raise ValueError(f"column {field.name!r} is shown; it cannot be fixed by `at` too.")
        fixed[j] = schema.match(read_columns({field.name: [value]})[0], j)
        if known and fixed[j].n_missing:
            raise ValueError(
                f"column {field.name!r} cannot be fixed at a missing value; without it, it is summed out."
            )
        if known and not field.kind.is_number and not 0 <= fixed[j].values[0] < len(field.categories):
            categories = ", ".join(repr(label) for label in list(field.categories)[:20])
            more = f" and {len(field.categories) - 20} more" if len(field.categories) > 20 else ""
            raise ValueError(f"column {field.name!r} has no category {value!r}; it has {categories}{more}.")
    return fixed


def axis_of_values(column: Column, resolution: int) -> SliceAxis:
    """Choose the cells of a column: categories, integers, or a grid a little beyond its values."""
    if not column.kind.is_number:
        codes = np.arange(len(column.field.categories), dtype=np.int32)
        return SliceAxis(column.field, np.arange(len(codes) + 1.0) - 0.5, codes)
    present = column.values[~column.missing()]
    low, high = (float(present.min()), float(present.max())) if len(present) else (0.0, 1.0)
    pad = 0.04 * (high - low) if high > low else 0.5
    if column.kind is Kind.INTEGER:
        first, last = np.floor(low - pad), np.ceil(high + pad)
        step = max(1.0, np.ceil((last - first + 1.0) / resolution))
        values = np.arange(first, last + 1.0, step)
        return SliceAxis(column.field, np.append(values, values[-1] + step) - 0.5 * step, values)
    edges = np.linspace(low - pad, high + pad, resolution + 1)
    unit = A_DAY if column.kind is Kind.DATETIME else 1.0
    return SliceAxis(column.field, edges / unit, 0.5 * edges[:-1] + 0.5 * edges[1:])


def typical_value(column: Column) -> Column:
    """Return the median of a column, or its most frequent category, as a column of one row.

    A value that it has: between two values of a lattice there is next to no density.
    """
    present = column.values[~column.missing()]
    if len(present) == 0:
        return Column(column.field, column.values[:1], 1)
    if column.kind in (Kind.CATEGORICAL, Kind.BOOLEAN):
        return Column(column.field, np.array([np.bincount(present).argmax()], dtype=np.int32), 0)
    middle = np.sort(present)[(len(present) - 1) // 2]
    return Column(column.field, np.array([middle], dtype=present.dtype), 0)


def grid_table(schema: Schema, shown: tuple[int, ...], axes: Axes, fixed: Mapping[int, Column]) -> Columns:
    """Return one row per cell, those of the lowest line first."""
    places = np.meshgrid(*(axis.values for axis in axes))
    values = {j: along.ravel() for j, along in zip(shown, places, strict=True)}
    n = places[0].size
    columns = []
    for j, field in enumerate(schema.fields):
        if j in values:
            columns.append(Column(field, values[j], 0))
        else:
            n_missing = n if fixed[j].n_missing else 0
            columns.append(Column(field, np.repeat(fixed[j].values, n), n_missing))
    return Columns(schema, n, columns=columns)


def rows_near(table: Columns, fixed: Mapping[int, Column], same: Mapping[int, Column]) -> NDArray[np.bool_]:
    """Return which rows lie near a slice: those between which and it few other rows lie.

    Parameters
    ----------
    table : Columns
    fixed : dict of position to column
        What other columns are fixed at.
    same : dict of position to column
        Those whose category a row must have; in the others another category is as far as can be.
    """
    away = np.zeros(table.n_rows)
    keeps = np.ones(table.n_rows, dtype=bool)
    for j, column in fixed.items():
        distance = _rows_between(table[j], column)
        if j in same and not column.kind.is_number:
            keeps &= distance == 0.0
        away = np.maximum(away, distance)
    if not keeps.any():
        return keeps
    fewest = float(np.quantile(away[keeps], FEWEST_NEAR, method="higher"))
    return keeps & (away <= max(NEAR, min(fewest, 1.0 - 1e-9)))


def _rows_between(column: Column, fixed: Column) -> NDArray[np.float64]:
    """Return for each row the fraction of rows between its value and a fixed one; 1 for other categories."""
    missing = column.missing()
    if fixed.n_missing:
        return np.where(missing, 0.0, 1.0)
    if column.kind in (Kind.CATEGORICAL, Kind.BOOLEAN):
        return np.where(missing | (column.values != fixed.values[0]), 1.0, 0.0)
    values, at = column.numbers(), float(fixed.numbers()[0])
    present = np.sort(values[~missing])
    below, above = np.searchsorted(present, at, "left"), np.searchsorted(present, at, "right")
    up = np.searchsorted(present, values, "left") - above  # rows between, where the value is larger
    down = below - np.searchsorted(present, values, "right")
    between = np.maximum(np.maximum(up, down), 0) / max(len(present), 1)
    return np.where(missing, 1.0, between)


def places_of_rows(
    table: Columns, shown: tuple[int, ...], axes: Axes, *, spread: bool = True
) -> NDArray[np.float64]:
    """Return the places of rows on the axes.

    Integers and categories are spread, unless `spread` is false, because their points would coincide.
    """
    rng = np.random.Generator(np.random.Philox(0))
    places = np.empty((table.n_rows, len(shown)))
    for k, (j, axis) in enumerate(zip(shown, axes, strict=True)):
        places[:, k] = table[j].numbers() / axis.unit
        if spread and axis.field.kind not in (Kind.NUMERIC, Kind.DATETIME):
            places[:, k] += rng.uniform(-0.3, 0.3, table.n_rows)
    return places


def value_of(column: Column) -> Any:
    """Return the value of a column of one row."""
    if column.n_missing:
        return None
    if column.kind is Kind.DATETIME:
        return np.datetime64(int(column.values[0]), "us")
    return column.values[0].item() if column.kind.is_number else column.field.categories[column.values[0]]


def fixed_in_words(fixed: dict[str, Any]) -> str:
    """Describe what other columns are fixed at, the first three of them by name, two a line."""
    texts = [f"{name} = {_shown(value)}" for name, value in list(fixed.items())[:3]]
    more = f" and {len(fixed) - 3} more" if len(fixed) > 3 else ""
    lines = [", ".join(texts[k : k + 2]) for k in range(0, len(texts), 2)]
    return "at " + ",\n".join(lines) + more


def _shown(value: Any) -> str:
    if value is None:
        return "missing"
    if isinstance(value, np.datetime64):
        return str(value.astype("datetime64[D]"))
    return f"{value:.4g}" if isinstance(value, float) else str(value)
