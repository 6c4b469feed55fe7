"""Small tables of discrete columns, their fitted densities, and every row that they can have."""

import itertools
from functools import cache

import numpy as np

import boxwood as bw
from boxwood.columns import Columns
from boxwood.dependencies.cells import columns_of_numbers
from boxwood.query import Query


def with_gaps(values: np.ndarray, gaps: np.ndarray) -> list[int | None]:
    """Return integers, which a column of floats would have as atoms with a density between them."""
    return [None if gap else int(value) for value, gap in zip(values, gaps, strict=True)]


def plain(n: int = 240, seed: int = 0) -> dict:
    rng = np.random.default_rng(seed)
    colour = np.array(["red", "green", "blue"], dtype=object)[rng.integers(0, 3, n)]
    k = rng.poisson(2.0 + 2.0 * (colour == "red"))
    flag = rng.random(n) < 0.3 + 0.1 * k / (1.0 + k)
    colour[rng.random(n) < 0.1] = None
    size = with_gaps(rng.integers(0, 4, n) + (colour == "blue"), rng.random(n) < 0.15)
    return {"colour": colour, "k": k, "flag": flag, "size": size}


def ruled(n: int = 600, seed: int = 1) -> dict:
    """The country follows from the city; whether the size is missing follows from the kind."""
    rng = np.random.default_rng(seed)
    city = np.array(["Bonn", "Ulm", "Graz", "Linz"], dtype=object)[rng.integers(0, 4, n)]
    country = np.where(np.isin(city, ["Graz", "Linz"]), "Austria", "Germany")
    kind = np.array(["a", "b", "c"])[rng.integers(0, 3, n)]
    size = with_gaps(rng.integers(0, 3, n) + (city == "Ulm"), kind == "a")
    flag = rng.random(n) < np.where(city == "Ulm", 0.8, 0.3)
    return {"city": city, "country": country, "kind": kind, "size": size, "flag": flag}


TABLES = {"plain": plain, "ruled": ruled}
BOUNDS = {"plain": {"k": (0, 14), "size": (0, 9)}, "ruled": {"size": (0, 9)}}
"""Within which brute force can go through all integers."""


@cache
def fitted(table: str, leaf: str = "histogram", missing: str = "event") -> bw.DensityForest:
    bins = {"n_bins": 4} if leaf == "histogram" else {}
    forest = bw.DensityForest(
        n_estimators=4, leaf=leaf, missing=missing, random_state=0, bounds=BOUNDS[table], **bins
    )
    return forest.fit(TABLES[table]())


@cache
def query_of(table: str, leaf: str = "histogram") -> Query:
    return fitted(table, leaf).query()


@cache
def every_row(table: str, leaf: str = "histogram") -> tuple[Columns, np.ndarray]:
    """Every row and its probability."""
    forest = fitted(table, leaf)
    values = []
    for field in forest.schema_.fields:
        if field.kind.is_number:
            values.append([*np.arange(-1.0, 16.0), np.nan])
        else:
            unseen = [] if field.kind == "boolean" else [float(len(field.categories))]
            values.append([*np.arange(float(len(field.categories))), *unseen, np.nan])
    rows = np.array(list(itertools.product(*values)))
    columns = columns_of_numbers(forest.schema_, list(rows.T))
    return columns, np.exp(forest._score(columns))
