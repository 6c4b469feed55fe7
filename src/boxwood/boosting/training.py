"""From rows to chains: who is held out, points on the cube, coordinates that are worth going on with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.boosting.chain import Chain
from boxwood.boosting.coordinates import Coordinates, MarginCoordinates, fit_networks
from boxwood.boosting.cube_intervals import cube_intervals_of
from boxwood.boosting.cube_points import CubePoints
from boxwood.boosting.fit_steps import FitSteps, StageReport
from boxwood.boosting.settings import SCORING, Settings
from boxwood.boosting.steps import Steps
from boxwood.boosting.weights import best_weights
from boxwood.columns import Columns
from boxwood.evidence import Evidence, validation_fold
from boxwood.margins import Margins
from boxwood.randomness import derived_seed, generator

__all__ = ["grow_chains", "held_out_fraction", "hold_out", "points_of"]

LEAST_HELD_OUT, MOST_HELD_OUT = 0.05, 0.1
"""Fractions of the rows."""

ENOUGH_HELD_OUT, ENOUGH_A_COLUMN = 500.0, 50.0
"""Rows that are enough, in all and for each column."""

ENOUGH_POINTS, MOST_POINTS = 4096, 500_000
"""Rows with intervals are spread out to a point a unit of weight, and more until there are enough: trees that
can single out points find structure within intervals."""

PILOT_LENGTH = 12.0
"""Rounds of the pilot times the learning rate. After a fourth of that, components look better than they
turn out to be beside the margins."""
LEAST_PILOT_WEIGHT = 0.03
"""Coordinates that explain less than this fraction of the held-out rows after the pilot are given up."""
FIRST_NETWORK = 50
"""Where the numbers begin that seeds of chains on networks are derived by."""
LEAST_PILOT_WEIGHT_OF_MARGINS = 0.005
"""The margins show late what they can do: they are given up only where they explain next to nothing."""


def held_out_fraction(wanted: float | str, n: float, n_columns: int) -> float:
    """Return the fraction of a table worth n rows that is held out, where "auto" may be wanted.

    Of 10,000 rows 500 weigh as well as 1,000, and networks learn from the others: on nine tables of as many
    rows and up to ten columns, real and made, unseen ones gained 0.02 nats in the mean, from 0.00 to 0.14, by
    a twentieth. Each column's network is chosen by these rows, and the more of them are, the more they
    flatter the whole: 20 columns of normals lost 0.009 nats by a twentieth.

    Examples
    --------
    >>> [held_out_fraction("auto", n, 10) for n in (200, 5_000, 8_000, 30_000)]
    [0.1, 0.1, 0.0625, 0.05]
    >>> held_out_fraction("auto", 10_000, 20)
    0.1
    """
    if not isinstance(wanted, str):
        return float(wanted)
    enough = max(ENOUGH_HELD_OUT, ENOUGH_A_COLUMN * n_columns)
    return min(max(enough / max(n, 1.0), LEAST_HELD_OUT), MOST_HELD_OUT)


def hold_out(evidence: Evidence, fraction: float, seed: int) -> tuple[Evidence, Evidence]:
    """Part the rows of a table into those to train on and those to validate by."""
    folds = validation_fold(evidence, fraction, seed) if fraction > 0.0 else []
    if not folds:
        return evidence, evidence.part(np.zeros(evidence.n_rows))
    return evidence.part(folds[0].train), evidence.part(folds[0].held)


def points_of(margins: Margins, columns: Columns, seed: int) -> CubePoints:
    """Put rows on the cube: one with intervals several times, spread out over them."""
    intervals = cube_intervals_of(margins, columns, margins.encode(columns), "event")
    spread = intervals.width.any(axis=1)
    copies = np.ones(len(intervals), dtype=np.intp)
    weights = columns.row_weights
    if spread.any():
        total = float(weights.sum())
        scale = min(max(1.0, ENOUGH_POINTS / total), MOST_POINTS / total)
        copies[spread] = np.ceil(weights[spread] * scale).astype(np.intp)
    u, rows = intervals.spread_points(copies, generator(seed))
    own = None if columns.weights is None and (copies == 1).all() else weights / copies
    return CubePoints(u, None if own is None else own[rows], rows, Steps.of_columns(intervals))


def grow_chains(
    train: CubePoints,
    held: CubePoints,
    settings: Settings,
    options: _core.MapGrowOptions,
    n_threads: int,
    seed: int,
    steps: FitSteps,
    start: Sequence[Chain] = (),
) -> list[Chain]:
    """Grow the chains.

    A short pilot of each kind of coordinates shows which of them explain held-out rows; these go on.

    Parameters
    ----------
    train, held : CubePoints
        The latter may be empty: then all kinds go on, for all rounds.
    settings : Settings
    options : _core.MapGrowOptions
        Of all chains; each has a seed of its own.
    n_threads : int
    seed : int
    steps : FitSteps
        Counts coordinates and rounds; one step, that of scoring, comes after them.
    start : sequence of Chain
        Grown before, to go on with instead of new ones.
    """
    growing = _GrowingChains(train, held, options, n_threads)
    if start:
        growing.go_on(start)
    else:
        growing.begin(_fit_kinds(train, held, settings, seed, n_threads, steps), seed)
        if len(growing) > 1 and len(held.u):
            n_pilot = min(round(PILOT_LENGTH / settings.learning_rate), settings.n_estimators)
            n_later = settings.n_chains * settings.n_estimators - n_pilot
            growing.run(n_pilot, 0, steps.stage(len(growing) * n_later + SCORING))
            growing.keep(_worth_going_on(growing))
        growing.begin_more(settings.n_chains)
    patience = settings.n_iter_no_change if len(held.u) else 0
    growing.run(settings.n_estimators, patience, steps.stage(SCORING))
    return growing.chains()


def _fit_kinds(
    train: CubePoints, held: CubePoints, settings: Settings, seed: int, n_threads: int, steps: FitSteps
) -> list[_Begun]:
    """Fit the coordinates of each kind, with the number that its seed is derived by."""
    kinds = settings.kinds_of_chains
    report = steps.stage(settings.most_rounds + SCORING)
    fitted = []
    if "margins" in kinds:
        fitted.append(_Begun(MarginCoordinates(), train.u, 0))
        report(1, len(kinds) - 1)
    networks = fit_networks(settings, train, held, seed, n_threads)
    fitted += [_Begun(*found, FIRST_NETWORK + k) for k, found in enumerate(networks)]
    report(len(kinds), 0)
    if kinds and not fitted:
        return [_Begun(MarginCoordinates(), train.u, 0)]
    return fitted


class _Begun(NamedTuple):
    """Coordinates of a chain, the points to train on and the number of its kind."""

    coordinates: Coordinates
    points: NDArray[np.float64]
    number: int


class _Growing(NamedTuple):
    """A chain in the making: its coordinates, and the points and held-out points in them."""

    coordinates: Coordinates
    points: NDArray[np.float64]
    held: NDArray[np.float64]
    held_log_jacobian: NDArray[np.float64]
    seed: int
    gains_before: NDArray[np.float64] | float = 0.0


class _GrowingChains:
    """Chains in the making, side by side."""

    def __init__(
        self, train: CubePoints, held: CubePoints, options: _core.MapGrowOptions, n_threads: int
    ) -> None:
        self.train, self.held, self.n_threads = train, held, n_threads
        self.boosters = _core.Boosters(options, train.weights, held.weights)
        self.growing: list[_Growing] = []

    def __len__(self) -> int:
        return len(self.growing)

    def begin(self, fitted: Sequence[_Begun], seed: int) -> None:
        """Begin a chain of each kind."""
        self._add(
            [
                _Growing(coordinates, points, *self._held_in(coordinates), derived_seed(seed, number))
                for coordinates, points, number in fitted
            ]
        )

    def go_on(self, chains: Sequence[Chain]) -> None:
        """Go on with chains that were grown before."""
        before = [
            _Growing(
                chain.coordinates,
                chain.coordinates.training_points(self.train, self.n_threads),
                *self._held_in(chain.coordinates),
                chain.seed,
                chain.gains,
            )
            for chain in chains
        ]
        self._add(before, [chain.trees for chain in chains])

    def begin_more(self, n_chains: int) -> None:
        """Begin further chains in the same coordinates, with other seeds."""
        self._add(
            [
                growing._replace(seed=derived_seed(growing.seed, copy))
                for copy in range(1, n_chains)
                for growing in self.growing
            ]
        )

    def _held_in(self, coordinates: Coordinates) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return coordinates.apply(self.held.u) if len(self.held.u) else (self.held.u, np.zeros(0))

    def _add(self, begun: list[_Growing], trees: Sequence[_core.MapChain] = ()) -> None:
        if begun:
            points, held = [of.points for of in begun], [of.held for of in begun]
            self.boosters.add(points, held, [of.seed for of in begun], list(trees))
        self.growing += begun

    def keep(self, kept: list[int]) -> None:
        """Give up all chains but these."""
        self.boosters.keep(kept)
        self.growing = [self.growing[i] for i in kept]

    def run(self, n_rounds: int, patience: int, report: StageReport) -> None:
        """Run rounds up to a number in all."""
        self.boosters.run(n_rounds, patience, self.n_threads, report)

    def held_log_densities(self) -> NDArray[np.float64]:
        """Return the log-density of each held-out point under each chain."""
        log_jacobians = np.column_stack([growing.held_log_jacobian for growing in self.growing])
        return self.boosters.held_out_log_density() + log_jacobians

    def chains(self) -> list[Chain]:
        """Return the chains up to their best rounds."""
        gains, trees = self.boosters.importance(), self.boosters.best_chains()
        return [
            Chain(growing.coordinates, trees[k], gains[k] + growing.gains_before, growing.seed)
            for k, growing in enumerate(self.growing)
        ]


def _worth_going_on(growing: _GrowingChains) -> list[int]:
    """Choose by a pilot: other coordinates show early what they can do, the margins themselves late."""
    fractions = best_weights(growing.held_log_densities(), growing.held.weights)
    plain = [isinstance(coordinates, MarginCoordinates) for coordinates, *_ in growing.growing]
    others = [i for i in np.flatnonzero(np.logical_not(plain)) if fractions[i] >= LEAST_PILOT_WEIGHT]
    margins = [i for i in np.flatnonzero(plain) if fractions[i] >= LEAST_PILOT_WEIGHT_OF_MARGINS]
    kept = {*others, *margins} or {np.argmax(fractions)}
    return sorted(int(i) for i in kept)
