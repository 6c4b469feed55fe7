"""A forest as the proposal: it draws exactly under any evidence, and the ratio of densities weighs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import ColumnMeasure, Columns, Kind
from boxwood.columns.columns import concatenated
from boxwood.columns.precision import rounded_to_source
from boxwood.dependencies import RuledDensity
from boxwood.gaps import UnseenGaps
from boxwood.margins import decoded_columns
from boxwood.mixture import TableMixture
from boxwood.query.engine import CubeBox, QueryEngine
from boxwood.query.event import Event
from boxwood.query.gap_draws import with_unseen
from boxwood.query.rule_draws import keep_evidence
from boxwood.query.weighed.draws import Draws
from boxwood.query.weighed.measures import measures_of_margins
from boxwood.query.weighed.row_grids import RowGrids

__all__ = ["ForestProposal", "WeighedModel"]

Numbers = NDArray[np.float64]

MOST_SHARED = 1024
"""Blocks of rows of the model that are kept."""


@dataclass(frozen=True, eq=False)
class WeighedModel:
    """What of a density is weighed.

    Attributes
    ----------
    score : callable
        Log-densities of rows, gaps as values; or, by a random generator, estimates whose exponentials have
        the mean that the density is.
    score_shown : callable
        Log-densities of what rows show, gaps summed out.
    simulate : callable
        Draws so many rows by a random generator.
    draw : callable
        The same, with log-densities, of the rows or of all that was drawn with them.
    normalised : bool
        Whether the density integrates to 1 on the proposal's base measure.
    compare : callable, optional
        Log-densities of rows that may differ in one column, whose position is the second argument. Errors of
        the scores are then alike in rows that differ in nothing else. The third argument says whether gaps
        are summed out. Without it `score` and `score_shown` have no such errors.
    """

    score: Callable[[Columns, np.random.Generator | None], Numbers]
    score_shown: Callable[[Columns], Numbers]
    simulate: Callable[[int, np.random.Generator], Columns]
    draw: Callable[[int, np.random.Generator], tuple[Columns, Numbers]]
    normalised: bool = True
    compare: Callable[[Columns, int, bool], Numbers] | None = None

    def score_along(self, column: int, shown: bool) -> Callable[[Columns], Numbers]:
        """Return what scores rows that are compared along a column."""
        compare = self.compare
        if compare is not None:
            return lambda columns: compare(columns, column, shown)
        return self.score_shown if shown else lambda columns: self.score(columns, None)


@dataclass(frozen=True, eq=False)
class PreparedBoxes:
    """An event on the forest's cube: its boxes of one rank, the leaves they leave, and their probability."""

    boxes: list[CubeBox]
    rank: int
    is_everything: bool
    conditioned: _core.Conditioned
    log_probability: float


@dataclass(frozen=True, eq=False)
class _SharedRows:
    """Rows of the model, and their log-densities under the forest and the model."""

    columns: Columns
    own: Numbers
    ratio: Numbers


class ForestProposal:
    """Draws of a forest, weighed by a model's density.

    Both must have the same base measure: the same lattices and atoms.

    Parameters
    ----------
    form : TableMixture
        The forest.
    model : WeighedModel
    gaps : UnseenGaps, optional
    ruled : RuledDensity, optional
    n_threads : int
    """

    def __init__(
        self,
        form: TableMixture,
        model: WeighedModel,
        gaps: UnseenGaps | None = None,
        ruled: RuledDensity | None = None,
        n_threads: int = 1,
    ) -> None:
        self.model, self.normalised = model, model.normalised
        self.schema = form.margins.schema
        self.engine = QueryEngine(form.margins, form.mixture, gaps, ruled, n_threads)
        self._shared: dict[tuple[int, int], _SharedRows] = {}
        self._form, self._gaps, self._ruled, self._n_threads = form, gaps, ruled, n_threads

    @cached_property
    def _ruled_shown(self) -> RuledDensity | None:
        ruled = self._ruled
        if ruled is None:
            return None
        return RuledDensity(ruled.dependencies, ruled.margins, self._form.mixture, gaps=False)

    def read(self, event: Any, columns: Mapping[str, Any]) -> Event:
        """Read an event."""
        return self.engine.read(event, columns)

    def score(self, columns: Columns) -> Numbers:
        """Return the forest's log-density of rows, gaps as values."""
        form = TableMixture(self._form.margins, self._form.mixture, "event")
        found = self._by_rules(self._ruled, form, columns)
        return found if self._gaps is None else found + self._gaps.log_probability(columns)

    def score_shown(self, columns: Columns) -> Numbers:
        """Return the forest's log-density of what rows show, gaps summed out."""
        form = TableMixture(self._form.margins, self._form.mixture, "marginal")
        return self._by_rules(self._ruled_shown, form, columns)

    def _by_rules(self, ruled: RuledDensity | None, form: TableMixture, columns: Columns) -> Numbers:
        if ruled is None:
            return form.log_density(columns, self._n_threads)
        return ruled.score(columns, lambda kept: form.log_density(kept, self._n_threads))

    def prepare(self, event: Event, rank: int | None) -> PreparedBoxes | None:
        """Return the boxes of an event that have a probability; None where there are none."""
        boxes = self.engine.boxes_of(event)
        ranks = sorted({box.n_points for box in boxes}) if rank is None else [rank]
        for one in ranks:
            of_rank = [box for box in boxes if box.n_points == one]
            found = self.engine.probabilities(of_rank) if of_rank else np.zeros(0)
            if found.sum() > 0.0:
                kept = [box for box, p in zip(of_rank, found, strict=True) if p > 0.0]
                conditioned = self.engine.condition(kept)
                # Not `found`: its last bits depend on which tables the engine keeps.
                log = float(np.log(conditioned.totals().sum()))
                return PreparedBoxes(kept, one, event.is_everything, conditioned, log)
        return None

    def draw(self, prepared: PreparedBoxes, n: int, seed: int, shared_seed: int) -> Draws:
        """Draw rows under an event and weigh them.

        With them go rows of the model itself, those of as many that are in the event, weighed by the mixture
        of both (the balance heuristic): where the forest has next to nothing and the model has something,
        weights stay below 2 that way. Continuous values as evidence have no such rows, and without evidence
        there are no others.
        """
        if prepared.is_everything:
            return Draws(self.model.simulate(n, np.random.default_rng(seed)), np.zeros(n))
        rng = np.random.default_rng(seed)
        columns = self._drawn(prepared, n, rng)
        own, ratio = self.score(columns), self.model.score(columns, rng)
        if prepared.rank:
            return Draws(columns, ratio - own + prepared.log_probability)
        shared = self._shared_rows(n, shared_seed)
        inside = np.flatnonzero(_in_boxes(shared.columns, prepared.boxes))
        columns = concatenated([columns, shared.columns.take(inside)])
        own = np.concatenate([own, shared.own[inside]]) - prepared.log_probability
        ratio = np.concatenate([ratio, shared.ratio[inside]])
        n_shared = shared.columns.n_rows
        of_forest = own + np.log(n)
        # Rows of the model name known categories alone.
        mixed = np.where(_has_unseen(columns), of_forest, np.logaddexp(of_forest, ratio + np.log(n_shared)))
        mixed -= np.log(n + n_shared)
        of_model = np.arange(len(own)) >= n
        return Draws(columns, ratio - mixed, of_model, n_shared)

    def _drawn(self, prepared: PreparedBoxes, n: int, rng: np.random.Generator) -> Columns:
        engine = self.engine
        points = prepared.conditioned.sample(n, int(rng.integers(2**62)), engine.n_threads)
        gaps = np.isnan(points)
        decoded = engine.margins.native.decode(np.where(gaps, 0.5, points), engine.n_threads)
        columns = with_unseen(engine, decoded_columns(engine.schema, n, decoded), points, prepared.boxes)
        # Not rounded to the table's decimals: the forest has not drawn by the density at rounded values.
        return keep_evidence(engine, columns, columns, gaps, prepared.boxes, rng)

    def _shared_rows(self, n: int, seed: int) -> _SharedRows:
        """Return rows of the model with their log-densities, made once for all events."""
        known = self._shared.get((n, seed))
        if known is None:
            columns, ratio = self.model.draw(n, np.random.default_rng(seed))
            known = _SharedRows(columns, self.score(columns), ratio)
            if len(self._shared) >= MOST_SHARED:
                self._shared.clear()
            self._shared[n, seed] = known
        return known

    def simulate(self, n: int, rng: np.random.Generator) -> Columns:
        """Draw rows of the model itself, without evidence."""
        return self.model.simulate(n, rng)

    def rounded(self, prepared: PreparedBoxes, columns: Columns, rng: np.random.Generator) -> Columns:
        """Return draws with the decimals of the table, where that leaves them inside the event."""
        gaps = np.zeros((columns.n_rows, len(columns)), dtype=np.bool_)
        return keep_evidence(self.engine, columns, rounded_to_source(columns), gaps, prepared.boxes, rng)

    def conditionals(self, columns: Columns) -> RowGrids:
        """Return the distributions of each row's columns given the rest of the row."""
        return RowGrids(self, columns)

    def measure(self, column: int) -> ColumnMeasure:
        """Return where a column has probabilities of single values."""
        return measures_of_margins(self._form.margins)[column]

    def closed_law(self, event: Event, column: int) -> None:
        """Return None: no law has a closed form here."""
        return

    def closed_covariance(self, event: Event, a: int, b: int) -> None:
        """Return None: no covariance has a closed form here."""
        return

    def closed_information(self, event: Event, a: int, b: int) -> None:
        """Return None: no mutual information has a closed form here."""
        return


def _has_unseen(columns: Columns) -> NDArray[np.bool_]:
    """Return which rows have a category that the fitted table does not."""
    found = np.zeros(columns.n_rows, dtype=np.bool_)
    for column in columns:
        if column.kind is Kind.CATEGORICAL:
            found |= column.values >= len(column.field.categories)
    return found


def _in_boxes(columns: Columns, boxes: Sequence[CubeBox]) -> NDArray[np.bool_]:
    inside = np.zeros(columns.n_rows, dtype=np.bool_)
    for box in boxes:
        inside |= box.box.contains(columns)
    return inside
