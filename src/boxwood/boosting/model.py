"""The fitted form of a boosted density: chains, Gaussians and a forest, with weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from boxwood.binning import check_bin_edges
from boxwood.boosting.chain import Chain, log_densities
from boxwood.boosting.cube_intervals import CubeIntervals, cube_intervals_of, evenly_spread
from boxwood.boosting.forest_part import ForestPart
from boxwood.boosting.gaussian_scores import GaussianScores
from boxwood.boosting.intervals.interval_means import (
    Mixing,
    Moving,
    counts_over_intervals,
    mean_over_intervals,
)
from boxwood.boosting.intervals.shifted_points import ShiftedPoints, row_keys
from boxwood.boosting.ratio.accepted_rows import accepted_rows
from boxwood.boosting.ratio.density_ratio import CubeRows
from boxwood.boosting.ratio.raking import Raking
from boxwood.boosting.ruled import BoostedRules
from boxwood.boosting.weights import mixed
from boxwood.columns import Columns, Schema
from boxwood.columns.columns import concatenated
from boxwood.dependencies import Dependencies
from boxwood.dependencies.ruled_rows import RuledRows
from boxwood.margins import Margins, known_points
from boxwood.mixture import Mixture, hide_missing
from boxwood.model_file import State
from boxwood.randomness import seed_of

__all__ = ["BoostedModel"]


@dataclass(frozen=True, eq=False)
class BoostedModel:
    """A mixture of densities under margins.

    Attributes
    ----------
    margins : Margins
        Of the chains and the Gaussians.
    chains : list of Chain
    forest : Mixture or None
    weights : ndarray
        Of the chains, of the Gaussians and of the forest, in this order, where they are there.
    rules : BoostedRules or None
        Where columns follow from others.
    forest_margins : Margins or None
        Where the forest has others than the chains.
    gaussians : GaussianScores or None
    raking : Raking or None
        What gives the mixture the margins of its table.
    seed : int
        Of the shifts of points in the intervals of rows.
    """

    margins: Margins
    chains: list[Chain]
    forest: Mixture | None
    weights: NDArray[np.float64]
    rules: BoostedRules | None = None
    forest_margins: Margins | None = None
    gaussians: GaussianScores | None = None
    raking: Raking | None = None
    seed: int = 0

    @classmethod
    def mix(
        cls,
        margins: Margins,
        chains: list[Chain],
        gaussians: GaussianScores | None,
        part: ForestPart,
        dependencies: Dependencies,
        missing: str,
        seed: int,
    ) -> Self:
        """Mix parts with equal weights, under the rules of their table."""
        if not chains and gaussians is None and part.forest is None:
            chains = [
                Chain.of_no_trees(len(margins.schema))
            ]  # Gaussians alone were wanted, and there are none
        found = dependencies.with_mass(margins).with_mass(part.margins)
        rules = BoostedRules.fit(found, margins, chains, part.forest, part.margins, missing, seed)
        own = None if part.forest is None else part.margins
        model = cls(margins, chains, part.forest, np.ones(0), rules, own, gaussians, None, seed)
        return replace(model, weights=np.full(model.n_parts, 1.0 / model.n_parts))

    @property
    def n_parts(self) -> int:
        """How many densities are mixed."""
        return len(self.chains) + (self.gaussians is not None) + (self.forest is not None)

    @property
    def margins_of_forest(self) -> Margins:
        """The forest's margins."""
        return self.margins if self.forest_margins is None else self.forest_margins

    @property
    def dependencies(self) -> Dependencies:
        """The columns that follow from others."""
        return Dependencies(self.margins.schema, []) if self.rules is None else self.rules.dependencies

    def of_forest(self) -> Self:
        """Return the forest alone."""
        return self.of_parts(np.arange(self.n_parts) == self.n_parts - 1, np.ones(1))

    def of_parts(self, kept: NDArray[np.bool_], weights: NDArray[np.float64]) -> Self:
        """Return the model of some of its parts."""
        n_chains = len(self.chains)
        return replace(
            self,
            chains=[chain for chain, used in zip(self.chains, kept, strict=False) if used],
            gaussians=self.gaussians if self.gaussians is not None and kept[n_chains] else None,
            forest=self.forest if kept[-1] else None,
            forest_margins=self.forest_margins if self.forest is not None and kept[-1] else None,
            weights=weights,
            rules=None if self.rules is None else self.rules.of_parts(kept),
        )

    @property
    def has_normal_margins(self) -> bool:
        """Whether most of the mixture are Gaussians of the values themselves, which keep to their margins."""
        known = self.gaussians is not None and self.gaussians.standard is not None
        return known and bool(self.weights[len(self.chains)] >= 0.5)

    def log_raking(self, columns: Columns, missing: str = "event") -> NDArray[np.float64]:
        """Return what raking adds to the log-density of each row."""
        if self.raking is None:
            return np.zeros(columns.n_rows)
        return self.raking.log_factor(self.raked_intervals(columns, missing))

    def left_out_log_raking(
        self, columns: Columns, groups: NDArray[np.intp] | None, table: Columns, missing: str
    ) -> NDArray[np.float64]:
        """Return what raking adds to the log-density of rows of its table if it had not seen them."""
        if self.raking is None:
            return np.zeros(columns.n_rows)
        rows = CubeRows(self.raked_intervals(columns, missing, held_out=True), columns.row_weights)
        whole = CubeRows(self.raked_intervals(table), table.row_weights)
        return self.raking.left_out_log_factor(rows, whole, groups)

    def raked_intervals(
        self, columns: Columns, missing: str = "event", held_out: bool = False
    ) -> CubeIntervals:
        """Return where raking sees rows: as they would be if they kept to the rules."""
        shown = columns if self.rules is None else self.rules.rows(columns, held_out).kept()
        return self._intervals(shown, missing)

    def _intervals(self, columns: Columns, missing: str) -> CubeIntervals:
        return cube_intervals_of(self.margins, columns, self.margins.encode(columns), missing)

    def log_density(
        self,
        columns: Columns,
        n_points: int,
        n_threads: int,
        missing: str = "event",
        keys: NDArray[np.uint64] | None = None,
    ) -> NDArray[np.float64]:
        """Return the log-density of each row.

        `keys`: of rows that are compared with each other, which get the same points if their keys are equal,
        and `n_points` each. By default every row has points of its own, and more of them if it needs more.
        """
        found = mixed(self.log_densities(columns, n_points, n_threads, missing, keys=keys), self.weights)
        return found + self.log_raking(columns, missing)

    def log_density_at_random(
        self, columns: Columns, rng: np.random.Generator, n_points: int, n_threads: int
    ) -> NDArray[np.float64]:
        """Return logarithms of unbiased estimates of the density of each row, gaps as events.

        Where `log_density` takes a mean over a row's intervals, one random point of them stands for it;
        under rules it is `log_density`.
        """
        if self.rules is not None:
            return self.log_density(columns, n_points, n_threads)
        intervals = self._intervals(columns, "event")
        u = np.clip(intervals.lower + rng.random(intervals.lower.shape) * intervals.width, 0.0, 1.0)
        logs, n_chains = np.empty((columns.n_rows, self.n_parts)), len(self.chains)
        if self.chains:
            logs[:, :n_chains] = log_densities(self.chains, u, n_threads)
        if self.gaussians is not None:
            logs[:, n_chains] = self.gaussians.log_density(u, columns)
        self._fill_forest(logs, columns, n_threads, "event")
        found = mixed(logs + self._log_margins(columns, None, "event"), self.weights)
        return found + self.log_raking(columns, "event")

    def sample_scored(
        self, n_rows: int, rng: np.random.Generator, n_points: int, n_threads: int
    ) -> tuple[Columns, NDArray[np.float64]]:
        """Draw rows, and return their log-densities."""
        columns = self.sample(n_rows, rng, n_threads)
        return columns, self.log_density(columns, n_points, n_threads)

    def log_densities(
        self,
        columns: Columns,
        n_points: int,
        n_threads: int,
        missing: str = "event",
        held_out: bool = False,
        forest_unseen: NDArray[np.float64] | None = None,
        keys: NDArray[np.uint64] | None = None,
    ) -> NDArray[np.float64]:
        """Return the log-density of each row under each component, before raking.

        `missing`: whether missing values are events with a probability, in columns that had some when
        fitted, or summed out ("marginal"). `held_out`: what rules know by such a row alone is left out.
        `keys`: as in `log_density`.
        """
        rows = None if self.rules is None else self.rules.rows(columns, held_out)
        shown = columns if rows is None else rows.kept()
        logs = np.zeros((columns.n_rows, self.n_parts))
        n_chains = len(self.chains)
        encoded = self.margins.encode(shown) if n_chains or self.gaussians is not None else None
        if self.gaussians is not None and encoded is not None:
            logs[:, n_chains] = self.gaussians.log_density(encoded, shown)
        self._fill_forest(logs, shown, n_threads, missing, forest_unseen)
        logs += self._log_margins(shown, rows, missing, forest_unseen is not None)
        if n_chains and encoded is not None:
            points = self._points(shown, cube_intervals_of(self.margins, shown, encoded, missing), keys)
            mixing = self._mixing(logs) if keys is None else None
            logs[:, :n_chains] += mean_over_intervals(self.chains, points, n_points, n_threads, mixing)
        return logs

    def _points(
        self, shown: Columns, intervals: CubeIntervals, keys: NDArray[np.uint64] | None = None
    ) -> ShiftedPoints:
        """Return the points of rows; rows without intervals need no keys."""
        if keys is None:
            keys = row_keys(shown) if intervals.width.any() else np.zeros(shown.n_rows, dtype=np.uint64)
        return ShiftedPoints(intervals, keys, self.seed)

    def _mixing(self, logs: NDArray[np.float64]) -> Mixing:
        """Return how chains are mixed; `logs` has their margins and the other parts' densities."""
        with np.errstate(divide="ignore"):
            weighed = logs + np.log(self.weights)
        n_chains = len(self.chains)
        rest = np.full(len(logs), -np.inf)
        if n_chains < self.n_parts:
            rest = np.asarray(logsumexp(weighed[:, n_chains:], axis=1), dtype=np.float64)
        return Mixing(weighed[:, :n_chains], rest)

    def _fill_forest(
        self,
        logs: NDArray[np.float64],
        columns: Columns,
        n_threads: int,
        missing: str,
        unseen: NDArray[np.float64] | None = None,
    ) -> None:
        """Put the forest's log-density on its cube, where there is one, into the last column."""
        if self.forest is None:
            return
        if unseen is not None:
            logs[:, -1] = unseen
            return
        points = self.margins_of_forest.encode(columns)
        shown = points if missing == "event" else hide_missing(points, columns)
        logs[:, -1] = self.forest.log_density(shown, n_threads)

    def _log_margins(
        self, columns: Columns, rows: RuledRows | None, missing: str, forest_is_whole: bool = False
    ) -> NDArray[np.float64]:
        """Return what margins and rules add to each part's log-density on the cube: (n_rows, n_parts)."""
        logs = np.empty((columns.n_rows, self.n_parts))
        is_forest = np.arange(self.n_parts) == (self.n_parts - 1 if self.forest is not None else -1)
        if not is_forest.all():
            logs[:, ~is_forest] = self.margins.log_derivative(columns, missing)[:, None]
        if self.gaussians is not None and self.gaussians.standard is not None:
            own = logs[:, len(self.chains)]
            own[:] = np.where(np.isneginf(own), -np.inf, 0.0)  # they know no margins but their bounds
        if self.forest is not None:
            of_forest = 0.0 if forest_is_whole else self.margins_of_forest.log_derivative(columns, missing)
            logs[:, -1] = of_forest
        if rows is None or self.rules is None:
            return logs
        logs[:, ~is_forest] += rows.log_probability(self.margins)[:, None]
        logs[:, is_forest] += rows.log_probability(self.margins_of_forest)[:, None]
        return logs - self.rules.log_agreements(rows)

    def staged_log_density(
        self, columns: Columns, n_points: int, n_threads: int, missing: str = "event"
    ) -> Iterator[NDArray[np.float64]]:
        """Return the log-density of each row after every round, all chains being cut off there.

        A model without chains has one stage.
        """
        rows = None if self.rules is None else self.rules.rows(columns)
        shown = columns if rows is None else rows.kept()
        added = self._log_margins(shown, rows, missing)
        logs = np.zeros((columns.n_rows, self.n_parts))
        if self.gaussians is not None:
            logs[:, len(self.chains)] = self.gaussians.log_density(self.margins.encode(shown), shown)
        self._fill_forest(logs, shown, n_threads, missing)
        points = self._points(shown, self._intervals(shown, missing))
        counts = counts_over_intervals(self.chains, points, n_points, n_threads, self._mixing(logs + added))
        moving = [
            Moving(chain, points, of_chain, n_threads)
            for chain, of_chain in zip(self.chains, counts, strict=True)
        ]
        added += self.log_raking(columns, missing)[:, None]
        for stage in range(max([1, *(chain.trees.n_trees for chain in self.chains)])):
            for k, chain in enumerate(moving):
                logs[:, k] = chain.after(stage)
            yield mixed(logs + added, self.weights)

    def sample(self, n_rows: int, rng: np.random.Generator, n_threads: int) -> Columns:
        """Draw rows of known categories."""
        d = len(self.margins.schema)

        def draw(n: int) -> Columns:
            counts = rng.multinomial(n, self.weights)
            return self._draw(counts, rng, lambda m: rng.random((m, d)), n_threads)

        if self.raking is None:
            return draw(n_rows)
        return accepted_rows(draw, self.log_raking, self.raking.log_most, n_rows, rng)

    def draw_evenly(self, n_rows: int, rng: np.random.Generator, n_threads: int) -> Columns:
        """Draw rows before raking, evenly spread in the cubes of the chains and over the forest's leaves."""
        d = len(self.margins.schema)

        def evenly(n: int) -> NDArray[np.float64]:
            return (evenly_spread(1 << max(n - 1, 0).bit_length(), d)[:n] + rng.random(d)) % 1.0

        counts = np.rint(self.weights * n_rows).astype(np.int64)
        return self._draw(counts, rng, evenly, n_threads, Mixture.sample_evenly)

    def _draw(
        self,
        counts: NDArray[np.int64],
        rng: np.random.Generator,
        uniform: Callable[[int], NDArray[np.float64]],
        n_threads: int,
        of_forest: Callable[[Mixture, int, int], NDArray[np.float64]] = Mixture.sample,
    ) -> Columns:
        """Draw so many rows of each part, in random order; `uniform` gives points of the cube."""
        drawn = [
            self._draw_chain(chain, int(n), rng, uniform, n_threads)
            for chain, n in zip(self.chains, counts, strict=False)
            if n
        ]
        if self.gaussians is not None:
            drawn.append(self.gaussians.sample(int(counts[len(self.chains)]), rng, self.margins))
        if self.forest is not None and counts[-1]:
            drawn.append(self._draw_forest(self.forest, int(counts[-1]), rng, of_forest))
        return concatenated(drawn).take(rng.permutation(int(counts.sum())))

    def _draw_chain(
        self,
        chain: Chain,
        n_rows: int,
        rng: np.random.Generator,
        uniform: Callable[[int], NDArray[np.float64]],
        n_threads: int,
    ) -> Columns:
        def draw(n: int) -> NDArray[np.float64]:
            return chain.decode(uniform(n), n_threads)

        if self.rules is not None:
            return self.rules.sample_chain(draw, n_rows, self.margins, rng)
        return self.margins.decode(known_points(draw, n_rows, self.margins))

    def _draw_forest(
        self,
        forest: Mixture,
        n_rows: int,
        rng: np.random.Generator,
        draw: Callable[[Mixture, int, int], NDArray[np.float64]],
    ) -> Columns:
        margins = self.margins_of_forest
        if self.rules is not None:
            return self.rules.sample_forest(forest, n_rows, margins, rng)
        return margins.decode(known_points(lambda n: draw(forest, n, seed_of(rng) % 2**63), n_rows, margins))

    def importances(self, forest: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what cuts of each column gained, over the mixture; `forest` has the fractions of its cuts.

        Gaussians have no cuts: what they know counts where there is nothing else.
        """
        gains = [chain.coordinates.importance_of_columns(chain.gains) for chain in self.chains]
        weights = list(self.weights[: len(self.chains)])
        if self.forest is not None:
            gains, weights = [*gains, forest], [*weights, self.weights[-1]]
        if self.gaussians is not None and not gains:
            return self.gaussians.importance_of_columns()
        totals = [max(float(of_part.sum()), np.finfo(float).tiny) for of_part in gains]
        return np.asarray(
            sum(w / total * of_part for w, total, of_part in zip(weights, totals, gains, strict=True))
        )

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        state: dict[str, Any] = {
            "margins": self.margins.to_state(),
            "chains": [chain.to_state() for chain in self.chains],
            "weights": self.weights,
        }
        parts = {
            "rules": self.rules,
            "forest": self.forest,
            "gaussians": self.gaussians,
            "raking": self.raking,
        }
        state |= {name: part.to_state() for name, part in parts.items() if part is not None}
        if self.forest_margins is not None:
            state["forest_margins"] = self.forest_margins.to_state()
        return state

    @classmethod
    def from_state(cls, state: State, schema: Schema, seed: int) -> Self:
        """Read what `to_state` gave, after checking it; the seed is the estimator's."""
        d = len(schema)
        margins = Margins.from_state(state, "margins", schema)
        chains = [Chain.from_state(child, d) for child in state.children("chains")]
        forest = Mixture.from_state(state.child("forest"), d) if "forest" in state else None
        own = Margins.from_state(state, "forest_margins", schema) if "forest_margins" in state else None
        if forest is not None and check_bin_edges(own or margins, forest.bin_edges) is not None:
            raise state.error("forest", "has bin edges that do not fit the margins")
        gaussians = GaussianScores.from_state(state.child("gaussians"), d) if "gaussians" in state else None
        raking = Raking.from_state(state.child("raking"), d) if "raking" in state else None
        model = cls(margins, chains, forest, np.ones(0), None, own, gaussians, raking, seed)
        k = model.n_parts
        weights = state.array("weights", np.float64, (k,), low=0.0, high=1.0)
        if k == 0 or abs(float(weights.sum()) - 1.0) > 1e-9:
            raise state.error("weights", "do not sum to 1")
        rules = BoostedRules.from_state(state.child("rules"), schema, k) if "rules" in state else None
        if forest is not None and rules is not None:
            gapless = rules.dependencies.unknown_gaps(own or margins)
            if gapless is not None:
                raise state.error("rules", f"has a gap of the column {gapless!r}, which has none")
        return replace(model, weights=weights, rules=rules)
