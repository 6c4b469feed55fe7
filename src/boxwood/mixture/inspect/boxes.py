"""The boxes of a tree's nodes: for each column the range, or the set, of its bins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.margins import CategoryMargin, Margins
from boxwood.mixture import Mixture
from boxwood.mixture.inspect.category_bins import CategoryBins
from boxwood.mixture.inspect.nodes import TreeNodes, nodes_of_tree
from boxwood.mixture.inspect.number_bins import NumberBins

__all__ = ["ColumnBins", "TreeBoxes", "bins_of_columns", "boxes_of_tree", "boxes_of_trees"]

ColumnBins = NumberBins | CategoryBins


@dataclass(frozen=True, eq=False)
class TreeBoxes:
    """The nodes of a tree with their boxes.

    Attributes
    ----------
    nodes : TreeNodes
    columns : list of NumberCells or CategoryCells
    parts : list of ndarray
        For each column the part of its bins that every node's box has: shape (n_nodes, 2), first and end
        bin, of numbers and (n_nodes, n_cells), flags, of categories.
    """

    nodes: TreeNodes
    columns: list[ColumnBins]
    parts: list[NDArray[Any]]

    @cached_property
    def volume(self) -> NDArray[np.float64]:
        """Each node's volume in the base measure: length, and 1 for an atom, a category and missing."""
        sizes = [column.volume(part) for column, part in zip(self.columns, self.parts, strict=True)]
        return np.asarray(np.prod(sizes, axis=0), dtype=np.float64)

    @cached_property
    def fraction(self) -> NDArray[np.float64]:
        """Each node's volume on the cube: its probability if columns were independent."""
        fractions = [column.fraction(part) for column, part in zip(self.columns, self.parts, strict=True)]
        return np.asarray(np.prod(fractions, axis=0), dtype=np.float64)

    @cached_property
    def density(self) -> NDArray[np.float64]:
        """Each node's mean density; 0 where its volume is infinite."""
        return self._over_volume(self.nodes.mass)

    @cached_property
    def standard_error(self) -> NDArray[np.float64]:
        """Standard error of the mean density: that of a binomial fraction of the tree's rows."""
        mass = self.nodes.mass.clip(0.0, 1.0)
        return self._over_volume(np.sqrt(mass * (1.0 - mass) / self.nodes.count[0]))

    def _over_volume(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.volume > 0.0, values / self.volume, 0.0)


def bins_of_columns(margins: Margins, mixture: Mixture) -> list[ColumnBins]:
    """Return the bins of every column in the table's own units."""
    return [
        CategoryBins(field, margin, u) if isinstance(margin, CategoryMargin) else NumberBins(field, margin, u)
        for field, margin, (u, _) in zip(
            margins.schema.fields, margins.columns, mixture.bin_edges, strict=True
        )
    ]


def boxes_of_tree(
    margins: Margins, mixture: Mixture, tree: int = 0, columns: list[ColumnBins] | None = None
) -> TreeBoxes:
    """Return the boxes of all nodes of one tree.

    Parameters
    ----------
    margins : Margins
    mixture : Mixture
    tree : int
        Its number, from 0 on.
    columns : list of NumberCells or CategoryCells, optional
        What `cells_of_columns` gives, to share it between trees.
    """
    nodes = nodes_of_tree(mixture, tree)
    if columns is None:
        columns = bins_of_columns(margins, mixture)
    parts = [_whole(column, len(nodes)) for column in columns]
    level = np.zeros(1, dtype=np.int64)
    while len(level):
        inner = level[nodes.feature[level] >= 0]
        left = nodes.left[inner]
        for j, part in enumerate(parts):
            part[left] = part[left + 1] = part[inner]
            _cut(nodes, inner[nodes.feature[inner] == j], part, isinstance(columns[j], CategoryBins))
        level = np.concatenate([left, left + 1])
    return TreeBoxes(nodes, columns, parts)


def boxes_of_trees(margins: Margins, mixture: Mixture) -> list[TreeBoxes]:
    """Return the boxes of all trees."""
    columns = bins_of_columns(margins, mixture)
    return [boxes_of_tree(margins, mixture, tree, columns) for tree in range(mixture.n_trees)]


def _cut(nodes: TreeNodes, cutting: NDArray[np.int64], part: NDArray[Any], categorical: bool) -> None:
    """Take from the children of some nodes what their cuts of one column take."""
    left, cut = nodes.left[cutting], nodes.cut[cutting]
    if categorical:
        chosen = nodes.sets[cut, : part.shape[1]]
        part[left] &= chosen
        part[left + 1] &= ~chosen
    else:
        part[left, 1] = part[left + 1, 0] = cut


def _whole(column: ColumnBins, n_nodes: int) -> NDArray[Any]:
    """Return the whole column as the part of every node."""
    if isinstance(column, CategoryBins):
        return np.ones((n_nodes, column.n_bins), dtype=bool)
    return np.tile(np.array([0, column.n_bins]), (n_nodes, 1))
