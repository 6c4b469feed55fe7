"""What a table's columns are, without the values: kept by a fitted model, checked at prediction."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from boxwood.columns.column import MISSING_CODE, Column, Field, Label
from boxwood.columns.errors import at
from boxwood.columns.kind import Kind
from boxwood.columns.source import Source
from boxwood.columns.types.known_types import is_type
from boxwood.parameters import shown

__all__ = ["Schema", "all_missing"]

CONTAINERS = ("numpy", "pandas", "polars", "pyarrow", "frame")
"""What a table came in; "frame" (a file, a DuckDB relation) leaves it to what is installed."""


@dataclass(frozen=True)
class Schema:
    """Names, kinds and categories of a table's columns, and what the table came in.

    Attributes
    ----------
    fields : tuple of Field
    container : {"numpy", "pandas", "polars", "pyarrow", "frame"}
    named : bool
        Whether the column names came with the table (else they are x0, x1, …).
    labels : tuple of int
        The numbers that a pandas frame had in place of names; empty for all others. Schemas that differ in
        nothing else are equal.
    """

    fields: tuple[Field, ...]
    container: str = "numpy"
    named: bool = False
    labels: tuple[int, ...] = dataclasses.field(default=(), compare=False)

    def __len__(self) -> int:
        return len(self.fields)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns' names."""
        return tuple(field.name for field in self.fields)

    @cached_property
    def all_numeric(self) -> bool:
        """True where every column holds plain numbers, so that a float array needs no matching."""
        return all(field.kind in (Kind.NUMERIC, Kind.INTEGER) for field in self.fields)

    def index(self, name: str) -> int:
        """Return a column's position; KeyError lists the names."""
        try:
            return self.names.index(name)
        except ValueError:
            raise KeyError(f"no column {name!r}; the table has {list(self.names)}") from None

    def check_columns(self, other: Schema, reader: str = "boxwood") -> None:
        """Raise unless a new table has this schema's columns, in scikit-learn's words.

        `reader` is who expects them, for the message.
        """
        if self.named and other.named and self.names != other.names:
            raise _names_error(self.names, other.names)
        if len(other) != len(self):
            raise ValueError(
                f"X has {len(other)} features, but {reader} is expecting {len(self)} features as input."
            )

    def match(self, column: Column, index: int) -> Column:
        """Read a new table's column as the column `index` of this schema.

        Numbers and booleans match numbers; dates match dates; categories are matched by label and
        unknown ones get the code ``len(categories)``, but strings never match numbers; a column with
        nothing but missing values matches anything.
        """
        field = self.fields[index]
        if column.field == field:
            return column
        if column.n_missing == len(column.values):
            return all_missing(field, len(column.values))
        if field.kind in (Kind.NUMERIC, Kind.INTEGER):
            return _as_number(column, field)
        if field.kind is Kind.DATETIME:
            if column.kind is not Kind.DATETIME:
                raise _family_error(column, field)
            return Column(field, column.values, column.n_missing)
        return _as_codes(column, field)

    def to_json(self) -> dict[str, Any]:
        """Return the schema as plain JSON values, for the model file."""
        data: dict[str, Any] = {
            "container": self.container,
            "named": self.named,
            "fields": [_field_to_json(field) for field in self.fields],
        }
        return {**data, "labels": list(self.labels)} if self.labels else data

    @classmethod
    def from_json(cls, data: Any) -> Schema:
        """Read what `to_json` wrote; ValueError says what is wrong with it."""
        if not isinstance(data, dict) or set(data) - {"labels"} != {"container", "named", "fields"}:
            raise ValueError("the schema must hold container, named and fields")
        if data["container"] not in CONTAINERS:
            raise ValueError(f"the schema's container is {data['container']!r}, not one of {CONTAINERS}")
        if not isinstance(data["named"], bool) or not isinstance(data["fields"], list):
            raise ValueError("the schema's 'named' must be a boolean and 'fields' a list")
        fields = tuple(_field_from_json(entry) for entry in data["fields"])
        for field in fields:
            if field.source is not None and not is_type(field.source.dtype, data["container"]):
                raise ValueError(f"{at(field.name)} has the unknown type {shown(field.source.dtype)}")
        names = [field.name for field in fields]
        if len(set(names)) != len(names):
            raise ValueError("the schema names a column twice")
        labels = data.get("labels", [])
        if not isinstance(labels, list) or not all(type(label) is int for label in labels):
            raise ValueError("the schema's labels must be a list of integers")
        if labels and (len(labels) != len(fields) or len(set(labels)) != len(labels) or data["named"]):
            raise ValueError("the schema's labels must differ, one for each of its unnamed columns")
        return cls(fields, data["container"], data["named"], tuple(labels))


def _field_to_json(field: Field) -> dict[str, Any]:
    data = {"name": field.name, "kind": field.kind.value, "categories": list(field.categories)}
    source = None if field.source is None else field.source.to_json()
    return {**data, "source": source} if source else data


def _field_from_json(entry: Any) -> Field:
    if not isinstance(entry, dict) or set(entry) - {"source"} != {"name", "kind", "categories"}:
        raise ValueError("a field of the schema must hold name, kind and categories")
    name, categories = entry["name"], entry["categories"]
    if not isinstance(name, str) or not isinstance(categories, list):
        raise ValueError("a field's name must be a string and its categories a list")
    try:
        kind = Kind(entry["kind"])
    except ValueError:
        raise ValueError(f"{at(name)} has the unknown kind {entry['kind']!r}") from None
    if not all(isinstance(label, str | int | float | bool) for label in categories):
        raise ValueError(f"{at(name)}: categories must be strings, numbers or booleans")
    if not all(math.isfinite(label) for label in categories if isinstance(label, float)):
        raise ValueError(f"{at(name)}: a category must be finite")
    if len(set(categories)) != len(categories):
        raise ValueError(f"{at(name)} has a category twice")
    if kind.is_number and categories:
        raise ValueError(f"{at(name)} is {kind} and cannot have categories")
    if kind is Kind.BOOLEAN and categories != [False, True]:
        raise ValueError(f"{at(name)} is boolean: its categories must be false and true")
    return Field(name, kind, tuple(categories), _source_from_json(name, entry.get("source")))


def _source_from_json(name: str, data: Any) -> Source | None:
    try:
        return None if data is None else Source.from_json(data)
    except ValueError as error:
        raise ValueError(f"{at(name)}: {error}") from None


def all_missing(field: Field, n_rows: int) -> Column:
    """Make a column without a value."""
    if field.kind.is_number:
        return Column(field, np.full(n_rows, np.nan), n_rows)
    return Column(field, np.full(n_rows, MISSING_CODE, dtype=np.int32), n_rows)


def _as_number(column: Column, field: Field) -> Column:
    if column.kind in (Kind.NUMERIC, Kind.INTEGER, Kind.BOOLEAN):
        return Column(field, column.numbers(), column.n_missing)
    raise _family_error(column, field)


def _as_codes(column: Column, field: Field) -> Column:
    if column.kind is Kind.DATETIME:
        raise _family_error(column, field)
    labels: Sequence[Label]
    if column.kind.is_number:
        labels, inverse = _distinct_numbers(column)
    else:
        labels, inverse = column.field.categories, column.values
    if labels and field.categories and not _families(labels) & _families(field.categories):
        raise _family_error(column, field)
    position = {label: code for code, label in enumerate(field.categories)}
    unknown = len(field.categories)
    table = np.array([position.get(label, unknown) for label in labels] + [unknown, MISSING_CODE], np.int32)
    codes = table[inverse]  # index −1 is the last entry: missing stays missing
    if field.kind is Kind.BOOLEAN and (codes == unknown).any():
        row = int(np.argmax(codes == unknown))
        raise ValueError(
            f"{at(field.name, row)}: the column is boolean, {_shown(column, row)} is neither true nor false."
        )
    return Column(field, codes, column.n_missing)


def _families(labels: Sequence[Label]) -> set[bool]:
    """Return whether labels are strings (True), numbers (False) or both."""
    return {isinstance(label, str) for label in labels}


def _distinct_numbers(column: Column) -> tuple[list[Label], Any]:
    distinct, inverse = np.unique(column.values, return_inverse=True)
    inverse[np.isnan(column.values)] = -1
    return distinct[~np.isnan(distinct)].tolist(), inverse  # 1.0 finds the label 1 too


def _family_error(column: Column, field: Field) -> TypeError:
    row = int(np.argmin(column.missing()))
    return TypeError(
        f"{at(field.name, row)}: the fitted table holds {field.kind} values"
        f"{_example(field)}, now the column is {column.kind}: {_shown(column, row)}."
    )


def _example(field: Field) -> str:
    return f" such as {field.categories[0]!r}" if field.categories else ""


def _shown(column: Column, row: int) -> str:
    if column.kind is Kind.DATETIME:
        return str(np.datetime64(int(column.values[row]), "us"))
    if column.kind.is_number:
        return f"{column.values[row]:.6g}"
    code = int(column.values[row])
    known = 0 <= code < len(column.field.categories)
    return repr(column.field.categories[code]) if known else "an unknown category"


def _names_error(fitted: tuple[str, ...], given: tuple[str, ...]) -> ValueError:
    # scikit-learn's words, which its users (and its estimator checks) know.
    message = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(given) - set(fitted))
    gone = sorted(set(fitted) - set(given))
    if unseen:
        message += "Feature names unseen at fit time:\n" + _listed(unseen)
    if gone:
        message += "Feature names seen at fit time, yet now missing:\n" + _listed(gone)
    if not unseen and not gone:
        message += "Feature names must be in the same order as they were in fit.\n"
    return ValueError(message)


def _listed(names: list[str]) -> str:
    shown = "".join(f"- {name}\n" for name in names[:5])
    return shown + ("- ...\n" if len(names) > 5 else "")
