"""The schema of a table that comes in parts: what each part shows of it, and how these become one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from boxwood.columns.column import Column, Field
from boxwood.columns.columns import Columns
from boxwood.columns.kind import Kind
from boxwood.columns.labels import sorted_labels
from boxwood.columns.read.whole_floats import is_whole_with_gaps
from boxwood.columns.schema import Schema
from boxwood.columns.source import TIME_UNITS, Source, TypeName

__all__ = ["PartSchema", "read_by"]

_UNITS = list(TIME_UNITS)


@dataclass(frozen=True)
class _PartField:
    """A column as some parts show it; `present` and `missing` count its values."""

    field: Field
    present: int
    missing: int
    part: str

    @property
    def n_rows(self) -> int:
        return self.present + self.missing


@dataclass(frozen=True)
class PartSchema:
    """What some parts of a table show of its schema.

    Two of them merge to what both parts together show, in any order; `schema` is then that of the whole
    table as `read_columns` would have read it.

    Examples
    --------
    >>> import boxwood as bw
    >>> parts = [bw.read_columns({"c": ["b", "a"]}), bw.read_columns({"c": ["c"]})]
    >>> first, second = (PartSchema.of_part(part, f"part {k}") for k, part in enumerate(parts))
    >>> second.merge(first).schema().fields[0].categories
    ('a', 'b', 'c')
    """

    like: Schema
    part: str
    fields: tuple[_PartField, ...]

    @classmethod
    def of_part(cls, columns: Columns, part: str) -> PartSchema:
        """Return what a part shows; errors call it `part`."""
        fields = tuple(
            _PartField(field, columns.n_rows - missing, missing, part)
            for field, missing in zip(columns.schema.fields, _n_missing(columns), strict=True)
        )
        return cls(columns.schema, part, fields)

    def merge(self, other: PartSchema) -> PartSchema:
        """Return what both show; raise, naming the part, where they are not parts of one table."""
        self._check(other)
        fields = tuple(_merged(*pair) for pair in zip(self.fields, other.fields, strict=True))
        return PartSchema(self.like, self.part, fields)

    @property
    def n_rows(self) -> int:
        """How many rows the parts have together."""
        return self.fields[0].n_rows if self.fields else 0

    def schema(self) -> Schema:
        """Return the schema of the whole table."""
        whole = set(self.whole_floats())
        fields = tuple(
            dataclasses.replace(part.field, kind=Kind.INTEGER) if part.field.name in whole else part.field
            for part in self.fields
        )
        return dataclasses.replace(self.like, fields=fields)

    def whole_floats(self) -> list[str]:
        """Return the columns of floats that are integers, because they are whole and have gaps."""
        if self.like.container != "pandas":
            return []
        return [
            part.field.name
            for part in self.fields
            if part.missing and part.present and is_whole_with_gaps(part.field, part.missing)
        ]

    def _check(self, other: PartSchema) -> None:
        mine, theirs = self.like, other.like
        if mine.container != theirs.container:
            raise TypeError(
                f"{other.part} is a table of {theirs.container}, {self.part} of {mine.container}: parts of "
                "one table must be of one library."
            )
        if mine.named != theirs.named or mine.names != theirs.names:
            raise ValueError(
                f"{other.part} has the columns {_listed(theirs.names)}, {self.part} has "
                f"{_listed(mine.names)}: parts of one table must have the same columns in the same order"
                f"{_difference(mine.names, theirs.names)}."
            )


def read_by(columns: Columns, schema: Schema) -> Columns:
    """Return a part of a table by the schema of the whole, which its fields then carry."""
    if columns.n_rows == 0:
        return _empty(schema)
    matched = columns.matched(schema)
    if matched._columns is None:
        return matched
    read = [
        Column(field, column.values, column.n_missing)
        for field, column in zip(schema.fields, matched, strict=True)
    ]
    return Columns(schema, columns.n_rows, columns=read, weights=columns.weights)


def _empty(schema: Schema) -> Columns:
    dtypes = [np.float64 if field.kind.is_number else np.int32 for field in schema.fields]
    columns = [
        Column(field, np.zeros(0, dtype=dtype), 0) for field, dtype in zip(schema.fields, dtypes, strict=True)
    ]
    return Columns(schema, 0, columns=columns)


def _n_missing(columns: Columns) -> list[int]:
    if columns.n_missing == 0:
        return [0] * len(columns)
    return [column.n_missing for column in columns]


def _merged(a: _PartField, b: _PartField) -> _PartField:
    field = _merged_field(a, b)
    part = a.part if a.present else b.part
    return _PartField(field, a.present + b.present, a.missing + b.missing, part)


def _merged_field(a: _PartField, b: _PartField) -> Field:
    """Return the field of both; one without any value says nothing where the other has some."""
    if a.n_rows == 0 or b.n_rows == 0:  # whatever type a frame without rows has
        return a.field if a.n_rows else b.field
    declared = _declares(a.field) and _declares(b.field)
    if not declared and bool(a.present) != bool(b.present):
        return a.field if a.present else b.field
    kind = _merged_kind(a, b)
    source = _merged_source(a, b, kind)
    return Field(a.field.name, kind, _merged_categories(a, b, kind), source)


def _declares(field: Field) -> bool:
    """Return whether a column's kind is declared by its type, whatever its values are."""
    dtype = () if field.source is None else field.source.dtype
    return bool(dtype) and dtype[0] not in ("object", "null")


def _merged_kind(a: _PartField, b: _PartField) -> Kind:
    kinds = {a.field.kind, b.field.kind}
    if len(kinds) == 1:
        return kinds.pop()
    if kinds == {Kind.INTEGER, Kind.NUMERIC}:
        return Kind.NUMERIC
    raise TypeError(
        f"column {a.field.name!r}: {b.part} holds {b.field.kind} values, {a.part} holds {a.field.kind} ones. "
        "Cast the column to one type in all parts."
    )


def _merged_categories(a: _PartField, b: _PartField, kind: Kind) -> tuple[str | int | float | bool, ...]:
    mine, theirs = a.field.categories, b.field.categories
    if mine == theirs or kind.is_number:
        return mine
    if kind is Kind.ORDINAL:
        raise ValueError(
            f"column {a.field.name!r}: {b.part} has the ordered categories {_listed(theirs)}, {a.part} has "
            f"{_listed(mine)}. Ordered categories must be the same in all parts."
        )
    return sorted_labels(dict.fromkeys((*mine, *theirs)))


def _merged_source(a: _PartField, b: _PartField, kind: Kind) -> Source | None:
    mine, theirs = a.field.source, b.field.source
    if mine is None or theirs is None:
        return mine or theirs
    return Source(
        _merged_dtype(a, b, mine.dtype, theirs.dtype),
        _merged_decimals([(mine, a), (theirs, b)]) if kind is Kind.NUMERIC else None,
        _merged_unit([(mine, a), (theirs, b)]),
        mine.nullable or theirs.nullable,
    )


def _merged_dtype(a: _PartField, b: _PartField, mine: TypeName, theirs: TypeName) -> TypeName:
    if mine == theirs:
        return mine
    if not (_declares(a.field) and _declares(b.field)):
        return _merged_objects(mine, theirs)
    one, other = _plain(mine), _plain(theirs)
    if one is not None and other is not None:
        return (np.result_type(one, other).name,)
    raise TypeError(
        f"column {a.field.name!r}: {b.part} has the type {_words(theirs)}, {a.part} has {_words(mine)}. Cast "
        "the column to one type in all parts."
    )


def _merged_objects(mine: TypeName, theirs: TypeName) -> TypeName:
    """Return what Python objects are, of two parts that hold some; decimals by the finer of them."""
    if mine[:2] == theirs[:2] == ("object", "decimal"):
        return ("object", "decimal", max(mine[2], theirs[2]))
    if mine[:1] == theirs[:1] == ("object",):
        return max(mine, theirs, key=lambda name: (name[1] == "float", str(name)))
    return ("object",)


def _plain(name: TypeName) -> np.dtype[np.generic] | None:
    """Return the numpy type of plain integers and floats; None for all others."""
    if len(name) != 1 or not str(name[0]).startswith(("int", "uint", "float")):
        return None
    return np.dtype(name[0])


def _merged_decimals(sources: Iterable[tuple[Source, _PartField]]) -> int | None:
    """Return the decimals that all values have; a part without a value says nothing."""
    known = [_decimals(source, part) for source, part in sources if part.present]
    return None if not known or None in known else max(known)  # type: ignore[type-var]


def _decimals(source: Source, part: _PartField) -> int | None:
    return 0 if part.field.kind is Kind.INTEGER else source.decimals


def _merged_unit(sources: Iterable[tuple[Source, _PartField]]) -> str | None:
    known = [source.unit for source, part in sources if part.present]
    if not known or None in known:
        return None
    return max(known, key=lambda unit: _UNITS.index(str(unit)))


def _difference(known: Sequence[str], new: Sequence[str]) -> str:
    """Return in brackets which names are missing and which are new; nothing where all are there."""
    missing, added = [name for name in known if name not in new], [name for name in new if name not in known]
    words = [f"{word} {_listed(names)}" for word, names in (("missing", missing), ("new", added)) if names]
    return f" ({', '.join(words)})" if words else ""


def _words(name: TypeName) -> str:
    return " ".join(str(word) for word in name) or "of its own"


def _listed(names: Iterable[object]) -> str:
    shown = [repr(name) for name in names]
    return ", ".join(shown[:8]) + (", …" if len(shown) > 8 else "")
