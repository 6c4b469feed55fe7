"""Small tables with numbers, categories and gaps, and models of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import boxwood as bw


def mixed_table(seed: int, n: int = 60, n_categories: int = 5, gaps: float = 0.15) -> pd.DataFrame:
    """Return rows of two numbers, a boolean and two categories, with gaps in all but the boolean."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "grade": rng.integers(0, 4, size=n).astype(float),
            "hue": rng.choice([f"hue {k}" for k in range(n_categories)], size=n),
            "town": rng.choice(["Bonn", "Ulm", "Jena"], size=n),
            "new": rng.random(n) < 0.5,
        }
    )
    for name in ("size", "grade", "hue", "town"):
        table.loc[rng.random(n) < gaps, name] = None
    return table


def targets(table: pd.DataFrame, seed: int, n_classes: int = 0) -> np.ndarray:
    """Return values that hang on all columns, or as many classes."""
    rng = np.random.default_rng(seed + 1)
    value = table["size"].fillna(0.7).to_numpy() + table["new"].to_numpy() + rng.normal(size=len(table))
    value += table["hue"].map(lambda hue: len(str(hue)) % 3 + (hue == "hue 1")).to_numpy(dtype=float)
    if not n_classes:
        return value
    edges = np.quantile(value, np.linspace(0, 1, n_classes + 1)[1:-1])
    return np.array([f"class {k}" for k in range(n_classes)])[np.searchsorted(edges, value)]


def new_rows(table: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Return rows with other combinations of values, and a category that no fit saw."""
    shuffled = {
        name: table[name].sample(frac=1.0, random_state=seed + j).to_numpy()
        for j, name in enumerate(table.columns)
    }
    rows = pd.DataFrame(shuffled)
    rows.loc[0, "hue"] = "never seen"
    return rows


MODELS = {
    "tree of classes": (bw.DecisionTreeClassifier(random_state=0), 3),
    "two classes": (bw.RandomForestClassifier(6, random_state=0), 2),
    "forest of classes": (bw.RandomForestClassifier(6, random_state=0, criterion="entropy"), 4),
    "votes": (bw.RandomForestClassifier(6, voting="hard", random_state=0), 3),
    "tree of values": (bw.DecisionTreeRegressor(min_samples_leaf=3, random_state=0), 0),
    "forest of values": (bw.RandomForestRegressor(6, random_state=0), 0),
    "a single leaf": (bw.DecisionTreeClassifier(max_leaf_nodes=None, min_samples_split=1000), 2),
}

kinds = st.sampled_from(sorted(MODELS))
seeds = st.integers(0, 10**6)


def fitted(kind: str, table: pd.DataFrame, seed: int):
    """Return a fitted model of a kind and whether it tells classes."""
    from sklearn.base import clone

    model, n_classes = MODELS[kind]
    return clone(model).fit(table, targets(table, seed, n_classes)), n_classes > 0


def predicted(model, rows) -> np.ndarray:
    """Return what a model tells, as a matrix."""
    answers = model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)
    return answers.reshape(len(rows), -1)
