"""Tables of numbers with a density."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from zoo.table import species

N, HELD = 300, 300


def split(rows: np.ndarray, n: int = N) -> dict[str, Any]:
    return {"train": rows[:n], "held_out": rows[n:]}


@species("continuous")
def normal(rng: np.random.Generator) -> dict[str, Any]:
    truth = stats.norm(3.0, 2.0)
    rows = truth.rvs((N + HELD, 1), random_state=rng)
    return split(rows) | {"log_density": lambda X: truth.logpdf(X).sum(axis=1)}


@species("continuous")
def independent_normals(rng: np.random.Generator) -> dict[str, Any]:
    return split(rng.normal(size=(N + HELD, 4))) | {"log_density": lambda X: stats.norm.logpdf(X).sum(axis=1)}


@species("continuous", "dependent")
def two_clusters(rng: np.random.Generator) -> dict[str, Any]:
    centre = np.where(rng.random((N + HELD, 1)) < 0.5, -3.0, 3.0)
    rows = centre + rng.normal(size=(N + HELD, 2))

    def log_density(X: np.ndarray) -> np.ndarray:
        each = [stats.norm.logpdf(X, centre).sum(axis=1) for centre in (-3.0, 3.0)]
        return np.logaddexp(*each) - np.log(2.0)

    return split(rows) | {"log_density": log_density}


@species("continuous", "dependent")
def correlated(rng: np.random.Generator) -> dict[str, Any]:
    truth = stats.multivariate_normal([0.0, 0.0], [[1.0, 0.9], [0.9, 1.0]])
    return split(truth.rvs(N + HELD, random_state=rng)) | {"log_density": truth.logpdf}


@species("continuous")
def uniform_square(rng: np.random.Generator) -> dict[str, Any]:
    return split(rng.random((N + HELD, 2))) | {"log_density": lambda X: np.zeros(len(X))}


@species("continuous", "heavy tails")
def student_tails(rng: np.random.Generator) -> dict[str, Any]:
    truth = stats.t(2.0)
    rows = truth.rvs((N + HELD, 1), random_state=rng)
    return split(rows) | {"log_density": lambda X: truth.logpdf(X).sum(axis=1)}


@species("continuous", "heavy tails")
def cauchy_pair(rng: np.random.Generator) -> dict[str, Any]:
    rows = rng.standard_cauchy((N + HELD, 2))
    return split(rows) | {"log_density": lambda X: stats.cauchy.logpdf(X).sum(axis=1)}


@species("continuous", "heavy tails")
def twelve_orders(rng: np.random.Generator) -> dict[str, Any]:
    exponents = rng.uniform(-6.0, 6.0, (N + HELD, 1))
    scale = np.log(12.0 * np.log(10.0))
    return split(10.0**exponents) | {"log_density": lambda X: -np.log(X[:, 0]) - scale}


@species("continuous", "collinear")
def collinear(rng: np.random.Generator) -> dict[str, Any]:
    x = rng.normal(size=N + HELD)
    return split(np.c_[x, 2.0 * x + 1.0, rng.normal(size=N + HELD)])


@species("continuous", "collinear")
def near_copies(rng: np.random.Generator) -> dict[str, Any]:
    x = rng.normal(size=N + HELD)
    return split(np.c_[x, x + 1e-6 * rng.normal(size=N + HELD)])


@species("continuous", "dependent")
def ring(rng: np.random.Generator) -> dict[str, Any]:
    angle = rng.uniform(0.0, 2.0 * np.pi, N + HELD)
    radius = rng.normal(3.0, 0.2, N + HELD)
    return split(np.c_[radius * np.cos(angle), radius * np.sin(angle)])


@species("continuous", "offset")
def tiny_numbers_far_away(rng: np.random.Generator) -> dict[str, Any]:
    truth = stats.norm(1e6, 1e-3)
    rows = truth.rvs((N + HELD, 1), random_state=rng)
    return split(rows) | {"log_density": lambda X: truth.logpdf(X).sum(axis=1)}


@species("continuous", "tiny")
def one_row(rng: np.random.Generator) -> dict[str, Any]:
    return split(rng.normal(size=(1 + 20, 2)), 1)


@species("continuous", "tiny")
def two_rows(rng: np.random.Generator) -> dict[str, Any]:
    return split(rng.normal(size=(2 + 20, 2)), 2)


@species("continuous", "wide")
def wide(rng: np.random.Generator) -> dict[str, Any]:
    rows = rng.normal(size=(300 + 100, 500))
    return split(rows, 300) | {"log_density": lambda X: stats.norm.logpdf(X).sum(axis=1)}
