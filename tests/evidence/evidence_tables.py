"""Small tables for tests of evidence, and the same tables given otherwise."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import boxwood as bw
from boxwood.columns import Columns

CONTINUOUS, DISCRETE, MIXED = "continuous", "discrete", "mixed"


def frame(kind: str, n_rows: int, seed: int) -> pd.DataFrame:
    """Draw a table: full-precision floats, few categories and counts, or both with an atom at 0."""
    rng = np.random.default_rng(seed)
    data: dict[str, object] = {}
    if kind != CONTINUOUS:
        data["city"] = rng.choice(["Ulm", "Bonn", "Kiel"], n_rows)
        data["count"] = rng.integers(0, 3, n_rows)
    if kind != DISCRETE:
        data["x"] = rng.normal(size=n_rows)
        data["y"] = np.where(rng.random(n_rows) < 0.3, np.nan, rng.exponential(size=n_rows))
    return pd.DataFrame(data)


def columns_of(table: pd.DataFrame, weights: object = None) -> Columns:
    """Read a table with its weights; category codes are those of the whole list of cities."""
    if "city" in table:
        table = table.assign(city=pd.Categorical(table["city"], ["Bonn", "Kiel", "Ulm"]))
    return bw.read_columns(table).with_weights(None if weights is None else np.asarray(weights, dtype=float))


kinds = st.sampled_from([CONTINUOUS, DISCRETE, MIXED])
tables = st.builds(frame, kinds, st.integers(1, 60), st.integers(0, 10**6))
