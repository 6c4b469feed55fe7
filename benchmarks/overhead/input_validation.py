"""Input validation against ``pandas.DataFrame.describe``: a million rows, 20 columns, and one row of 20.

A ratio below 1 is faster than ``describe()``; input validation must be.
"""

from __future__ import annotations

import sys
import timeit
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[1]))  # ratio.py

from ratio import ratio_table

import boxwood as bw


def mixed_frame(n_rows: int, seed: int = 0) -> pd.DataFrame:
    """Make 20 columns of every kind, some with missing values."""
    rng = np.random.default_rng(seed)
    missing = rng.random(n_rows) < 0.05
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 10**8, n_rows), unit="s")
    cities = np.array([f"city {i}" for i in range(50)], dtype=object)
    streets = np.array([f"street {i}" for i in range(20_000)], dtype=object)
    frame = pd.DataFrame({f"float{i}": rng.normal(size=n_rows) for i in range(5)})
    frame["gaps"] = np.where(missing, np.nan, rng.normal(size=n_rows))
    frame["float32"] = rng.normal(size=n_rows).astype(np.float32)
    for i, dtype in enumerate((np.int64, np.int64, np.int32, np.uint8)):
        frame[f"int{i}"] = rng.integers(0, 100, n_rows).astype(dtype)
    frame["nullable"] = pd.array(rng.integers(0, 9, n_rows), dtype="Int64")
    frame.loc[missing, "nullable"] = pd.NA
    frame["bool"] = rng.random(n_rows) < 0.3
    frame["flag"] = pd.array(rng.random(n_rows) < 0.3, dtype="boolean")
    frame.loc[missing, "flag"] = pd.NA
    frame["colour"] = pd.Categorical.from_codes(rng.integers(-1, 5, n_rows), list("rgbcy"))
    frame["size"] = pd.Categorical.from_codes(rng.integers(0, 3, n_rows), list("SML"), ordered=True)
    frame["city"] = cities[rng.integers(0, len(cities), n_rows)]
    frame["street"] = streets[rng.integers(0, len(streets), n_rows)]
    frame["when"] = days
    frame["seen"] = days.where(~missing)
    return frame


def float_frame(n_rows: int) -> pd.DataFrame:
    """Make 20 columns of float64 in one block."""
    values = np.random.default_rng(1).normal(size=(n_rows, 20))
    return pd.DataFrame(values, columns=[f"x{j}" for j in range(20)])


def describe_table(title: str, table: object, frame: pd.DataFrame, repeats: int) -> str:
    """Time input validation on a table against describe of the same values as a frame."""
    tasks = {
        "describe()": frame.describe,
        'describe(include="all")': lambda: frame.describe(include="all"),
        "read_columns": lambda: bw.read_columns(table),
    }
    return ratio_table(tasks, repeats, title)


def one_row_microseconds() -> float:
    """Return the time of one row of 20 numbers, the case of a single prediction."""
    row = np.random.default_rng(0).normal(size=(1, 20))
    number = 20_000
    return min(timeit.repeat(lambda: bw.read_columns(row), number=number, repeat=7)) / number * 1e6


def main(n_rows: int = 1_000_000, repeats: int = 5) -> str:
    mixed, floats = mixed_frame(n_rows), float_frame(n_rows)
    title = f"{n_rows:,} × 20, float64, numpy (describe: pandas)"
    return "\n\n".join(
        [
            describe_table(f"{n_rows:,} × 20, mixed, pandas", mixed, mixed, repeats),
            describe_table(title, np.ascontiguousarray(floats), floats, repeats),
            f"One row of 20 float64 values passes in {one_row_microseconds():.1f} µs.",
        ]
    )


if __name__ == "__main__":
    print(main())
