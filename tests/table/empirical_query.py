"""The answers of the rows themselves: a `Query` of the distribution that has every row equally often."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxwood.columns import Columns, to_native
from boxwood.query.event import Event
from boxwood.query.event_reader import read_event


class EmpiricalQuery:
    def __init__(self, columns: Columns, evidence: Event | None = None) -> None:
        self.columns = columns
        self.evidence = Event.everything() if evidence is None else evidence

    def probability(self, event: Event) -> float:
        return float(event.contains(self.columns).mean())

    def probabilities(self, events: list[Event]) -> list[float]:
        return [self.probability(event) for event in events]

    def given(self, event: Any = None, **columns: Any) -> EmpiricalQuery:
        more = read_event(self.columns.schema, event, **columns)
        return EmpiricalQuery(self.columns.take(more.contains(self.columns)), self.evidence & more)

    def _present(self, j: int) -> Any:
        column = self.columns[j]
        return column.values[~column.missing()]

    def mean(self, j: int) -> float:
        return float(self._present(j).mean())

    def variance(self, j: int) -> float:
        return float(self._present(j).var())

    def quantile(self, j: int, p: Any) -> Any:
        return np.quantile(self._present(j), p, method="inverted_cdf")

    def interval(self, j: int, level: float, kind: str) -> Any:
        assert kind == "central"
        return self.quantile(j, [(1 - level) / 2, (1 + level) / 2])

    def mode(self, j: int) -> Any:
        return self.columns[j].field.categories[np.bincount(self._present(j)).argmax()]

    def missing_probability(self, j: int) -> float:
        return float(self.columns[j].missing().mean())

    def sample(self, n_samples: int, random_state: Any, *, corrected: bool = False) -> Any:
        rows = np.random.default_rng(random_state).integers(0, self.columns.n_rows, n_samples)
        return to_native(self.columns.take(rows))
