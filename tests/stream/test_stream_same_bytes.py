"""A fit of batches in mapped files is that of the table in memory, to the byte."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.stream.tables import mixed_frame, sha

import boxwood as bw
from boxwood import _core

N_ROWS = 30_000
LIMIT = "1MB"

DENSITIES: dict[str, Callable[[], Any]] = {
    "forest": lambda: bw.DensityForest(n_estimators=4, random_state=0),
    "forest, 2 threads": lambda: bw.DensityForest(n_estimators=4, random_state=0, n_jobs=2),
    "tree": lambda: bw.DensityTree(random_state=0),
    "boosted": lambda: bw.BoostedDensity("quick", n_estimators=8, random_state=0),
    "product": bw.ProductDensity,
    "histogram": bw.Histogram,
}
SUPERVISED: dict[str, tuple[Callable[[], Any], str]] = {
    "forest of classes": (lambda: bw.RandomForestClassifier(n_estimators=4, random_state=0), "city"),
    "forest of booleans": (lambda: bw.RandomForestClassifier(n_estimators=2, random_state=0), "open"),
    "tree of classes": (lambda: bw.DecisionTreeClassifier(random_state=0, max_depth=6), "city"),
    "forest of numbers": (lambda: bw.RandomForestRegressor(n_estimators=4, random_state=0), "y"),
    "tree of integers": (lambda: bw.DecisionTreeRegressor(random_state=0, max_depth=6), "count"),
}


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return mixed_frame(N_ROWS)


@pytest.fixture(scope="module")
def path(frame: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "table.parquet"
    frame.to_parquet(path, row_group_size=4_000)
    return path


@pytest.mark.parametrize("name", DENSITIES)
def test_densities(name: str, path: Path, tmp_path: Path) -> None:
    make = DENSITIES[name]
    in_memory = make().fit(bw.read_columns(path))
    mapped = make().fit(bw.open_table(path, LIMIT))
    assert _core.mapped_totals()[2] > 1_000_000  # not in memory, that is
    assert sha(mapped, tmp_path) == sha(in_memory, tmp_path)


@pytest.mark.parametrize("name", SUPERVISED)
def test_targets_by_name(name: str, frame: pd.DataFrame, path: Path, tmp_path: Path) -> None:
    make, target = SUPERVISED[name]
    without = bw.read_columns(path)
    mapped = make().fit(bw.open_table(path, LIMIT), target)
    others = [frame.drop(columns=target)[start : start + 7_000] for start in range(0, N_ROWS, 7_000)]
    from boxwood.stream.named_target import without_column

    in_memory = make().fit(without_column(without, target)[0], frame[target].to_numpy())
    assert sha(mapped, tmp_path) == sha(in_memory, tmp_path)
    assert np.array_equal(mapped.predict(iter(others)), in_memory.predict(frame.drop(columns=target)))


def test_weights_by_name(frame: pd.DataFrame, path: Path, tmp_path: Path) -> None:
    def make() -> Any:
        return bw.DensityForest(n_estimators=2, random_state=0)

    mapped = make().fit(bw.open_table(path, LIMIT), sample_weight="count")
    in_memory = make().fit(
        bw.open_table([frame.drop(columns="count")]), sample_weight=frame["count"].to_numpy()
    )
    assert mapped.schema_.names == in_memory.schema_.names
    assert np.array_equal(
        mapped.score_samples(frame.drop(columns="count")),
        in_memory.score_samples(frame.drop(columns="count")),
    )


def test_table_model(frame: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    frame[:4_000].to_parquet(path, row_group_size=1_000)

    def make() -> Any:
        return bw.TableModel(bw.DensityForest(n_estimators=4, random_state=0), random_state=0)

    mapped = make().fit(bw.open_table(path, "50kB"), target="city")
    assert sha(mapped, tmp_path) == sha(make().fit(bw.read_columns(path), target="city"), tmp_path)


def test_rows_one_by_one(frame: pd.DataFrame, path: Path) -> None:
    forest = bw.DensityForest(n_estimators=4, random_state=0).fit(frame)
    source = bw.open_table(path, LIMIT)
    assert np.array_equal(forest.score_samples(source), forest.score_samples(frame))
    assert np.array_equal(forest.p_values(source), forest.p_values(frame))
    assert np.array_equal(forest.predict(source), forest.predict(frame))
    assert forest.score(source) == forest.score(frame)
    pd.testing.assert_frame_equal(forest.explain(source), forest.explain(frame))


def test_gaps_are_filled_in_batches(frame: pd.DataFrame) -> None:
    model = bw.TableModel(bw.DensityForest(n_estimators=4, random_state=0)).fit(frame)
    parts = [frame[start : start + 700] for start in range(0, 2_000, 700)]
    filled = model.impute(bw.open_table(parts))
    assert np.array_equal(filled["price"], model.impute(frame[:2_100])["price"])
    assert len(model.score_rows(bw.open_table(parts))) == 2_100


def test_columns_outlive_the_files_names(path: Path) -> None:
    columns = bw.read_columns(bw.open_table(path, LIMIT))
    assert columns == bw.read_columns(path)
