"""Tables on which automatic choices are tried: all-discrete ones, and those whose alarms are counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn import datasets

__all__ = ["alarm_tables", "discrete_tables"]

Draw = Callable[[np.random.Generator, int], pd.DataFrame]
"""Draws so many rows."""


def discrete_tables(data: Path) -> dict[str, Draw]:
    """Return twelve tables without a continuous column."""
    return {
        "adult's categories": _rows_of(
            _adult(data)[["workclass", "education", "marital_status", "relationship", "sex"]]
        ),
        "noisy XOR": _noisy_xor,
        "die": lambda rng, n: pd.DataFrame({"face": rng.integers(1, 7, n)}),
        "two dice and their sum": _two_dice,
        "Poisson pair": _poisson_pair,
        "counts with zeros": _counts_with_zeros,
        "rounded normals": lambda rng, n: pd.DataFrame(rng.normal(size=(n, 2)).round(1), columns=["a", "b"]),
        "answers on a scale": _answers,
        "chain of letters": _letters,
        "clusters of flags": _flags,
        "classes of products": _classes,
        "days of a year": _days,
    }


def alarm_tables(data: Path) -> dict[str, Draw]:
    """Return twenty tables, wide, small, discrete and real."""
    normals = {f"300 × {d} normals": _normals(d, 0.0) for d in (5, 30, 100, 500)}
    common = {f"300 × {d}, one factor": _normals(d, 1.0) for d in (5, 30, 100)}
    return {
        **normals,
        **common,
        "digits": _rows_of(pd.DataFrame(datasets.load_digits().data)),
        "breast cancer": _rows_of(pd.DataFrame(datasets.load_breast_cancer().data)),
        "wine": _rows_of(pd.DataFrame(datasets.load_wine().data)),
        "diabetes": _rows_of(pd.DataFrame(datasets.load_diabetes().data)),
        "penguins": _rows_of(pd.read_csv(data / "penguins.csv")),
        "adult, 4,000 rows": _rows_of(_adult(data), 4_000),
        "10,000 categories": _many_categories,
        "heavy tails": lambda rng, n: pd.DataFrame(rng.standard_t(2, (n, 4))),
        "12 orders of magnitude": lambda rng, n: pd.DataFrame(np.exp(rng.uniform(-14, 14, (n, 3)))),
        "gaps": _gaps,
        "clusters of flags": _flags,
        "answers on a scale": _answers,
        "moons": lambda rng, n: pd.DataFrame(
            datasets.make_moons(n, noise=0.1, random_state=int(rng.integers(2**31)))[0]
        ),
    }


def _rows_of(frame: pd.DataFrame, most: int | None = None) -> Draw:
    def draw(rng: np.random.Generator, n: int) -> pd.DataFrame:
        return frame.iloc[rng.permutation(len(frame))[: min(n, most or n)]].reset_index(drop=True)

    return draw


def _adult(data: Path) -> pd.DataFrame:
    return pd.read_csv(data / "adult.csv.gz", na_values="?").drop(columns="fnlwgt")


def _text(values: Any) -> pd.Series:
    return pd.Series(values).astype(str)


def _noisy_xor(rng: np.random.Generator, n: int) -> pd.DataFrame:
    a, b = rng.integers(0, 2, (2, n))
    return pd.DataFrame({"a": _text(a), "b": _text(b), "c": _text(a ^ b ^ (rng.random(n) < 0.1))})


def _two_dice(rng: np.random.Generator, n: int) -> pd.DataFrame:
    a, b = rng.integers(1, 7, (2, n))
    return pd.DataFrame({"a": a, "b": b, "sum": a + b})


def _poisson_pair(rng: np.random.Generator, n: int) -> pd.DataFrame:
    rate = rng.gamma(3.0, 2.0, n)
    return pd.DataFrame({"a": rng.poisson(rate), "b": rng.poisson(2.0 * rate)})


def _counts_with_zeros(rng: np.random.Generator, n: int) -> pd.DataFrame:
    active = rng.random(n) < 0.3
    counts = np.where(active[:, None], rng.poisson(20.0, (n, 2)), 0)
    return pd.DataFrame({"active": active, "visits": counts[:, 0], "pages": counts[:, 1]})


def _answers(rng: np.random.Generator, n: int) -> pd.DataFrame:
    mood = rng.normal(size=(n, 1)) + rng.normal(size=(n, 8))
    return pd.DataFrame(np.digitize(mood, [-1.5, -0.5, 0.5, 1.5]) + 1).add_prefix("q")


def _letters(rng: np.random.Generator, n: int) -> pd.DataFrame:
    letters = [rng.integers(0, 4, n)]
    for _ in range(5):
        letters.append(np.where(rng.random(n) < 0.7, (letters[-1] + 1) % 4, rng.integers(0, 4, n)))
    return pd.DataFrame({f"at{k}": np.array(list("acgt"))[values] for k, values in enumerate(letters)})


def _flags(rng: np.random.Generator, n: int) -> pd.DataFrame:
    rates = np.random.default_rng(7).beta(0.5, 0.5, (4, 12))
    return pd.DataFrame(rng.random((n, 12)) < rates[rng.integers(0, 4, n)]).add_prefix("flag")


def _classes(rng: np.random.Generator, n: int) -> pd.DataFrame:
    fractions = np.random.default_rng(8).dirichlet(np.full(6, 0.5), (3, 5))
    which = rng.integers(0, 3, n)
    draws = (rng.random((n, 5, 1)) > fractions[which].cumsum(axis=2)).sum(axis=2)
    return pd.DataFrame({f"c{j}": _text(draws[:, j]) for j in range(5)})


def _days(rng: np.random.Generator, n: int) -> pd.DataFrame:
    day = np.clip(rng.normal(180.0, 60.0, n).astype(int), 0, 364)
    start = np.datetime64("2024-01-01")
    later = day + rng.geometric(0.1, n)
    return pd.DataFrame({"from": start + day.astype("m8[D]"), "to": start + later.astype("m8[D]")})


def _normals(d: int, factor: float) -> Draw:
    def draw(rng: np.random.Generator, n: int) -> pd.DataFrame:
        return pd.DataFrame(rng.normal(size=(n, d)) + factor * rng.normal(size=(n, 1)))

    return draw


def _many_categories(rng: np.random.Generator, n: int) -> pd.DataFrame:
    return pd.DataFrame({"id": _text(rng.zipf(1.3, n) % 10_000), "x": rng.normal(size=n)})


def _gaps(rng: np.random.Generator, n: int) -> pd.DataFrame:
    rows = pd.DataFrame(rng.normal(size=(n, 4)) + rng.normal(size=(n, 1)))
    return rows.mask(rng.random((n, 4)) < 0.15)
