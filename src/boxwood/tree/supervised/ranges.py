"""Decision and regression forests that a runner grows: level by level, or in ranges of trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boxwood import _core
from boxwood.tree.elsewhere import TravellingTable, TreeRunner, ranges_of
from boxwood.tree.levels.rounds import RowsTogetherError
from boxwood.tree.supervised.levels import grow_in_levels

__all__ = ["grow_elsewhere"]


def grow_elsewhere(
    runner: TreeRunner, table: TravellingTable, progress: Callable[[int], None] | None = None
) -> list[dict[str, Any]]:
    """Grow by levels where the runner says so and the trees allow it, else tree by tree.

    Returns the flat arrays of one group of trees after another.
    """
    graph = runner.by_levels(table.n_bytes)
    if graph is not None:
        try:
            return grow_in_levels(graph, table, progress)
        except RowsTogetherError as reason:
            runner.refuse_levels(str(reason))
    return _grow_in_ranges(runner, table, progress)


def _grow_in_ranges(
    runner: TreeRunner, table: TravellingTable, progress: Callable[[int], None] | None
) -> list[dict[str, Any]]:
    n_trees = table.options.unpacked().n_trees
    ranges = ranges_of(n_trees, runner.n_threads)
    grown = runner.run(_grow, runner.send(table), ranges)
    if progress is not None:
        progress(n_trees)
    return grown


def _grow(table: TravellingTable, begin: int, end: int) -> dict[str, Any]:
    return _core.fit_supervised_forest(table.table(), table.options_of(begin, end), None)
