"""What can go wrong with batches and with the disk is said, and nothing is left behind."""

import os
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.stream.tables import mixed_frame

import boxwood as bw
from boxwood import _core


@pytest.fixture
def spool(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "spool"
    folder.mkdir()
    yield folder
    assert os.listdir(folder) == []
    assert _core.mapped_totals()[0] == 0


def fit(source: Any) -> Any:
    return bw.DensityForest(n_estimators=2, random_state=0).fit(source)


def test_other_columns_are_named() -> None:
    differing = r"^batch 1 has the columns 'a', 'c', batch 0 has 'a', 'b': .* \(missing 'b', new 'c'\)\.$"
    with pytest.raises(ValueError, match=differing):
        fit(bw.open_table([{"a": [1, 2], "b": [1, 2]}, {"a": [1], "c": [1]}]))
    with pytest.raises(ValueError, match=r"batch 1 has the columns 'b', 'a', .* in the same order\.$"):
        fit(bw.open_table([{"a": [1, 2], "b": [1, 2]}, {"b": [1], "a": [1]}]))


def test_other_types_are_named() -> None:
    with pytest.raises(TypeError, match=r"^column 'a': batch 2 holds categorical values, batch 0"):
        fit(bw.open_table([{"a": [1, 2]}, {"a": [3]}, {"a": ["x"]}]))
    ordered = [
        pd.Categorical(["a"], list("abc"), ordered=True),
        pd.Categorical(["a"], list("ab"), ordered=True),
    ]
    with pytest.raises(ValueError, match="batch 1 has the ordered categories 'a', 'b', batch 0"):
        fit(bw.open_table([pd.DataFrame({"a": labels}) for labels in ordered]))


def test_a_bad_value_is_found_in_its_batch() -> None:
    with pytest.raises(ValueError, match=r"batch 1: column 'a', row 3: the value is infinity"):
        fit(bw.open_table([{"a": [1.0, 2.0]}, {"a": [1.0, float("inf")]}]))


def test_no_rows() -> None:
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        fit(bw.open_table([pd.DataFrame({"a": [1.0]})[:0]]))
    fit(bw.open_table([mixed_frame(50), mixed_frame(50)[:0], mixed_frame(50)]))


def test_a_reader_that_fails(spool: Path) -> None:
    def batches() -> Iterator[Any]:
        yield mixed_frame(100_000)
        raise OSError("the cable was pulled")

    with pytest.raises(OSError, match="the cable was pulled"):
        fit(bw.open_table(batches, "1MB", folder=spool))


def test_a_full_disk(spool: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, before[1]))
    try:
        with pytest.raises(OSError, match="no room for a temporary file") as error:
            fit(bw.open_table([mixed_frame(30_000)] * 20, "1MB", folder=spool))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "memory_limit" in str(error.value)
    del error


def test_a_full_disk_inside_the_core(spool: Path) -> None:
    X = np.random.default_rng(0).normal(size=(100_000, 1))  # a column fits, what growth needs does not
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_050_000, before[1]))
    forest = bw.DensityForest(n_estimators=2, random_state=0)
    try:
        with pytest.raises(OSError, match="no room for a temporary file"):
            forest.fit(bw.open_table([X], "1MB", folder=spool))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not hasattr(forest, "schema_")


def test_interrupted(spool: Path) -> None:
    def batches() -> Iterator[Any]:
        yield mixed_frame(100_000)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(bw.open_table(batches, "1MB", folder=spool))


class Changing:
    """A file that something is done to after its first batch."""

    def __init__(self, path: Path, change: Any) -> None:
        self.source = bw.open_table(path, "1MB")
        self.source.batch_rows = 1_000
        named = self.source._named

        def changed(sources: bool) -> Iterator[Any]:
            for number, batch in enumerate(named(sources)):
                if number == 1:
                    change()
                yield batch

        self.source._named = changed  # type: ignore[method-assign]


def test_a_file_that_changes_or_vanishes(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    mixed_frame(20_000).to_parquet(path)
    with pytest.raises(ValueError, match="changed while it was read"):
        fit(Changing(path, lambda: mixed_frame(20_000, seed=1).to_parquet(path)).source)
    mixed_frame(20_000).to_parquet(path)
    with pytest.raises(ValueError, match="vanished while it was read"):
        fit(Changing(path, path.unlink).source)
    mixed_frame(20_000).to_parquet(path)
    source = bw.open_table(path, "1MB")
    mixed_frame(10_000).to_parquet(path)  # between opening and reading
    with pytest.raises(ValueError, match="10000 rows came, 20000 were there"):
        fit(source)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    mixed_frame(100).to_parquet(tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(ValueError, match=r"b\.parquet"):
        fit(str(tmp_path / "*.parquet"))
    mixed_frame(100).drop(columns="x").to_parquet(tmp_path / "b.parquet")
    with pytest.raises(ValueError, match=r"b\.parquet' has the columns .* \(missing 'x'\)"):
        fit(str(tmp_path / "*.parquet"))


def test_a_bad_value_is_found_in_its_file(tmp_path: Path) -> None:
    good = pd.DataFrame({"a": np.arange(5_000.0)})
    good.to_parquet(tmp_path / "a.parquet")
    good.replace({4_321.0: np.inf}).to_parquet(tmp_path / "b.parquet")
    with pytest.raises(ValueError, match=r"b\.parquet': column 'a', row 4321: the value is infinity"):
        fit(str(tmp_path / "*.parquet"))
    source = bw.open_table(tmp_path / "b.parquet")
    source.batch_rows = 100
    with pytest.raises(ValueError, match=r"^column 'a', row 4321: the value is infinity"):
        fit(source)


def test_names_that_are_no_columns(tmp_path: Path) -> None:
    mixed_frame(100).to_parquet(tmp_path / "a.parquet")
    source = bw.open_table(tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="there is no column 'colour'"):
        bw.RandomForestClassifier().fit(source, "colour")
    with pytest.raises(ValueError, match=r"y, column 'price', row \d+: the value is missing"):
        bw.RandomForestRegressor().fit(source, "price")


@pytest.mark.parametrize("limit", ["2 cats", -1, 0, True, "", 1e30])
def test_limits_that_are_none(limit: Any) -> None:
    with pytest.raises(ValueError, match="memory_limit must be"):
        bw.open_table([[1.0]], limit)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no folder"):
        fit(bw.open_table([mixed_frame(100)], folder=tmp_path / "not"))


def test_what_gives_no_batches() -> None:
    with pytest.raises(TypeError, match="cannot be read in batches"):
        bw.open_table(3)
