"""Tables given twice, drawn anew with repetition, and weighted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from zoo.table import find, species


def mixed_rows(rng: np.random.Generator, n: int) -> pd.DataFrame:
    kind = rng.integers(0, 3, n)
    x = np.where(rng.random(n) < 0.3, 0.0, rng.normal(2.0 * kind, 1.0))
    return pd.DataFrame({"kind": np.array(list("abc"))[kind], "x": x, "count": rng.poisson(2.0, n)})


def given_again(name: str, rows: Any = None, weights: Any = None, reference: bool = True) -> dict[str, Any]:
    table = find(name)
    train = (
        table.train
        if rows is None
        else table.train[rows]
        if isinstance(table.train, np.ndarray)
        else (table.train.iloc[rows])
    )
    return {
        "train": train,
        "held_out": table.held_out,
        "weights": weights,
        "log_density": table.log_density,
        "reference": name if reference else None,
    }


@species("category", "integer", "atom", "dependent")
def mixed(rng: np.random.Generator) -> dict[str, Any]:
    frame = mixed_rows(rng, 800)
    return {"train": frame[:400], "held_out": frame[400:]}


@species("continuous", "copies")
def doubled(rng: np.random.Generator) -> dict[str, Any]:
    return given_again("two_clusters", np.repeat(np.arange(300), 2))


@species("continuous", "copies")
def doubled_one_column(rng: np.random.Generator) -> dict[str, Any]:
    return given_again("normal", np.repeat(np.arange(300), 2))


@species("continuous", "copies", "weights")
def weight_ten(rng: np.random.Generator) -> dict[str, Any]:
    return given_again("two_clusters", weights=np.full(300, 10.0))


@species("continuous", "weights")
def weights_that_sum_to_one(rng: np.random.Generator) -> dict[str, Any]:
    return given_again("two_clusters", weights=np.full(300, 1.0 / 300.0))


@species("continuous", "weights")
def weights_of_a_million(rng: np.random.Generator) -> dict[str, Any]:
    return given_again("two_clusters", weights=np.full(300, 1e6))


@species("category", "integer", "atom", "copies")
def mixed_doubled(rng: np.random.Generator) -> dict[str, Any]:
    return given_again("mixed", np.tile(np.arange(400), 2))


@species("integer", "wide", "copies")
def digits_doubled(rng: np.random.Generator) -> dict[str, Any]:
    return given_again("small_digits", np.tile(np.arange(300), 2))


@species("continuous", "copies")
def bootstrapped(rng: np.random.Generator) -> dict[str, Any]:
    return given_again("two_clusters", rng.integers(0, 300, 300), reference=False)


@species("continuous", "weights")
def integer_weights(rng: np.random.Generator) -> dict[str, Any]:
    return given_again("two_clusters", weights=rng.integers(1, 5, 300).astype(float), reference=False)


@species("continuous", "weights")
def survey_weights(rng: np.random.Generator) -> dict[str, Any]:
    return given_again("two_clusters", weights=rng.exponential(size=300) + 0.1, reference=False)


@species("continuous", "weights")
def one_huge_weight(rng: np.random.Generator) -> dict[str, Any]:
    weights = rng.uniform(0.5, 1.5, 300)
    weights[7] = 200.0
    return given_again("independent_normals", weights=weights, reference=False)
