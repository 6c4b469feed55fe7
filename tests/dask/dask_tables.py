"""Small tables, models and hashes that the tests of Dask share."""

import hashlib
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import dask

PARTITIONINGS = (1, 3, 7)


def mixed_frame(n_rows: int = 600, seed: int = 0) -> pd.DataFrame:
    """Return numbers with decimals, whole ones with gaps, categories of which some are rare, and copies."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n_rows).round(2),
            "count": rng.integers(0, 6, n_rows),
            "colour": rng.choice(["red", "green", "blue", "grey"], n_rows, p=[0.5, 0.3, 0.19, 0.01]),
            "wait": rng.exponential(size=n_rows),
            "grade": np.where(rng.random(n_rows) < 0.1, np.nan, rng.integers(0, 9, n_rows)),
        }
    )
    return pd.concat([frame, frame[: n_rows // 5]], ignore_index=True)


def numbers(n_rows: int = 600, seed: int = 0) -> np.ndarray[Any, Any]:
    """Return three dependent columns without a lattice."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_rows, 3)) @ rng.normal(size=(3, 3))


def discrete_frame(n_rows: int = 600, seed: int = 0) -> pd.DataFrame:
    """Return a table of which most rows come again."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"face": rng.integers(1, 7, n_rows), "coin": rng.choice(["head", "tail"], n_rows)})


def in_parts(table: Any, n_parts: int) -> list[Any]:
    """Cut rows into delayed parts of different sizes."""
    cuts = (np.linspace(0.0, 1.0, n_parts + 1) ** 1.5 * len(table)).astype(int)
    return [dask.delayed(table[begin:end]) for begin, end in zip(cuts[:-1], cuts[1:], strict=True)]


def sha256(model: Any) -> str:
    """Return the hash of a model's file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.boxwood"
        model.save(path)
        return hashlib.sha256(path.read_bytes()).hexdigest()


def states_of(model: Any) -> Sequence[np.ndarray[Any, Any]]:
    """Return the numbers of a fitted model, in the order of the model file."""
    found: list[np.ndarray[Any, Any]] = []

    def collect(value: Any) -> None:
        if isinstance(value, dict):
            for key in sorted(value):
                collect(value[key])
        elif isinstance(value, list | tuple):
            for entry in value:
                collect(entry)
        elif isinstance(value, np.ndarray | float) and np.asarray(value).dtype.kind == "f":
            found.append(np.atleast_1d(np.asarray(value)))

    collect(model._get_state())
    return found
