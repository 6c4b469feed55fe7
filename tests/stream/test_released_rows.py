"""Rows that were read for one fit are given up once their distinct ones were taken; nobody else's are."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.stream.tables import sha

import boxwood as bw
from boxwood.evidence import weigh_rows


def table(n_rows: int = 60) -> Any:
    return bw.read_columns(pd.DataFrame({"x": np.arange(n_rows) / 7.0, "y": np.arange(n_rows) % 3}))


def test_rows_of_one_fit_are_released() -> None:
    columns = table()
    columns.of_one_fit = True
    weighted = columns.with_weights(np.full(60, 2.0))
    evidence = weigh_rows(weighted)
    weighted.release()
    assert list(columns) == []
    assert evidence.columns.n_rows == 60
    assert evidence.given_weights.sum() == 120.0


def test_rows_of_others_stay() -> None:
    columns = table()
    weigh_rows(columns)
    columns.release()
    assert columns == table()


def test_a_table_that_was_given_can_be_fitted_again() -> None:
    columns = table()
    first = bw.DensityForest(n_estimators=2, random_state=0).fit(columns)
    second = bw.DensityForest(n_estimators=2, random_state=0).fit(columns)
    assert first.score(columns) == second.score(columns)


@pytest.mark.parametrize("parameters", [{"rotation": "pca"}, {"bounds": {"x": (-1.0, 20.0)}}], ids=str)
def test_what_looks_at_given_rows_again_finds_them(parameters: dict[str, Any], tmp_path: Path) -> None:
    frame = pd.DataFrame(np.random.default_rng(0).uniform(size=(300, 2)), columns=["x", "y"])
    frame.to_parquet(tmp_path / "table.parquet")
    model = bw.DensityForest(n_estimators=2, random_state=0, **parameters)
    wanted = sha(model.fit(bw.read_columns(tmp_path / "table.parquet")), tmp_path)
    assert sha(model.fit(bw.open_table(tmp_path / "table.parquet", "1MB")), tmp_path) == wanted
