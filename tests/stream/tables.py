"""Tables that tests of streams share."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["mixed_frame", "sha"]


def mixed_frame(n_rows: int, seed: int = 0) -> pd.DataFrame:
    """Return numbers, integers, decimals with gaps, dates, booleans and categories, rare ones among them."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n_rows)
    frame = pd.DataFrame(
        {
            "x": x,
            "y": x + rng.gamma(2.0, size=n_rows),
            "count": rng.poisson(4.0, n_rows),
            "price": np.round(rng.gamma(2.0, size=n_rows), 2),
            "city": rng.choice(["Bonn", "Ulm", "Köln"], n_rows),
            "open": rng.random(n_rows) < 0.3 + 0.4 * (x > 0),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, n_rows), unit="D"),
        }
    )
    frame.loc[rng.random(n_rows) < 0.1, "price"] = np.nan
    frame.loc[n_rows - 1, "city"] = "Aachen"  # the first label in order comes last
    return frame


def sha(model: Any, folder: Path) -> str:
    """Return the SHA-256 of a model's file."""
    path = folder / "model.boxwood"
    model.save(path)
    return hashlib.sha256(path.read_bytes()).hexdigest()
