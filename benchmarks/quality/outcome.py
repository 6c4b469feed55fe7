"""What a model does on a table: how likely it finds the test rows, and what that costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .models import Model
from .table import Table

__all__ = ["N_MANY", "Outcome", "Outcomes", "many_rows", "validate"]

N_MANY = 100_000


@dataclass(frozen=True)
class Outcome:
    """Nats a test row, test rows without a density, seconds of fit and score, and of scoring many rows.

    All are means over the seeds; the last field has the nats of each.
    """

    nats: float
    n_outside: int
    fit_cpu: float
    fit_wall: float
    score_cpu: float
    score_wall: float
    many_cpu: float | None
    seeds: tuple[float, ...] = ()


Outcomes = dict[str, dict[str, Outcome]]
"""Table, model, outcome."""


def validate(model: Model, table: Table, many: np.ndarray | None, seeds: Iterable[int] = (0,)) -> Outcome:
    """Fit and score with each seed, with the first alone where seeds do not matter; return the means."""
    tried = list(seeds) if model.seeded else [0]
    found = [of_seed(model, table, many if seed == tried[0] else None, seed) for seed in tried]
    nats = tuple(one.nats for one in found)
    times = np.mean([[o.fit_cpu, o.fit_wall, o.score_cpu, o.score_wall] for o in found], axis=0)
    return Outcome(float(np.mean(nats)), found[0].n_outside, *times.tolist(), found[0].many_cpu, nats)


def of_seed(model: Model, table: Table, many: np.ndarray | None, seed: int) -> Outcome:
    """Fit and score; then score ``many`` rows where they are given."""
    fitted, *fit_times = clocked(lambda: model.make(seed).fit(table.train))
    scores, *score_times = clocked(lambda: fitted.score_samples(table.test))
    inside = np.isfinite(scores) if model.boxed else np.ones(len(scores), dtype=bool)
    many_cpu = None if many is None else least_cpu(lambda: fitted.score_samples(many))
    nats, n_outside = float(scores[inside].mean()), int((~inside).sum())
    return Outcome(nats, n_outside, *fit_times, *score_times, many_cpu)


def clocked(task: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return a task's result, its CPU seconds and its wall seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = task()
    return result, time.process_time() - cpu, time.perf_counter() - wall


def least_cpu(task: Callable[[], Any], repeats: int = 3, enough: float = 10.0) -> float:
    """Return the least CPU seconds of a few runs, of one where that takes long."""
    times: list[float] = []
    while len(times) < repeats and sum(times) < enough:
        times.append(clocked(task)[1])
    return min(times)


def many_rows(table: Table) -> np.ndarray:
    """Draw rows near those of the test part, no two alike, so that no cache helps."""
    rng = np.random.default_rng(0)
    rows = rng.choice(table.test, N_MANY)
    return rows + rng.normal(scale=0.02, size=rows.shape)
