"""A table for density estimation: rows to fit and rows to validate on, standardised on the first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["MOST_ROWS", "Table", "jitter", "split_rows", "standardise"]

MOST_ROWS = 12_500
"""More would cost the flows their minutes on every table; the tables of the data folder are larger."""


@dataclass(frozen=True)
class Table:
    """Rows to fit and rows to test; the mean log-density of the latter under the truth where it is known."""

    train: np.ndarray
    test: np.ndarray
    truth: float | None = None


def jitter(values: np.ndarray, steps: np.ndarray, seed: int = 0) -> np.ndarray:
    """Spread each value evenly over its column's rounding step, so that a density exists."""
    noise = np.random.default_rng(seed).uniform(-0.5, 0.5, values.shape)
    return values + noise * steps


def split_rows(values: np.ndarray, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Permute the rows, keep `MOST_ROWS` of them at most and give four fifths and the rest."""
    kept = np.random.default_rng(seed).permutation(values)[:MOST_ROWS]
    n_train = 4 * len(kept) // 5
    return kept[:n_train], kept[n_train:]


def standardise(train: np.ndarray, test: np.ndarray, truth: np.ndarray | None = None) -> Table:
    """Bring both to mean 0 and deviation 1 on ``train``; ``truth`` has the log-density of each test row."""
    mean, deviation = train.mean(axis=0), train.std(axis=0)
    known = None if truth is None else float(truth.mean() + np.log(deviation).sum())
    arrays = [((rows - mean) / deviation).astype(np.float32) for rows in (train, test)]
    return Table(arrays[0].astype(np.float64), arrays[1].astype(np.float64), known)
