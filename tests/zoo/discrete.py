"""Tables of categories, flags and counts."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from zoo.table import species

N, HELD = 400, 400


def split(frame: Any, n: int = N) -> dict[str, Any]:
    return {"train": frame[:n], "held_out": frame[n:]}


def all_cells(**values: Any) -> pd.DataFrame:
    return pd.DataFrame(list(itertools.product(*values.values())), columns=list(values))


@species("category", "dependent")
def five_categories(rng: np.random.Generator) -> dict[str, Any]:
    """Five columns that all follow one hidden class, as census answers do."""
    hidden = rng.integers(0, 3, N + HELD)
    frame = {
        f"c{j}": np.array(list("abc"))[
            np.where(rng.random(N + HELD) < 0.8, hidden, rng.integers(0, 3, N + HELD))
        ]
        for j in range(5)
    }

    def log_density(X: pd.DataFrame) -> np.ndarray:
        codes = X.to_numpy()
        each = [np.where(codes == label, 0.8 + 0.2 / 3.0, 0.2 / 3.0).prod(axis=1) / 3.0 for label in "abc"]
        return np.log(np.sum(each, axis=0))

    cells = all_cells(**{f"c{j}": list("abc") for j in range(5)})
    return split(pd.DataFrame(frame)) | {"log_density": log_density, "cells": cells}


@species("category", "dependent")
def noisy_xor(rng: np.random.Generator) -> dict[str, Any]:
    a, b = rng.random((2, N + HELD)) < 0.5
    frame = pd.DataFrame({"a": a, "b": b, "c": (a ^ b) ^ (rng.random(N + HELD) < 0.1)})

    def log_density(X: pd.DataFrame) -> np.ndarray:
        agrees = (X["a"].to_numpy() ^ X["b"].to_numpy()) == X["c"].to_numpy()
        return np.log(0.25 * np.where(agrees, 0.9, 0.1))

    cells = all_cells(a=[False, True], b=[False, True], c=[False, True])
    return split(frame) | {"log_density": log_density, "cells": cells, "atoms": cells}


@species("integer")
def die(rng: np.random.Generator) -> dict[str, Any]:
    faces = pd.DataFrame({"face": rng.integers(1, 7, N + HELD)})
    return split(faces) | {
        "log_density": lambda X: np.full(len(X), -np.log(6.0)),
        "cells": all_cells(face=range(-200, 200)),
        "atoms": all_cells(face=range(1, 7)),
    }


@species("integer")
def poisson_counts(rng: np.random.Generator) -> dict[str, Any]:
    frame = pd.DataFrame({"a": rng.poisson(3.0, N + HELD), "b": rng.poisson(8.0, N + HELD)})
    truth = {"a": stats.poisson(3.0), "b": stats.poisson(8.0)}
    return split(frame) | {"log_density": lambda X: sum(p.logpmf(X[name]) for name, p in truth.items())}


@species("integer", "heavy tails")
def counts_with_zeros(rng: np.random.Generator) -> dict[str, Any]:
    """As capital gains: nine of ten are 0, the others spread over thousands of dollars."""
    gain = np.where(
        rng.random(N + HELD) < 0.9, 0, np.round(np.exp(rng.normal(8.0, 1.0, N + HELD))).astype(int)
    )
    return split(pd.DataFrame({"gain": gain}))


@species("category", "many")
def ten_thousand_categories(rng: np.random.Generator) -> dict[str, Any]:
    labels = rng.integers(0, 10_000, 2 * N).astype(str)
    known = pd.CategoricalDtype([str(k) for k in range(10_000)])
    frame = pd.DataFrame({"id": pd.Series(labels, dtype=known)})
    return split(frame) | {"log_density": lambda X: np.full(len(X), -np.log(10_000.0))}


@species("category")
def one_value(rng: np.random.Generator) -> dict[str, Any]:
    frame = pd.DataFrame({"a": ["x"] * (N + HELD), "b": [1.5] * (N + HELD)})
    return split(frame) | {"log_density": lambda X: np.zeros(len(X))}


@species("category", "rare")
def rare_classes(rng: np.random.Generator) -> dict[str, Any]:
    fractions = np.array([0.97, 0.02, 0.008, 0.002])
    kind = rng.choice(4, N + HELD, p=fractions)
    frame = pd.DataFrame({"kind": np.array(list("abcd"))[kind], "x": rng.normal(3.0 * kind, 1.0)})

    def log_density(X: pd.DataFrame) -> np.ndarray:
        code = X["kind"].map({letter: k for k, letter in enumerate("abcd")}).to_numpy()
        return np.log(fractions[code]) + stats.norm.logpdf(X["x"], 3.0 * code)

    dtype = pd.CategoricalDtype(list("abcd"))
    frame["kind"] = frame["kind"].astype(dtype)
    return split(frame) | {"log_density": lambda X: log_density(X.astype({"kind": str})), "target": kind[:N]}


@species("category", "rare")
def skewed_categories(rng: np.random.Generator) -> dict[str, Any]:
    frame = {f"c{j}": rng.random(N + HELD) < 0.02 for j in range(6)}

    def log_density(X: pd.DataFrame) -> np.ndarray:
        return np.log(np.where(X.to_numpy(), 0.02, 0.98)).sum(axis=1)

    cells = all_cells(**{f"c{j}": [False, True] for j in range(6)})
    return split(pd.DataFrame(frame)) | {"log_density": log_density, "cells": cells}


@species("category", "integer", "deterministic")
def deterministic_column(rng: np.random.Generator) -> dict[str, Any]:
    level = rng.integers(0, 5, N + HELD)
    frame = pd.DataFrame({"education": np.array(list("abcde"))[level], "years": 4 * level + 1})
    return split(frame) | {"log_density": lambda X: np.full(len(X), -np.log(5.0))}


@species("category", "deterministic")
def number_by_category(rng: np.random.Generator) -> dict[str, Any]:
    group = rng.integers(0, 3, N + HELD)
    frame = pd.DataFrame({"group": np.array(list("abc"))[group], "x": rng.normal(10.0 * group, 1.0)})

    def log_density(X: pd.DataFrame) -> np.ndarray:
        code = X["group"].map({"a": 0, "b": 1, "c": 2}).to_numpy()
        return stats.norm.logpdf(X["x"], 10.0 * code) - np.log(3.0)

    return split(frame) | {"log_density": log_density}


@species("integer", "wide")
def small_digits(rng: np.random.Generator) -> dict[str, Any]:
    """Pictures of 6 × 6 pixels with 17 grey levels: two shapes and noise, given as floats."""
    shapes = rng.uniform(0.0, 16.0, (2, 36))
    which = rng.integers(0, 2, 600)
    return split(np.clip(np.round(shapes[which] + rng.normal(0.0, 2.0, (600, 36))), 0.0, 16.0), 300)
