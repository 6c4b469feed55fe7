"""What a part of a column's bins says, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import Label
from boxwood.mixture.inspect.boxes import ColumnBins
from boxwood.mixture.inspect.category_bins import CategoryBins
from boxwood.mixture.inspect.number_bins import NumberBins
from boxwood.mixture.inspect.numbers import as_text

__all__ = ["condition"]

_NAME = "\0"
"""Where the column's name goes between two bounds."""


def condition(
    column: ColumnBins,
    part: NDArray[Any],
    decimals: int | None = None,
    most_labels: int | None = None,
    bounds: str = "both",
) -> str:
    """Say when a value of a column lies in a part of its bins; empty where every value does.

    A comparison never holds for a missing value: where missing values belong to the part, it says so.

    Parameters
    ----------
    column : NumberCells or CategoryCells
    part : ndarray
        A range, or a set, of bins.
    decimals : int, optional
        Of numbers.
    most_labels : int, optional
        Categories that are listed; without it all.
    bounds : {"both", "lower", "upper"}
        Which bounds of a range to tell.
    """
    if isinstance(column, CategoryBins):
        words = _of_set(column, part, most_labels)
    else:
        words = _of_range(column, part, decimals, bounds)
    name, missing = column.field.name, bool(column.holds_missing(part))
    if words is None:
        return f"{name} missing"
    if not words:
        return "" if missing or not column.has_missing else f"{name} not missing"
    if missing:
        return f"{name} missing or {words.replace(_NAME, name)}"
    return words.replace(_NAME, name) if _NAME in words else f"{name} {words}"


def _of_range(column: NumberBins, part: NDArray[Any], decimals: int | None, bounds: str) -> str | None:
    """Return the comparison of a range; empty where all values are in it, None where none is."""
    if not column.holds_values(part):
        return None
    first, end = int(part[0]), int(part[1])
    low, high = (as_text(column, float(bound), decimals) for bound in column.bounds(part))
    has_low = bounds != "upper" and first > 0
    has_high = bounds != "lower" and bool(column.starts[end] < np.inf)
    on_lattice = column.margin.lattice is not None
    above = ">" if column.after_atom[first] and not on_lattice else "≥"
    below = "≤" if column.after_atom[end] or on_lattice else "<"
    if has_low and has_high:
        if low == high and below == "≤" and above == "≥":
            return f"= {low}"
        return f"{low} {'<' if above == '>' else '≤'} {_NAME} {below} {high}"
    if has_low:
        return f"{above} {low}"
    return f"{below} {high}" if has_high else ""


def _of_set(column: CategoryBins, part: NDArray[Any], most_labels: int | None) -> str | None:
    """Return the comparison of a set; empty where all categories are in it, None where none is."""
    inside = column.categories(part)
    unseen = bool(column.holds_unseen(part))
    if not inside:
        return "unseen" if unseen else None
    outside = [label for label in column.field.categories if label not in inside]
    if unseen or not column.has_unseen:
        if not outside:
            return ""
        if unseen:
            return f"≠ {outside[0]}" if len(outside) == 1 else f"not in {_listed(outside, most_labels)}"
    return f"= {inside[0]}" if len(inside) == 1 else f"in {_listed(inside, most_labels)}"


def _listed(labels: Sequence[Label], most: int | None) -> str:
    names = [str(label) for label in labels]
    if most is not None and len(names) > most:
        names = [*names[:most], f"… {len(names) - most} more"]
    return "{" + ", ".join(names) + "}"
