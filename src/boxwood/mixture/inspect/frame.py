"""The leaves of a tree as a frame."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Kind, Schema
from boxwood.columns.new_frame import new_frame
from boxwood.mixture.inspect.boxes import ColumnBins, TreeBoxes
from boxwood.mixture.inspect.category_bins import CategoryBins
from boxwood.mixture.inspect.numbers import as_date

__all__ = ["leaves_frame"]


def leaves_frame(boxes: TreeBoxes, schema: Schema) -> Any:
    """Return one row a leaf: its bounds in every column, mass, count, density and volume.

    Parameters
    ----------
    boxes : TreeBoxes
    schema : Schema
        Says which library the frame is of.

    Returns
    -------
    frame
        Of the fitted table's library, else of the first of pandas, polars and pyarrow that is installed;
        without any, a dict of arrays.
    """
    leaves = boxes.nodes.leaves
    table: dict[str, Any] = {"leaf": np.arange(len(leaves))}
    for column, part in zip(boxes.columns, boxes.parts, strict=True):
        table.update(_bounds(column, part[leaves]))
    table.update(
        mass=boxes.nodes.mass[leaves],
        count=boxes.nodes.count[leaves],
        density=boxes.density[leaves],
        standard_error=boxes.standard_error[leaves],
        volume=boxes.volume[leaves],
        lift=boxes.nodes.mass[leaves] / boxes.fraction[leaves],
    )
    return new_frame(table, schema)


def _bounds(column: ColumnBins, part: NDArray[Any]) -> dict[str, Any]:
    name = column.field.name
    frame_columns: dict[str, Any] = {}
    if isinstance(column, CategoryBins):
        frame_columns[f"{name}_in"] = [_plain(column, flags) for flags in part]
        if column.has_unseen:
            frame_columns[f"{name}_unseen"] = column.holds_unseen(part)
    else:
        low, high = column.bounds(part)
        if column.field.kind is Kind.DATETIME:
            low, high = (
                np.array([as_date(x) for x in bound], dtype="datetime64[us]") for bound in (low, high)
            )
        frame_columns |= {f"{name}_lower": low, f"{name}_upper": high}
    if column.has_missing:
        frame_columns[f"{name}_missing"] = column.holds_missing(part)
    return frame_columns


def _plain(column: CategoryBins, flags: NDArray[np.bool_]) -> tuple[Any, ...]:
    """Return the categories of a set; as strings where the column's are of several types."""
    labels = column.categories(flags)
    one_type = len({type(label) for label in column.field.categories}) < 2
    return labels if one_type else tuple(str(label) for label in labels)
