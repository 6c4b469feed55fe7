"""From rows to chains: who is held out, points on the cube, coordinates that are worth going on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.boosting.chain import Chain
from boxwood.boosting.coordinates import Coordinates, MarginCoordinates, fit_coordinates
from boxwood.boosting.cube_intervals import cells_of
from boxwood.boosting.cube_points import CubePoints
from boxwood.boosting.settings import Settings
from boxwood.boosting.weights import best_weights
from boxwood.columns import Columns
from boxwood.margins import Margins
from boxwood.randomness import derived_seed, generator
from boxwood.tree.density.folds import validation_fold

__all__ = ["grow_chains", "hold_out", "points_of"]

WIDEST_OF_CONTINUOUS = 0.02
"""Mean width of a column's intervals up to which it may be turned with others: about 50 values."""
ENOUGH_POINTS, MOST_POINTS = 4096, 500_000
"""Rows with intervals are spread out to a point a unit of weight, and more until there are enough: trees that
can single out points find structure within intervals."""

PILOT_LENGTH = 12.0
"""Rounds of the pilot times the learning rate. After a fourth of that, components look better than they
turn out to be beside the margins."""
LEAST_PILOT_WEIGHT = 0.03
"""Coordinates that explain less than this fraction of the held-out rows after the pilot are given up."""
MOST_ROTATED = 2
"""Kinds of other coordinates than the margins' that go on after the pilot."""
LEAST_PILOT_WEIGHT_OF_MARGINS = 0.005
"""The margins show late what they can do: they are given up only where they explain next to nothing."""

Tell = Callable[[int], None]


def hold_out(columns: Columns, fraction: float, seed: int) -> tuple[Columns, Columns]:
    """Part a table into rows to train on and rows to judge by, both in the order of their values.

    Equal rows become one row with their weights, so that neither the order of rows nor repetition matters.
    """
    values = np.column_stack([column.numbers() for column in columns])
    values[np.isnan(values)] = np.inf  # NaN equals nothing, not even NaN
    folds = validation_fold(values, columns.weights, fraction, seed) if fraction > 0.0 else []
    train, held = folds[0] if folds else (_merged(values, columns.weights), np.zeros(len(values)))
    order = np.lexsort(values.T)
    return _with_weights(columns, train, order), _with_weights(columns, held, order)


def _merged(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return the first of equal rows the weight of all, the others none."""
    own = np.ones(len(values)) if weights is None else weights
    _, first, number = np.unique(values, axis=0, return_index=True, return_inverse=True)
    merged = np.zeros(len(values))
    merged[first] = np.bincount(number.ravel(), own)
    return merged


def _with_weights(columns: Columns, weights: NDArray[np.float64], order: NDArray[np.intp]) -> Columns:
    kept = order[weights[order] > 0.0]
    part = columns.take(kept)
    weighted = None if (weights[kept] == 1.0).all() else weights[kept]
    rows = Columns(part.schema, part.n_rows, columns=list(part), weights=weighted)
    return rows.with_measure(columns.measure)


def points_of(margins: Margins, columns: Columns, seed: int) -> CubePoints:
    """Put rows on the cube: one with intervals several times, spread out over them."""
    cells = cells_of(margins, columns, "event")
    spread = cells.width.any(axis=1)
    copies = np.ones(len(cells), dtype=np.intp)
    weights = columns.row_weights
    if spread.any():
        total = float(weights.sum())
        scale = min(max(1.0, ENOUGH_POINTS / total), MOST_POINTS / total)
        copies[spread] = np.ceil(weights[spread] * scale).astype(np.intp)
    u, rows = cells.spread_points(copies, generator(seed))
    own = None if columns.weights is None and (copies == 1).all() else weights / copies
    continuous = np.flatnonzero(cells.width.sum(axis=0) <= WIDEST_OF_CONTINUOUS * len(cells))
    return CubePoints(u, None if own is None else own[rows], rows, continuous.astype(np.int64))


def grow_chains(
    train: CubePoints,
    held: CubePoints,
    settings: Settings,
    make_options: Callable[[int], _core.MapGrowOptions],
    n_threads: int,
    seed: int,
    tell: Tell | None,
    start: Sequence[Chain] = (),
) -> list[Chain]:
    """Grow the chains.

    A short pilot of each kind of coordinates shows which of them explain held-out rows; these go on.

    Parameters
    ----------
    train, held : CubePoints
        The latter may be empty: then all kinds go on, for all rounds.
    settings : Settings
    make_options : callable
        Gives the core's options for a seed.
    n_threads : int
    seed : int
    tell : callable, optional
        Is told how many rounds are done.
    start : sequence of Chain
        Grown before, to go on with instead of new ones.
    """
    if start:
        grown = [_Growing.again(chain, train, held, make_options, n_threads) for chain in start]
    else:
        grown = _begin(train, held, settings, make_options, seed, n_threads)
        if len(grown) > 1 and len(held.u):
            rounds = min(round(PILOT_LENGTH / settings.learning_rate), settings.n_estimators)
            _run(grown, rounds, 0, n_threads, tell, 0)
            grown = _worth_going_on(grown, held)
        grown += _more_of_a_kind(grown, train, held, settings, make_options, seed)
    done = sum(growing.booster.n_rounds for growing in grown)
    patience = settings.n_iter_no_change if len(held.u) else 0
    _run(grown, settings.n_estimators, patience, n_threads, tell, done)
    return [growing.chain() for growing in grown]


@dataclass(eq=False)
class _Growing:
    """A chain in the making."""

    coordinates: Coordinates
    points: NDArray[np.float64]
    booster: _core.Booster
    held_log_jacobian: NDArray[np.float64]
    seed: int
    gains_before: NDArray[np.float64] | float = 0.0

    @classmethod
    def begin(
        cls,
        coordinates: Coordinates,
        points: NDArray[np.float64],
        train: CubePoints,
        held: CubePoints,
        options: _core.MapGrowOptions,
        trees: _core.MapChain | None = None,
    ) -> _Growing:
        held_v, log_jacobian = coordinates.apply(held.u) if len(held.u) else (held.u, np.zeros(0))
        booster = _core.Booster(points, train.weights, held_v, held.weights, options, trees)
        return cls(coordinates, points, booster, log_jacobian, options.seed)

    @classmethod
    def again(
        cls,
        chain: Chain,
        train: CubePoints,
        held: CubePoints,
        make_options: Callable[[int], _core.MapGrowOptions],
        n_threads: int,
    ) -> _Growing:
        points = chain.coordinates.training_points(train, n_threads)
        growing = cls.begin(chain.coordinates, points, train, held, make_options(chain.seed), chain.trees)
        growing.gains_before = chain.gains
        return growing

    def held_log_density(self) -> NDArray[np.float64]:
        return self.booster.held_out_log_density() + self.held_log_jacobian

    def chain(self) -> Chain:
        gains = self.booster.importance() + self.gains_before
        return Chain(self.coordinates, self.booster.best_chain(), gains, self.seed)


def _begin(
    train: CubePoints,
    held: CubePoints,
    settings: Settings,
    make_options: Callable[[int], _core.MapGrowOptions],
    seed: int,
    n_threads: int,
) -> list[_Growing]:
    kinds = [kind for kind in settings.components if kind != "forest"]
    fitted = [fit_coordinates(kind, train, seed, n_threads) for kind in kinds]
    if kinds and not any(fitted):
        fitted = [(MarginCoordinates(), train.u)]
    return [
        _Growing.begin(*coordinates_and_points, train, held, make_options(derived_seed(seed, i)))
        for i, coordinates_and_points in enumerate(fitted)
        if coordinates_and_points is not None
    ]


def _worth_going_on(grown: list[_Growing], held: CubePoints) -> list[_Growing]:
    """Choose by a pilot: other coordinates show early what they can do, the margins themselves late."""
    log_densities = np.column_stack([growing.held_log_density() for growing in grown])
    fractions = best_weights(log_densities, held.weights)
    plain = [isinstance(growing.coordinates, MarginCoordinates) for growing in grown]
    others = [i for i in np.argsort(-fractions) if not plain[i] and fractions[i] >= LEAST_PILOT_WEIGHT]
    margins = [i for i in np.flatnonzero(plain) if fractions[i] >= LEAST_PILOT_WEIGHT_OF_MARGINS]
    kept = {*others[:MOST_ROTATED], *margins} or {int(np.argmax(fractions))}
    return [grown[i] for i in sorted(kept)]


def _more_of_a_kind(
    grown: list[_Growing],
    train: CubePoints,
    held: CubePoints,
    settings: Settings,
    make_options: Callable[[int], _core.MapGrowOptions],
    seed: int,
) -> list[_Growing]:
    """Begin further chains in the same coordinates, with other seeds."""
    return [
        _Growing.begin(
            growing.coordinates, growing.points, train, held, make_options(derived_seed(seed, 100 * copy + i))
        )
        for copy in range(1, settings.n_chains)
        for i, growing in enumerate(grown)
    ]


def _run(
    grown: list[_Growing], n_rounds: int, patience: int, n_threads: int, tell: Tell | None, done: int
) -> None:
    progress = None if tell is None else lambda n_done: tell(done + n_done)
    _core.run_boosters([growing.booster for growing in grown], n_rounds, patience, n_threads, progress)
