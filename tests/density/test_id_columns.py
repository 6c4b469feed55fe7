"""Ids and free text are recognised, said and never sampled verbatim; measured columns are none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.columns import Columns
from boxwood.evidence.ids import find_ids

RNG = np.random.default_rng(0)
N = 300

IDS = {
    "row numbers": np.arange(N),
    "shuffled": RNG.permutation(N) + 1000,
    "with holes": RNG.permutation(2 * N)[:N],
    "two ranges": np.r_[np.arange(150), 10**6 + np.arange(150)],
    "names": np.array([f"person {i}" for i in range(N)]),
}
NO_IDS = {
    "salaries, all different": RNG.choice(10**7, N, replace=False),
    "counts": RNG.poisson(50.0, N),
    "floats": RNG.normal(size=N),
    "tenths, all different": np.arange(N) / 10.0,
    "categories": RNG.choice(list("abcdefgh"), N),
    "many categories": np.array([f"c{i}" for i in RNG.integers(0, 10_000, N)]),
    "days": np.datetime64("2024-01-01") + np.arange(N),
    "a number twice": np.r_[0, np.arange(N - 1)],
    "fewer than fifty": np.r_[np.arange(49), np.full(N - 49, 7)],
}


def read(values: np.ndarray) -> Columns:
    return bw.read_columns({"a": values, "x": RNG.normal(size=len(values))})


@pytest.mark.parametrize("name", IDS)
def test_ids_are_recognised(name: str) -> None:
    assert find_ids(read(IDS[name])) == ["a"]
    assert find_ids(read(IDS[name][:40])) == []


@pytest.mark.parametrize("name", NO_IDS)
def test_other_columns_are_not(name: str) -> None:
    assert find_ids(read(NO_IDS[name])) == []


def test_real_tables_have_none() -> None:
    iris = pd.DataFrame(RNG.integers(10, 80, (150, 4)), columns=list("abcd"))
    assert find_ids(bw.read_columns(iris)) == []


MODELS = {
    "tree": bw.DensityTree(),
    "forest": bw.DensityForest(3, random_state=0),
    "boosted": bw.BoostedDensity(preset="quick", n_estimators=2, random_state=0),
}


@pytest.mark.parametrize("name", MODELS)
def test_ids_are_said_and_never_sampled(name: str, tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"id": np.arange(120), "name": [f"person {i}" for i in range(120)], "x": RNG.normal(size=120)}
    )
    with pytest.warns(
        UserWarning, match=r"columns 'id', 'name': no two different rows share a value.*drop them"
    ):
        model = MODELS[name].fit(frame)
    assert model.id_columns_ == ["id", "name"]
    drawn = model.sample(50, random_state=0)
    assert drawn["id"].tolist() == list(range(120, 170))
    assert drawn["name"].isna().all()
    model.save(tmp_path / "model")
    again = bw.load(tmp_path / "model")
    assert again.id_columns_ == ["id", "name"]
    pd.testing.assert_frame_equal(again.sample(50, random_state=0), drawn)


def test_a_table_without_ids_says_nothing() -> None:
    model = bw.DensityTree().fit(RNG.normal(size=(80, 2)))
    assert model.id_columns_ == []
