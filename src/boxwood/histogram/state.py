"""Histograms to a model file and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boxwood.columns import Kind, Schema
from boxwood.histogram.column import ColumnHistogram
from boxwood.histogram.selection import Selection
from boxwood.model_file import State

__all__ = ["columns_of_state", "state_of_columns"]


def state_of_columns(
    histograms: Sequence[ColumnHistogram], selection: Sequence[Selection | None]
) -> dict[str, Any]:
    """Return what a model file keeps of the columns and of how their bins were chosen."""
    return {
        "columns": [histogram.to_state() for histogram in histograms],
        "selection": {str(j): chosen.to_state() for j, chosen in enumerate(selection) if chosen},
    }


def columns_of_state(
    schema: Schema, state: State
) -> tuple[tuple[ColumnHistogram, ...], list[Selection | None]]:
    """Read what `state_of_columns` gave, after checking it against the schema."""
    histograms = []
    for field, child in zip(schema.fields, state.children("columns", len(schema)), strict=True):
        n_categories = None if field.kind.is_number else len(field.categories)
        histograms.append(ColumnHistogram.from_state(child, n_categories, field.kind is Kind.INTEGER))
    chosen = state.child("selection")
    selection = [
        Selection.from_state(chosen.child(str(j))) if str(j) in chosen else None for j in range(len(schema))
    ]
    return tuple(histograms), selection
