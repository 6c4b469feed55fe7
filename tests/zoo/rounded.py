"""Numbers on a lattice, with atoms, and dates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from zoo.table import species

N, HELD = 400, 400


def split(rows: Any, n: int = N) -> dict[str, Any]:
    return {"train": rows[:n], "held_out": rows[n:]}


def rounded_log_density(truth: Any, step: float) -> Any:
    def log_density(X: np.ndarray) -> np.ndarray:
        return np.log(truth.cdf(X + step / 2.0) - truth.cdf(X - step / 2.0)).sum(axis=1)

    return log_density


@species("rounded")
def rounded_normals(rng: np.random.Generator) -> dict[str, Any]:
    rows = np.round(rng.normal(size=(2_000 + HELD, 1)), 1)
    cells = np.round(np.arange(-100, 101) * 0.1, 1)[:, None]
    return split(rows, 2_000) | {
        "log_density": rounded_log_density(stats.norm, 0.1),
        "cells": cells,
        "atoms": cells[85:116],
    }


@species("rounded")
def die_as_floats(rng: np.random.Generator) -> dict[str, Any]:
    rows = rng.integers(1, 7, (N + HELD, 1)).astype(float)
    return split(rows) | {
        "log_density": lambda X: np.full(len(X), -np.log(6.0)),
        "cells": np.arange(-200.0, 200.0)[:, None],
        "atoms": np.arange(1.0, 7.0)[:, None],
    }


@species("rounded")
def comb_of_25(rng: np.random.Generator) -> dict[str, Any]:
    """Penguins' masses in grams, read from scales of 25 g."""
    rows = 25.0 * np.round(rng.normal(4200.0, 800.0, (N + HELD, 1)) / 25.0)
    return split(rows) | {"log_density": rounded_log_density(stats.norm(4200.0, 800.0), 25.0)}


@species("rounded")
def prices(rng: np.random.Generator) -> dict[str, Any]:
    truth = stats.geom(0.05)
    rows = truth.rvs((N + HELD, 1), random_state=rng) - 0.01
    return split(rows) | {"log_density": lambda X: truth.logpmf(np.rint(X + 0.01)).sum(axis=1)}


@species("rounded", "heavy tails")
def rounded_cauchy(rng: np.random.Generator) -> dict[str, Any]:
    rows = np.round(rng.standard_cauchy((2_000 + HELD, 1)), 1)
    return split(rows, 2_000) | {"log_density": rounded_log_density(stats.cauchy, 0.1)}


@species("atom")
def quarter_atom(rng: np.random.Generator) -> dict[str, Any]:
    rows = np.where(rng.random((N + HELD, 1)) < 0.25, 0.0, rng.normal(size=(N + HELD, 1)))

    def log_density(X: np.ndarray) -> np.ndarray:
        return np.where(X == 0.0, np.log(0.25), np.log(0.75) + stats.norm.logpdf(X)).sum(axis=1)

    return split(rows) | {"log_density": log_density, "atoms": np.zeros((1, 1))}


@species("atom", "dependent")
def zero_together(rng: np.random.Generator) -> dict[str, Any]:
    rows = np.where(rng.random((N + HELD, 1)) < 0.3, 0.0, rng.exponential(size=(N + HELD, 2)))

    def log_density(X: np.ndarray) -> np.ndarray:
        return np.where((X == 0.0).all(axis=1), np.log(0.3), np.log(0.7) - X.sum(axis=1))

    return split(rows) | {"log_density": log_density, "atoms": np.zeros((1, 2))}


@species("date")
def dates_by_day(rng: np.random.Generator) -> dict[str, Any]:
    day = np.datetime64("2020-01-01", "us") + rng.integers(0, 200, N + HELD) * np.timedelta64(1, "D")
    frame = pd.DataFrame({"day": day})
    return split(frame) | {"log_density": lambda X: np.full(len(X), -np.log(200.0))}


@species("date", "continuous")
def moments_of_a_year(rng: np.random.Generator) -> dict[str, Any]:
    microseconds = rng.integers(0, 365 * 86_400 * 10**6, N + HELD)
    at = np.datetime64("2020-01-01", "us") + microseconds * np.timedelta64(1, "us")
    return split(pd.DataFrame({"at": at, "x": rng.normal(size=N + HELD)}))
