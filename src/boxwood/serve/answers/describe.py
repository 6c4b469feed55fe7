"""A table in a few numbers: its columns, their kinds and categories, and what they are like."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from boxwood.columns import Field
from boxwood.query.column_set import CategorySet, missing_values
from boxwood.query.event import Event
from boxwood.query.expression import to_text
from boxwood.query.weighed import WeighedQuery
from boxwood.serve.answers.asking import Asking
from boxwood.serve.plain_json import plain

__all__ = ["describe"]

MOST_CATEGORIES = 1_000
"""Categories that are listed."""


def describe(asking: Asking) -> dict[str, Any]:
    """Return what is known about the table and its model."""
    from importlib.metadata import version

    model, table = asking.model, asking.loaded.table
    lines = nw.from_native(model.describe(), eager_only=True).rows(named=True)
    summaries = [{key: _number_or_none(line[key]) for key in line if key != "column"} for line in lines]
    fields = model.schema.fields
    columns = [
        {**_column(model, j, field), "summary": summary}
        for (j, field), summary in zip(enumerate(fields), summaries, strict=True)
    ]
    return {
        "model": type(model.density_).__name__,
        "boxwood": version("boxwood"),
        "n_rows": plain(getattr(model.query, "n_rows", None)),
        "exact": not isinstance(model.query, WeighedQuery),
        "has_table": table is not None,
        "n_table": None if table is None else table.n_rows,
        "columns": columns,
    }


def _number_or_none(value: Any) -> Any:
    return None if isinstance(value, float) and value != value else plain(value)


def _column(model: Any, j: int, field: Field) -> dict[str, Any]:
    written = to_text(Event.of_column(j, missing_values(field)), model.schema).removesuffix(" is missing")
    shown = field.categories[:MOST_CATEGORIES]
    return {
        "name": field.name,
        "written": written,
        "kind": str(field.kind),
        "categories": [plain(label) for label in shown],
        "n_categories": len(field.categories),
        "literals": [_literal(model, j, field, code, written) for code in range(len(shown))],
    }


def _literal(model: Any, j: int, field: Field, code: int, written: str) -> str:
    values = CategorySet(frozenset([code]), False, False, len(field.categories), str(field.kind) == "boolean")
    return to_text(Event.of_column(j, values), model.schema).removeprefix(f"{written} == ")
