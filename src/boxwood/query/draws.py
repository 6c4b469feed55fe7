"""Draws of a density under evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns, to_native
from boxwood.columns.precision import rounded_to_source
from boxwood.margins import decoded_columns
from boxwood.query.across import inside_ties
from boxwood.query.engine import CubeBox, QueryEngine
from boxwood.query.errors import shown
from boxwood.query.event import Event
from boxwood.query.gap_draws import grouped_by_gaps, sample_groups, with_unseen
from boxwood.query.rule_draws import keep_evidence
from boxwood.randomness import generator, seed_of

__all__ = ["QueryDraws"]


class QueryDraws:
    """Draws of rows; a subclass has the engine, the evidence and its boxes, and what corrects draws."""

    evidence: Event
    _engine: QueryEngine
    _correct: Callable[[], Any] | None

    @property
    def _boxes(self) -> list[CubeBox]:
        raise NotImplementedError

    @property
    def _conditioned(self) -> _core.Conditioned:
        raise NotImplementedError

    def sample(self, n_samples: int = 1, random_state: Any = None, *, corrected: bool = False) -> Any:
        """Draw rows under the evidence, none of which lies outside it.

        Parameters
        ----------
        n_samples : int
        random_state : int, RandomState, Generator or None
        corrected : bool, default=False
            Whether draws of a density that corrects them (`DensityForest`) are kept by its density ratio:
            such rows pass for real ones, and probabilities among them are not exactly those of answers.

        Returns
        -------
        array or frame
            As the fitted table was.
        """
        if isinstance(n_samples, bool) or not isinstance(n_samples, int | np.integer) or n_samples < 1:
            raise ValueError(f"n_samples must be a positive integer; got {shown(n_samples)}.")
        return to_native(self.sample_columns(int(n_samples), random_state, corrected=corrected))

    def sample_columns(self, n_samples: int, random_state: Any = None, *, corrected: bool = False) -> Columns:
        """Draw rows as columns."""
        rng = generator(random_state)
        correction = self._correct() if corrected and self._correct is not None else None
        if correction is None:
            return self._plain_columns(n_samples, rng)
        found: Columns = correction.rows(
            lambda n: self._plain_columns(n, rng), n_samples, rng, not self.evidence.is_everything
        )
        return found

    def _plain_columns(self, n_samples: int, rng: np.random.Generator) -> Columns:
        groups = grouped_by_gaps(self._boxes)
        if len(groups) == 1 and not groups[0][0]:
            return self._drawn(self._conditioned, self._boxes, n_samples, rng)
        return sample_groups(self._engine, groups, n_samples, rng, self._drawn)

    def _drawn(
        self, conditioned: _core.Conditioned, boxes: list[CubeBox], n_samples: int, rng: np.random.Generator
    ) -> Columns:
        engine = self._engine
        points = self._points(conditioned, boxes, n_samples, rng)
        gaps = np.isnan(points)
        decoded = engine.margins.native.decode(np.where(gaps, 0.5, points), engine.n_threads)
        columns = decoded_columns(engine.schema, n_samples, decoded)
        columns = with_unseen(engine, columns, points, boxes)
        return keep_evidence(engine, columns, rounded_to_source(columns), gaps, boxes, rng)

    def _points(
        self, conditioned: _core.Conditioned, boxes: list[CubeBox], n_samples: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return draws on the cube."""
        seed = seed_of(rng)
        points = conditioned.sample(n_samples, seed, self._engine.n_threads)
        if any(box.ties for box in boxes):
            done = inside_ties(points, conditioned.drawn_boxes(n_samples, seed), boxes, rng)
            if not done.all():
                points[~done] = self._points(conditioned, boxes, int((~done).sum()), rng)
        return points
