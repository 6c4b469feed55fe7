"""The most surprising rows, the cells to blame, and what was expected in their place."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, read_columns, to_native
from boxwood.report.numbers import number_text
from boxwood.report.page import Html, html_table
from boxwood.table.outliers import usual_surprise

__all__ = ["odd_rows"]

MOST_ROWS = 20
MOST_BLAMED = 3


def odd_rows(model: Any, columns: Columns) -> str:
    """Return the table of the rows that surprise most."""
    found = read_columns(model.outliers(columns, n=MOST_ROWS))
    numbers = found["row"].values.astype(np.intp)
    explained = read_columns(model.explain(columns.take(numbers)))
    shown = to_native(columns.take(numbers), "numpy")
    names = model.schema.names
    surprise = _surprise(explained, names) - usual_surprise(model, columns)
    lines = []
    for k, row in enumerate(numbers):
        blamed = [j for j in np.argsort(-surprise[k])[:MOST_BLAMED] if surprise[k, j] > 1.0]
        cells = [
            _blamed(names[j], shown[k, j], _expected(explained, names[j], k), surprise[k, j]) for j in blamed
        ]
        lines.append((int(row), float(found["log_density"].values[k]), Html("<br>".join(cells))))
    note = (
        "<p class='soft'>The number beside a cell is by how much its surprise, −log p(cell | rest of row) "
        "in nats, exceeds what is usual in its column: by 3 nats it is 20 times less probable than others, "
        "by 7 nats 1,000 times. A row without such a cell is odd as a whole. Rows are counted from 0.</p>"
    )
    heads = ("row", "log-density", "cells to blame, and what was expected")
    return html_table(heads, lines, f"The {len(lines)} rows of lowest density") + note


def _surprise(explained: Columns, names: Sequence[str]) -> NDArray[np.float64]:
    return np.column_stack([explained[name].values for name in names])


def _blamed(name: str, value: Any, expected: str, surprise: float) -> str:
    missing = value is None or value != value
    said = "missing" if missing else number_text(value) if isinstance(value, float) else str(value)
    return (
        f"<span class='blame'>{escape(name)} = {escape(said)}</span> (+{surprise:.1f}; "
        f"expected {escape(expected)})"
    )


def _expected(explained: Columns, name: str, row: int) -> str:
    column = explained[f"{name} expected"]
    if column.missing()[row]:
        return "nothing"
    value = column.values[row]
    if not column.kind.is_number:
        return str(column.field.categories[int(value)])
    if column.kind == "datetime":
        return str(np.datetime64(round(float(value)), "us"))[:10]
    return number_text(float(value))
