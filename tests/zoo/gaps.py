"""Tables with missing values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from zoo.table import species

N, HELD = 400, 400


def split(rows: Any) -> dict[str, Any]:
    return {"train": rows[:N], "held_out": rows[N:]}


@species("gaps", "continuous")
def random_gaps(rng: np.random.Generator) -> dict[str, Any]:
    rows = np.where(rng.random((N + HELD, 3)) < 0.2, np.nan, rng.normal(size=(N + HELD, 3)))

    def log_density(X: np.ndarray) -> np.ndarray:
        present = np.log(0.8) + stats.norm.logpdf(np.nan_to_num(X))
        return np.where(np.isnan(X), np.log(0.2), present).sum(axis=1)

    return split(rows) | {"log_density": log_density}


@species("gaps", "continuous", "dependent")
def patterned_gaps(rng: np.random.Generator) -> dict[str, Any]:
    """Two columns are missing together, where the third is large."""
    rows = rng.normal(size=(N + HELD, 3))
    rows[rows[:, 2] > 0.5, :2] = np.nan

    def log_density(X: np.ndarray) -> np.ndarray:
        present = np.where(np.isnan(X[:, :2]), 0.0, stats.norm.logpdf(np.nan_to_num(X[:, :2]))).sum(axis=1)
        return present + stats.norm.logpdf(X[:, 2])

    return split(rows) | {"log_density": log_density}


@species("gaps", "continuous")
def whole_column_missing(rng: np.random.Generator) -> dict[str, Any]:
    rows = np.c_[rng.normal(size=N + HELD), np.full(N + HELD, np.nan)]
    return split(rows) | {"log_density": lambda X: stats.norm.logpdf(X[:, 0])}


@species("gaps", "category")
def gaps_in_categories(rng: np.random.Generator) -> dict[str, Any]:
    city = rng.choice(np.array(["Ulm", "Bonn", None], dtype=object), N + HELD, p=[0.5, 0.3, 0.2])
    frame = pd.DataFrame({"city": city, "flag": rng.random(N + HELD) < 0.5})

    def log_density(X: pd.DataFrame) -> np.ndarray:
        fraction = X["city"].map({"Ulm": 0.5, "Bonn": 0.3}).fillna(0.2).to_numpy()
        return np.log(fraction) + np.log(0.5)

    return split(frame) | {"log_density": log_density}


@species("gaps", "continuous")
def unseen_gap(rng: np.random.Generator) -> dict[str, Any]:
    """No gap in training, some among the rows held out."""
    rows = rng.normal(size=(N + HELD, 2))
    rows[N::20, 0] = np.nan
    return split(rows)
