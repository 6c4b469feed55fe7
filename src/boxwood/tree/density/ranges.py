"""A density forest in ranges of trees, which a runner grows: the same bytes as in one call of the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.tree.elsewhere import TravellingTable, TreeRunner, ranges_of

__all__ = ["grow_in_ranges"]

Arrays = dict[str, Any]


def grow_in_ranges(
    runner: TreeRunner, table: TravellingTable, progress: Callable[[int], None] | None = None
) -> tuple[_core.Mixture, NDArray[np.float64], float]:
    """Grow a forest: the mixture, the sum of the gains of each column's splits, and the smallest split."""
    sent, options = runner.send(table), table.options.unpacked()
    smallest = options.grow.min_samples_split
    if options.candidates:
        smallest = _choose_split(runner, sent, _core.Pilot(table.table(), options))
    ranges = ranges_of(options.n_trees, runner.n_threads)
    told = None if progress is None else _trees_done(progress, ranges)
    grown = runner.run(_grow, sent, [(begin, end, smallest) for begin, end in ranges], told)
    gains = np.zeros(len(table.arguments[0]))
    for _, of_range in grown:
        for of_tree in of_range:  # one after another, as the core adds them up
            gains = gains + of_tree
    edges, n_trees = list(table.arguments[0]), [end - begin for begin, end in ranges]
    parts = [
        _core.make_mixture(edges, flat, np.full(n, 1.0 / n))
        for (flat, _), n in zip(grown, n_trees, strict=True)
    ]
    return _core.join_mixtures(parts), gains, smallest


def _choose_split(runner: TreeRunner, sent: Any, pilot: _core.Pilot) -> float:
    """Choose `min_samples_split` by the pilot: a few trees first, which tell how deep the others go."""
    densities = runner.run(_pilot, sent, [(tree, 0) for tree in range(pilot.n_first)])
    scores = pilot.scores(densities)
    if pilot.n_first < pilot.n_trees:
        candidate = pilot.candidate_of_others(scores)
        others = [(tree, candidate) for tree in range(pilot.n_first, pilot.n_trees)]
        scores = pilot.scores([*densities, *runner.run(_pilot, sent, others)])
    return pilot.chosen(scores)


def _pilot(table: TravellingTable, tree: int, candidate: int) -> NDArray[np.float64]:
    """Grow a tree of the pilot: its densities at the rows that it has not seen."""
    pilot = _core.Pilot(table.table(), table.options.unpacked())
    return np.asarray(pilot.densities(tree, tree + 1, candidate)[0])


def _grow(
    table: TravellingTable, begin: int, end: int, smallest: float
) -> tuple[Arrays, NDArray[np.float64]]:
    """Grow trees and fit their leaves: as flat arrays, with the gains of each."""
    options = table.options_of(begin, end)
    options.candidates = []
    grow = options.grow
    grow.min_samples_split = smallest
    options.grow = grow
    fitted = _core.fit_density_forest(table.table(), options, None)
    return fitted.mixture.flat(), fitted.gains()


def _trees_done(progress: Callable[[int], None], ranges: list[tuple[int, int]]) -> Callable[[int], None]:
    return lambda n_done: progress(ranges[n_done - 1][1] if n_done else 0)
