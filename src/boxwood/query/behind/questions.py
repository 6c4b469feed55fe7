"""Questions about answers, as methods of a `Query`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from boxwood.query.behind.interval_of import ProbabilityInterval, answer_of, effective_rows_of
from boxwood.query.behind.leaf_contributions import LeafContribution, largest_leaves, leaf_weights
from boxwood.query.behind.model_distance import Distance, model_distance
from boxwood.query.errors import shown
from boxwood.query.event import Event

if TYPE_CHECKING:
    from boxwood.query.engine import CubeBox, QueryEngine
    from boxwood.query.query import Query

__all__ = ["AnswerQuestions"]


class AnswerQuestions:
    """What is behind an answer; a subclass is a `Query`."""

    _engine: QueryEngine
    evidence: Event
    _boxes: Any
    _rank: Any
    probability: Callable[..., float]

    def leaves(self, event: Any = None, /, n: int = 10, **columns: Any) -> list[LeafContribution]:
        """Return the leaves that carry the probability of an event, with the largest share first.

        Parameters
        ----------
        event : str, mapping or Event, optional
            Without one the leaves that carry the evidence.
        n : int
        **columns
            Values by column.

        Returns
        -------
        list of LeafContribution
        """
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
            raise ValueError(f"n must be a positive integer; got {shown(n)}.")
        return largest_leaves(self._engine, self._leaf_weights(event, columns), int(n))

    def interval_of(self, event: Any = None, /, level: float = 0.9, **columns: Any) -> ProbabilityInterval:
        """Return the probability of an event with an interval.

        It tells how far the answer hangs on the rows that the model was fitted to: by how many are behind the
        evidence, and by how far trees differ.

        Parameters
        ----------
        event : str, mapping or Event
        level : float
        **columns
            Values by column.

        Returns
        -------
        ProbabilityInterval
        """
        if not 0.0 < level < 1.0:
            raise ValueError(f"level must lie between 0 and 1; got {shown(level)}.")
        evidence = leaf_weights(self._engine, self._boxes)
        return answer_of(self._engine, self._leaf_weights(event, columns), evidence, level)

    @property
    def n_rows(self) -> float:
        """How many rows the fitted table was worth."""
        return self._engine.n_rows

    @property
    def effective_rows(self) -> float:
        """How many rows of the fitted table are behind the evidence."""
        return effective_rows_of(self._engine, leaf_weights(self._engine, self._boxes))

    def distance(self, other: Query, n_draws: int = 20_000, random_state: Any = None) -> Distance:
        """Return how far another model, or this one under other evidence, is apart.

        Parameters
        ----------
        other : Query
            Of a table with the same columns.
        n_draws : int
            For the distance of whole rows.
        random_state : int, RandomState, Generator or None

        Returns
        -------
        Distance
        """
        if isinstance(n_draws, bool) or not isinstance(n_draws, int | np.integer) or n_draws < 2:
            raise ValueError(f"n_draws must be an integer of at least 2; got {shown(n_draws)}.")
        return model_distance(cast("Query", self), other, int(n_draws), random_state)

    def _leaf_weights(self, event: Any, columns: dict[str, Any]) -> NDArray[np.float64]:
        asked = self._engine.read(event, columns) & self.evidence
        boxes: list[CubeBox] = [box for box in self._engine.boxes_of(asked) if box.n_points == self._rank]
        return leaf_weights(self._engine, boxes)
