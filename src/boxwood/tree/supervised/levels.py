"""A decision forest grown level by level on the parts of a table: the counts of its classes are whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.tree.elsewhere import TaskGraph, TravellingTable, as_it_is
from boxwood.tree.levels.rounds import (
    TREES_AT_ONCE,
    Rounds,
    RowsTogetherError,
    n_parts_of,
    rows_of_parts,
    rows_of_subtrees,
    sent_parts,
)
from boxwood.tree.levels.tasks import Part, TravellingGrowth, join

__all__ = ["grow_in_levels"]

MOST_WEIGHT = 2.0**26
"""Squares of larger counts of classes are no longer whole doubles, and so not exact in any order."""


def grow_in_levels(
    graph: TaskGraph, table: TravellingTable, progress: Callable[[int], None] | None = None
) -> list[dict[str, Any]]:
    """Grow a forest: the flat arrays of one group of trees after another.

    Raises
    ------
    RowsTogetherError
        Where sums over rows are not exact, or splits need all rows of a node.
    """
    columns, _, n_classes, _, weights, _ = table.arguments
    options = table.options.unpacked()
    # Made for this alone: what a process keeps of tables would stay after the fit.
    number = _core.distinct_numbers(table.made())
    _check(options, n_classes, np.ones(len(number)) if weights is None else weights)
    rows = rows_of_parts(number, n_parts_of(graph))
    parts = sent_parts(graph, (_part_of(k, table, own) for k, own in enumerate(rows)))
    layout = [spec[1:] for spec in columns]
    growth = TravellingGrowth(
        "DecisionLevelGrowth", (layout, n_classes), table.options, rows_of_subtrees(len(number))
    )
    [how] = graph.start([graph.call(as_it_is, growth)])
    found = []
    for begin in range(0, options.n_trees, TREES_AT_ONCE):
        end = min(begin + TREES_AT_ONCE, options.n_trees)
        rounds = Rounds(graph, parts, how, None)
        found += rounds.grow(options.first_tree + begin, options.first_tree + end, join)
        if progress is not None:
            progress(end)
    return found


def _check(options: _core.SupervisedForestOptions, n_classes: int, weights: NDArray[np.float64]) -> None:
    try:
        _core.check_decision_levels(options, n_classes)
    except ValueError as error:
        raise RowsTogetherError(str(error)) from error
    if not (weights == np.rint(weights)).all():
        raise RowsTogetherError("weights that are no whole numbers are not exact in any order")
    if weights.sum() > MOST_WEIGHT:
        raise RowsTogetherError(f"counts of classes are exact up to {MOST_WEIGHT:,.0f} rows")


def _part_of(number: int, table: TravellingTable, rows: NDArray[np.intp]) -> Part:
    """Take rows of a whole table."""
    columns, classes, n_classes, values, weights, numbers = table.arguments
    own = [
        (np.ascontiguousarray(codes.reshape(-1, width)[rows]).ravel(), width, *others)
        for codes, width, *others in columns
    ]
    options = table.options.unpacked()
    options.part_of_table = True
    taken = (own, classes[rows], n_classes, values, None if weights is None else weights[rows], numbers)
    return Part(number, "DecisionLevelPart", table.of_part(taken, options))
