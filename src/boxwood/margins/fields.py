"""What the native core must know of a table's columns to fit their margins."""

from __future__ import annotations

from boxwood import _core
from boxwood.columns import Kind, Schema

__all__ = ["FieldSpec", "field_specs"]

FieldSpec = tuple[str, _core.FieldKind, int]
"""Name, kind and number of categories of a column."""

_KINDS = {
    Kind.NUMERIC: _core.FieldKind.number,
    Kind.DATETIME: _core.FieldKind.number,
    Kind.INTEGER: _core.FieldKind.integer,
    Kind.BOOLEAN: _core.FieldKind.boolean,
    Kind.ORDINAL: _core.FieldKind.category,
    Kind.CATEGORICAL: _core.FieldKind.category,
}


def field_specs(schema: Schema) -> list[FieldSpec]:
    """Return the fields of a schema as the core takes them."""
    return [(field.name, _KINDS[field.kind], len(field.categories)) for field in schema.fields]
