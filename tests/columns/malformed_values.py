"""What malformed tables are made of: values, names, weights and shapes."""

from __future__ import annotations

import datetime as dt
import decimal
import fractions
import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

UTC = dt.UTC
FLOATS = [0.0, -0.0, 1.5, -2.0, 5e-324, 1e-310, 1e299, 1e308, -1e308, math.inf, -math.inf, math.nan]
INTEGERS = [0, 1, -1, 7, 255, 2**31, 2**53, 2**53 + 1, -(2**63), 2**64 - 1, 2**70, 10**400]
TEXTS = ["", "a", "b", "NA", "nan", "1", "true", "ü", "日本", "x,y", 'q"u', "line\nbreak", "\x00", "a" * 500]
DATES = [
    dt.date(2020, 1, 1),
    dt.datetime(1, 1, 1),
    dt.datetime(9999, 12, 31, 23, 59, 59, 999999),
    dt.datetime(1969, 7, 20, 20, 17),
    dt.datetime(2020, 2, 29, tzinfo=UTC),
    dt.datetime(1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=14))),
    np.datetime64("2020-01-01", "ns"),
    np.datetime64(10**17, "Y"),
    np.datetime64("NaT", "us"),
    pd.Timestamp("2020-01-01", tz="Europe/Berlin"),
    pd.NaT,
]
MISSING = [
    None,
    math.nan,
    pd.NA,
    pd.NaT,
    np.datetime64("NaT", "us"),
    decimal.Decimal("NaN"),
    decimal.Decimal("sNaN"),
]
STRANGE = [
    object(),
    [1, 2],
    {"a": 1},
    b"bytes",
    1j,
    np.complex64(1),
    decimal.Decimal("1e999"),
    decimal.Decimal("-Infinity"),
    fractions.Fraction(1, 3),
    fractions.Fraction(10**400, 7),
    np.array([1.0]),
    dt.time(1, 2),
    dt.timedelta(days=1),
    np.timedelta64(1, "Y"),
    pd.Interval(0, 1),
    pd.Period("2020-01"),
    "\ud800",
    np.str_("numpy"),
    np.float16(2),
    np.longdouble("1e4000"),
    int,
    len,
    ...,
]
POOLS: list[list[Any]] = [FLOATS, INTEGERS, TEXTS, DATES, [True, False], [np.bool_(True), 1, 0.5], STRANGE]


def values(rng: np.random.Generator, n: int) -> list[Any]:
    """Draw one column's values: mostly from one pool, some missing, sometimes a second pool."""
    pool = POOLS[rng.integers(len(POOLS))]
    if rng.random() < 0.6:
        pool = pool[: max(1, len(pool) // 3)]
    drawn = [pool[rng.integers(len(pool))] for _ in range(n)]
    if rng.random() < 0.5:
        drawn = [MISSING[rng.integers(len(MISSING))] if rng.random() < 0.3 else value for value in drawn]
    if n and rng.random() < 0.1:
        drawn[rng.integers(n)] = STRANGE[rng.integers(len(STRANGE))]
    if rng.random() < 0.05:
        drawn = [None] * n
    return drawn


def names(rng: np.random.Generator, n: int) -> list[Any]:
    """Draw column names: plain, odd, repeated, numbers, tuples or a mix."""
    odd = ["", " ", "a", "A", "x0", 'q"u', "a;DROP", "ü", "n\nl", "\ud800", "c0", "select"]
    choice = rng.random()
    if choice < 0.6:
        return [f"col{j}" for j in range(n)]
    if choice < 0.8:
        return [odd[rng.integers(len(odd))] for _ in range(n)]
    if choice < 0.9:
        return list(range(n))
    if choice < 0.95:
        return [("a", j) for j in range(n)]
    return [j if j % 2 else f"col{j}" for j in range(n)]


def weights(rng: np.random.Generator, n: int) -> Any:
    """Draw weights: mostly none, else good or bad ones."""
    if rng.random() < 0.6:
        return None
    plain = rng.integers(0, 3, n).astype(float)
    bad = plain.copy()
    bad[: 1 if n else 0] = [-1.0, math.nan, math.inf, 1e308, -0.0][rng.integers(5)]
    options = [
        plain,
        bad,
        plain[:-1],
        np.zeros(n),
        np.full(n, 1e308),
        plain.reshape(-1, 1),
        plain.tolist(),
        plain > 0,
        plain.astype(complex),
        plain.astype("M8[s]"),
        plain.astype(str),
        np.ma.masked_array(plain, plain > 1),
        pd.Series(plain),
        pd.array(plain, dtype="Float64"),
        pl.Series(plain),
        ["a"] * n,
        [None] * n,
        [pd.NA] * n,
        2.0,
        0,
        -1,
        "heavy",
        {},
        object(),
    ]
    return options[rng.integers(len(options))]


def shape(rng: np.random.Generator) -> tuple[int, int]:
    return int(rng.choice([0, 1, 2, 5, 12], p=[0.06, 0.14, 0.2, 0.3, 0.3])), int(
        rng.choice([0, 1, 2, 4], p=[0.05, 0.35, 0.35, 0.25])
    )
