"""How sure probabilities are: intervals, rows behind the evidence, and the spread over trees."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.query.behind.interval_of import ProbabilityInterval, answer_of, effective_rows_of
from boxwood.query.behind.leaf_contributions import leaf_weights
from boxwood.query.event import Event
from boxwood.query.weighed import WeighedQuery
from boxwood.serve.plain_json import plain

__all__ = ["NOTHING", "Intervals"]

NOTHING: dict[str, Any] = dict.fromkeys(("low", "high", "effective_rows", "tree_spread"))
"""Where a model has no leaves to tell it, or it is not asked for."""

Numbers = NDArray[np.float64]


class Intervals:
    """What leaves say about the evidence and about events under it; each leaf is asked once.

    Parameters
    ----------
    model : TableModel
    under : TableModel or GivenTable
        The model under the evidence.
    level : float
    """

    def __init__(self, model: Any, under: Any, level: float) -> None:
        self._all, self._under, self._level = model.query, under.query, level
        self.known = not isinstance(model.query, WeighedQuery)
        self._evidence: Numbers | None = None

    def of_evidence(self) -> dict[str, Any]:
        """Return the interval of the evidence's probability, and the rows behind it."""
        if not self.known or self._is_density():
            return NOTHING
        found = self._interval(self._weights, leaf_weights(self._all._engine, self._all._boxes))
        rows = effective_rows_of(self._under._engine, self._weights)
        return {**_shown(found), "effective_rows": plain(rows)}

    def of_event(self, event: Event) -> dict[str, Any]:
        """Return the interval of an event's probability under the evidence."""
        if not self.known:
            return NOTHING
        return _shown(self._interval(self._under._leaf_weights(event, {}), self._weights))

    def _interval(self, joint: Numbers, evidence: Numbers) -> ProbabilityInterval:
        return answer_of(self._under._engine, joint, evidence, self._level)

    @property
    def _weights(self) -> Numbers:
        if self._evidence is None:
            self._evidence = leaf_weights(self._under._engine, self._under._boxes)
        return self._evidence

    def _is_density(self) -> bool:
        return self._under._rank > 0


def _shown(found: ProbabilityInterval) -> dict[str, Any]:
    return {name: plain(getattr(found, name)) for name in NOTHING}
