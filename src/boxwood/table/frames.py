"""Answers as frames of the library that the fitted table came in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boxwood.columns import Schema, read_columns, to_native

__all__ = ["frame_of"]


def frame_of(schema: Schema, columns: Mapping[str, Any]) -> Any:
    """Return columns as a frame of the table's own library; of a numpy table, of the first installed one.

    Examples
    --------
    >>> import boxwood as bw
    >>> schema = bw.read_columns([[1.0, 2.0]]).schema
    >>> frame_of(schema, {"column": ["x0"], "mean": [1.5]})
      column  mean
    0     x0   1.5
    """
    read = read_columns(dict(columns))
    return to_native(read, None if schema.container == "numpy" else _library(schema))


def _library(schema: Schema) -> str | None:
    return None if schema.container == "frame" else schema.container
