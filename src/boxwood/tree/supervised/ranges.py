"""Decision and regression forests in ranges of trees, which a runner grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boxwood import _core
from boxwood.tree.elsewhere import TravellingTable, TreeRunner, ranges_of

__all__ = ["grow_in_ranges"]


def grow_in_ranges(
    runner: TreeRunner, table: TravellingTable, progress: Callable[[int], None] | None = None
) -> list[dict[str, Any]]:
    """Grow a forest: the flat arrays of one range of trees after another."""
    n_trees = table.options.unpacked().n_trees
    ranges = ranges_of(n_trees, runner.n_threads)
    grown = runner.run(_grow, runner.send(table), ranges)
    if progress is not None:
        progress(n_trees)
    return grown


def _grow(table: TravellingTable, begin: int, end: int) -> dict[str, Any]:
    return _core.fit_supervised_forest(table.table(), table.options_of(begin, end), None)
