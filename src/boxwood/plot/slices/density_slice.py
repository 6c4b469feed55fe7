"""The density of one or two columns as numbers: along which values, and how dense it is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, ColumnMeasure, Field, Kind, Lattice
from boxwood.margins import CategoryMargin, NumberMargin
from boxwood.mixture.inspect import TreeBoxes
from boxwood.mixture.inspect.category_bins import CategoryBins
from boxwood.mixture.inspect.pieces import joint_density
from boxwood.mixture.table_mixture import TableMixture
from boxwood.plot.slices.slice_axis import A_DAY, Axes, SliceAxis

__all__ = ["axis_of_column", "axis_of_measure", "log_density_of_slice", "rectangles"]

SHOWN = 0.998
"""Fraction of a column's distribution that an axis shows where tails have no end."""


def axis_of_column(
    field: Field, margin: NumberMargin | CategoryMargin, j: int, resolution: int, boxes: TreeBoxes | None
) -> SliceAxis:
    """Choose the bins of a column: a tree's own where it has constant ones, else a grid.

    Parameters
    ----------
    field : Field
    margin : NumberMargin or CategoryMargin
    j : int
        The column's position.
    resolution : int
        Bins of the grid.
    boxes : TreeBoxes or None
        Of a tree whose density is constant in its boxes.
    """
    if isinstance(margin, CategoryMargin):
        codes = np.arange(len(field.categories), dtype=np.int32)
        return SliceAxis(field, np.arange(len(codes) + 1.0) - 0.5, codes)
    edges = _cuts(boxes, j) if boxes is not None else None
    if edges is None or len(edges) > 4 * resolution:
        edges = _grid(margin, resolution)
    measure = ColumnMeasure(_is_discrete(margin), margin.lattice, margin.atoms)
    return axis_of_measure(field, measure, edges, resolution)


def axis_of_measure(
    field: Field, measure: ColumnMeasure, edges: NDArray[np.float64], resolution: int
) -> SliceAxis:
    """Choose the bins of a column of numbers: its discrete values where all are discrete, else given ones."""
    atoms = measure.atoms
    if measure.lattice is not None:
        return _axis_of_lattice(field, measure.lattice, edges, resolution)
    if measure.all_discrete and len(atoms):
        middles = 0.5 * atoms[:-1] + 0.5 * atoms[1:]
        edges = np.concatenate([[min(edges[0], atoms[0])], middles, [max(edges[-1], atoms[-1])]])
        return replace(_in_units(field, edges, atoms), counted=True)
    values = 0.5 * edges[:-1] + 0.5 * edges[1:]
    return _in_units(field, edges, np.where(np.isin(values, atoms), np.nextafter(values, np.inf), values))


def log_density_of_slice(
    form: TableMixture,
    trees: list[TreeBoxes],
    shown: tuple[int, ...],
    axes: Axes,
    fixed: Mapping[int, Column],
) -> NDArray[np.float64]:
    """Return the log-density of one or two columns, others fixed or summed out, exactly; shape (…, n_x).

    Given fixed columns it is conditional on them.
    """
    margins = form.margins.columns
    on_cube = [(j, _encoded(margins[j], axis.values)) for j, axis in zip(shown, axes, strict=True)]
    points = {j: float(_encoded(margins[j], column.values)[0]) for j, column in fixed.items()}
    joint, given = joint_density(form.mixture, trees, on_cube, points)
    outside = any(np.isneginf(margins[j].log_derivative(column.values)).any() for j, column in fixed.items())
    if outside or given <= 0.0:
        raise ValueError("the density of what `at` says is 0: there is no distribution given it.")
    along = [
        margins[j].log_derivative(axis.values) + axis.log_scale for j, axis in zip(shown, axes, strict=True)
    ]
    scale = along[0] if len(along) == 1 else along[0] + along[1][:, None]
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(joint / given) + scale)


def _encoded(margin: NumberMargin | CategoryMargin, values: NDArray[Any]) -> NDArray[np.float64]:
    u = np.empty(len(values))
    margin.encode(values, u)
    return u


def rectangles(
    boxes: TreeBoxes,
    form: TableMixture,
    shown: tuple[int, ...],
    axes: Axes,
    fixed: Mapping[int, Column],
) -> NDArray[np.float64]:
    """Return the leaves that a slice meets as rows of left, right, bottom, top."""
    leaves = boxes.nodes.leaves
    for j, column in fixed.items():
        bin = int(boxes.columns[j].bins_of(_encoded(form.margins.columns[j], column.values))[0])
        part = boxes.parts[j][leaves]
        inside = (
            part[:, bin]
            if isinstance(boxes.columns[j], CategoryBins)
            else ((part[:, 0] <= bin) & (bin < part[:, 1]))
        )
        leaves = leaves[inside]
    found = [
        (*across, *up)
        for leaf in leaves
        for across in _runs(boxes, shown[0], leaf, axes[0])
        for up in _runs(boxes, shown[1], leaf, axes[1])
    ]
    return np.array(found, dtype=np.float64).reshape(-1, 4)


def _runs(boxes: TreeBoxes, j: int, node: int, axis: SliceAxis) -> list[tuple[float, float]]:
    """Return the intervals of an axis that a node's box covers."""
    column, part = boxes.columns[j], boxes.parts[j][node]
    if isinstance(column, CategoryBins):
        flags = part[column.bin_of_code[: len(axis.values)]]
        ends = np.flatnonzero(np.diff(flags, prepend=False, append=False))
        return [(a - 0.5, b - 0.5) for a, b in zip(ends[::2], ends[1::2], strict=True)]
    if not column.holds_values(part):
        return []
    low, high = (float(bound) / axis.unit for bound in column.bounds(part))
    if column.margin.lattice is not None:
        half = 0.5 * column.margin.lattice.step / axis.unit
        low, high = low - half, high + half
    low, high = max(low, axis.edges[0]), min(high, axis.edges[-1])
    return [(low, high)] if low < high else []


def _cuts(boxes: TreeBoxes, j: int) -> NDArray[np.float64] | None:
    """Return the ends of a tree's boxes along a column; None where they are not finite."""
    low, high = boxes.columns[j].bounds(boxes.parts[j][boxes.nodes.leaves])  # type: ignore[union-attr]
    edges = np.unique(np.concatenate([low, high]))
    edges = edges[~np.isnan(edges)]
    return edges if len(edges) > 1 and np.isfinite(edges).all() else None


def _grid(margin: NumberMargin, resolution: int) -> NDArray[np.float64]:
    rest = 0.5 * (1.0 - SHOWN)
    low, high = margin.decode(np.array([rest, 1.0 - rest]) * margin.cdf.total)
    pad = 0.02 * (high - low) if high > low else 0.5
    return np.linspace(low - pad, high + pad, resolution + 1)


def _axis_of_lattice(
    field: Field, lattice: Lattice, edges: NDArray[np.float64], resolution: int
) -> SliceAxis:
    first, last = (edges[[0, -1]] - lattice.origin) / lattice.step
    first, last = np.ceil(first), np.floor(last)
    stride = max(1.0, np.ceil((last - first + 1.0) / (2 * resolution)))
    places = np.arange(first, max(first, last) + 1.0, stride)
    edges = lattice.origin + lattice.step * (np.append(places, places[-1] + stride) - 0.5 * stride)
    return replace(_in_units(field, edges, lattice.points(places)), step=lattice.step)


def _is_discrete(margin: NumberMargin) -> bool:
    atom = margin.x[:-1] == margin.x[1:]
    return float(margin.mass[atom].sum()) > 0.5 * margin.cdf.total


def _in_units(field: Field, edges: NDArray[np.float64], values: NDArray[np.float64]) -> SliceAxis:
    return SliceAxis(field, edges / (A_DAY if field.kind is Kind.DATETIME else 1.0), values)
