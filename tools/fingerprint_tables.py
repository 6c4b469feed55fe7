"""Small tables of every kind, for `fingerprint.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse


@dataclass(frozen=True)
class Table:
    """Rows to fit, rows to ask about, and targets and weights of the rows to fit."""

    X: Any
    new: Any
    classes: Any = None
    halves: Any = None
    values: Any = None
    pairs: Any = None
    weights: Mapping[str, Any] = field(default_factory=dict)


def made_table(shape: Callable[[Any, Any], Any], n_rows: int, n_columns: int = 3, n_new: int = 100) -> Table:
    """Draw three clusters of numbers, give them their shape, and targets that hang on them."""
    rng = np.random.default_rng(n_rows)
    cluster = rng.integers(0, 3, n_rows + n_new)
    numbers = rng.normal(size=(n_rows + n_new, n_columns)) + np.outer(
        cluster, np.linspace(2.5, -1.0, n_columns)
    )
    numbers[:, -1] += 0.8 * numbers[:, 0]
    X = shape(numbers, rng)
    told = np.where(rng.random(n_rows) < 0.1, rng.integers(0, 3, n_rows), cluster[:n_rows])
    values = np.sin(numbers[:n_rows, 0]) + numbers[:n_rows, 1] + 0.3 * rng.normal(size=n_rows)
    return Table(
        X[:n_rows],
        X[n_rows:],
        classes=np.array(["ash", "box", "elm"])[told],
        halves=told > 0,
        values=values,
        pairs=np.column_stack([values, numbers[:n_rows, -1] ** 2]),
        weights={"counts": rng.integers(0, 4, n_rows), "fractions": rng.random(n_rows) + 0.01},
    )


def rounded(numbers: Any, rng: Any) -> Any:
    """Round to one digit, with an atom at zero."""
    return np.round(np.maximum(numbers, 0.0), 1)


def curved(numbers: Any, rng: Any) -> Any:
    """Make the last column a function of the others, with a little noise."""
    curve = np.sin(2.0 * numbers[:, 0]) + numbers[:, 1] ** 2
    return np.column_stack([numbers[:, :-1], curve + 0.1 * numbers[:, -1]])


def with_holes(numbers: Any, rng: Any) -> Any:
    """Take out a tenth of the values."""
    return np.where(rng.random(numbers.shape) < 0.1, np.nan, numbers)


def categories(numbers: Any, rng: Any) -> pd.DataFrame:
    """Make every column one of categories; some in the last rows, which are not fitted, are new."""
    letters = np.array(list("abcdefgh"))
    codes = np.clip(np.rint(0.8 * numbers + 1.0), 0, 5).astype(int)
    codes[-5:, 0] = 7
    return pd.DataFrame({f"kind{j}": letters[column] for j, column in enumerate(codes.T)})


def mixed(numbers: Any, rng: Any) -> pd.DataFrame:
    """Make a frame of every kind of column, with missing values."""
    n = len(numbers)
    grades = np.array(["low", "middle", "high"])[np.clip(np.rint(numbers[:, 1] + 1.0), 0, 2).astype(int)]
    frame = pd.DataFrame(
        {
            "size": numbers[:, 0],
            "rain": rounded(numbers[:, 2], rng),
            "count": pd.array(rng.poisson(np.exp(0.3 * numbers[:, 0])), dtype="Int64"),
            "colour": categories(numbers, rng)["kind0"],
            "grade": pd.Categorical(grades, ["low", "middle", "high"], ordered=True),
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(np.rint(40.0 * numbers[:, 1]), unit="D"),
            "open": numbers[:, 2] + rng.normal(size=n) > 1.0,
            "same": np.ones(n),
        }
    )
    for j, name in enumerate(frame.columns[:6]):
        frame.loc[j :: 13 + j, name] = None
    return frame


def make_tables(penguins: Path) -> dict[str, Table]:
    """Make all tables, by name."""
    birds = pd.read_csv(penguins)
    species, measures = birds["species"].to_numpy(dtype=str), birds.drop(columns="species")
    return {
        "floats": made_table(lambda numbers, rng: numbers, 400),
        "many floats": made_table(lambda numbers, rng: numbers, 2000, 4),
        "very many floats": made_table(lambda numbers, rng: numbers, 21_000, n_new=5000),
        "very many mixed": made_table(mixed, 21_001, n_new=5000),
        "wide floats": made_table(lambda numbers, rng: numbers, 300, 30),
        "more columns than rows": made_table(lambda numbers, rng: numbers, 30, 40),
        "curves": made_table(curved, 1000),
        "few floats": made_table(lambda numbers, rng: numbers, 9, 2),
        "integers": made_table(lambda numbers, rng: np.rint(3.0 * numbers).astype(int), 401),
        "rounded": made_table(rounded, 402),
        "holes": made_table(with_holes, 403),
        "categories": made_table(categories, 404),
        "mixed": made_table(mixed, 405),
        "sparse": made_table(lambda numbers, rng: sparse.csr_matrix(np.maximum(numbers, 0.0)), 301, 10),
        "penguins": Table(measures, measures, species),
        "penguins file": Table(str(penguins), str(penguins)),
    }
