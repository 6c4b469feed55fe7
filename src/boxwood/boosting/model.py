"""The fitted form of a boosted density: chains and a forest on one cube, with weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from boxwood.binning import check_bin_edges
from boxwood.boosting.chain import Chain, log_densities
from boxwood.boosting.cube_intervals import CubeIntervals, cube_intervals_of
from boxwood.boosting.ruled import BoostedRules
from boxwood.boosting.weights import best_weights
from boxwood.columns import Columns, Schema
from boxwood.columns.columns import concatenated
from boxwood.dependencies import Dependencies
from boxwood.margins import Margins
from boxwood.mixture import Mixture, hide_missing
from boxwood.model_file import State
from boxwood.randomness import seed_of

__all__ = ["BoostedModel"]

POINTS_AT_ONCE = 65_536
"""Points that are moved at once, which bounds the memory of rows with intervals."""

MOST_DRAWS = 64
"""Of a row that shows a category which was never seen."""

LEAST_WEIGHT = 0.03
"""Components of less weight are left out: they cost time and explain nothing."""


@dataclass(frozen=True, eq=False)
class BoostedModel:
    """A mixture of densities of the cube under margins.

    Attributes
    ----------
    margins : Margins
    chains : list of Chain
    forest : Mixture or None
    weights : ndarray
        Of the chains and, last, of the forest where there is one.
    rules : BoostedRules or None
        Where columns follow from others.
    """

    margins: Margins
    chains: list[Chain]
    forest: Mixture | None
    weights: NDArray[np.float64]
    rules: BoostedRules | None = None

    @classmethod
    def equally_weighted(
        cls, margins: Margins, chains: list[Chain], forest: Mixture | None, rules: BoostedRules | None = None
    ) -> Self:
        """Mix components with equal weights."""
        k = len(chains) + (forest is not None)
        return cls(margins, chains, forest, np.full(k, 1.0 / k), rules)

    @property
    def dependencies(self) -> Dependencies:
        """The columns that follow from others."""
        return Dependencies(self.margins.schema, []) if self.rules is None else self.rules.dependencies

    def weighed(
        self, held: Columns, n_points: int, n_threads: int, missing: str = "event"
    ) -> tuple[Self, NDArray[np.float64]]:
        """Return the model with the weights that make rows likeliest, and their log-densities under it.

        Components of no use are left out.
        """
        logs = self.log_densities(held, n_points, n_threads, missing, held_out=True)
        weights = best_weights(logs, held.weights)
        kept = weights >= min(LEAST_WEIGHT, weights.max())
        chains = [chain for chain, used in zip(self.chains, kept, strict=False) if used]
        forest = self.forest if kept[-1] else None
        rules = None if self.rules is None else self.rules.of_parts(kept)
        weights = weights[kept] / weights[kept].sum()
        model = replace(self, chains=chains, forest=forest, weights=weights, rules=rules)
        return model, _mix(logs[:, kept], weights) + self._log_margins(held, missing, held_out=True)

    def log_density(
        self, columns: Columns, n_points: int, n_threads: int, missing: str = "event"
    ) -> NDArray[np.float64]:
        """Return the log-density of each row."""
        mixed = _mix(self.log_densities(columns, n_points, n_threads, missing), self.weights)
        return mixed + self._log_margins(columns, missing)

    def log_density_at_random(
        self, columns: Columns, rng: np.random.Generator, n_points: int, n_threads: int
    ) -> NDArray[np.float64]:
        """Return logarithms of unbiased estimates of the density of each row, gaps as events.

        Where `log_density` takes a mean over a row's intervals, one random point of them stands for it;
        under rules it is `log_density`.
        """
        if self.rules is not None:
            return self.log_density(columns, n_points, n_threads)
        points = self.margins.encode(columns)
        intervals = cube_intervals_of(self.margins, columns, points, "event")
        points = np.clip(intervals.lower + rng.random(points.shape) * intervals.width, 0.0, 1.0)
        return self._log_density_at(points, columns, n_threads)

    def sample_scored(
        self, n_rows: int, rng: np.random.Generator, n_points: int, n_threads: int
    ) -> tuple[Columns, NDArray[np.float64]]:
        """Draw rows, and return their log-densities at the points of the cube that were drawn."""
        if self.rules is not None:
            columns = self.sample(n_rows, rng, n_threads)
            return columns, self.log_density(columns, n_points, n_threads)
        points = self._draw(n_rows, rng, n_threads)
        columns = self.margins.decode(points)
        return columns, self._log_density_at(points, columns, n_threads)

    def _log_density_at(
        self, points: NDArray[np.float64], columns: Columns, n_threads: int
    ) -> NDArray[np.float64]:
        """Return log-densities of rows by those of points of the cube that they decode."""
        logs = np.empty((len(points), len(self.weights)))
        if self.chains:
            logs[:, : len(self.chains)] = log_densities(self.chains, points, n_threads)
        if self.forest is not None:
            logs[:, -1] = self.forest.log_density(points, n_threads)
        return _mix(logs, self.weights) + self.margins.log_derivative(columns, "event")

    def _log_margins(self, columns: Columns, missing: str, held_out: bool = False) -> NDArray[np.float64]:
        """Return what margins and rules add to the log-density on the cube."""
        if self.rules is None:
            return self.margins.log_derivative(columns, missing)
        rows = self.rules.rows(columns, held_out)
        return self.margins.log_derivative(rows.kept(), missing) + rows.log_probability(self.margins)

    def log_densities(
        self, columns: Columns, n_points: int, n_threads: int, missing: str = "event", held_out: bool = False
    ) -> NDArray[np.float64]:
        """Return the log-density of each row on the cube under each component.

        `missing`: whether missing values are events with a probability, in columns that had some when
        fitted, or summed out ("marginal"). `held_out`: what rules know by such a row alone is left out.
        """
        if self.rules is None:
            return self._log_densities(columns, n_points, n_threads, missing)
        rows = self.rules.rows(columns, held_out)
        logs = self._log_densities(rows.kept(), n_points, n_threads, missing)
        return logs - self.rules.log_agreements(rows)

    def _log_densities(
        self, columns: Columns, n_points: int, n_threads: int, missing: str
    ) -> NDArray[np.float64]:
        logs = np.empty((columns.n_rows, len(self.weights)))
        points = self.margins.encode(columns)
        if self.chains:
            intervals = cube_intervals_of(self.margins, columns, points, missing)
            logs[:, : len(self.chains)] = _mean_over_intervals(self.chains, intervals, n_points, n_threads)
        if self.forest is not None:
            logs[:, -1] = self._forest_log_density(points, columns, n_threads, missing)
        return logs

    def _forest_log_density(
        self, points: NDArray[np.float64], columns: Columns, n_threads: int, missing: str
    ) -> NDArray[np.float64]:
        assert self.forest is not None
        shown = points if missing == "event" else hide_missing(points, columns)
        return self.forest.log_density(shown, n_threads)

    def staged_log_density(
        self, columns: Columns, n_points: int, n_threads: int, missing: str = "event"
    ) -> Iterator[NDArray[np.float64]]:
        """Return the log-density of each row after every round, all chains being cut off there."""
        margins, by_rules = self._log_margins(columns, missing), np.zeros(1)
        if self.rules is not None:
            rows = self.rules.rows(columns)
            columns, by_rules = rows.kept(), self.rules.log_agreements(rows)
        points = self.margins.encode(columns)
        intervals = cube_intervals_of(self.margins, columns, points, missing)
        n_points = n_points if intervals.discrete.any() else 1
        moving = [_Moving(chain, intervals.grid_points(n_points), n_threads) for chain in self.chains]
        logs = np.empty((columns.n_rows, len(self.weights)))
        if self.forest is not None:
            logs[:, -1] = self._forest_log_density(points, columns, n_threads, missing)
        for stage in range(max((chain.trees.n_trees for chain in self.chains), default=0)):
            for k, chain in enumerate(moving):
                logs[:, k] = chain.after(stage)
            yield _mix(logs - by_rules, self.weights) + margins

    def sample(self, n_rows: int, rng: np.random.Generator, n_threads: int) -> Columns:
        """Draw rows of known categories."""
        if self.rules is not None:
            counts = rng.multinomial(n_rows, self.weights)
            return self._sample_by_rules(self.rules, counts, rng, n_threads)
        points = self._draw(n_rows, rng, n_threads)
        for _ in range(MOST_DRAWS):
            again = np.flatnonzero(self.margins.native.is_unseen(points))
            if not len(again):
                break
            points[again] = self._draw(len(again), rng, n_threads)
        return self.margins.decode(points)

    def _draw(self, n_rows: int, rng: np.random.Generator, n_threads: int) -> NDArray[np.float64]:
        counts = rng.multinomial(n_rows, self.weights)
        d = len(self.margins.columns)
        drawn = [
            chain.decode(rng.random((n, d)), n_threads) for chain, n in zip(self.chains, counts, strict=False)
        ]
        if self.forest is not None and counts[-1]:
            drawn.append(self.forest.sample(int(counts[-1]), seed_of(rng) % 2**63))
        return rng.permutation(np.concatenate(drawn))

    def _sample_by_rules(
        self, rules: BoostedRules, counts: NDArray[np.int64], rng: np.random.Generator, n_threads: int
    ) -> Columns:
        drawn = [
            rules.sample_chain(chain, int(n), self.margins, rng, n_threads)
            for chain, n in zip(self.chains, counts, strict=False)
            if n
        ]
        if self.forest is not None and counts[-1]:
            drawn.append(rules.sample_forest(self.forest, int(counts[-1]), self.margins, rng))
        return concatenated(drawn).take(rng.permutation(int(counts.sum())))

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        state: dict[str, Any] = {
            "margins": self.margins.to_state(),
            "chains": [chain.to_state() for chain in self.chains],
            "weights": self.weights,
        }
        if self.rules is not None:
            state["rules"] = self.rules.to_state()
        return state if self.forest is None else {**state, "forest": self.forest.to_state()}

    @classmethod
    def from_state(cls, state: State, schema: Schema) -> Self:
        """Read what `to_state` gave, after checking it."""
        d = len(schema)
        margins = Margins.from_state(state, "margins", schema)
        chains = [Chain.from_state(child, d) for child in state.children("chains")]
        forest = Mixture.from_state(state.child("forest"), d) if "forest" in state else None
        if forest is not None and check_bin_edges(margins, forest.bin_edges) is not None:
            raise state.error("forest", "has bin edges that do not fit the margins")
        k = len(chains) + (forest is not None)
        weights = state.array("weights", np.float64, (k,), low=0.0, high=1.0)
        if k == 0 or abs(float(weights.sum()) - 1.0) > 1e-9:
            raise state.error("weights", "do not sum to 1")
        rules = BoostedRules.from_state(state.child("rules"), schema, k) if "rules" in state else None
        return cls(margins, chains, forest, weights, rules)


class _Moving:
    """Points of intervals on their way through a chain."""

    def __init__(self, chain: Chain, points: NDArray[np.float64], n_threads: int) -> None:
        self.shape = points.shape[:2]
        self.trees, self.n_threads = chain.trees, n_threads
        self.points, self.log_density = chain.coordinates.apply(
            points.reshape(-1, points.shape[2]), n_threads
        )

    def after(self, stage: int) -> NDArray[np.float64]:
        """Move through one more tree, where there is one; return the mean log-density of each row."""
        if stage < self.trees.n_trees:
            self.log_density += self.trees.move(self.points, stage, stage + 1, self.n_threads)
        return _log_mean(self.log_density.reshape(self.shape))


def _mean_over_intervals(
    chains: list[Chain], intervals: CubeIntervals, n_points: int, n_threads: int
) -> NDArray[np.float64]:
    """Return the logarithm of the mean density over points of each row's intervals, under each chain."""
    logs = np.empty((len(intervals), len(chains)))
    spread = intervals.width.any(axis=1)
    for rows, n in ((np.flatnonzero(~spread), 1), (np.flatnonzero(spread), n_points)):
        step = max(1, POINTS_AT_ONCE // n)
        for begin in range(0, len(rows), step):
            part = rows[begin : begin + step]
            points = intervals.take(part).grid_points(n)
            moved = log_densities(chains, points.reshape(-1, points.shape[2]), n_threads)
            for k, of_chain in enumerate(moved.T):
                logs[part, k] = _log_mean(of_chain.reshape(len(part), n))
    return logs


def _log_mean(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    if logs.shape[1] == 1:
        return logs[:, 0]
    return np.asarray(logsumexp(logs, axis=1) - np.log(logs.shape[1]), dtype=np.float64)


def _mix(logs: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    if len(weights) == 1:
        return logs[:, 0].copy()
    return np.asarray(logsumexp(logs + np.log(weights), axis=1), dtype=np.float64)
